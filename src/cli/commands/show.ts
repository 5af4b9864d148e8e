/** `campaigns show ID [KEY]`: a campaign, and why rows failed or need a decision; or one row's history. */

import { listComments } from '../../app/approvals/comments.ts';
import { findCampaign } from '../../app/campaigns/find.ts';
import { showCampaign, shownCampaignDocument } from '../../app/campaigns/list.ts';
import { describeDelivery } from '../../app/campaigns/post-status.ts';
import {
  describeLostJobs,
  describePausedQueues,
  describeUnreachable,
} from '../../app/campaigns/progress/notes.ts';
import { commentLine } from '../../app/campaigns/results/approvals.ts';
import { rowDocument, type ShownRow, showRow } from '../../app/campaigns/rows/show-row.ts';
import type { RowState } from '../../ledger/states.ts';
import { printable } from '../../manifest/printable.ts';
import { stepFacts } from '../../manifest/steps.ts';
import { plural } from '../../manifest/wording.ts';
import { campaignId, type Define } from '../flags/common.ts';
import { printSummary } from '../print/campaign.ts';
import { type Output, shortTime, timesIn, timeText } from '../print/output.ts';
import { inSession, type Session } from '../session.ts';

export const show: Define = (command) =>
  command
    .argument(...campaignId)
    .argument('[key]', 'key of a row, to see its history')
    .notes(
      '\nA row that was posted at the first attempt shows only its times.\n\nExamples:\n  campaigns show c1\n  campaigns show c1 spring-001',
    )
    .action(inSession({}, showOne));

async function showOne({ runtime, output }: Session, id: string, key: string | undefined): Promise<void> {
  if (key !== undefined) {
    const row = await showRow(runtime, id, key);
    output.document('show', rowDocument(id, row));
    printRow(output, row, (await findCampaign(runtime, id)).timezone);
    const comments = await listComments(runtime, { campaign: id, key });
    if (comments.length > 0) output.print(`\n${output.paint('bold', 'Comments')}`);
    for (const comment of comments) output.printText('  ', commentLine(comment));
    return;
  }
  const shown = await showCampaign(runtime, id);
  const { isUnderWay, campaign, causes, readyAt, rowsWithoutJobs, pausedQueues, unreachable } = shown;
  output.document('show', shownCampaignDocument(shown));
  printSummary(output, campaign, { causes, deliveries: shown.deliveries, readyAt });
  const lost = describeLostJobs(id, rowsWithoutJobs);
  if (lost !== undefined) output.print(`\n${lost}`);
  const note = describePausedQueues(pausedQueues);
  if (note !== undefined && isUnderWay) output.print(`\n${note}`);
  for (const service of unreachable) output.print(`\n${describeUnreachable(service)}`);
}

/** Outcomes of a history whose words in the ledger are not plain. */
const plainOutcomes: Readonly<Record<string, string>> = {
  review: 'outcome unknown',
  prepared: 'ready',
  opened: 'resumes',
  'decided: goes on': 'decided: resumes',
  'retry taken back': 'retry undone',
  'decision taken back': 'decision undone',
};

const states: Readonly<Record<RowState, string>> = {
  waiting: 'is waiting',
  running: 'is running',
  ready: 'is ready',
  posted: 'is posted',
  failed: 'failed',
  review: 'needs review',
  cancelled: 'was cancelled',
};

/** @param zone of the sheet. */
function printRow(output: Output, row: ShownRow, zone: string | null): void {
  const { key, state, delivery, scheduledAt, readyUntil, error, history } = row;
  const time = scheduledAt ?? readyUntil;
  const at = time === undefined ? '' : timeText(time, zone);
  const gate = row.isUnapproved ? 'an approval' : 'its AI outputs to be allowed';
  const waits = readyUntil === undefined ? `: it waits for ${gate}` : ` until ${at}`;
  const is = delivery === undefined ? states[state] : `is ${describeDelivery(delivery, at)}`;
  output.print(`Row ${output.paint('bold', key)} ${is}${state === 'ready' ? waits : ''}.`);
  if (error) output.printText('  error  ', timesIn(`${error.code}: ${error.message}`, zone));
  if (error?.note) output.printText('  note   ', timesIn(error.note, zone));
  if (error?.fix) output.printText('  to do  ', error.fix);
  if (history.length === 0) return;
  const lines = history.map(({ at, step, outcome, times }) => [
    shortTime(at, zone, Date.now(), { second: '2-digit' }),
    step === undefined ? '' : stepFacts[step].title,
    `${plainOutcomes[outcome] ?? outcome}${times > 1 ? ` (${plural(times, 'time')})` : ''}`,
  ]);
  output.print();
  const messages = history.map(({ message = '' }) => timesIn(printable(message), zone));
  output.tableWithTexts([`TIME (${zone ?? 'UTC'})`, 'STEP', 'OUTCOME'], lines, messages);
}
