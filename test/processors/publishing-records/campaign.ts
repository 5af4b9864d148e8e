/** Campaigns whose publishing records a test looks into. */
import { CampaignViews } from '../../../src/processors/runner/campaign-view.ts';
import type { FaultInput } from '../../../src/sandbox/faults/schema.ts';
import { openRunner, type TestRunner } from '../../support/in-process.ts';
import { listPostsSetting } from '../../support/processes/scene.ts';
import type { Cells } from '../../support/sheets/sheet.ts';

export interface EndedCampaignOptions {
  /** They strike its first posts. */
  readonly faults?: readonly Pick<FaultInput, 'kind' | 'match'>[];
  readonly listPosts?: object;
  /** Section of the settings. */
  readonly records?: object;
}

/** A campaign that has ended. No worker looks into the records. */
export async function endedCampaign(
  rows: readonly Cells[],
  { faults = [], listPosts = listPostsSetting(), records = {} }: EndedCampaignOptions = {},
) {
  let ahead = 0;
  const runner = await openRunner({
    settings: { api: { listPosts }, records: { every: '1h', ...records } },
    queues: ['showcase', 'upload', 'post'],
    now: () => Date.now() + ahead,
  });
  for (const fault of faults) {
    runner.sandbox.faults.add({ operation: 'createCreatorPost', times: 1, ...fault } as FaultInput);
  }
  // Some tests are about rows that are the same post.
  const id = await runner.importRows(rows, { again: true });
  await runner.admit(id);
  await runner.start();
  await runner.ended(id);
  /** Time passes, but not for the service. */
  const wait = (ms: number) => {
    ahead += ms;
  };
  return { ...runner, id, wait };
}

/** The campaign as it is now, and the tools to read its records. */
export async function openRecords({ context, ledger, client, rateLimits }: TestRunner, id: string) {
  const campaign = await ledger.campaigns.find(id);
  if (!campaign) throw new Error('no campaign');
  return { campaign, tools: { ...context, client, rateLimits } };
}

/** As `openRecords`, by a process that cannot read the rows of a creator. */
export async function openUnreadable(runner: TestRunner, id: string, creator: string) {
  const { campaign, tools } = await openRecords(runner, id);
  await runner.redis.hdel(runner.ledger.keys.creators(id), creator);
  return { campaign, tools: { ...tools, views: new CampaignViews(runner.ledger) } };
}
