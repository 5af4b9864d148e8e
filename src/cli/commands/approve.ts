/** `campaigns approve ID [ROW...]`: approves or rejects posts that wait for it, as they were shown, or withdraws approvals. */

import {
  type Approved,
  decidePosts,
  gateOf,
  longestReason,
  type Verdict,
} from '../../app/approvals/approve.ts';
import { describeFates, fatesOf } from '../../app/approvals/fates.ts';
import { showSpending } from '../../app/approvals/spending.ts';
import { describeWaiting, inOrder, type WaitingPost } from '../../app/approvals/waiting-posts.ts';
import { findCampaign, findNamedRows } from '../../app/campaigns/find.ts';
import { commentLine } from '../../app/campaigns/results/approvals.ts';
import { approvalOperations } from '../../app/operations/approvals.ts';
import { commandLine } from '../../app/runtime/command-line.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { aboutCost } from '../../manifest/money.ts';
import type { RowIndex } from '../../manifest/row.ts';
import { plural } from '../../manifest/wording.ts';
import { CommandError, exitCodes } from '../exit.ts';
import {
  type ConfirmFlags,
  campaignId,
  confirm,
  confirmUnlessDry,
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

interface ApproveFlags extends CommonOptions, ConfirmFlags {
  readonly reject?: boolean;
  readonly reason?: string;
  readonly withdraw?: boolean;
  readonly spend?: boolean;
  readonly renew?: boolean;
  readonly dryRun?: boolean;
}

export const approve: Define = (command) =>
  command
    .argument(...campaignId)
    .argument('[rows...]', 'keys of rows, as in the sheet (default: all that wait)')
    .option('--reject', 'reject them: they fail, and can be edited and retried')
    .option(
      '--reason <text>',
      'with --reject: what is wrong',
      parsedBy(
        (text) => (text.length <= longestReason ? text.trim() : undefined),
        `At most ${longestReason} characters.`,
      ),
    )
    .option('--withdraw', 'withdraw approvals: the posts wait for another one')
    .option('--renew', 'upload changed files, or generate AI media, again')
    .option('--spend', 'allow AI outputs beyond the limit of the settings')
    .option('--dry-run', 'only show what would be decided')
    .addOption(yesOption())
    .notes(`
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
  campaigns approve --renew c1 spring-004`)
    .action(decide);

async function decide(id: string, keys: readonly string[], flags: ApproveFlags): Promise<void> {
  const { dryRun = false } = flags;
  if (flags.spend) return spend(id, keys, flags);
  if (flags.renew) {
    refuseBeside(flags, ['reject', 'reason', 'withdraw'], '--renew');
    return renewPosts(id, keys, flags, ({ output }, outcomes) => printOutcomes(output, outcomes, dryRun));
  }
  const verdict = verdictOf(id, keys, flags);
  const { decision } = verdict;
  await using session = await openSession(flags, { writes: !dryRun });
  const { runtime, output, person, record } = session;
  const campaign = await findCampaign(runtime, id);
  const rows = await rowsOf(runtime, campaign, keys, decision);
  const posts = await describeWaiting(runtime, campaign, rows, gateOf(verdict));
  printPosts(output, posts, campaign);
  if (rows.length === 0) {
    output.print(
      decision === 'withdraw'
        ? `No approved post of ${id} waits.`
        : `No post of ${id} waits for an approval.`,
    );
    return printOutcomes(output, [], dryRun);
  }
  const able = posts.filter(({ seen }) => seen !== null || decision !== 'approve');
  const question = able.length > 0 && questionOf(runtime, campaign, able, decision);
  if (question) await confirmUnlessDry(output, question, flags);
  const shown = new Map(posts.map((post) => [post.position, post]));
  const seen = rows.map((position) => {
    // One that was not shown has no revision in which it could be decided.
    const { revision = -1, seen: digest } = shown.get(position) ?? {};
    return { position, revision, seen: digest ?? undefined };
  });
  const isDone = question !== false && !dryRun;
  const decided = await decidePosts(runtime, id, seen, { verdict, by: person, dryRun: !isDone });
  if (isDone) {
    await record(approvalOperations.decideApprovals, { id, decision }, decided);
    const done = decided.posts.filter(({ state }) => state !== null).length;
    output.print(`${plural(done, decision === 'withdraw' ? 'approval' : 'post')} ${did[decision]}.`);
    if (done > 0 && decision === 'approve') output.print(takenUpOf(campaign));
  }
  printOutcomes(output, decided.posts, dryRun);
  const faulty = posts.filter((post) => !able.includes(post)).map(({ key }) => key);
  if (faulty.length > 0)
    output.print(
      `Upload ${faulty.length === 1 ? 'its files' : 'their files'} again, then approve:\n  ${commandLine('approve', { options: { renew: true }, own: [id], outside: faulty })}`,
    );
}

function verdictOf(id: string, keys: readonly string[], flags: ApproveFlags): Verdict {
  const { reject, reason = '', withdraw } = flags;
  if (withdraw) refuseBeside(flags, ['reject', 'reason'], '--withdraw');
  if (!reject) refuseWithout(flags, ['reason'], '--reject');
  else if (reason === '')
    throw new CommandError('--reject needs a reason', {
      fix: `Say what is wrong:\n  ${commandLine('approve', { options: { reject: true, reason: 'Wrong product' }, own: [id], outside: keys })}`,
    });
  return reject ? { decision: 'reject', reason } : { decision: withdraw ? 'withdraw' : 'approve' };
}

/** Rows that are named, or all that can be decided so, the nearest day first. */
async function rowsOf(
  runtime: Session['runtime'],
  campaign: Campaign,
  keys: readonly string[],
  decision: Verdict['decision'],
): Promise<readonly RowIndex[]> {
  const { approvals } = runtime.ledger;
  if (keys.length === 0)
    return decision === 'withdraw'
      ? approvals.approved(campaign.id)
      : inOrder(await approvals.waiting(campaign.id));
  return [...(await findNamedRows(runtime, campaign, keys)).values()];
}

const did = { approve: 'approved', reject: 'rejected', withdraw: 'withdrawn' } as const;

/** What becomes of each post; why it was left. */
function printOutcomes(output: Output, outcomes: readonly Outcome[], dryRun: boolean): void {
  output.document('approve', { posts: [...outcomes], ...(dryRun && { dryRun }) });
  for (const { key, refused } of outcomes) if (refused !== null) output.print(`Row ${key}: ${refused}`);
  if (outcomes.some(({ refused }) => refused !== null)) process.exitCode = exitCodes.incomplete;
}

type Outcome = Approved['posts'][number];

/** Names what the service gets at once: nobody can take that back. */
function questionOf(
  { settings }: Session['runtime'],
  { id }: Campaign,
  posts: readonly WaitingPost[],
  decision: Verdict['decision'],
): string {
  const many = plural(posts.length, 'post');
  if (decision === 'reject') return `Reject ${many} of ${id}?`;
  if (decision === 'withdraw') return `Withdraw the approval of ${many} of ${id}?`;
  const fates = describeFates(fatesOf(posts.map(({ fate }) => fate)), settings.post.late);
  return `Approve ${many} of ${id}? ${fates}`.trim();
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

function printPosts(output: Output, posts: readonly WaitingPost[], { timezone }: Campaign): void {
  for (const { key, creator, product, scheduledAt, caption, details, comments } of posts) {
    const when = scheduledAt === null ? 'once approved' : timeText(Date.parse(scheduledAt), timezone);
    output.print(`Row ${key}: ${creator}, ${product}, ${when}`);
    output.printText('  ', caption);
    if (details.length > 0) output.printText('  ', details.join(', '));
    for (const comment of comments) output.printText('  ', commentLine(comment));
  }
}
