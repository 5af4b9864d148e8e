import { describe, expect, it } from 'vitest';
import { undoWindowMs } from '../../../src/ledger/transitions/decisions.ts';
import { admit } from '../../../src/processors/admission/admit.ts';
import { postJobId } from '../../../src/queues/row-jobs.ts';
import { openRunner, type TestRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';

const direct = (...keys: readonly string[]) => keys.map((key) => videoRow(key, { product_source: 'SHOP' }));

/** Which rows have a flow. */
async function queuedRows({ queues }: TestRunner, id: string, rows: number): Promise<readonly number[]> {
  const numbers = Array.from({ length: rows }, (_, row) => row);
  const posts = await queues.queue('post');
  const jobs = await Promise.all(
    numbers.map((row) => posts.getJob(postJobId({ campaign: id, row, revision: 0 }))),
  );
  return numbers.filter((row) => jobs[row]);
}

async function statesOf({ rows }: TestRunner, id: string) {
  return (await rows(id)).map(({ state }) => state);
}

describe('the admission', () => {
  it('fills the window with flows, and comes again', async () => {
    const runner = await openRunner();
    const id = await runner.importRows(direct('a', 'b', 'c'), { window: 2 });
    expect(await runner.admit(id)).toMatchObject({ kind: 'again' });
    expect(await statesOf(runner, id)).toEqual(['running', 'running', 'waiting']);
    expect(await queuedRows(runner, id, 3)).toEqual([0, 1]);
  });

  it('ends when no row waits', async () => {
    const runner = await openRunner();
    const id = await runner.importRows(direct('a'));
    expect(await runner.admit(id)).toEqual({ kind: 'done' });
    expect(await statesOf(runner, id)).toEqual(['running']);
  });

  it('lets in no more rows than the canary', async () => {
    const runner = await openRunner();
    const id = await runner.importRows(direct('a', 'b', 'c'), { canary: 1 });
    expect(await runner.admit(id)).toMatchObject({ kind: 'again' });
    expect(await statesOf(runner, id)).toEqual(['running', 'waiting', 'waiting']);
  });

  it('takes the first rows of the sheet as the canary, whoever their creators are', async () => {
    const runner = await openRunner();
    const rows = ['demo_anna', 'demo_ben', 'demo_anna', 'demo_ben'].map((creator, index) =>
      videoRow(`row-${index}`, { creator }),
    );
    const id = await runner.importRows(rows, { canary: 2 });
    expect(await runner.admit(id)).toMatchObject({ kind: 'again' });
    expect(await statesOf(runner, id)).toEqual(['running', 'running', 'waiting', 'waiting']);
  });

  it('leaves a row that was decided a moment ago, and sleeps', async () => {
    const clock = { now: Date.UTC(2026, 5, 1) };
    const runner = await openRunner({ now: () => clock.now });
    const { ledger } = runner;
    const id = await runner.importRows(direct('a'));
    await runner.admit(id);
    const ref = { campaign: id, row: 0, revision: 0 };
    const error = { step: 'post', code: 'late', message: 'late', at: 0 } as const;
    await ledger.steps.finish({ ...ref, step: 'post', jobId: 'job', end: { verdict: 'review', error } });
    await ledger.decisions.decide(ref, undefined, { kind: 'again', fields: [] });
    expect(await runner.admit(id)).toEqual({ kind: 'again', at: clock.now + 2000 });
    expect(await statesOf(runner, id)).toEqual(['waiting']);
    clock.now += undoWindowMs;
    expect(await runner.admit(id)).toEqual({ kind: 'done' });
    expect(await statesOf(runner, id)).toEqual(['running']);
  });

  it('lets nothing in while the campaign is paused', async () => {
    const runner = await openRunner();
    const id = await runner.importRows(direct('a'));
    await runner.ledger.campaigns.pause(id, { code: 'paused', message: 'by hand' });
    expect(await runner.admit(id)).toEqual({ kind: 'done' });
    expect(await statesOf(runner, id)).toEqual(['waiting']);
  });

  it('makes one group of the products of a creator, and no flow before they are added', async () => {
    const runner = await openRunner();
    const rows = [videoRow('a'), videoRow('b'), videoRow('c', { creator: 'demo_ben' })];
    const id = await runner.importRows(rows);
    await runner.admit(id);
    const groups = [...(await runner.ledger.admission.groups(id)).values()];
    const packed = groups.map((group) => [group.creator, group.rows.map(({ productId }) => productId)]);
    expect(packed).toEqual([
      ['demo_anna', ['p-a', 'p-b']],
      ['demo_ben', ['p-c']],
    ]);
    expect(await queuedRows(runner, id, 3)).toEqual([]);
  });

  it('queues no upload of a file that the service has', async () => {
    const runner = await openRunner({ queues: ['upload', 'post'] });
    const first = await runner.importRows(direct('a'));
    const second = await runner.importRows([videoRow('b', { media: 'a.mp4', product_source: 'SHOP' })]);
    await runner.admit(first);
    await runner.start();
    await runner.ended(first);
    await runner.workers.stop(5000);
    // Nobody waits for the record of a file: it goes to Redis a moment later.
    const sources = runner.ledger.keys.known('sources');
    await expect.poll(() => runner.redis.keys(`${sources}*`)).not.toEqual([]);
    await runner.admit(second);
    expect(
      await (await runner.queues.queue('post')).getJobState(
        postJobId({ campaign: second, row: 0, revision: 0 }),
      ),
    ).toBe('waiting');
  });

  it('queues a row again that was admitted just before a crash', async () => {
    const runner = await openRunner();
    const id = await runner.importRows(direct('a'));
    const row = { row: 0, revision: 0, atOnce: true, fields: [] };
    await runner.ledger.admission.admit({ campaign: id, number: 0, cursor: 1, groups: [], rows: [row] });
    await admit(runner.context, id, { attemptsStarted: 2, attemptsMade: 0, stalledCounter: 1 });
    expect(await queuedRows(runner, id, 1)).toEqual([0]);
  });

  it('does not search for lost flows on every run', async () => {
    const runner = await openRunner();
    const id = await runner.importRows(direct('a'));
    const row = { row: 0, revision: 0, atOnce: true, fields: [] };
    await runner.ledger.admission.admit({ campaign: id, number: 0, cursor: 1, groups: [], rows: [row] });
    await admit(runner.context, id, { attemptsStarted: 2, attemptsMade: 0, stalledCounter: 0 });
    expect(await queuedRows(runner, id, 1)).toEqual([]);
  });

  it('completes a campaign that is larger than its window', async () => {
    const runner = await openRunner();
    const id = await runner.importOrUpdate(direct('a', 'b', 'c', 'd'), { window: 1 });
    await runner.start();
    expect(await runner.ended(id)).toMatchObject({ counts: { posted: 4 } });
  });
});
