/** AI outputs beyond a limit of the settings wait until an operator allows them. */
import { expect, it, vi } from 'vitest';
import { allowSpending, showSpending } from '../../../src/app/approvals/spending.ts';
import { retryRows } from '../../../src/app/campaigns/retry/retry.ts';
import { planCancellation } from '../../../src/app/campaigns/steer.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { aiPhotoRow, aiVideoRow, videoRow } from '../../support/sheets/rows.ts';

const prices = { 'seedance2.0': 0.3, 'gpt-image-2': 0.0401 };

async function openSpending(spend: object, rows = [aiVideoRow('a'), aiVideoRow('b'), aiVideoRow('c')]) {
  const runner = await openRunner({ settings: { spend } });
  const id = await runner.importOrUpdate(rows);
  await runner.start();
  const { runtime, ...pages } = await openPages(runner);
  const asked = () => runner.sandbox.calls('createAiGenerationSchedule').length;
  const waiting = (rows: number) =>
    runner.until(async () => {
      const campaign = await runner.ledger.campaigns.find(id);
      return campaign?.unpaid === rows && campaign.counts.running === 0;
    }, `${rows} rows to wait`);
  return { runner, runtime, pages, id, asked, waiting };
}

it.for([
  ['a campaign', { maxOutputs: 2 }],
  ['a month', { perMonth: 2 }],
] as const)('beyond the limit of %s, rows wait, and the others are posted', async ([, spend]) => {
  const { runner, id, asked, waiting } = await openSpending(spend);
  await waiting(1);
  expect(asked()).toBe(2);
  expect(await runner.ledger.campaigns.find(id)).toMatchObject({
    state: 'running',
    outputs: 2,
    counts: { posted: 2, ready: 1 },
  });
});

it('allowed, they are made and posted, and count all the same', async () => {
  const { runner, runtime, id, asked, waiting } = await openSpending({ maxOutputs: 1, prices });
  await waiting(2);
  const seen = await showSpending(runtime, id);
  expect(seen).toMatchObject({ rows: 2, outputs: 2, spent: 1, maxOutputs: 1 });
  await allowSpending(runtime, id, { expect: 2, by: 'mei' });
  expect(await runner.ended(id)).toMatchObject({ outputs: 3, unpaid: 0, counts: { posted: 3 } });
  expect(asked()).toBe(3);
});

it('its generation and what follows is to come, on the page of the campaign', async () => {
  const { pages, id, waiting } = await openSpending({ maxOutputs: 1 });
  await waiting(2);
  expect((await pages.get(`/campaigns/${id}`)).text).toMatch(/Generate 1 \/ 3 2 to come/);
});

it('rows beyond the limit do not count as posts that wait for their time', async () => {
  const soon = { scheduled_at: '2036-01-10T10:00Z', lead: '1d' };
  const rows = [videoRow('a', soon), aiVideoRow('b'), aiVideoRow('c')];
  const { pages, id, waiting } = await openSpending({ maxOutputs: 1 }, rows);
  await waiting(1);
  const { text } = await pages.get(`/campaigns/${id}?zone=UTC`);
  expect(text).toContain('Next goes to the service Wed 9 Jan 2036, 10:00 1 post waits for its time');
});

it('a campaign of which only such rows are left waits for an operator', async () => {
  const { pages, id, waiting } = await openSpending({ maxOutputs: 1 });
  await waiting(2);
  for (const path of [`/campaigns/${id}`, '/campaigns'])
    expect((await pages.get(path)).text).toContain('Continues once allowed');
});

it('the page of such a row says so, and leads to the question', async () => {
  const { runner, pages, id, waiting } = await openSpending({ maxOutputs: 1 });
  await waiting(2);
  const left = (await runner.rows(id)).findIndex(({ state }) => state === 'ready');
  const { html, text } = await pages.get(`/campaigns/${id}/rows/${'abc'[left]}`);
  expect(text).toContain('It waits: its AI outputs are beyond the limit of the settings.');
  expect(html).toContain(`href="/campaigns/${id}/spend"`);
});

it('allowed, only those are told that still waited', async () => {
  const { runtime, id, waiting } = await openSpending({ maxOutputs: 1, prices });
  await waiting(2);
  const { approvals } = runtime.ledger;
  const allow = approvals.allowSpending.bind(approvals);
  // One of them has moved since it was counted.
  vi.spyOn(approvals, 'allowSpending').mockImplementation((of, rows, by) => allow(of, rows.slice(1), by));
  expect(await allowSpending(runtime, id, { expect: 2, by: 'mei' })).toMatchObject({
    rows: 1,
    outputs: 1,
    cost: { amount: 0.3 },
  });
});

it('another number than was seen allows nothing', async () => {
  const { runtime, id, waiting } = await openSpending({ maxOutputs: 1 });
  await waiting(2);
  await expect(allowSpending(runtime, id, { expect: 1, by: 'mei' })).rejects.toMatchObject({
    code: 'approval_refused',
  });
  expect(await showSpending(runtime, id)).toMatchObject({ rows: 2 });
});

it('a refused generation is not counted', async () => {
  const runner = await openRunner({ settings: { spend: { maxOutputs: 5 } } });
  runner.sandbox.faults.add({ operation: 'createAiGenerationSchedule', kind: 'status', status: 400 });
  const id = await runner.importOrUpdate([aiVideoRow('a')]);
  await runner.start();
  expect(await runner.ended(id)).toMatchObject({ outputs: 0, counts: { failed: 1 } });
  const month = new Date().toISOString().slice(0, 7);
  expect(await runner.redis.get(runner.ledger.keys.outputs(month))).toBe('0');
});

it('allowed for one generation: a retry that generates again asks again', async () => {
  const { runner, runtime, id, asked, waiting } = await openSpending({ maxOutputs: 0 }, [
    aiVideoRow('a', { ai_prompt: '[fail once] a video' }),
  ]);
  await waiting(1);
  await allowSpending(runtime, id, { expect: 1, by: 'mei' });
  const failed = await runner.ended(id);
  expect(failed).toMatchObject({ outputs: 1, counts: { failed: 1 } });
  await retryRows(runtime, failed, {}, { dryRun: false });
  await waiting(1);
  expect(asked()).toBe(1);
  await allowSpending(runtime, id, { expect: 1, by: 'mei' });
  expect(await runner.ended(id)).toMatchObject({ outputs: 2, counts: { posted: 1 } });
});

it('allowed, and refused by the service: a retry does not ask again', async () => {
  const { runner, runtime, id, waiting } = await openSpending({ maxOutputs: 0 }, [aiVideoRow('a')]);
  await waiting(1);
  runner.sandbox.faults.add({ operation: 'createAiGenerationSchedule', kind: 'status', status: 400 });
  await allowSpending(runtime, id, { expect: 1, by: 'mei' });
  const failed = await runner.ended(id);
  expect(failed).toMatchObject({ outputs: 0, counts: { failed: 1 } });
  await retryRows(runtime, failed, {}, { dryRun: false });
  expect(await runner.ended(id)).toMatchObject({ outputs: 1, counts: { posted: 1 } });
});

it('an operator allows them on the page of the campaign', async () => {
  const { runner, pages, id, waiting } = await openSpending({ maxOutputs: 1, prices, currency: 'EUR' });
  await waiting(2);
  expect((await pages.get(`/campaigns/${id}`)).text).toContain(
    '2 rows wait: their AI outputs are beyond the limit',
  );
  expect((await pages.get('/campaigns')).text).toContain('2 rows with AI outputs beyond the limit');
  const { text, html } = await pages.get(`/campaigns/${id}/spend`);
  expect(text).toContain('2 AI outputs of 2 rows');
  const [, outputs = ''] = /name="outputs" value="(\d+)"/.exec(html) ?? [];
  await pages.post(`/campaigns/${id}/spend`, { outputs });
  expect(await runner.ended(id)).toMatchObject({ counts: { posted: 3 } });
});

it('cancelled with its campaign: nothing was asked for, so nothing is unused of those that wait', async () => {
  const { runtime, id, waiting } = await openSpending({ maxOutputs: 0 });
  await waiting(3);
  expect(await planCancellation(runtime, id)).toMatchObject({ cancelled: 3, unusedAiOutputs: 0 });
});

it('of very many rows, the nearest 10,000 are counted and allowed', async () => {
  const runner = await openRunner({ settings: { spend: { maxOutputs: 0, prices } } });
  const rows = 10_003;
  const id = await runner.importRows(Array.from({ length: rows }, (_, row) => aiVideoRow(`${row}`)));
  const { runtime, ...pages } = await openPages(runner);
  const { keys } = runner.ledger;
  await runner.redis.set(keys.states(id), 'y\0'.repeat(rows));
  const places = Array.from({ length: rows }, (_, row) => [rows - row, row]);
  await runner.redis.zadd(keys.index(id, 'unpaid'), ...places.flat());
  await runner.redis.hset(keys.campaign(id), { waiting: 0, ready: rows, unpaid: rows });
  expect(await showSpending(runtime, id)).toMatchObject({ rows: 10_000, outputs: 10_000, more: 3 });
  expect((await pages.get(`/campaigns/${id}/spend`)).text).toContain('3 other rows can be allowed next');
  await allowSpending(runtime, id, { expect: 10_000, by: 'mei' });
  expect(await runner.ledger.approvals.unpaid(id)).toEqual([2, 1, 0]);
});

it('a picture has its price, too', async () => {
  const { runtime, id, waiting } = await openSpending({ maxOutputs: 0, prices }, [aiPhotoRow('p', 3)]);
  await waiting(1);
  const { outputs, cost } = await showSpending(runtime, id);
  expect(cost).toEqual({ amount: Math.round(401 * outputs) / 10_000, currency: 'USD', unpriced: 0 });
});
