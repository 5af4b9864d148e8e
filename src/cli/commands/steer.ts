/** Commands that steer a campaign: `campaigns pause`, `resume`, `cancel` and `delete`. */

import { findCampaign, findNamedRows } from '../../app/campaigns/find.ts';
import { readDeliveriesOf } from '../../app/campaigns/post-status.ts';
import { writeResults } from '../../app/campaigns/results/write.ts';
import {
  type CancellableRow,
  type CancelResult,
  cancelCampaign,
  cancelRow,
  deleteCampaign,
  describeCancellation,
  examineRow,
  planCancellation,
  requireDeletable,
} from '../../app/campaigns/steer.ts';
import { campaignOperations } from '../../app/operations/campaigns.ts';
import { rowOperations } from '../../app/operations/rows.ts';
import { commandLine } from '../../app/runtime/command-line.ts';
import { aboutCost } from '../../manifest/money.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { capitalized, plural } from '../../manifest/wording.ts';
import { exitCodes } from '../exit.ts';
import { type ConfirmFlags, campaignId, confirm, type Define, yesOption } from '../flags/common.ts';
import { checkResultsFlags, targetOf } from '../flags/results.ts';
import { describeCounts, printAhead, printRowsAnew, takenUp, takenUpOf } from '../print/campaign.ts';
import { namesOf } from '../print/output.ts';
import { unbroken } from '../print/wrap.ts';
import { type CommonOptions, inSession, openSession, type Session } from '../session.ts';

export const pause: Define = (command) =>
  command
    .argument(...campaignId)
    .notes(
      '\nCalls under way finish. Nothing more is sent until the campaign is resumed.\n\nExample:\n  campaigns pause c1',
    )
    .action(
      inSession({ writes: true }, async ({ output, carryOut }, id: string) => {
        const { state, was } = await carryOut(campaignOperations.pauseCampaign, { id });
        if (state !== 'paused') output.print(`${id} cannot be paused: it ${describe(state)}.`);
        else if (was === 'paused') output.print(`${id} was already paused.`);
        else output.print(`${id} is paused. Resume it:\n  ${commandLine('resume', { own: [id] })}`);
      }),
    );

export const resume: Define = (command) =>
  command
    .argument(...campaignId)
    .option('--creator <name>', 'retry the failed rows of a creator who authorized again')
    .notes('\nExample:\n  campaigns resume c1 && campaigns run')
    .action(
      inSession({ writes: true }, (session, id: string, { creator }: { readonly creator?: string }) =>
        creator === undefined ? resumeWhole(session, id) : resumeRowsOf(session, id, creator),
      ),
    );

async function resumeWhole({ output, carryOut }: Session, id: string): Promise<void> {
  const { state, was } = await carryOut(campaignOperations.resumeCampaign, { id });
  if (was === 'ended') output.print(`${id} cannot be resumed: it has ended.`);
  else if (was !== 'paused') output.print(`${id} was not paused: it ${describe(was)}.`);
  else if (state === 'ended') output.print(`${id} has ended.`);
  else if (state === 'paused') {
    output.print(
      `${id} is paused again: its first rows have ended. Check them, then:\n  ${commandLine('resume', { own: [id] })}`,
    );
  } else output.print(`Campaign ${id} is running again. ${takenUp}`);
}

function describe(state: 'running' | 'cancelling' | 'ended'): string {
  return state === 'ended' ? 'has ended' : `is ${state}`;
}

async function resumeRowsOf({ output, carryOut }: Session, id: string, creator: string) {
  const { wasOpen, rows, state } = await carryOut(campaignOperations.resumeCreator, { id, creator });
  const was = wasOpen ? 'is no longer on hold' : 'was not on hold';
  output.print(`${creator} ${was}. ${plural(rows, 'row')} will be retried.`);
  if (rows > 0) output.print(takenUpOf({ id, state }));
}

interface CancelFlags extends CommonOptions, ConfirmFlags {
  readonly dryRun?: boolean;
}

export const cancel: Define = (command) =>
  command
    .argument(...campaignId)
    .argument('[rows...]', 'only these waiting or ready rows, by their keys')
    .option('--dry-run', 'only show what would be cancelled')
    .addOption(yesOption())
    .notes(`
Rows that are posted, failed or in review stay as they are. A row whose post or generation is just being sent goes to
review; its answer still decides it. Scheduled posts will still be published: to stop one, delete it in the service.
Nothing is resent afterwards: a row in review that you decide as not posted is cancelled. You can cancel an ended
campaign, too, so that its rows in review are not resent.

With rows, cancels only these; the others continue. To bring a row back, edit it on its page. Exits with 3 if a row
could not be cancelled.

Example:
  campaigns cancel c1 --yes
  campaigns cancel c1 spring-003`)
    .action(
      inSession(
        (_id, _rows, { dryRun }) => ({ writes: !dryRun }),
        (session, id: string, rows: readonly string[], flags: CancelFlags) =>
          rows.length === 0 ? cancelForGood(session, id, flags) : cancelRows(session, id, rows, flags),
      ),
    );

/** All rows are examined before the first one is cancelled. */
async function cancelRows(
  session: Session,
  id: string,
  keys: readonly string[],
  { dryRun, ...flags }: CancelFlags,
): Promise<void> {
  const { runtime, output } = session;
  const named = await findNamedRows(runtime, await findCampaign(runtime, id), keys);
  const found: CancellableRow[] = [];
  for (const key of named.keys()) found.push(await examineRow(runtime, { campaign: id, key }));
  const able = found.filter(({ fault }) => fault === undefined);
  const left = found.flatMap(({ key, fault }) => (fault === undefined ? [] : [{ key, refused: fault }]));
  const names = able.map(({ key }) => key);
  const which = `${able.length === 1 ? 'row' : 'rows'} ${namesOf(names)} of ${id}`;
  if (dryRun && able.length > 0) output.print(`Would cancel ${which}.`);
  if (!dryRun && able.length > 0) await confirm(`Cancel ${which}?`, flags);
  const done = dryRun ? { cancelled: names, refused: [] } : await cancelEach(session, id, able);
  const refused = [...left, ...done.refused];
  for (const each of refused) output.print(`${capitalized(each.refused)}.`);
  output.document('cancel', { id, cancelled: done.cancelled, refused, ...(dryRun && { dryRun: true }) });
  if (refused.length > 0) process.exitCode = exitCodes.incomplete;
}

/** A row that changes meanwhile is refused, and stops no others. */
async function cancelEach(session: Session, id: string, rows: readonly CancellableRow[]) {
  const { runtime, output, person, record } = session;
  const cancelled: string[] = [];
  const refused: { readonly key: string; readonly refused: string }[] = [];
  for (const { key, revision } of rows) {
    try {
      const answer = await cancelRow(runtime, { campaign: id, key, revision }, person);
      await record(rowOperations.cancelRow, { id, key }, answer);
      cancelled.push(key);
      output.print(`Row ${key} of ${id} is cancelled.`);
    } catch (error) {
      if (!(error instanceof UseCaseError && error.code === 'edit_refused')) throw error;
      refused.push({ key, refused: error.message });
    }
  }
  return { cancelled, refused };
}

function unusedText(result: Pick<CancelResult, 'unusedAiOutputs' | 'unusedCost'>): string {
  const { unusedAiOutputs: outputs, unusedCost } = result;
  if (outputs === 0) return '';
  return ` ${plural(outputs, 'AI output')}${aboutCost(unusedCost)} ${outputs === 1 ? 'is' : 'are'} paid for and will not be used.`;
}

/** @param barred rows in review, which could then no longer be sent. */
function describeEndedCancellation(id: string, barred: number): string {
  if (barred === 0) return `${id} has ended. There is nothing to cancel.`;
  return `If ${id} is cancelled, its ${plural(barred, 'row')} in review can no longer be sent.`;
}

async function cancelForGood(session: Session, id: string, flags: CancelFlags): Promise<void> {
  const { runtime, output, carryOut } = session;
  const campaign = await findCampaign(runtime, id);
  const { counts, state, cancelledAt } = campaign;
  const deliveries = await readDeliveriesOf(runtime, campaign);
  const planned = await planCancellation(runtime, campaign);
  if (flags.dryRun) {
    output.document('cancel', { id, ...planned });
    const { review: barred } = planned;
    output.print(
      state === 'ended'
        ? describeEndedCancellation(id, barred)
        : `If ${id} is cancelled, ${describeCancellation(planned)}.${unusedText(planned)}`,
    );
    return;
  }
  if (state !== 'ended') {
    await confirm(`Cancel ${id} for good? ${describeCancellation(planned)}.${unusedText(planned)}`, flags);
  } else if (counts.review > 0 && cancelledAt === undefined) {
    const failed = counts.failed > 0 ? ` and ${plural(counts.failed, 'failed row')}` : '';
    const kept = `${plural(counts.review, 'row')} in review${failed}`;
    await confirm(`Cancel ${id} for good? It has ended. After this, ${kept} can no longer be sent.`, flags);
  }
  const result = await carryOut(campaignOperations.cancelCampaign, { id });
  const { was, cancelled, review } = result;
  const hadEnded = was === 'ended';
  if (hadEnded && review === 0) {
    output.print(`${id} has already ended. There is nothing to cancel.`);
    printAhead(output, campaign, deliveries);
    return;
  }
  const inReview = plural(review, 'row');
  output.print(
    hadEnded
      ? `${id} is cancelled: ${inReview} in review will not be resent. Still decide about ${review === 1 ? 'it' : 'them'}: a row decided as not posted is cancelled.`
      : `${id} is cancelled: ${plural(cancelled, 'row')} will not be posted.${unusedText(result)}`,
  );
  if (!hadEnded && review > 0) {
    output.print(
      `${inReview} may have been sent: in review until an answer or the publishing records show it, or you decide.`,
    );
  }
  printAhead(output, campaign, deliveries);
  printRowsAnew(output, await findCampaign(runtime, id));
}

interface DeleteFlags extends CancelFlags {
  readonly export?: string;
  readonly cancel?: boolean;
  readonly force?: boolean;
}

export const remove: Define = (command) =>
  command
    .argument(...campaignId)
    .option('--export <file>', 'first write the results: .csv, .json, .jsonl or .xlsx')
    .option('--cancel', 'first cancel it, if it has not ended')
    .option('--force', 'delete even with rows in review; their record is lost')
    .addOption(yesOption())
    .notes(`
Its posts stay in the service. Uploaded files and showcase products stay known: they are not
resent. Its posts are no longer recognized: a sheet with the same rows posts them again. The identical
file still needs --again, if rows of it were posted.

Example:
  campaigns delete c1 --export c1.results.csv`)
    .action(async (id: string, flags: DeleteFlags) => {
      const { export: file, force = false } = flags;
      checkResultsFlags({ out: file, json: flags.json }, '--export');
      await using session = await openSession({ ...flags, out: file }, { writes: true });
      const { runtime, output } = session;
      const found = await findCampaign(runtime, id);
      if (!flags.cancel) requireDeletable(found, { force });
      await confirm(
        `Delete ${id} (${found.name}: ${describeCounts(found)})? Its posts are no longer recognized: another sheet with these rows would post them again.`,
        flags,
      );
      if (flags.cancel) await cancelFirst(session, id);
      const campaign = await findCampaign(runtime, id);
      requireDeletable(campaign, { force });
      const exported = file && (await writeResults(runtime, campaign, targetOf(file, undefined))).path;
      await deleteCampaign(runtime, id, { force });
      const deleted = { id, deleted: true as const, exported: exported ?? null };
      await session.record(campaignOperations.deleteCampaign, { id, force }, deleted);
      output.document('delete', deleted);
      if (exported) output.print(`Results: ${unbroken(exported)}`);
      output.print(`${id} was deleted.`);
    });

/** Prints no document: that of the deletion follows. */
async function cancelFirst({ runtime, output, record }: Session, id: string): Promise<void> {
  const result = await cancelCampaign(runtime, id);
  await record(campaignOperations.cancelCampaign, { id }, { id, ...result });
  if (result.was !== 'ended')
    output.print(`${id} is cancelled: ${plural(result.cancelled, 'row')} will not be posted.`);
}
