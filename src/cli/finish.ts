/** The last part of a run: works campaigns off in this process, writes their results sheets, and prints what became of them. */
import { type Cause, causesOf } from '../app/campaigns/causes.ts';
import { readDeliveriesOf } from '../app/campaigns/post-status.ts';
import { type ReviewLook, reconcileReviews } from '../app/campaigns/publishing-records.ts';
import {
  type ResultsTarget,
  refuseUnfitTarget,
  type WrittenResults,
  writeResults,
} from '../app/campaigns/results/write.ts';
import { deliverNotifications, runUntilDone } from '../app/campaigns/run-until-done.ts';
import { commandLine } from '../app/runtime/command-line.ts';
import type { Campaign } from '../ledger/campaigns/campaign.ts';
import { plural } from '../manifest/wording.ts';
import { listenForInterrupt } from './exit.ts';
import { printSummary } from './print/campaign.ts';
import type { Output } from './print/output.ts';
import { createProgressDisplay } from './print/progress.ts';
import { unbroken } from './print/wrap.ts';
import type { Session } from './session.ts';

type OpenSession = Pick<Session, 'runtime' | 'output'>;

export interface FinishedCampaign {
  readonly campaign: Campaign;
  readonly causes: readonly Cause[];
  /** Absolute path of the results sheet; `undefined` if it went to standard output. */
  readonly results: string | undefined;
}

/**
 * Works campaigns off, writes their sheets, and prints what became of them.
 * @param targetOf says where the results sheet of a campaign goes.
 * @returns undefined if interrupted: nothing is lost, and `campaigns run` goes on.
 * @throws {UseCaseError} `clock_wrong`, `sheet_not_written`.
 */
export async function finishCampaigns(
  session: OpenSession,
  campaigns: readonly Campaign[],
  targetOf: (campaign: Campaign) => ResultsTarget,
): Promise<readonly FinishedCampaign[] | undefined> {
  const { runtime, output } = session;
  for (const campaign of campaigns) refuseUnfitTarget(targetOf(campaign).to);
  const ids = campaigns.map(({ id }) => id);
  const worked = await runUntilDoneVisibly(session, ids);
  if (!worked) return undefined;
  const finished: FinishedCampaign[] = [];
  for (const campaign of await reconcileReviews(runtime, worked, (look) => sayLook(output, look))) {
    const written = await writeResults(runtime, campaign, targetOf(campaign));
    sayOtherFiles(output, written);
    const causes = await causesOf(runtime.ledger, campaign);
    finished.push({ campaign, causes, results: written.path });
    await summarize(session, campaign, causes);
    if (written.path !== undefined) output.print(`\nResults: ${unbroken(written.path)}`);
  }
  const ended = finished.map(({ campaign }) => campaign.id);
  await deliverNotifications(runtime, ended);
  return finished;
}

/** Prints what became of a campaign. */
export async function summarize(
  { runtime, output }: OpenSession,
  campaign: Campaign,
  causes: readonly Cause[],
): Promise<void> {
  output.print();
  const deliveries = await readDeliveriesOf(runtime, campaign);
  const readyAt = await runtime.ledger.admission.readyAt(campaign.id);
  printSummary(output, campaign, { causes, deliveries, readyAt });
}

async function runUntilDoneVisibly(
  { runtime, output }: OpenSession,
  ids: readonly string[],
): Promise<readonly Campaign[] | undefined> {
  using interrupt = listenForInterrupt(runtime);
  const display = createProgressDisplay(output);
  // Await here: this function listens for signals only until it returns.
  return await runUntilDone(runtime, ids, {
    signal: interrupt.signal,
    onProgress: (progress) => display.show(progress),
    onDraining: () =>
      output.say(
        'Finishing what is under way ... Ctrl-C again ends it right away. Nothing is lost either way.',
      ),
  });
}

function sayLook(output: Output, look: ReviewLook): void {
  switch (look.kind) {
    case 'found':
      if (look.rows > 0)
        output.say(`Publishing records: found the posts of ${plural(look.rows, 'row')} in review.`);
      break;
    case 'slow':
      output.say(
        `Reading the publishing records is slow. Try again later:\n  ${commandLine('refresh', { own: [look.campaign] })}`,
      );
      break;
    case 'failed':
      output.say(`The publishing records could not be read: ${look.reason}`);
  }
}

const notOwnTexts: Readonly<Record<NonNullable<WrittenResults['notOwn']>, string>> = {
  format: 'The results are a new sheet. To get them in your own file, choose the format of that file.',
  missing: 'Your own file is not on this machine: the results are a new sheet.',
  outdated: 'Another machine has updated the campaign since: the results are a new sheet, not your own file.',
};

export function sayOtherFiles(output: Output, { spared, kept, notOwn }: WrittenResults): void {
  if (spared) {
    output.say(`${spared.path} belongs to another campaign and is kept. The results go to ${spared.instead}`);
  }
  if (notOwn) output.say(notOwnTexts[notOwn]);
  if (kept) output.say(`${kept.path} has entries in video_url. It is kept as ${kept.as}`);
}
