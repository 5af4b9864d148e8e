/** Decisions about rows in review, in words. */

import { countDecided, type Decisions } from '../../app/decisions/carry-out.ts';
import type { ManyDecided } from '../../app/decisions/decide-many.ts';
import { commandsOf } from '../../app/runtime/command-line.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { RowState } from '../../ledger/states.ts';
import { plural } from '../../manifest/wording.ts';
import { fixHere, undoCommand } from '../hints.ts';
import { takenUpOf } from './campaign.ts';
import { namesOf, type Output, timesIn } from './output.ts';

interface Context {
  readonly campaign: Pick<Campaign, 'id' | 'state' | 'timezone'>;
  /** `plan`: a dry run. `question`: the person is asked next. */
  readonly stage: 'plan' | 'question' | 'done';
}

export function printDecidedRow(
  output: Output,
  decided: {
    readonly campaign: Context['campaign'];
    readonly row: string;
    readonly state: RowState;
    readonly isUndone: boolean;
    /** Whether it names a post that nobody looked up. */
    readonly isNotLookedUp: boolean;
  },
): void {
  const { campaign, row, state, isUndone, isNotLookedUp } = decided;
  const said =
    state === 'waiting' || state === 'running'
      ? resumes(campaign, row)
      : isUndone && state === 'failed'
        ? 'has failed again: its retry was undone.'
        : sequels[state];
  output.print(`Row ${row} of ${campaign.id} ${said}`);
  if (isNotLookedUp) output.print(notLookedUpText(1, [row]));
  if (state === 'posted' && !isUndone)
    output.print(`You can undo this for 10 minutes:\n  ${undoCommand(campaign.id, row)}`);
}

/** @param keys of the first few. */
function notLookedUpText(posts: number, keys: readonly string[]): string {
  const rows = `${posts === 1 ? 'row' : 'rows'} ${namesOf(keys, keys.length, posts)}`;
  return `${plural(posts, 'post id')} ${posts === 1 ? 'was' : 'were'} taken as written (${rows}), not looked up in the publishing records. Check the creator's profile, or the service's dashboard.`;
}

/** A paused campaign holds the row longer than the undo is kept. */
function resumes(campaign: Context['campaign'], row: string): string {
  const [when, atMost] =
    campaign.state === 'paused' ? ['with its campaign', ' (for 10 minutes at most)'] : ['in 10 seconds', ''];
  return `resumes ${when}. ${takenUpOf(campaign)}\nUntil it resumes, you can undo this${atMost}. After that, delete duplicates in the social app:\n  ${undoCommand(campaign.id, row)}`;
}

const sequels: Readonly<Record<Exclude<RowState, 'waiting' | 'running'>, string>> = {
  ready: 'is ready, and posted when its time comes.',
  review: 'is in review again.',
  posted: 'is marked as posted.',
  failed:
    'has failed: its scheduled time has passed. Give it a new time in the sheet, as `campaigns show` says.',
  cancelled: 'is cancelled, like its campaign.',
};

/** What becomes of decided rows, by their state afterwards. */
const outcomes: Readonly<Record<RowState, string>> = {
  waiting: 'resent in 10 seconds, or resumed',
  running: 'running',
  ready: 'ready for their time',
  posted: 'marked as posted',
  failed: 'failed, because their time has passed: give them a new time in the sheet',
  cancelled: 'cancelled, like their campaign',
  review: 'in review',
};

export function printManyDecided(output: Output, decided: ManyDecided, context: Context): void {
  const { matched, left, refused, leftOut, unproven, causes, kinds } = decided;
  if (matched > 0) printOutcomes(output, decided, context);
  else if (refused.length + leftOut.length === 0) output.print('No rows in review match.');
  if (context.stage !== 'done')
    for (const cause of causes) printCause(output, cause, context.campaign.timezone);
  if (left > 0) output.print(`${plural(left, 'row')} in review unchanged.`);
  for (const { key, message, fix } of refused) {
    output.printText(`  ${key}: `, `${message}.\n${fixHere(fix)}`);
  }
  for (const group of leftOut) printUnproven(output, group, 'not decided');
  for (const group of unproven) printUnproven(output, group, 'without proof that the post does not exist');
  if (kinds) {
    output.printText('  codes of rows in review: ', kinds.codes.join(', '));
    output.printText('  creators of rows in review: ', kinds.creators.join(', '));
  }
}

/** Why rows are in review, and since when. */
function printCause(
  output: Output,
  { code, rows, message, oldest }: ManyDecided['causes'][number],
  zone: string | null,
): void {
  const since = `in review since ${oldest}${rows > 1 ? ' or later' : ''}`;
  output.printText(`  ${plural(rows, 'row')} ${code}, `, timesIn(`${since}: ${message}`, zone));
}

function printUnproven(
  output: Output,
  { rows, keys, why, commands }: ManyDecided['unproven'][number],
  what: string,
): void {
  output.printText(
    `  ${plural(rows, 'row')} ${what} (${namesOf(keys, keys.length, rows)}): `,
    [`${why}.`, ...commands.flatMap(commandsOf)].join('\n'),
  );
}

const leads: Readonly<Record<Context['stage'], string>> = {
  plan: 'Dry run: nothing was decided. This would decide',
  question: 'This decides',
  done: 'Decided',
};

function printOutcomes(output: Output, decisions: Decisions, context: Context): void {
  const { states, changed, matched, keys, early } = decisions;
  const decided = countDecided(decisions);
  if (decided > 0) {
    const lead = `${leads[context.stage]} ${plural(decided, 'row')}: `;
    output.printText(lead, namesOf(keys, keys.length, matched));
  }
  for (const [state, rows] of Object.entries(states)) {
    const isHeld = state === 'waiting' && context.campaign.state === 'paused';
    const outcome = isHeld ? 'resent, or resumed, with the campaign' : outcomes[state as RowState];
    output.print(`  ${plural(rows, 'row')}: ${outcome}`);
  }
  if (changed > 0) {
    const have = changed === 1 ? 'it has' : 'they have';
    const look = `look at ${changed === 1 ? 'it' : 'them'}, then decide again`;
    output.print(`  ${plural(changed, 'row')}: not decided, because ${have} changed; ${look}`);
  }
  if (early) {
    const those = namesOf(early.keys, early.keys.length, early.rows);
    output.printText(
      `  ${plural(early.rows, 'row')} kept for later (${those}): `,
      timesIn(
        `their requests may still be running until ${early.from}. Check the creator's profile, or the service's dashboard, after that. Then decide again.`,
        context.campaign.timezone,
      ),
    );
  }
  if (context.stage !== 'done' || decided === 0) return;
  output.print(`Undo the decision about a row:\n  ${undoCommand(context.campaign.id)}`);
  if (states.waiting) output.print(takenUpOf(context.campaign));
}
