import { expect, it } from 'vitest';
import { operations } from '../../../src/app/operations.ts';
import type { Runtime } from '../../../src/app/runtime/runtime.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner, type TestRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { addVideos, videoUrl } from '../../support/videos.ts';
import { followedCampaign } from '../campaigns/retry/followed-campaign.ts';

async function openOperations(runner: TestRunner) {
  const { runtime } = await openPages(runner);
  const audit = async () => (await operations.listAudit(runtime, {})).changes.map(({ what }) => what);
  return { runner, runtime, audit };
}

const changesOfNothing: readonly (readonly [string, (runtime: Runtime) => Promise<unknown>])[] = [
  ['the resume of a queue that is not paused', (it) => operations.resumeQueue(it, { name: 'post' })],
  [
    'the reset of a rate limit that is not changed',
    (it) => operations.resetRateLimit(it, { operation: 'createCreatorPost' }),
  ],
  ['the removal of no schedule', (it) => operations.removeSchedule(it, {})],
];

it.each(changesOfNothing)('has nothing about %s', async (_what, carryOut) => {
  const { runtime, audit } = await openOperations(await openRunner());
  await carryOut(runtime);
  expect(await audit()).toEqual([]);
});

it('has the pause of a queue once', async () => {
  const { runtime, audit } = await openOperations(await openRunner());
  const { queues } = await operations.pauseQueue(runtime, { name: 'post' });
  expect((await operations.pauseQueue(runtime, { name: 'post' })).queues).toEqual(queues);
  expect(await audit()).toEqual(['Paused the queue post.']);
});

it('has nothing about a creator who was not on hold, and has no rows to retry', async () => {
  const runner = await openRunner();
  const { runtime, audit } = await openOperations(runner);
  const id = await runner.importRows([videoRow('a')]);
  await operations.resumeCreator(runtime, { id, creator: 'demo_anna' });
  expect(await audit()).toEqual([]);
});

it('has the start of an update of videos once', async () => {
  const runner = await openRunner();
  await addVideos(runner, [videoUrl('one')], { creator: 'anna' });
  const { runtime, audit } = await openOperations(runner);
  const { run } = await operations.startScrape(runtime, {});
  expect(await operations.startScrape(runtime, {})).toMatchObject({ run });
  expect(await audit()).toEqual([`Started update ${run} of 1 video.`]);
});

it('names no edit of a row whose post turns out to be published', async () => {
  const runner = await followedCampaign([videoRow('a')], { failedAtFirst: true });
  const { runtime, audit } = await openOperations(runner);
  const edit = { id: runner.id, key: 'a', revision: 0, cells: { caption: 'other' } };
  expect(await operations.editRow(runtime, edit)).toMatchObject({ end: 'posted' });
  expect(await audit()).toEqual(['Updated 1 row of c1 from the publishing records.']);
});
