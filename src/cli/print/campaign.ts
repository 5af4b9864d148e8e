/** Campaigns in words. */

import type { Cause } from '../../app/campaigns/causes.ts';
import { isPausedForLoss } from '../../app/campaigns/lost-rows.ts';
import { deliveredCounts, isAllReady, type ShownCounts } from '../../app/campaigns/post-status.ts';
import { describeSilence, describeUnknownWorkers, rowsAnew } from '../../app/campaigns/progress/notes.ts';
import type { SeenWorkers } from '../../app/campaigns/queues.ts';
import { commandLine, commandsOf } from '../../app/runtime/command-line.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { WorkerPresence } from '../../ledger/presence.ts';
import type { DeliveryCounts } from '../../ledger/rows/results.ts';
import { writeLead } from '../../manifest/campaign-options.ts';
import { type Hint, hintsOf, plainFix } from '../../manifest/problems/hint.ts';
import { stepFacts } from '../../manifest/steps.ts';
import { capitalized, describeDuration, plural, sentence, thousands } from '../../manifest/wording.ts';
import { fixHere, reportCommand } from '../hints.ts';
import { namesOf, type Output, shortTime, timesIn, timeText } from './output.ts';

/**
 * `40 scheduled, 3 failed, 1 in review`; leaves out states without rows. @param deliveries tells posted rows apart.
 * @param paint colours the part of a state.
 */
export function describeCounts(
  campaign: Pick<Campaign, 'state' | 'counts'>,
  deliveries?: DeliveryCounts,
  paint: (state: keyof ShownCounts, text: string) => string = (_state, text) => text,
): string {
  const counts = deliveredCounts(campaign, deliveries);
  const parts = shownStates
    .filter((state) => counts[state] > 0)
    .map((state) => paint(state, `${thousands(counts[state])} ${stateWords[state] ?? state}`));
  return parts.join(', ') || 'no rows';
}

/** As on the pages. */
const stateWords: Readonly<Partial<Record<keyof ShownCounts, string>>> = {
  unconfirmed: 'not confirmed',
  review: 'in review',
};

const shownStates = [
  ...['waiting', 'running', 'ready', 'live', 'posted', 'scheduled', 'unconfirmed'],
  ...['failed', 'review', 'cancelled'],
] as readonly (keyof ShownCounts)[];

const headlines: Readonly<Record<ReturnType<typeof stateName>, string>> = {
  running: 'is not finished',
  ready: 'is ready: its remaining posts wait for their time, or for an approval',
  paused: 'is paused',
  cancelling: 'is being cancelled',
  ended: 'ended',
  cancelled: 'was cancelled',
};

/** State of a campaign for people: not `ended` for a cancelled one. */
export function stateName(campaign: Campaign): Campaign['state'] | 'cancelled' | 'ready' {
  const { state, cancelledAt } = campaign;
  if (isAllReady(campaign)) return 'ready';
  return state === 'ended' && cancelledAt !== undefined ? 'cancelled' : state;
}

const colours = {
  waiting: 'dim',
  running: 'dim',
  ready: 'cyan',
  live: 'green',
  posted: 'green',
  scheduled: 'green',
  unconfirmed: 'yellow',
  failed: 'red',
  review: 'yellow',
  cancelled: 'dim',
} as const satisfies Record<keyof ShownCounts, string>;

/** Prints counts, time, and causes with the commands that fix them. */
export function printSummary(
  output: Output,
  campaign: Campaign,
  known: {
    readonly causes: readonly Cause[];
    readonly deliveries: DeliveryCounts;
    readonly readyAt: number | undefined;
  },
): void {
  const { causes, deliveries, readyAt } = known;
  const { endedAt, workedMs } = campaign;
  const took = endedAt === undefined || workedMs === undefined ? '' : ` after ${describeDuration(workedMs)}`;
  const headline = headlines[stateName(campaign)];
  output.print(`Campaign ${output.paint('bold', campaign.id)} (${campaign.name}) ${headline}${took}`);
  const painted = describeCounts(campaign, deliveries, (state, text) => output.paint(colours[state], text));
  output.print(`  ${plural(campaign.rows, 'row')}: ${painted}`);
  if (campaign.leftOut > 0) {
    const were = campaign.leftOut === 1 ? 'was' : 'were';
    output.print(`  ${plural(campaign.leftOut, 'row')} of the sheet ${were} skipped`);
  }
  printReady(output, campaign, readyAt);
  printAhead(output, campaign, deliveries);
  const options = optionsOf(campaign);
  if (options.length > 0) output.print(`  ${capitalized(options.join(', '))}`);
  printPause(output, campaign);
  for (const cause of causes) printCause(output, cause, campaign.timezone);
  printEdits(output, campaign, causes);
  if (stateName(campaign) === 'cancelled') {
    output.print();
    printRowsAnew(output, campaign);
  }
}

function optionsOf({ canary, canaryOf, stopAfter, lead, approve, startedBy }: Campaign): readonly string[] {
  return [
    ...(canary === null ? [] : [`canary of ${canary}${canaryOf === undefined ? '' : ` (${canaryOf})`}`]),
    ...(stopAfter === null ? [] : [`pauses if more than ${stopAfter}% fail`]),
    ...(lead === null ? [] : [`posts go to the service ${writeLead(lead)} before their time`]),
    ...(approve === 'none' ? [] : [`${approve === 'all' ? 'all' : 'generated'} posts wait for an approval`]),
    ...(startedBy === undefined ? [] : [`started by ${startedBy}`]),
  ];
}

/** Prints when ready rows go on, and by what. @param at of the next one (Unix epoch, milliseconds). */
function printReady(
  output: Output,
  { id, state, timezone, counts, unapproved, unpaid }: Campaign,
  at: number | undefined,
): void {
  if (unapproved > 0 && state === 'running') {
    const wait = unapproved === 1 ? 'row waits' : 'rows wait';
    const approve = commandLine('approve', { own: [id] });
    output.print(`  ${thousands(unapproved)} ${wait} for an approval:\n    ${approve}`);
  }
  if (unpaid > 0 && state === 'running') {
    const wait = unpaid === 1 ? 'row waits: its' : 'rows wait: their';
    output.print(`  ${thousands(unpaid)} ${wait} AI outputs are beyond the limit (spend):`);
    output.print(`    ${commandLine('approve', { own: [id], options: { spend: true } })}`);
  }
  const ready = counts.ready - unapproved - unpaid;
  if (at === undefined || state !== 'running') return;
  const are = ready === 1 ? 'row is' : 'rows are';
  const next = ready === 1 ? 'it' : 'the next';
  output.print(
    `  ${thousands(ready)} ${are} ready; ${next} is due ${timeText(at, timezone)}. A worker, or a later \`campaigns run\`, sends it.`,
  );
}

/** Prints when scheduled posts are published, and that only the service stops them; nothing without any. */
export function printAhead(
  output: Output,
  { id, timezone }: Pick<Campaign, 'id' | 'timezone'>,
  { scheduled, firstAt, lastAt }: DeliveryCounts,
): void {
  if (firstAt === undefined || lastAt === undefined) return;
  const last = timeText(lastAt, timezone);
  const times = firstAt === lastAt ? `on ${last}` : `between ${shortTime(firstAt, timezone)} and ${last}`;
  output.print(`  ${plural(scheduled, 'post')} will be published ${times}.`);
  output.print(
    `  To stop ${scheduled === 1 ? 'it' : 'one'}, delete it in the service. List the post IDs:\n    ${reportCommand(id, { only: 'scheduled' })}`,
  );
}

/** Prints why a campaign is paused, and the command that resumes it; nothing for any other campaign. */
export function printPause(output: Output, campaign: Campaign): void {
  if (!campaign.pauseReason) return;
  const { message, code, hints = [] } = campaign.pauseReason;
  const by = campaign.pausedBy?.did === 'paused' ? campaign.pausedBy.by : 'a person';
  output.printText('  ', code === 'paused' ? `Paused by ${by}.` : timesIn(message, campaign.timezone));
  const fix = fixHere(hints);
  if (fix !== '') output.printText('  ', fix);
  if (!isPausedForLoss(campaign))
    output.print(`  Resume:\n    ${commandLine('resume', { own: [campaign.id] })}`);
}

/** What can be done with the rows of a cancelled campaign. */
export function printRowsAnew(output: Output, campaign: Campaign): void {
  const anew = rowsAnew(campaign);
  if (anew === undefined) return;
  output.print(`${plainFix(anew)}\n${fixHere(hintsOf(anew))}`);
}

const repairLeads = {
  retry: 'retry  ',
  edit: 'fix    ',
  decide: 'decide ',
  authorize: 'retry  ',
} as const satisfies Record<Cause['repair'], string>;

/** Some causes have both: a retry, or a fix in the sheet. */
function repairBy({ repair }: Cause, { action }: Hint): Cause['repair'] {
  if (repair !== 'retry' && repair !== 'edit') return repair;
  return action === 'retry' ? 'retry' : 'edit';
}

function printCause(output: Output, cause: Cause, zone: string | null): void {
  const what = cause.state === 'failed' ? 'failed' : cause.rows === 1 ? 'needs review' : 'need review';
  output.print();
  output.print(
    `  ${output.paint(colours[cause.state], `${cause.isEstimate ? 'about ' : ''}${plural(cause.rows, 'row')} ${what}`)} ` +
      `at ${stepFacts[cause.step].title}: ${output.paint('bold', cause.code)}`,
  );
  output.printText('    ', timesIn(cause.message, zone));
  if (cause.note) output.printText('    ', timesIn(cause.note, zone));
  if (cause.subjects.length > 0) output.printText('    about  ', cause.subjects.join(', '));
  output.print(`    rows   ${namesOf(cause.examples, cause.examples.length, cause.rows)}`);
  if (cause.fix) output.printText('    to do  ', cause.fix);
  for (const each of cause.commands) {
    const lead = repairLeads[repairBy(cause, each)];
    const commands = commandsOf(each);
    // The sheet that it writes is imported once it is edited.
    for (const command of each.action === 'editSheet' ? commands.slice(0, 1) : commands)
      output.print(`    ${lead}${output.paint('cyan', command)}`);
  }
  if (cause.forMany === undefined) return;
  output.print('    all of them, if none exists');
  for (const command of commandsOf(cause.forMany)) output.print(`      ${output.paint('cyan', command)}`);
}

/** What follows once the rows are fixed in sheets of their own. */
function printEdits(output: Output, { id }: Campaign, causes: readonly Cause[]): void {
  const edits = causes.flatMap(({ commands }) => commands.filter(({ action }) => action === 'editSheet'));
  const [first, ...others] = edits.map((each) => commandsOf(each).at(-1));
  if (first === undefined) return;
  const command = others.length === 0 ? first : commandLine('run', { options: { into: id }, own: ['FILE'] });
  output.print(
    `\n  Edit ${edits.length === 1 ? 'the sheet' : 'each sheet'}, then update with it (--dry-run only shows what changes):`,
  );
  output.print(`    ${output.paint('cyan', command ?? '')}`);
}

/** What happens after a command has freed rows that it does not work off itself. */
export const takenUp = 'Workers process these rows automatically. If no worker runs:\n  campaigns run';

/** As `takenUp`, for rows of one campaign: in a paused one they wait. */
export function takenUpOf({ id, state }: Pick<Campaign, 'id' | 'state'>): string {
  if (state !== 'paused') return takenUp;
  return `${id} is paused: these rows wait until you resume it:\n  ${commandLine('resume', { own: [id] })}`;
}

/** @returns undefined if nobody works and nothing waits. */
export function describeWorkers(
  { workers, redisRefuses }: SeenWorkers,
  campaigns: readonly Campaign[],
): string | undefined {
  if (redisRefuses !== undefined) return sentence(describeUnknownWorkers(redisRefuses));
  const alive = workers.filter(({ isAlive }) => isAlive);
  const silent = workers.filter(({ isAlive }) => !isAlive).map(describeSilence);
  const isWanted = campaigns.some((campaign) => campaign.state === 'running' && !isAllReady(campaign));
  const first =
    alive.length > 0
      ? `${plural(alive.length, 'worker')} alive: ${alive.map(nameWorker).join(', ')}`
      : isWanted &&
        'Rows wait, but no worker is alive. Start one:\n  campaigns worker\nOr process them here:\n  campaigns run';
  return [...(first ? [first] : []), ...silent].join('\n') || undefined;
}

function nameWorker({ host, pid, version, since }: WorkerPresence): string {
  return `${host}:${pid} (version ${version}, since ${timeText(since, null)})`;
}
