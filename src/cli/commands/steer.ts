/** Commands that steer a campaign: `campaigns pause`, `resume`, `cancel` and `delete`. */
import { cancelCampaign } from '../../campaigns/cancel.ts';
import { deleteCampaign, requireDeletable } from '../../campaigns/delete.ts';
import { readDeliveriesOf } from '../../campaigns/deliveries.ts';
import { findCampaign } from '../../campaigns/find.ts';
import { pauseCampaign, resumeCampaign } from '../../campaigns/pause-resume.ts';
import { writeResults } from '../../campaigns/results/write.ts';
import { resumeCreator } from '../../campaigns/retry/retry.ts';
import { systemUser } from '../../runtime/machine.ts';
import { plural } from '../../runtime/wording.ts';
import { campaignId, confirm, type Define, yesOption } from '../flags/common.ts';
import { checkResultsFlags, targetOf } from '../flags/results.ts';
import { describeCounts, printAhead, printRowsAnew, takenUp, takenUpOf } from '../print/campaign.ts';
import { type CommonOptions, inSession, openSession, type Session } from '../session.ts';

const pause: Define = (command) =>
  command
    .argument(...campaignId)
    .addHelpText(
      'after',
      '\nCalls under way finish. Nothing more is sent until the campaign is resumed.\n\nExample:\n  campaigns pause c1',
    )
    .action(
      inSession({ writes: true }, async ({ runtime, output, record }, id: string) => {
        const { state, was } = await pauseCampaign(runtime, id, systemUser());
        if (state === 'paused' && was !== 'paused') await record(`Paused ${id}.`);
        output.document('pause', { id, state, was });
        if (state !== 'paused') output.print(`${id} cannot be paused: it ${describe(state)}.`);
        else if (was === 'paused') output.print(`${id} was already paused.`);
        else output.print(`${id} is paused. Resume it:\n  campaigns resume ${id}`);
      }),
    );

const resume: Define = (command) =>
  command
    .argument(...campaignId)
    .option('--creator <name>', 'retry the failed rows of a creator who authorized again')
    .addHelpText('after', '\nExample:\n  campaigns resume c1 && campaigns run')
    .action(
      inSession({ writes: true }, (session, id: string, { creator }: { readonly creator?: string }) =>
        creator === undefined ? goOn(session, id) : takeUpCreator(session, id, creator),
      ),
    );

async function goOn({ runtime, output, record }: Session, id: string): Promise<void> {
  const { state, was } = await resumeCampaign(runtime, id, systemUser());
  if (was === 'paused') await record(`Resumed ${id}.`);
  output.document('resume', { id, state, was });
  if (was !== 'paused') output.print(`${id} was not paused: it ${describe(was)}.`);
  else if (state === 'ended') output.print(`${id} has ended.`);
  else if (state === 'paused') {
    output.print(
      `${id} is paused again: its first rows have ended. Check them, then:\n  campaigns resume ${id}`,
    );
  } else output.print(`Campaign ${id} is running again. ${takenUp}`);
}

function describe(state: 'running' | 'cancelling' | 'ended'): string {
  return state === 'ended' ? 'has ended' : `is ${state}`;
}

async function takeUpCreator({ runtime, output, record }: Session, id: string, creator: string) {
  const { wasOpen, rows, state } = await resumeCreator(runtime, await findCampaign(runtime, id), creator);
  await record(`Took ${creator} off hold in ${id}.`);
  output.document('resume', { id, creator, wasOpen, rows, state });
  const was = wasOpen ? 'is no longer on hold' : 'was not on hold';
  output.print(`${creator} ${was}. ${plural(rows, 'row')} will be retried.`);
  if (rows > 0) output.print(takenUpOf({ id, state }));
}

interface CancelFlags extends CommonOptions {
  readonly yes?: boolean;
}

const cancel: Define = (command) =>
  command
    .argument(...campaignId)
    .addOption(yesOption())
    .addHelpText(
      'after',
      `
Rows that are posted, failed or in review stay as they are. A row whose post or generation is just being sent goes to
review; its answer still decides it. Posts that the service has accepted stay there. Nothing is resent afterwards: a
row in review that you decide as not posted is cancelled. Cancel an ended campaign for that reason, too.

Example:
  campaigns cancel c1 --yes`,
    )
    .action(inSession({ writes: true }, cancelForGood));

async function cancelForGood(
  { runtime, output, record }: Session,
  id: string,
  flags: CancelFlags,
): Promise<void> {
  const campaign = await findCampaign(runtime, id);
  const { counts, state, cancelledAt } = campaign;
  const deliveries = await readDeliveriesOf(runtime, campaign);
  if (state !== 'ended') {
    const left = plural(counts.waiting + counts.running, 'row');
    await confirm(`Cancel ${id} for good? ${left} will not be posted.`, flags);
  } else if (counts.review > 0 && cancelledAt === undefined) {
    const failed = counts.failed > 0 ? ` and ${plural(counts.failed, 'failed row')}` : '';
    const kept = `${plural(counts.review, 'row')} in review${failed}`;
    await confirm(`Cancel ${id} for good? It has ended: ${kept} can no longer be sent.`, flags);
  }
  const result = await cancelCampaign(runtime, id);
  const { was, cancelled, review } = result;
  const hadEnded = was === 'ended';
  const isDone = !hadEnded || review > 0;
  if (isDone) await record(`Cancelled ${plural(hadEnded ? review : cancelled, 'row')} of ${id}.`);
  output.document('cancel', { id, ...result });
  if (!isDone) {
    output.print(`${id} has already ended. There is nothing to cancel.`);
    printAhead(output, id, deliveries);
    return;
  }
  const inReview = plural(review, 'row');
  output.print(
    hadEnded
      ? `${id} is cancelled: ${inReview} in review will not be resent. Still decide about ${review === 1 ? 'it' : 'them'}: what is not posted is cancelled.`
      : `${id} is cancelled: ${plural(cancelled, 'row')} will not be posted.`,
  );
  if (!hadEnded && review > 0) {
    output.print(
      `${inReview} may have been sent: in review until an answer or the publishing records tell, or you decide.`,
    );
  }
  printAhead(output, id, deliveries);
  printRowsAnew(output, await findCampaign(runtime, id));
}

interface DeleteFlags extends CancelFlags {
  readonly export?: string;
  readonly cancel?: boolean;
  readonly force?: boolean;
}

const remove: Define = (command) =>
  command
    .argument(...campaignId)
    .option('--export <file>', 'first write the results: .csv, .json, .jsonl or .xlsx')
    .option('--cancel', 'first cancel it, if it has not ended')
    .option('--force', 'delete even if rows are in review, and lose what is known')
    .addOption(yesOption())
    .addHelpText(
      'after',
      `
Posts that the service has accepted stay there. Uploaded files and showcase products stay known: they are not
resent. If rows of its sheet were posted, \`campaigns run\` imports that sheet again only with --again.

Example:
  campaigns delete c1 --export c1.results.csv`,
    )
    .action(async (id: string, flags: DeleteFlags) => {
      const { export: file, force = false } = flags;
      checkResultsFlags({ out: file }, false);
      await using session = await openSession(flags, { writes: true });
      const { runtime, output } = session;
      const found = await findCampaign(runtime, id);
      await confirm(`Delete ${id} (${found.name}: ${describeCounts(found)})?`, flags);
      if (flags.cancel) await cancelCampaign(runtime, id);
      const campaign = await findCampaign(runtime, id);
      requireDeletable(campaign, { force });
      const exported = file && (await writeResults(runtime, campaign, targetOf(file, undefined))).path;
      await deleteCampaign(runtime, id, { force });
      await session.record(`Deleted ${id} (${found.name}).`);
      output.document('delete', { id, deleted: true, exported: exported ?? null });
      if (exported) output.print(`Results: ${exported}`);
      output.print(`${id} was deleted.`);
    });

export const commands = { pause, resume, cancel, delete: remove };
