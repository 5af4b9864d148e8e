/** `campaigns approve ID [ROW...]`: approves or rejects posts that wait for it, as they were shown, or withdraws approvals. */

import { type Approved, countFates, decidePosts, longestReason } from '../../app/approvals/approve.ts';
import { describeFates } from '../../app/approvals/fates.ts';
import { showSpending } from '../../app/approvals/spending.ts';
import { listWaitingPosts, type WaitingPost } from '../../app/approvals/waiting-posts.ts';
import {
  type ApprovedPost,
  type NamedPosts,
  readApprovedPosts,
  readNamedPosts,
  type UndecidedPost,
  withdrawApprovals,
} from '../../app/approvals/withdraw.ts';
import { findCampaign } from '../../app/campaigns/find.ts';
import { commentLine } from '../../app/campaigns/results/approvals.ts';
import { approvalOperations } from '../../app/operations/approvals.ts';
import { commandLine } from '../../app/runtime/command-line.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { aboutCost } from '../../manifest/money.ts';
import { plural } from '../../manifest/wording.ts';
import { CommandError, exitCodes } from '../exit.ts';
import {
  campaignId,
  confirm,
  type Define,
  parsedBy,
  refuseBeside,
  refuseWithout,
  yesOption,
} from '../flags/common.ts';
import { takenUpOf } from '../print/campaign.ts';
import { type Output, timeText } from '../print/output.ts';
import { type CommonOptions, openSession, type Session } from '../session.ts';
import { renewPosts } from './approve-renew.ts';

interface ApproveFlags extends CommonOptions {
  readonly reject?: boolean;
  readonly reason?: string;
  readonly withdraw?: boolean;
  readonly spend?: boolean;
  readonly renew?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export const approve: Define = (command) =>
  command
    .argument(...campaignId)
    .argument('[rows...]', 'keys of rows, as in the sheet (default: all that wait)')
    .option('--reject', 'reject them: they fail, and can be edited and retried')
    .option(
      '--reason <text>',
      'with --reject: what is wrong',
      parsedBy(readReason, `At most ${longestReason} characters.`),
    )
    .option('--withdraw', 'withdraw approvals: the posts wait for another one')
    .option('--renew', 'upload changed files, or generate AI media, again')
    .option('--spend', 'allow AI outputs beyond the limit of the settings')
    .option('--dry-run', 'only show what would be decided')
    .addOption(yesOption())
    .addHelpText(
      'after',
      `
Shows the posts, asks, and approves exactly these. A post that changes in the meantime is not approved, and keeps waiting.
To see the media, use the console (campaigns serve). --withdraw works while approved posts are ready; without rows, it
withdraws all of them. --renew is for posts whose files have changed since their upload, and for AI media that you do not
like: it says what it costs, and the posts wait for another approval.

Exit codes: 0 done, 2 usage or settings, 3 some rows were not decided, such as rows that were not waiting.

Example:
  campaigns approve c1
  campaigns approve c1 spring-001 spring-002
  campaigns approve --reject --reason 'Wrong product' c1 spring-003
  campaigns approve --withdraw c1 spring-001
  campaigns approve --renew c1 spring-004`,
    )
    .action(decide);

function readReason(text: string): string | undefined {
  return text.length <= longestReason ? text.trim() : undefined;
}

async function decide(id: string, keys: readonly string[], flags: ApproveFlags): Promise<void> {
  const { reject = false, reason = '', dryRun = false } = flags;
  if (flags.spend) return spend(id, keys, flags);
  if (flags.renew) {
    refuseBeside(flags, ['reject', 'reason', 'withdraw'], '--renew');
    return renewPosts(id, keys, flags, ({ output }, outcomes) => printOutcomes(output, outcomes, dryRun));
  }
  if (flags.withdraw) return withdraw(id, keys, flags);
  if (!reject) refuseWithout(flags, ['reason'], '--reject');
  else if (reason === '')
    throw new CommandError('--reject needs a reason', {
      fix: `Say what is wrong:\n  ${commandLine('approve', { options: { reject: true, reason: 'Wrong product' }, own: [id], outside: keys })}`,
    });
  await using session = await openSession(flags, { writes: !dryRun });
  const { runtime, output } = session;
  const campaign = await findCampaign(runtime, id);
  const { posts, others } =
    keys.length > 0 ? await readNamedPosts(runtime, campaign, keys) : await readAll(runtime, id);
  const able = reject ? posts : posts.filter(({ seen }) => seen !== null);
  const left = [...others, ...posts.filter((post) => !able.includes(post)).map(undecided)];
  printPosts(output, posts, campaign);
  if (posts.length === 0 && left.length === 0) output.print(`No post of ${id} waits for an approval.`);
  const question = able.length > 0 && (await questionOf(runtime, campaign, able, reject));
  if (question && dryRun) output.print(`Nothing was changed. Without --dry-run it asks: ${question}`);
  if (question && !dryRun) await confirm(question, flags);
  const decided = dryRun
    ? able.map((post) => outcomeOf(post, reject ? 'failed' : 'ready'))
    : await decideShown(session, campaign, able, { reject, reason });
  printOutcomes(output, [...decided, ...left.map((post) => leftOf(id, post))], dryRun);
  const faulty = posts.filter(({ seen }) => seen === null).map(({ key }) => key);
  if (faulty.length > 0 && !reject)
    output.print(
      `Upload ${faulty.length === 1 ? 'its files' : 'their files'} again, then approve:\n  ${commandLine('approve', { options: { renew: true }, own: [id], outside: faulty })}`,
    );
}

/** What becomes of each post; why it was left. */
function printOutcomes(output: Output, outcomes: readonly Outcome[], dryRun: boolean): void {
  output.document('approve', { posts: [...outcomes], ...(dryRun && { dryRun }) });
  for (const { key, refused } of outcomes) if (refused !== null) output.print(`Row ${key}: ${refused}`);
  if (outcomes.some(({ refused }) => refused !== null)) process.exitCode = exitCodes.incomplete;
}

type Outcome = Approved['posts'][number];

function outcomeOf(
  { campaign, key, position }: Pick<Outcome, 'campaign' | 'key' | 'position'>,
  state: Outcome['state'],
  refused: string | null = null,
): Outcome {
  return { campaign, key, position, state, refused };
}

function leftOf(campaign: string, post: UndecidedPost): Outcome {
  return outcomeOf({ ...post, campaign }, null, post.refused);
}

function undecided({ key, position, fault }: WaitingPost): UndecidedPost {
  return { key, position, refused: fault ?? '' };
}

/** Names what the service gets at once: nobody can take that back. */
async function questionOf(
  runtime: Session['runtime'],
  { id }: Campaign,
  posts: readonly WaitingPost[],
  reject: boolean,
): Promise<string> {
  const many = plural(posts.length, 'post');
  if (reject) return `Reject ${many} of ${id}?`;
  const fates = describeFates(await countFates(runtime, id, posts), runtime.settings.post.late);
  return `Approve ${many} of ${id}? ${fates}`.trim();
}

/** @param posts as they were shown. */
async function decideShown(
  { runtime, output, person, record }: Session,
  campaign: Campaign,
  posts: readonly WaitingPost[],
  { reject, reason }: { readonly reject: boolean; readonly reason: string },
): Promise<readonly Outcome[]> {
  if (posts.length === 0) return [];
  const { id } = campaign;
  const seen = posts.map(({ position, revision, seen }) => ({ position, revision, seen: seen ?? undefined }));
  const verdict = reject ? ({ kind: 'reject', reason } as const) : ({ kind: 'approve' } as const);
  const decided = await decidePosts(runtime, id, seen, { verdict, by: person });
  await record(approvalOperations.decideApprovals, { id, decision: verdict.kind }, decided);
  const done = decided.posts.filter(({ state }) => state !== null).length;
  output.print(`${plural(done, 'post')} ${reject ? 'rejected' : 'approved'}.`);
  if (done > 0 && !reject) output.print(takenUpOf(campaign));
  return decided.posts;
}

/** Takes approvals back, while their posts wait. */
async function withdraw(id: string, keys: readonly string[], flags: ApproveFlags): Promise<void> {
  const { dryRun = false } = flags;
  refuseBeside(flags, ['reject', 'reason'], '--withdraw');
  await using session = await openSession(flags, { writes: !dryRun });
  const { runtime, output, person, record } = session;
  const campaign = await findCampaign(runtime, id);
  const { posts, others } = await readApprovedPosts(runtime, campaign, keys);
  const left = others.map((post) => leftOf(id, post));
  printPosts(output, posts, campaign);
  if (posts.length === 0) {
    if (left.length === 0) output.print(`No approved post of ${id} waits.`);
    return printOutcomes(output, left, dryRun);
  }
  const question = `Withdraw the approval of ${plural(posts.length, 'post')} of ${id}?`;
  if (dryRun) {
    output.print(`Nothing was changed. Without --dry-run it asks: ${question}`);
    const would = posts.map((post) => outcomeOf({ ...post, campaign: id }, 'ready'));
    return printOutcomes(output, [...would, ...left], dryRun);
  }
  await confirm(question, flags);
  const withdrawn = await withdrawApprovals(runtime, id, posts, person);
  await record(approvalOperations.decideApprovals, { id, decision: 'withdraw' }, withdrawn);
  const done = withdrawn.posts.filter(({ state }) => state !== null).length;
  output.print(`${plural(done, 'approval')} withdrawn.`);
  printOutcomes(output, [...withdrawn.posts, ...left], dryRun);
}

/** Lets rows make their AI outputs although they are beyond a limit. */
async function spend(id: string, keys: readonly string[], flags: ApproveFlags): Promise<void> {
  refuseBeside(flags, ['reject', 'reason', 'withdraw', 'renew'], '--spend');
  if (keys.length > 0)
    throw new CommandError(`--spend cannot go with rows: it allows all AI outputs of ${id}`, {
      fix: 'Omit the rows, or --spend.',
    });
  await using session = await openSession(flags, { writes: !flags.dryRun });
  const { runtime, output } = session;
  const waiting = await showSpending(runtime, id);
  const what = `${plural(waiting.outputs, 'AI output')} of ${plural(waiting.rows, 'row')}${aboutCost(waiting.cost)}`;
  if (flags.dryRun || waiting.rows === 0) {
    output.document('approve', waiting);
    const said =
      waiting.rows === 0 ? `No row of ${id} waits because of its AI outputs.` : `${what} would be allowed.`;
    output.print(said);
    return;
  }
  await confirm(`Allow ${what}?`, flags);
  await session.carryOut(approvalOperations.allowSpending, { id, outputs: waiting.outputs });
  const next = waiting.more > 0 ? ` Repeat the command for ${plural(waiting.more, 'other row')}.` : '';
  output.print(`Allowed: ${what}. ${takenUpOf(await findCampaign(runtime, id))}${next}`);
}

async function readAll(runtime: Session['runtime'], id: string): Promise<NamedPosts> {
  const posts: WaitingPost[] = [];
  for (let from: string | undefined; ; ) {
    const page = await listWaitingPosts(runtime, { filter: { campaign: id }, from, limit: 100 });
    posts.push(...page.posts);
    from = page.next;
    if (from === undefined) return { posts, others: [] };
  }
}

type PrintedPost = ApprovedPost & Partial<Pick<WaitingPost, 'details' | 'comments'>>;

function printPosts(output: Output, posts: readonly PrintedPost[], { timezone }: Campaign): void {
  for (const { key, creator, product, scheduledAt, caption, details = [], comments = [] } of posts) {
    const when = scheduledAt === null ? 'once approved' : timeText(Date.parse(scheduledAt), timezone);
    output.print(`Row ${key}: ${creator}, ${product}, ${when}`);
    output.printText('  ', caption);
    if (details.length > 0) output.printText('  ', details.join(', '));
    for (const comment of comments) output.printText('  ', commentLine(comment));
  }
}
