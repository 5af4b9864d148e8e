/** `campaigns approve ID [ROW...]`: approves or rejects posts that wait for it, as they were shown. */

import { decidePosts, longestReason } from '../../app/approvals/approve.ts';
import { showSpending } from '../../app/approvals/spending.ts';
import { listWaitingPosts, type WaitingPost } from '../../app/approvals/waiting-posts.ts';
import { findCampaign, findRow } from '../../app/campaigns/find.ts';
import { approvalOperations } from '../../app/operations/approvals.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { aboutCost } from '../../manifest/money.ts';
import { plural } from '../../manifest/wording.ts';
import { exitCodes } from '../exit.ts';
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
import type { Output } from '../print/output.ts';
import { timeText } from '../print/time.ts';
import { type CommonOptions, openSession, type Session } from '../session.ts';

interface ApproveFlags extends CommonOptions {
  readonly reject?: boolean;
  readonly reason?: string;
  readonly spend?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

const approve: Define = (command) =>
  command
    .argument(...campaignId)
    .argument('[rows...]', 'keys of rows, as in the sheet (default: all that wait)')
    .option('--reject', 'reject them: they fail, and can be edited and retried')
    .option(
      '--reason <text>',
      'with --reject: why',
      parsedBy(readReason, `At most ${longestReason} characters.`),
    )
    .option('--spend', 'allow AI outputs beyond the limit of the settings')
    .option('--dry-run', 'only show the posts that wait')
    .addOption(yesOption())
    .addHelpText(
      'after',
      `
Shows the posts, asks, and approves exactly these. One that changes meanwhile is left, and waits for another approval.
Their media are shown in the console (campaigns serve).

Example:
  campaigns approve c1
  campaigns approve c1 spring-001 spring-002
  campaigns approve --reject --reason 'Wrong product' c1 spring-003`,
    )
    .action(decide);

function readReason(text: string): string | undefined {
  return text.length <= longestReason ? text : undefined;
}

const mostShown = 20;

async function decide(id: string, rows: readonly string[], flags: ApproveFlags): Promise<void> {
  const { reject = false, reason = '', dryRun = false } = flags;
  if (!reject) refuseWithout(flags, ['reason'], '--reject');
  if (flags.spend) {
    refuseBeside(flags, ['reject'], '--spend');
    return spend(id, flags);
  }
  await using session = await openSession(flags, { writes: !dryRun });
  const { runtime, output } = session;
  const campaign = await findCampaign(runtime, id);
  const waiting = await readWaiting(session, id, rows);
  const able = reject ? waiting : waiting.filter(({ seen }) => seen !== null);
  printPosts(output, waiting, campaign);
  if (dryRun || able.length === 0) {
    output.document('approve', { posts: [] });
    return;
  }
  const many = plural(able.length, 'post');
  await confirm(reject ? `Reject ${many} of ${id}?` : `Approve ${many} of ${id}?`, flags);
  const seen = able.map(({ position, revision, seen }) => ({ position, revision, seen: seen ?? undefined }));
  const verdict = reject ? ({ kind: 'reject', reason } as const) : ({ kind: 'approve' } as const);
  const decided = await decidePosts(runtime, id, seen, { verdict, by: session.person });
  const { posts } = decided;
  await session.record(approvalOperations.decideApprovals, { id, decision: verdict.kind }, decided);
  output.document('approve', decided);
  const done = posts.filter(({ state }) => state !== null).length;
  output.print(`${plural(done, 'post')} ${reject ? 'rejected' : 'approved'}.`);
  if (done > 0 && !reject) output.print(takenUpOf(campaign));
  for (const { key, refused } of posts) if (refused !== null) output.print(`Row ${key}: ${refused}`);
  if (done < posts.length) process.exitCode = exitCodes.incomplete;
}

/** Lets rows make their AI outputs although they are beyond a limit. */
async function spend(id: string, flags: ApproveFlags): Promise<void> {
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
  output.print(`Allowed: ${what}. ${takenUpOf(await findCampaign(runtime, id))}`);
}

async function readWaiting(
  { runtime }: Session,
  id: string,
  keys: readonly string[],
): Promise<readonly WaitingPost[]> {
  const campaign = await findCampaign(runtime, id);
  // A key that does not exist is an error of its own, before anything is asked.
  for (const key of keys) await findRow(runtime, campaign, key);
  const wanted = new Set(keys);
  const found: WaitingPost[] = [];
  for (let from: string | undefined; ; ) {
    const page = await listWaitingPosts(runtime, { filter: { campaign: id }, from, limit: 100 });
    found.push(...page.posts.filter(({ key }) => wanted.size === 0 || wanted.has(key)));
    from = page.next;
    if (from === undefined) return found;
  }
}

function printPosts(output: Output, posts: readonly WaitingPost[], { id, timezone }: Campaign): void {
  if (posts.length === 0) {
    output.print(`No post of ${id} waits for an approval.`);
    return;
  }
  for (const { key, creator, product, scheduledAt, caption, fault } of posts.slice(0, mostShown)) {
    output.print(
      `Row ${key}: ${creator}, ${product}, ${scheduledAt === null ? 'at once' : timeText(Date.parse(scheduledAt), timezone)}`,
    );
    output.printText('  ', fault ?? caption);
  }
  if (posts.length > mostShown) output.print(`and ${plural(posts.length - mostShown, 'more post')}`);
}

export const commands = { approve };
