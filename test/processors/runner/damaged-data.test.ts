import { describe, expect, it } from 'vitest';
import type { LedgerKeys } from '../../../src/ledger/keys.ts';
import { openRunner, type TestRunner } from '../../support/in-process.ts';
import { aiVideoRow, videoRow } from '../../support/sheets/rows.ts';
import type { Cells } from '../../support/sheets/sheet.ts';

const quick = { settings: { retry: { attempts: 3, base: '1ms', cap: '1ms' } } };
const rows = ['a', 'b', 'c'].map((key) => videoRow(key, { product_source: 'SHOP' }));

async function statesOf({ rows }: TestRunner, id: string) {
  return (await rows(id)).map(({ state, error }) => (error ? `${state} ${error.code}` : state));
}

/** Runs a campaign whose data is damaged when its rows have been admitted. */
async function runDamaged(
  damage: (runner: TestRunner, keys: LedgerKeys, id: string) => Promise<unknown>,
  given: readonly Cells[] = rows,
) {
  const runner = await openRunner(quick);
  const id = await runner.importRows(given);
  await runner.admit(id);
  await damage(runner, runner.ledger.keys, id);
  await runner.start();
  await runner.ended(id);
  return { ...runner, id };
}

/** In the place of a key, whatever it was. */
async function overwrite({ redis }: TestRunner, key: string): Promise<void> {
  await redis.del(key);
  await redis.set(key, 'not as it was');
}

describe('a row whose data in Redis is damaged', () => {
  it('ends in review, which names its key, and the others are posted', async () => {
    const runner = await runDamaged((test, keys, id) => overwrite(test, keys.progress(id, 1)));
    expect(await statesOf(runner, runner.id)).toEqual(['posted', 'review data_damaged', 'posted']);
    expect(runner.sandbox.counts().createCreatorPost).toBe(2);
    const [, row] = await runner.rows(runner.id);
    expect(row?.error?.message).toContain(runner.ledger.keys.progress(runner.id, 1));
  });

  it('is posted although histories, which only tell of it, are damaged', async () => {
    const runner = await runDamaged((test, keys, id) => overwrite(test, keys.histories(id)));
    expect(await statesOf(runner, runner.id)).toEqual(['posted', 'posted', 'posted']);
  });

  it.for(['errors', 'earlier'])('is not its own: the campaign pauses, and names its key %s', async (name) => {
    const runner = await openRunner(quick);
    const id = await runner.importRows(rows);
    const key = `${runner.ledger.keys.campaign(id)}:${name}`;
    await overwrite(runner, key);
    await runner.queues.wakeAdmission(id);
    await runner.start();
    const find = () => runner.ledger.campaigns.find(id);
    await runner.until(async () => (await find())?.state === 'paused', 'the pause');
    expect((await find())?.pauseReason).toMatchObject({
      code: 'data_damaged',
      message: expect.stringContaining(key),
    });
  });

  it('fails with the reason when its cells are damaged', async () => {
    const runner = await openRunner(quick);
    const id = await runner.importRows(rows);
    const store = (await runner.ledger.campaigns.find(id))?.store ?? '';
    await overwrite(runner, runner.ledger.keys.rows(store, 0));
    await runner.queues.wakeAdmission(id);
    await runner.start();
    await runner.ended(id);
    expect(await statesOf(runner, id)).toEqual(Array(3).fill('failed row_unreadable'));
  });

  it('is posted with a generation whose record cannot be read', async () => {
    const runner = await openRunner({ ...quick, queues: ['campaign', 'generate', 'poll', 'upload'] });
    const id = await runner.importOrUpdate([aiVideoRow('a', { product_source: 'SHOP' })]);
    await runner.start();
    const { rows: ledgerRows } = runner.ledger;
    await runner.until(async () => (await ledgerRows.progress(id, 0)).files.size > 0, 'the upload');
    await runner.redis.hset(runner.ledger.keys.progress(id, 0), 'gen1', 'no JSON');
    const ref = { campaign: id, row: 0, revision: 0, jobId: 'job', effect: 'post' as const, token: 't' };
    await runner.ledger.steps.start({ ...ref, creatorId: 'c' });
    const result = { postId: 'p', postStatus: '', fileIds: [], at: 1 };
    const end = { verdict: 'posted' as const, result, assets: [] };
    await runner.ledger.steps.finish({ ...ref, step: 'post', end });
    expect(await runner.ledger.campaigns.find(id)).toMatchObject({ state: 'ended', counts: { posted: 1 } });
  });
});
