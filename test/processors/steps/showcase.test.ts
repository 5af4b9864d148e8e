import { describe, expect, it } from 'vitest';
import { openRunner, type RunnerOptions, type TestRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import type { Cells } from '../../support/sheets/sheet.ts';

const operation = 'addSocialShowcaseProducts';
const rows = [videoRow('1'), videoRow('2'), videoRow('3')];

/** A campaign whose groups are at work, and nothing else is. */
async function groupsOf(
  given: readonly Cells[],
  options: RunnerOptions = {},
  before?: (runner: TestRunner) => void,
) {
  const runner = await openRunner({ queues: ['showcase'], ...options });
  before?.(runner);
  const id = await runner.importRows(given);
  await runner.admit(id);
  await runner.start();
  return { ...runner, id };
}

const products = ({ sandbox }: TestRunner) =>
  sandbox.calls(operation).map(({ body }) => (body as { productIds?: string[] }).productIds);

async function statesOf({ rows }: TestRunner, id: string) {
  return (await rows(id)).map(({ state, error }) => (error ? `${state} ${error.code}` : state));
}

describe('the step showcase', () => {
  it('adds the products of a group by one call, then the flows of its rows', async () => {
    const { id, ...runner } = await groupsOf(rows);
    expect(await runner.jobFinished(() => true)).toMatchObject({ outcome: 'done' });
    expect(products(runner)).toEqual([['p-1', 'p-2', 'p-3']]);
    expect(await (await runner.queues.queue('post')).getWaitingCount()).toBe(3);
    expect((await runner.ledger.admission.groups(id)).size).toBe(0);
  });

  it('fails only the rows of a product that was refused', async () => {
    const { id, ...runner } = await groupsOf(rows, {}, ({ sandbox }) => {
      sandbox.faults.add({ operation, kind: 'product-errors', productIds: ['p-2'] });
    });
    expect(await runner.jobFinished(() => true)).toMatchObject({ outcome: 'row-ended' });
    expect(await statesOf(runner, id)).toEqual(['running', 'failed 16001001', 'running']);
    expect(await (await runner.queues.queue('post')).getWaitingCount()).toBe(2);
  });

  it('reads errors whose product is a number and whose code is a text', async () => {
    const numbered = ['1', '2', '3'].map((key) => videoRow(key, { product_id: key }));
    const errors = [{ code: '16001001', message: 'gone', detail: { productId: 2 } }];
    const { id, ...runner } = await groupsOf(numbered, {}, ({ sandbox }) => {
      sandbox.faults.add({ operation, kind: 'status', status: 200, body: { code: 0, data: { errors } } });
    });
    expect(await runner.jobFinished(() => true)).toMatchObject({ outcome: 'row-ended' });
    expect(await statesOf(runner, id)).toEqual(['running', 'failed 16001001', 'running']);
    expect(products(runner)).toEqual([['1', '2', '3']]);
  });

  it('asks product by product for an error that says nothing', async () => {
    const { id, ...runner } = await groupsOf(rows, {}, ({ sandbox }) => {
      const body = { code: 0, data: { errors: ['odd'] } };
      sandbox.faults.add({ operation, kind: 'status', status: 200, body });
    });
    expect(await runner.jobFinished(() => true)).toMatchObject({ outcome: 'done' });
    expect(products(runner)).toEqual([['p-1', 'p-2', 'p-3'], ['p-1'], ['p-2'], ['p-3']]);
    expect(await statesOf(runner, id)).toEqual(['running', 'running', 'running']);
  });

  it.for([
    ['without data', { code: 0, message: 'ok' }],
    ['with data that is null', { code: 0, data: null }],
  ])('does not take an answer %s for a success', async ([, body]) => {
    const settings = { retry: { attempts: 2, base: '1ms', cap: '1ms' } };
    const { id, ...runner } = await groupsOf(rows, { settings }, ({ sandbox }) => {
      sandbox.faults.add({ operation, kind: 'status', status: 200, body, times: 1 });
    });
    expect(await runner.jobFinished(() => true)).toMatchObject({ outcome: 'retry' });
    await runner.jobFinished(({ attempt }) => attempt === 2);
    expect(products(runner)).toEqual([
      ['p-1', 'p-2', 'p-3'],
      ['p-1', 'p-2', 'p-3'],
    ]);
    expect(await statesOf(runner, id)).toEqual(['running', 'running', 'running']);
  });

  it('run again by hand, sends its failed rows to their next revision, and only their products', async () => {
    const { id, ...runner } = await groupsOf(rows, {}, ({ sandbox }) => {
      sandbox.faults.add({ operation, kind: 'product-errors', productIds: ['p-2'], times: 1 });
    });
    const { job } = await runner.jobFinished(({ outcome }) => outcome === 'row-ended');
    const queue = await runner.queues.queue('showcase');
    await runner.until(async () => (await queue.getJobState(job)) === 'failed', 'the job to fail');
    await (await queue.getJob(job))?.retry('failed', { resetAttemptsMade: true });
    await runner.jobFinished(({ job: of, outcome }) => of === job && outcome === 'done');
    expect(products(runner)).toHaveLength(1);
    expect(await statesOf(runner, id)).toEqual(['running', 'waiting', 'running']);
    expect((await runner.ledger.admission.groups(id)).size).toBe(0);
    await runner.admit(id);
    await runner.jobFinished(({ job: of, outcome }) => of !== job && outcome === 'done');
    expect(products(runner)).toEqual([['p-1', 'p-2', 'p-3'], ['p-2']]);
    expect((await runner.rows(id)).map(({ state, revision }) => `${state} ${revision}`)).toEqual([
      'running 0',
      'running 1',
      'running 0',
    ]);
  });

  it('asks product by product when the whole call is refused', async () => {
    const { id, ...runner } = await groupsOf(rows, {}, ({ sandbox }) => {
      const match = { productIds: ['p-2'] };
      sandbox.faults.add({ operation, kind: 'status', status: 400, match, times: 'always' });
    });
    await runner.jobFinished(() => true);
    expect(products(runner)).toEqual([['p-1', 'p-2', 'p-3'], ['p-1'], ['p-2'], ['p-3']]);
    expect(await statesOf(runner, id)).toEqual(['running', 'failed 40000', 'running']);
  });

  it('fails all rows, and opens the breaker, when the authorization has expired', async () => {
    const { id, ...runner } = await groupsOf([videoRow('1', { creator: 'demo_ines' })]);
    expect(await runner.jobFinished(() => true)).toMatchObject({ outcome: 'creator-expired', code: '40101' });
    const [row] = await runner.rows(id);
    expect(row).toMatchObject({ state: 'failed', error: { code: '40101', subject: 'demo_ines' } });
    expect((await runner.ledger.creators.openBreakers()).size).toBe(1);
  });

  it('makes no call while the breaker is open', async () => {
    const runner = await openRunner({ queues: ['showcase'] });
    const ben = runner.sandbox.creators().find(({ username }) => username === 'demo_ben');
    await runner.ledger.creators.openBreaker(ben?.creatorId ?? '', 'It has expired.');
    const id = await runner.importRows([videoRow('1', { creator: 'demo_ben' })]);
    await runner.admit(id);
    await runner.start();
    expect(await runner.jobFinished(() => true)).toMatchObject({ outcome: 'refused', code: '40101' });
    expect(await statesOf(runner, id)).toEqual(['failed 40101']);
    expect(products(runner)).toEqual([]);
  });

  it('tries again after a 500, and fails its rows when attempts run out', async () => {
    const settings = { retry: { attempts: 2, base: '1ms', cap: '1ms' } };
    const { id, ...runner } = await groupsOf(rows, { settings }, ({ sandbox }) => {
      sandbox.faults.add({ operation, kind: 'status', status: 500, times: 'always' });
    });
    await runner.jobFinished(({ attempt }) => attempt === 2);
    expect(await statesOf(runner, id)).toEqual(Array(3).fill('failed server_error'));
  });

  it('fails its rows when the campaign does not know their creator', async () => {
    const runner = await openRunner({ queues: ['showcase'] });
    const id = await runner.importRows([videoRow('1')]);
    await runner.redis.del(runner.ledger.keys.creators(id));
    const group = { creator: 'demo_anna', rows: [{ row: 0, revision: 0, productId: 'p-1' }] };
    const row = { row: 0, revision: 0, atOnce: false, fields: [] };
    await runner.ledger.admission.admit({ campaign: id, number: 0, cursor: 1, groups: [group], rows: [row] });
    await runner.queues.addShowcaseJobs([{ campaign: id, group: 1 }]);
    await runner.start();
    await runner.jobFinished(() => true);
    expect(await statesOf(runner, id)).toEqual(['failed row_unreadable']);
  });
});
