import { expect, it } from 'vitest';
import { RowNeeds } from '../../../src/campaigns/progress/row-needs.ts';
import { readFigures, type StepCounts } from '../../../src/campaigns/progress/step-counts.ts';
import { openRunner, type TestRunner } from '../../support/in-process.ts';
import { aiVideoRow, videoRow } from '../../support/sheets/rows.ts';

async function countsOf({ ledger }: TestRunner, id: string): Promise<StepCounts> {
  const campaign = await ledger.campaigns.find(id);
  const needs = campaign && (await new RowNeeds(ledger).of(campaign));
  if (!campaign || !needs) throw new Error('the campaign is missing');
  return (await readFigures(ledger, campaign, needs)).steps;
}

const none = { done: 0, now: 0, failed: 0, review: 0, toCome: 0 };

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
    poll: { ...none, all: 1, toCome: 1 },
    upload: { ...none, all: 3, done: 2, toCome: 1 },
    post: { ...none, all: 3, done: 2, toCome: 1 },
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
    upload: { all: 3, done: 0, now: 1, toCome: 2 },
    post: { all: 3, now: 0, toCome: 3 },
  });
});

it('rows of a paused campaign are not at work', async () => {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('a', { product_source: 'SHOP' })]);
  await runner.admit(id);
  expect((await countsOf(runner, id)).upload).toEqual({ ...none, all: 1, now: 1 });
  await runner.ledger.campaigns.pause(id, { code: 'paused', message: 'Paused.' });
  expect((await countsOf(runner, id)).upload).toEqual({ ...none, all: 1, toCome: 1 });
});

it('leaves out cancelled rows', async () => {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('a'), videoRow('b')]);
  await runner.redis.setrange(runner.ledger.keys.states(id), 2, 'c');
  expect((await countsOf(runner, id)).post).toEqual({ ...none, all: 1, toCome: 1 });
});
