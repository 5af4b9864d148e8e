import { expect, it } from 'vitest';
import { RowNeeds } from '../../../../src/app/campaigns/progress/row-needs.ts';
import { readFigures, type StepCounts } from '../../../../src/app/campaigns/progress/step-counts.ts';
import { cancelCampaign, planCancellation } from '../../../../src/app/campaigns/steer.ts';
import { callApi } from '../../../support/api.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner, type TestRunner } from '../../../support/in-process.ts';
import { asIf } from '../../../support/ledger.ts';
import { aiVideoRow, videoRow } from '../../../support/sheets/rows.ts';

async function countsOf({ ledger }: TestRunner, id: string): Promise<StepCounts> {
  const campaign = await ledger.campaigns.find(id);
  const needs = campaign && (await new RowNeeds(ledger).of(campaign));
  if (!campaign || !needs) throw new Error('the campaign is missing');
  return (await readFigures(ledger, campaign, needs)).steps;
}

const none = { done: 0, now: 0, failed: 0, review: 0, notReached: 0, toCome: 0 };

it('counts the rows that need a step, those that have done it, and those that stopped there', async () => {
  const runner = await openRunner();
  runner.sandbox.faults.add({ operation: 'createAiGenerationSchedule', kind: 'status', status: 400 });
  const id = await runner.importOrUpdate([
    videoRow('a'),
    videoRow('b', { product_source: 'SHOP' }),
    aiVideoRow('c'),
  ]);
  await runner.start();
  await runner.ended(id);
  expect(await countsOf(runner, id)).toEqual({
    showcase: { ...none, all: 2, done: 2 },
    generate: { ...none, all: 1, failed: 1 },
    poll: { ...none, all: 1, notReached: 1 },
    upload: { ...none, all: 3, done: 2, notReached: 1 },
    post: { ...none, all: 3, done: 2, notReached: 1 },
  });
});

it('shows the steps of running rows', async () => {
  const runner = await openRunner({ queues: ['campaign', 'showcase', 'generate'] });
  const id = await runner.importOrUpdate([videoRow('a'), aiVideoRow('b'), aiVideoRow('c')], { window: 2 });
  await runner.start();
  const lane = await runner.until(async () => {
    const now = await countsOf(runner, id);
    return now.poll.now === 1 && now;
  }, 'the generation to begin');
  expect(lane).toMatchObject({
    showcase: { all: 3, done: 2, toCome: 1 },
    generate: { all: 2, done: 1, now: 0, toCome: 1 },
    // The job of the post uploads the only file of `a`.
    upload: { all: 3, done: 0, now: 0, toCome: 3 },
    post: { all: 3, now: 1, toCome: 2 },
  });
});

it('rows of a paused campaign are not at work', async () => {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('a', { product_source: 'SHOP' })]);
  await runner.admit(id);
  expect((await countsOf(runner, id)).post).toEqual({ ...none, all: 1, now: 1 });
  await runner.ledger.campaigns.pause(id, { code: 'paused', message: 'Paused.' });
  expect((await countsOf(runner, id)).post).toEqual({ ...none, all: 1, toCome: 1 });
});

it('keeps what cancelled rows have done', async () => {
  const runner = await openRunner({ queues: ['campaign', 'showcase', 'generate', 'poll'] });
  const id = await runner.importOrUpdate([aiVideoRow('a'), aiVideoRow('b'), videoRow('c')], { window: 2 });
  await runner.start();
  await runner.until(async () => (await countsOf(runner, id)).upload.now === 2, 'the outputs to be made');
  const tools = { ...runner, ...runner.context };
  const planned = { cancelled: 3, unusedAiOutputs: 2, dryRun: true };
  expect(await planCancellation(tools, id)).toMatchObject(planned);
  const pages = await openPages(runner);
  const preview = await callApi(pages.url, `/campaigns/${id}/cancel?dryRun=true`, { method: 'POST' });
  expect(preview.body).toMatchObject({ id, ...planned });
  expect(await cancelCampaign(tools, id)).toMatchObject({ cancelled: 3, unusedAiOutputs: 2 });
  expect(await countsOf(runner, id)).toMatchObject({
    generate: { ...none, all: 2, done: 2 },
    poll: { ...none, all: 2, done: 2 },
    upload: { ...none, all: 0 },
    post: { ...none, all: 0 },
  });
  const { text } = await pages.get(`/campaigns/${id}`);
  expect(text.match(/1 AI output paid for, not used/g)).toHaveLength(2);
  expect(text).not.toContain('waits to start');
});

it('says of a cancelled row that the output still being made is paid for', async () => {
  const runner = await openRunner({ queues: ['campaign', 'showcase', 'generate'] });
  const id = await runner.importOrUpdate([aiVideoRow('a')]);
  await runner.start();
  await runner.until(async () => (await countsOf(runner, id)).poll.now === 1, 'the generation to begin');
  await cancelCampaign({ ...runner, ...runner.context }, id);
  const { text } = await (await openPages(runner)).get(`/campaigns/${id}`);
  expect(text).toContain('1 AI output paid for, not used');
});

it('leaves out cancelled rows that did nothing', async () => {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('a'), videoRow('b')]);
  await asIf(runner).ended(id, [{ row: 1, state: 'cancelled' }]);
  expect((await countsOf(runner, id)).post).toEqual({ ...none, all: 1, toCome: 1 });
});
