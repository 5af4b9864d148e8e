import { describe, expect, it } from 'vitest';
import type { StepEnd } from '../../src/ledger/transitions/step-outcomes.ts';
import { chunkOf, importFacts, retryNow, stepStart, testLedger } from '../support/ledger.ts';

const error = { step: 'upload' as const, code: 'media_missing', message: 'no such file', at: 5 };

describe('rows and campaigns', () => {
  it('counts every change of state', async () => {
    const test = testLedger();
    const id = await test.campaign(3);
    await test.admit(id, [0, 1]);
    const ref = { campaign: id, row: 0, revision: 0 };
    await test.ledger.steps.finish({
      ...ref,
      step: 'upload',
      jobId: 'job',
      end: { verdict: 'failed', error },
    });
    const campaign = await test.ledger.campaigns.find(id);
    expect(campaign?.counts).toEqual({
      waiting: 1,
      running: 1,
      ready: 0,
      posted: 0,
      failed: 1,
      review: 0,
      cancelled: 0,
    });
    expect(await test.ledger.rows.inState(id, 'failed')).toEqual([0]);
  });

  it('ends a campaign with its last row, and opens it again for a retry', async () => {
    const test = testLedger();
    const id = await test.campaign(1);
    await test.admit(id, [0]);
    const finish = { campaign: id, row: 0, revision: 0, step: 'upload' as const, jobId: 'job' };
    await test.ledger.steps.finish({ ...finish, end: { verdict: 'failed', error } });
    expect((await test.ledger.campaigns.find(id))?.state).toBe('ended');
    expect(await retryNow(test.ledger, id, [0])).toEqual([{ row: 0, revision: 0 }]);
    expect((await test.ledger.campaigns.find(id))?.state).toBe('running');
  });

  it('keeps the progress of a row over a retry, and drops it once the row is posted', async () => {
    const test = testLedger();
    const id = await test.campaign(1);
    await test.admit(id, [0]);
    const finish = { campaign: id, row: 0, revision: 0, step: 'upload' as const, jobId: 'job' };
    await test.ledger.steps.finish({ ...finish, end: { verdict: 'ok', fields: [['file:0', '42']] } });
    await test.ledger.steps.finish({ ...finish, end: { verdict: 'failed', error } });
    await retryNow(test.ledger, id, [0]);
    expect((await test.ledger.rows.progress(id, 0)).files).toEqual(new Map([[0, '42']]));
  });

  it('refuses a step of an older revision', async () => {
    const test = testLedger();
    const id = await test.campaign(1);
    await test.admit(id, [0]);
    const old = { campaign: id, row: 0, revision: 0 };
    await test.ledger.steps.finish({
      ...old,
      step: 'upload',
      jobId: 'job',
      end: { verdict: 'failed', error },
    });
    await retryNow(test.ledger, id, [0]);
    expect(await test.ledger.steps.start(stepStart(old))).toEqual({ kind: 'gone' });
  });

  it('holds the steps of a paused campaign', async () => {
    const test = testLedger();
    const id = await test.campaign(1);
    await test.admit(id, [0]);
    await test.ledger.campaigns.pause(id, { code: 'paused', message: 'by hand' });
    expect(await test.ledger.steps.start(stepStart({ campaign: id, row: 0, revision: 0 }))).toEqual({
      kind: 'paused',
    });
    expect(await test.ledger.campaigns.resume(id)).toBe('running');
    expect(await test.ledger.steps.start(stepStart({ campaign: id, row: 0, revision: 0 }))).toMatchObject({
      kind: 'go',
    });
  });

  it('stops the steps of a creator whose breaker is open', async () => {
    const test = testLedger();
    const id = await test.campaign(1);
    await test.admit(id, [0]);
    await test.ledger.creators.openBreaker('creator', 'expired');
    const verdict = await test.ledger.steps.start(stepStart({ campaign: id, row: 0, revision: 0 }));
    expect(verdict).toMatchObject({ kind: 'breaker', reason: { message: 'expired' } });
  });

  it('wakes a sleeping admission once an eighth of the window is free', async () => {
    const test = testLedger();
    const id = await test.campaign(20, { window: 8 });
    await test.admit(id, [0, 1, 2, 3, 4, 5, 6, 7]);
    expect(await test.ledger.admission.sleep(id, 8)).toBe('asleep');
    const finish = { campaign: id, row: 0, revision: 0, step: 'upload' as const, jobId: 'job' };
    expect(await test.ledger.steps.finish({ ...finish, end: { verdict: 'failed', error } })).toBe('wake');
    expect(await test.ledger.steps.finish({ ...finish, row: 1, end: { verdict: 'failed', error } })).toBe(
      'ok',
    );
  });

  it('wakes it once half of the rows in flight have ended, if they are few', async () => {
    const test = testLedger();
    const id = await test.campaign(20, { window: 100 });
    await test.admit(id, [0, 1, 2, 3]);
    expect(await test.ledger.admission.sleep(id, 4)).toBe('asleep');
    const end = (row: number) =>
      test.ledger.steps.finish({
        campaign: id,
        row,
        revision: 0,
        step: 'upload',
        jobId: 'job',
        end: { verdict: 'failed', error },
      });
    expect(await end(0)).toBe('ok');
    expect(await end(1)).toBe('wake');
  });

  it('wakes it for ready rows that are due, though no row waits', async () => {
    const test = testLedger();
    const id = await test.campaign(3, { window: 1 });
    await test.admit(id, [0, 1, 2]);
    const { ledger, clock } = test;
    const end = (row: number, at: StepEnd) =>
      ledger.steps.finish({ campaign: id, row, revision: 0, step: 'post', jobId: 'job', end: at });
    const gate = { name: 'ready', at: clock.now + 1 } as const;
    await end(0, { verdict: 'ready', gate, fields: [] });
    expect(await ledger.admission.sleep(id, 2)).toBe('done');
    clock.now += 1;
    expect(await ledger.admission.sleep(id, 2)).toBe('asleep');
    expect(await end(1, { verdict: 'failed', error })).toBe('wake');
  });

  it('lets it end beside a gate with a row that is not ready', async () => {
    const { ledger, redis, ...test } = testLedger();
    const id = await test.campaign(1);
    await test.admit(id, [0]);
    await redis.zadd(ledger.keys.index(id, 'ready'), 0, '0');
    expect(await ledger.admission.sleep(id, 0)).toBe('done');
  });

  it('keeps an admission awake that missed the end of rows', async () => {
    const test = testLedger();
    const id = await test.campaign(20, { window: 8 });
    await test.admit(id, [0, 1, 2, 3, 4, 5, 6]);
    expect(await test.ledger.admission.sleep(id, 8)).toBe('awake');
  });

  it('does not count a sleeping row towards the window', async () => {
    const test = testLedger();
    const id = await test.campaign(20, { window: 8 });
    await test.admit(id, [0, 1, 2, 3, 4, 5, 6, 7]);
    await test.ledger.admission.sleep(id, 8);
    const ref = { campaign: id, row: 0, revision: 0 };
    expect(await test.ledger.steps.sleep(ref, true)).toBe('wake');
    expect((await test.ledger.campaigns.find(id))?.asleep).toBe(1);
    await test.ledger.steps.finish({ ...ref, step: 'poll', jobId: 'job', end: { verdict: 'failed', error } });
    expect((await test.ledger.campaigns.find(id))?.asleep).toBe(0);
  });

  it('carries out only one of two admissions planned from the same state', async () => {
    const test = testLedger();
    const id = await test.campaign(2);
    const plan = {
      campaign: id,
      number: 0,
      cursor: 1,
      groups: [],
      rows: [{ row: 0, revision: 0, atOnce: true, fields: [] }],
    };
    expect(await test.ledger.admission.admit(plan)).toMatchObject({ rows: new Set([0]) });
    expect(await test.ledger.admission.admit(plan)).toBeUndefined();
  });

  it('makes one campaign of the same manifest', async () => {
    const { ledger } = testLedger();
    const facts = {
      name: 'twice',
      sha256: 'same',
      header: ['creator'],
      mediaRoot: '/',
      timezone: null,
      source: 'x.csv',
      window: 10,
      leftOut: 0,
      creators: new Map(),
      again: false,
    };
    const imports = await Promise.all(
      [1, 2].map(async () => {
        const staged = ledger.newImport();
        await staged.add([{ number: 1, cells: ['a'] }]);
        return staged.commit(facts);
      }),
    );
    expect(new Set(imports.map(({ id }) => id)).size).toBe(1);
    expect(imports.map(({ kind }) => kind).toSorted()).toEqual(['created', 'known']);
  });

  it('makes one campaign of a request that is sent again, although it asks for another import', async () => {
    const { ledger } = testLedger();
    const importOrUpdate = async (origin: string) => {
      const staged = ledger.newImport();
      await staged.add([{ number: 1, cells: ['a'] }]);
      return staged.commit({ ...importFacts, sha256: 'one', again: true, origin });
    };
    const first = await importOrUpdate('a request');
    expect(await importOrUpdate('a request')).toEqual({ id: first.id, kind: 'repeated' });
    expect(await importOrUpdate('another one')).toMatchObject({ kind: 'created' });
    expect(await ledger.campaigns.list()).toHaveLength(2);
  });

  it('keeps the rows of a campaign whose import was answered, and asked again', async () => {
    const { ledger } = testLedger();
    const staged = ledger.newImport();
    await staged.add([{ number: 1, cells: ['a'] }]);
    const facts = {
      name: 'resent',
      sha256: 'resent',
      header: ['creator'],
      mediaRoot: '/',
      timezone: null,
      source: 'x.csv',
      window: 10,
      leftOut: 0,
      creators: new Map(),
      again: true,
    };
    const first = await staged.commit(facts);
    expect(await staged.commit(facts)).toEqual(first);
    const campaign = await ledger.campaigns.find(first.id);
    expect(await chunkOf(ledger, { store: campaign?.store ?? '', sheetVersion: '' }, 0)).toHaveLength(1);
  });

  it('keeps the cells of every row, over chunks', async () => {
    const test = testLedger();
    const id = await test.campaign(1203);
    const campaign = await test.ledger.campaigns.find(id);
    expect(await test.ledger.store.read({ store: campaign?.store ?? '', sheetVersion: '' }, 1202)).toEqual({
      number: 1203,
      cells: ['creator-1202'],
    });
  });
});

describe('uploads', () => {
  const content = { hash: 'a'.repeat(64), contentType: 'video/mp4' };

  it('lets one job at a time upload a content', async () => {
    const { ledger } = testLedger();
    expect(await ledger.files.claim(content, 'one')).toEqual({ kind: 'yours' });
    expect(await ledger.files.claim(content, 'two')).toEqual({ kind: 'taken' });
  });

  it('knows a file by content and by source once it is uploaded', async () => {
    const { ledger } = testLedger();
    await ledger.files.claim(content, 'one');
    await ledger.files.record(content, 'one', { fileId: '9' }, 'dev:ino:1');
    expect(await ledger.files.claim(content, 'two')).toEqual({
      kind: 'known',
      file: { fileId: '9' },
    });
    expect(await ledger.files.findBySource(['dev:ino:1', 'other'])).toEqual([{ fileId: '9' }, undefined]);
  });

  it('gives the content to the next job when an upload failed', async () => {
    const { ledger } = testLedger();
    await ledger.files.claim(content, 'one');
    await ledger.files.record(content, 'one', undefined, undefined);
    expect(await ledger.files.claim(content, 'two')).toEqual({ kind: 'yours' });
  });
});
