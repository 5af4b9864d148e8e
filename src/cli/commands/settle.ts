/** `campaigns decide ID` (or `settle`): people's decisions about rows in review: one row, many by filter, or a sheet of them. */
import { setTimeout as delay } from 'node:timers/promises';
import { longestId } from '../../api/contract/texts.ts';
import {
  type DecideFilter,
  decideMany,
  decideSeen,
  type ManyDecided,
  planMany,
  readBefore,
} from '../../campaigns/decisions/decide-many.ts';
import { decideRow } from '../../campaigns/decisions/decide-row.ts';
import { decideSheet, sheetDecidedDocument } from '../../campaigns/decisions/decide-sheet.ts';
import {
  EarlyDecisionError,
  isId,
  type PlainVerdict,
  type Verdict,
} from '../../campaigns/decisions/decision.ts';
import { looksUpPosts } from '../../campaigns/decisions/look-up-ids.ts';
import { undoDecision } from '../../campaigns/decisions/undo.ts';
import { findCampaign } from '../../campaigns/find.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { plural } from '../../runtime/wording.ts';
import { CommandError, exitCodes } from '../exit.ts';
import {
  campaignId,
  canAsk,
  confirm,
  type Define,
  parsedBy,
  refuseBeside,
  wholeNumber,
  yesOption,
} from '../flags/common.ts';
import { addReadingOptions, type ReadingFlags, readingOf } from '../flags/sheet.ts';
import { decideManyCommand } from '../hints.ts';
import { openPipeOrFile } from '../import-sheet.ts';
import { printDecidedRow, printManyDecided, printSheetDecided } from '../print/decisions.ts';
import { isTerminal, redraw } from '../print/terminal.ts';
import { type CommonOptions, openSession, type Session } from '../session.ts';

interface SettleFlags extends CommonOptions, ReadingFlags {
  readonly posted?: string;
  readonly notPosted?: boolean;
  readonly generated?: string;
  readonly notGenerated?: boolean;
  readonly undo?: boolean;
  readonly unchecked?: boolean;
  readonly from?: string;
  readonly error?: string;
  readonly creator?: string;
  readonly dryRun?: boolean;
  readonly expect?: number;
  readonly before?: string;
  readonly yes?: boolean;
}

const settle: Define = (command) => {
  command
    .argument(...campaignId)
    .argument('[row]', 'key of the row, as in the sheet')
    .option('--posted <post-id>', 'the post exists: mark the row as posted', readId)
    .option('--not-posted', 'the post does not exist: resend it')
    .option('--generated <schedule-id>', 'the generation exists: resume with it', readId)
    .option('--not-generated', 'the generation does not exist: pay for another one')
    .option('--undo', 'undo the decision about the row')
    .option('--unchecked', 'do not look the id up in the service')
    .option('--from <sheet>', 'carry out the column `decision` of a sheet')
    .option('--error <code>', 'without a row: only rows with this error code')
    .option('--creator <name>', 'without a row: only rows of this creator, as in the sheet')
    .option('--dry-run', 'without a row: only show what would be decided')
    .option(
      '--expect <n>',
      'without a row: decide only if this many rows match',
      wholeNumber('It must be a number of rows.', 0),
    )
    .option('--before <time>', 'without a row: only rows in review since before this time')
    .addOption(yesOption());
  return addReadingOptions(command)
    .addHelpText(
      'after',
      `
Rows need review when a request was sent but its result is unknown. Check the creator's profile, or the service's
dashboard, before you decide. If you give --not-posted for a post that exists, this creates a duplicate.
A row whose scheduled time has passed is not resent: it fails, and you give it a new time in the sheet.
--undo works for 10 seconds on a row that is resent or resumed (in a paused campaign until it resumes, at most 10
minutes), and for 10 minutes on a row marked as posted. After that, delete duplicates in the app.

Without a row, --not-posted and --not-generated decide all rows in review that match. A terminal shows them, asks, and
decides exactly these rows. In a script, give --expect N with the number from --dry-run, or --before TIME, so that
later rows are not decided.
--dry-run also shows which posts were not searched for in the publishing records (campaigns refresh ID searches). For
many different decisions, write the rows to a sheet and fill in its column \`decision\`: posted ID,
not-posted, generated ID or not-generated.

Example:
  campaigns decide c1 42 --posted 7321948
  campaigns decide c1 42 --undo
  campaigns decide c1 --not-posted --error outcome_unknown --dry-run
  campaigns decide c1 --not-posted --error outcome_unknown --expect 12
  campaigns report c1 --only review --out c1.review.csv
  campaigns decide c1 --from c1.review.csv`,
    )
    .action(decideRows);
};

async function decideRows(id: string, row: string | undefined, flags: SettleFlags): Promise<void> {
  if (row !== undefined) return settleRow(id, row, flags);
  const { from, dryRun = false } = flags;
  const plain = from === undefined ? readPlainVerdict(flags) : undefined;
  if (from !== undefined)
    refuseBeside(
      flags,
      ['posted', 'notPosted', 'generated', 'notGenerated', 'undo', 'error', 'creator', 'expect', 'before'],
      '--from',
    );
  await using session = await openSession(flags, { writes: !dryRun });
  const { runtime, output } = session;
  const campaign = await findCampaign(runtime, id);
  if (plain !== undefined) {
    const { error, creator, expect, before: time } = flags;
    const before = time === undefined ? undefined : readBefore(runtime, campaign, time);
    const filter: DecideFilter = { error, creator, before };
    const isAsked = !dryRun && expect === undefined && canAsk(flags);
    const decided = isAsked
      ? await decideAsked(session, campaign, plain, filter, flags)
      : await decideMany(runtime, campaign, plain, { ...filter, expect, dryRun });
    if (!dryRun && decided.matched > 0) {
      await session.record(`Decided about ${plural(decided.matched, 'row')} of ${id}: ${plain.kind}.`);
    }
    output.document('settle', { id, decision: plain.kind, ...decided, dryRun });
    printManyDecided(output, decided, { campaign, stage: dryRun ? 'plan' : 'done' });
    if (dryRun && decided.matched > 0) {
      output.print('In a script, say how many you saw:');
      output.print(`  ${decideManyCommand(id, plain.kind, filter)} --expect ${decided.matched}`);
    }
    if (decided.early) process.exitCode = exitCodes.incomplete;
    return;
  }
  await using sheet = await openPipeOrFile(runtime, from ?? '');
  const { unchecked } = flags;
  const file = { path: sheet.path, file: sheet.file, reading: readingOf(flags) };
  const decided = await decideSheet(runtime, campaign, file, { unchecked, dryRun });
  if (!dryRun && decided.problems.total === 0 && decided.matched > 0) {
    await session.record(`Decided about ${plural(decided.matched, 'row')} of ${id} by ${sheet.file}.`);
  }
  output.document('settle', sheetDecidedDocument(decided, { id, from: sheet.file, dryRun }));
  printSheetDecided(output, decided, { campaign, stage: dryRun ? 'plan' : 'done' });
  if (decided.early) process.exitCode = exitCodes.incomplete;
  if (decided.problems.total > 0) process.exitCode = exitCodes.problems;
}

/** Shows the rows on the terminal, and decides about exactly these once the person agrees. */
async function decideAsked(
  { runtime, output }: Session,
  campaign: Campaign,
  verdict: PlainVerdict,
  filter: DecideFilter,
  flags: SettleFlags,
): Promise<ManyDecided> {
  const plan = await planMany(runtime, campaign, verdict, filter);
  const { planned, seen } = plan;
  if (seen.size === 0) return planned;
  printManyDecided(output, planned, { campaign, stage: 'question' });
  const rows = plural(seen.size, 'row');
  const isAboutPosts = verdict.kind === 'not-posted';
  if (isAboutPosts) output.print('If one of these posts exists after all, this creates a duplicate.');
  else output.print('If one of these generations exists after all, you pay for it twice.');
  await confirm(
    `${isAboutPosts ? 'Resend' : 'Generate'} ${rows} of ${campaign.id}${isAboutPosts ? '' : ' again'}?`,
    flags,
  );
  return decideSeen(runtime, campaign, verdict, plan);
}

async function settleRow(id: string, row: string, flags: SettleFlags): Promise<void> {
  refuseBeside(flags, ['from', 'error', 'creator', 'dryRun', 'expect', 'before'], 'a row');
  const verdict = readVerdict(flags);
  if (flags.undo) refuseBeside(flags, ['posted', 'notPosted', 'generated', 'notGenerated'], '--undo');
  else if (!verdict) {
    throw new CommandError('a decision needs --posted, --not-posted, --generated or --not-generated', {
      cure: 'Give exactly one of them.',
    });
  }
  await using session = await openSession(flags, { writes: true });
  const { runtime, output } = session;
  const campaign = await findCampaign(runtime, id);
  const { unchecked } = flags;
  const state = verdict
    ? await countDown(decideRow(runtime, campaign, row, verdict, { unchecked }))
    : await undoDecision(runtime, campaign, row);
  await session.record(
    verdict
      ? `Decided about row ${row} of ${id}: ${verdict.kind}.`
      : `Undid the ${state === 'failed' ? 'retry of' : 'decision about'} row ${row} of ${id}.`,
  );
  output.document('settle', { id, row, state, ...(flags.undo && { undone: true as const }) });
  const isNotLookedUp =
    verdict?.kind === 'posted' && (unchecked === true || !looksUpPosts(runtime, campaign));
  printDecidedRow(output, { campaign, row, state, isUndone: verdict === undefined, isNotLookedUp });
}

/** On a terminal, shows how long a decision must wait that comes too early. Decides nothing then: what is true may change meanwhile. */
async function countDown<T>(deciding: Promise<T>): Promise<T> {
  try {
    return await deciding;
  } catch (error) {
    if (!(error instanceof EarlyDecisionError) || !isTerminal('stderr')) throw error;
    for (let lines = 0; Date.now() < error.from; lines = 1) {
      redraw(
        [
          `The request may still be running. Decide in ${Math.ceil((error.from - Date.now()) / 1000)} s (Ctrl-C ends this).`,
        ],
        lines,
      );
      await delay(Math.min(1000, Math.max(1, error.from - Date.now())));
    }
    throw new CommandError(error.message.replace(' may still be', ' was still'), {
      cure: "It is over now. Check the creator's profile, or the service's dashboard, then decide again.",
      cause: error,
    });
  }
}

/** @returns undefined unless there is exactly one decision. */
function readVerdict({ posted, notPosted, generated, notGenerated }: SettleFlags): Verdict | undefined {
  const verdicts: Verdict[] = [];
  if (posted !== undefined) verdicts.push({ kind: 'posted', postId: posted });
  if (notPosted) verdicts.push({ kind: 'not-posted' });
  if (generated !== undefined) verdicts.push({ kind: 'generated', scheduleId: generated });
  if (notGenerated) verdicts.push({ kind: 'not-generated' });
  return verdicts.length === 1 ? verdicts[0] : undefined;
}

/** @throws {CommandError} unless there is exactly one decision, and it names no id. */
function readPlainVerdict(flags: SettleFlags): PlainVerdict {
  const verdict = readVerdict(flags);
  if (verdict?.kind === 'not-posted' || verdict?.kind === 'not-generated') return verdict;
  const isOfRow = verdict !== undefined || flags.undo;
  throw new CommandError(
    isOfRow
      ? '--posted, --generated and --undo are about one row, but no row is given'
      : 'a decision without a row needs --not-posted, --not-generated or --from',
    {
      cure: isOfRow
        ? 'Give the key of the row after the id. For many ids, use a sheet: --from SHEET.'
        : 'Give exactly one of them.',
    },
  );
}

const readId = parsedBy(
  (text) => (isId(text.trim()) ? text.trim() : undefined),
  `An id has 1 to ${longestId} characters and no spaces.`,
);

export const commands = { settle, decide: settle };
