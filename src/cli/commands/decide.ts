/** `campaigns decide ID`: people's decisions about rows in review: one row, or many by filter. */
import { findCampaign } from '../../app/campaigns/find.ts';
import { countDecided } from '../../app/decisions/carry-out.ts';
import {
  type DecideFilter,
  decideMany,
  decideSeen,
  type ManyDecided,
  planMany,
  readBefore,
} from '../../app/decisions/decide-many.ts';
import { isId, looksUpPosts, type PlainVerdict, type Verdict } from '../../app/decisions/decision.ts';
import { decisionOperations } from '../../app/operations/decisions.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { plural } from '../../manifest/wording.ts';
import { longestId } from '../../service/contract/texts.ts';
import { CommandError, exitCodes } from '../exit.ts';
import {
  type ConfirmFlags,
  campaignId,
  canAsk,
  confirm,
  type Define,
  parsedBy,
  refuseBeside,
  refuseWithout,
  wholeNumber,
  yesOption,
} from '../flags/common.ts';
import { decideManyCommand } from '../hints.ts';
import { printDecidedRow, printManyDecided } from '../print/decisions.ts';
import { type CommonOptions, openSession, type Session } from '../session.ts';

interface DecideFlags extends CommonOptions, ConfirmFlags {
  readonly posted?: string;
  readonly notPosted?: boolean;
  readonly generated?: string;
  readonly notGenerated?: boolean;
  readonly undo?: boolean;
  readonly unchecked?: boolean;
  readonly error?: string;
  readonly creator?: string;
  readonly dryRun?: boolean;
  readonly expect?: number;
  readonly before?: string;
}

export const decide: Define = (command) =>
  command
    .argument(...campaignId)
    .argument('[row]', 'key of the row, as in the sheet')
    .option('--posted <post-id>', 'the post exists: mark the row as posted', readId)
    .option('--not-posted', 'the post does not exist: resend it')
    .option('--generated <schedule-id>', 'the generation exists: resume with it', readId)
    .option('--not-generated', 'the generation does not exist: pay for another one')
    .option('--undo', 'undo the decision about the row')
    .option('--unchecked', 'do not look the id up in the service')
    .option('--error <code>', 'without a row: only rows with this error code')
    .option('--creator <name>', 'without a row: only rows of this creator')
    .option('--dry-run', 'without a row: only show what would be decided')
    .option(
      '--expect <n>',
      'without a row: decide only if this many rows match',
      wholeNumber('It must be a number of rows.', 0),
    )
    .option('--before <time>', 'without a row: only rows in review before this time')
    .addOption(yesOption())
    .notes(`
Rows need review when a request was sent but its result is unknown. Check the creator's profile, or the service's
dashboard, before you decide. If you give --not-posted for a post that exists, this creates a duplicate.
A row whose scheduled time has passed is not resent: it fails, and you give it a new time in the sheet.
--undo works for 10 seconds on a row that is resent or resumed (in a paused campaign until it resumes, at most 10
minutes), and for 10 minutes on a row marked as posted. After that, delete duplicates in the social app.

Without a row, --not-posted and --not-generated decide all rows in review that match. A terminal shows them, asks, and
decides exactly these rows. In a script, or with --yes, give --expect N with the number from --dry-run, or --before
TIME, so that later rows are not decided.

Example:
  campaigns decide --posted 7321948 -- c1 42
  campaigns decide --undo -- c1 42
  campaigns decide --not-posted --error outcome_unknown --dry-run c1
  campaigns decide --not-posted --error outcome_unknown --expect 12 c1`)
    .action(decideRows);

async function decideRows(id: string, row: string | undefined, flags: DecideFlags): Promise<void> {
  if (row !== undefined) return decideOne(id, row, flags);
  refuseWithout(flags, ['unchecked'], 'a row');
  const plain = readPlainVerdict(flags);
  const { error, creator, expect, before: time, dryRun = false } = flags;
  await using session = await openSession(flags, { writes: !dryRun });
  const { runtime, output } = session;
  const campaign = await findCampaign(runtime, id);
  const before = time === undefined ? undefined : readBefore(runtime, campaign, time);
  const filter: DecideFilter = { error, creator, before };
  // Without a question nobody has seen the rows: more may have arrived, so `--yes` needs a number or a time.
  const isAsked = !dryRun && expect === undefined && !flags.yes && canAsk(flags);
  const decided = isAsked
    ? await decideAsked(session, campaign, plain, filter, flags)
    : await decideMany(runtime, campaign, plain, { ...filter, expect, dryRun });
  const answer = { id, decision: plain.decision, ...decided, dryRun };
  await session.record(decisionOperations.decideMany, { id, decision: plain.decision, dryRun }, answer);
  output.document('decide', answer);
  printManyDecided(output, decided, { campaign, stage: dryRun ? 'plan' : 'done' });
  if (dryRun && decided.matched > 0) {
    const options = { error, creator, before: time, expect: String(decided.matched) };
    output.print(`In a script, say how many you saw:\n  ${decideManyCommand(id, plain.decision, options)}`);
  }
  const isNoneDecided = decided.matched > 0 && countDecided(decided) === 0;
  if (decided.early || isNoneDecided) process.exitCode = exitCodes.incomplete;
}

/** Shows the rows on the terminal, and decides about exactly these once the person agrees. */
async function decideAsked(
  { runtime, output }: Session,
  campaign: Campaign,
  verdict: PlainVerdict,
  filter: DecideFilter,
  flags: DecideFlags,
): Promise<ManyDecided> {
  const plan = await planMany(runtime, campaign, verdict, filter);
  const { planned, seen } = plan;
  if (seen.size === 0) return planned;
  printManyDecided(output, planned, { campaign, stage: 'question' });
  const rows = plural(seen.size, 'row');
  const isAboutPosts = verdict.decision === 'not-posted';
  const [what, risk, question] = isAboutPosts
    ? ['posts', 'this creates a duplicate', `Resend ${rows} of ${campaign.id}?`]
    : ['generations', 'you pay for it twice', `Generate ${rows} of ${campaign.id} again?`];
  output.print(`If one of these ${what} exists after all, ${risk}.`);
  await confirm(question, flags);
  return decideSeen(runtime, campaign, verdict, plan);
}

async function decideOne(id: string, row: string, flags: DecideFlags): Promise<void> {
  refuseBeside(flags, ['error', 'creator', 'dryRun', 'expect', 'before'], 'a row');
  const verdict = readVerdict(flags);
  const decisions = ['posted', 'notPosted', 'generated', 'notGenerated', 'unchecked'] as const;
  if (flags.undo) refuseBeside(flags, decisions, '--undo');
  else if (!verdict) {
    throw new CommandError('a decision needs --posted, --not-posted, --generated or --not-generated', {
      fix: 'Give exactly one of them.',
    });
  }
  await using session = await openSession(flags, { writes: true });
  const { runtime, output } = session;
  const campaign = await findCampaign(runtime, id);
  const { unchecked } = flags;
  const { state } = verdict
    ? await session.carryOut(decisionOperations.decideRow, { ...verdict, id, key: row, unchecked })
    : await session.carryOut(decisionOperations.undoDecision, { id, key: row });
  const isNotLookedUp = verdict?.decision === 'posted' && (unchecked === true || !looksUpPosts(runtime));
  printDecidedRow(output, { campaign, row, state, isUndone: verdict === undefined, isNotLookedUp });
}

/** @returns undefined unless there is exactly one decision. */
function readVerdict({ posted, notPosted, generated, notGenerated }: DecideFlags): Verdict | undefined {
  const verdicts: Verdict[] = [];
  if (posted !== undefined) verdicts.push({ decision: 'posted', postId: posted });
  if (notPosted) verdicts.push({ decision: 'not-posted' });
  if (generated !== undefined) verdicts.push({ decision: 'generated', scheduleId: generated });
  if (notGenerated) verdicts.push({ decision: 'not-generated' });
  return verdicts.length === 1 ? verdicts[0] : undefined;
}

/** @throws {CommandError} unless there is exactly one decision, and it names no id. */
function readPlainVerdict(flags: DecideFlags): PlainVerdict {
  const verdict = readVerdict(flags);
  if (verdict?.decision === 'not-posted' || verdict?.decision === 'not-generated') return verdict;
  const isOfRow = verdict !== undefined || flags.undo;
  if (isOfRow)
    throw new CommandError('--posted, --generated and --undo are about one row, but no row is given', {
      fix: 'Give the key of the row after the id.',
    });
  throw new CommandError('a decision without a row needs --not-posted or --not-generated', {
    fix: 'Give exactly one of them.',
  });
}

const readId = parsedBy(
  (text) => (isId(text.trim()) ? text.trim() : undefined),
  `An id is not a link. It has 1 to ${longestId} characters, without spaces and without / : ? &.`,
);
