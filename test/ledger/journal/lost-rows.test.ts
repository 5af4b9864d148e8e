import { expect, it } from 'vitest';
import { acceptJournal, asIf, stepStart, type TestLedger, testLedger } from '../../support/ledger.ts';

async function found({ ledger }: TestLedger, id: string, admitted: number | undefined) {
  const campaign = await ledger.campaigns.find(id);
  if (!campaign) throw new Error('no campaign');
  return (await Array.fromAsync(ledger.lostRows.find(campaign, admitted))).flat();
}

it('may have sent: rows that run, and as many waiting rows as the admission may have come to', async () => {
  const test = testLedger();
  const id = await test.campaign(5000);
  await test.admit(id, [0, 1]);
  const rows = await found(test, id, 100);
  expect(rows.filter(({ runs }) => runs).map(({ row }) => row)).toEqual([0, 1]);
  // One hundred were admitted; twice a window may have been passed over, or admitted after the last look.
  expect(rows.filter(({ runs }) => !runs)).toHaveLength(2100);
  expect(rows.at(-1)).toMatchObject({ row: 2101 });
});

it('may have sent: all rows, if nobody knows how many were admitted', async () => {
  const test = testLedger();
  const id = await test.campaign(5000);
  expect(await found(test, id, undefined)).toHaveLength(5000);
});

it('may not have sent: rows that have ended', async () => {
  const test = testLedger();
  const id = await test.campaign(2);
  await test.admit(id, [0]);
  const error = { step: 'post' as const, code: 'http_400', message: 'no', at: 1 };
  const ref = { campaign: id, row: 0, revision: 0, jobId: 'job' };
  await test.ledger.steps.finish({ ...ref, step: 'post', end: { verdict: 'failed', error } });
  expect(await found(test, id, undefined)).toMatchObject([{ row: 1 }]);
});

it('the late answer of a call whose entry was lost still decides its row', async () => {
  const test = testLedger();
  const { ledger } = test;
  const id = await test.campaign(1);
  await test.admit(id, [0]);
  const ref = { campaign: id, row: 0, revision: 0 };
  await ledger.steps.start({ ...stepStart(ref), effect: 'post', token: 'a' });
  await test.redis.hdel(ledger.keys.progress(id, 0), 'journal:post');
  const span = { from: 1, until: 2, over: 3 };
  const toReview = await ledger.lostRows.markUnknown(id, [{ row: 0, revision: 0 }], span);
  expect(toReview).toEqual({ rows: 1, ran: [{ row: 0, revision: 0 }] });
  const result = { postId: 'p1', postStatus: '', fileIds: [], at: 0 };
  const end = { verdict: 'posted', result, assets: [] } as const;
  await ledger.steps.finish({ ...ref, step: 'post', jobId: 'job', effect: 'post', token: 'a', end });
  expect(await ledger.rows.statuses(id, 0, 1)).toEqual([{ state: 'posted', revision: 0 }]);
});

it('of two calls in unknownCall, the post is decided first, whichever began first', async () => {
  const test = testLedger();
  const { ledger } = test;
  const id = await test.campaign(1);
  await test.admit(id, [0]);
  const ref = { campaign: id, row: 0, revision: 0 };
  await ledger.steps.start({ ...stepStart(ref), effect: 'gen1', token: 'a' });
  const span = { from: 1, until: 2, over: 2 };
  await ledger.lostRows.markUnknown(id, [{ row: 0, revision: 0, generation: 1 }], span);
  expect((await ledger.rows.errors(id, [0]))[0]).toMatchObject({ step: 'post' });
  expect((await ledger.rows.progress(id, 0)).unknownEffect).toBe('post');
  expect(await ledger.decisions.decide(ref, 'post', { kind: 'again', fields: [] })).toMatchObject({
    kind: 'decided',
  });
  expect((await ledger.rows.progress(id, 0)).unknownEffect).toBe('gen1');
});

it('a decided row that was in doubt goes back to review when the decision is taken back', async () => {
  const test = testLedger();
  const { ledger } = test;
  const id = await test.campaign(1);
  await ledger.campaigns.pause(id, { code: 'journal_behind', message: 'lost' });
  const ref = { campaign: id, row: 0, revision: 0 };
  const result = { postId: 'p1', postStatus: '', fileIds: [], at: 0 };
  const posted = { kind: 'posted', result, assets: [] } as const;
  expect(await ledger.decisions.decide(ref, 'post', posted)).toEqual({ kind: 'decided', state: 'posted' });
  expect(await ledger.decisions.undo(id, 0)).toMatchObject({ kind: 'undone', state: 'review' });
  expect((await ledger.rows.progress(id, 0)).unknownEffect).toBe('post');
  // It may have been posted at any time since the import.
  const { createdAt } = (await ledger.campaigns.find(id)) ?? expect.fail('no campaign');
  const [unknownCall] = await ledger.publishing.unknownCalls(id, [0]);
  expect(unknownCall).toMatchObject({ sentAt: createdAt, sentUntil: test.clock.now, isLost: true });
});

it('a decision of before a loss is not taken back', async () => {
  const test = testLedger();
  const { ledger, clock } = test;
  const id = await test.campaign(1);
  await test.admit(id, [0]);
  const ref = { campaign: id, row: 0, revision: 0 };
  const error = { step: 'post' as const, code: 'outcome_unknown', message: 'no answer', at: clock.now };
  const call = { effect: 'post', token: 'a' } as const;
  await ledger.steps.start({ ...stepStart(ref), ...call });
  await ledger.steps.finish({
    ...ref,
    step: 'post',
    jobId: 'job',
    ...call,
    end: { verdict: 'review', error },
  });
  const result = { postId: 'p1', postStatus: '', fileIds: [], at: 0 };
  await ledger.decisions.decide(ref, 'post', { kind: 'posted', result, assets: [] });
  clock.now += 1000;
  await acceptJournal(ledger);
  expect(await ledger.decisions.undo(id, 0)).toMatchObject({ kind: 'none' });
});

it.for([
  ['a call since its entry', 'ended a 1000 6000 16000', 'unknown a 1000 9000 9500'],
  ['a longer loss, if two follow each other', 'unknown lost 500 7000 7500', 'unknown lost 500 9000 9500'],
  ['the beginning of the loss, if nobody knows of its call', 'ended - 8000', 'unknown - 2000 9000 9500'],
] as const)('a row in review may have been sent since %s', async ([, known, widened]) => {
  const test = testLedger();
  const { ledger } = test;
  const id = await test.campaign(1);
  await test.admit(id, [0]);
  const ref = { campaign: id, row: 0, revision: 0 };
  const end = { verdict: 'review', error: { step: 'post', code: 'late', message: 'late', at: 1 } } as const;
  await ledger.steps.finish({ ...ref, step: 'post', jobId: 'job', end });
  await asIf(test).inCall(id, 0, known);
  const span = { from: 2000, until: 9000, over: 9500 };
  expect(await ledger.lostRows.markUnknown(id, [ref], span)).toEqual({ rows: 0, ran: [] });
  expect(await ledger.publishing.unknownCalls(id, [0])).toMatchObject([{ entry: widened }]);
  expect(await ledger.rows.errors(id, [0])).toMatchObject([{ code: 'records_lost' }]);
});

it('a row that was posted before a loss, and fails after it, may have been retried in what is lost', async () => {
  const test = testLedger();
  const { ledger, clock } = test;
  const id = await test.campaign(1);
  await test.admit(id, [0]);
  const ref = { campaign: id, row: 0, revision: 0 };
  const call = { effect: 'post', token: 'a' } as const;
  await ledger.steps.start({ ...stepStart(ref), ...call });
  const before = { postId: 'p1', postStatus: 'SCHEDULED', fileIds: ['7'], at: clock.now };
  const end = { verdict: 'posted', result: before, assets: [] } as const;
  await ledger.steps.finish({ ...ref, step: 'post', jobId: 'job', ...call, end });
  const noticed = clock.now + 1000;
  await ledger.journal.accept(
    { noticedAt: noticed, reported: '' },
    noticed + 500,
    await ledger.journal.server(),
  );
  clock.now += 5000;
  const error = { step: 'post' as const, code: 'publishing_failed', message: 'no', at: clock.now };
  await ledger.failedPosts.fail(id, [{ row: 0, before, postStatus: 'FAILED', error }]);
  const earlier = (await ledger.failedPosts.all(id)).get(0) ?? expect.fail('no earlier post');
  await ledger.failedPosts.recordRechecks(id, new Map([[0, earlier]]));
  expect(await ledger.rows.redo(id, [ref])).toEqual({ rows: [], held: 0 });
  expect(await ledger.rows.statuses(id, 0, 1)).toMatchObject([{ state: 'review' }]);
  const entry = `unknown lost ${before.at} ${noticed} ${noticed + 500}`;
  expect(await ledger.publishing.unknownCalls(id, [0])).toMatchObject([{ entry }]);
});

it('a row that was answered with its post is not in doubt: it is never sent again', async () => {
  const test = testLedger();
  const { ledger, redis } = test;
  const id = await test.campaign(1);
  await test.admit(id, [0]);
  const ref = { campaign: id, row: 0, revision: 0 };
  const end = {
    verdict: 'review',
    error: { step: 'post', code: 'posted_twice', message: 'twice', at: 1 },
  } as const;
  await ledger.steps.finish({ ...ref, step: 'post', jobId: 'job', end });
  await redis.hset(ledger.keys.progress(id, 0), 'late', 'p1\np2');
  await ledger.lostRows.markUnknown(id, [ref], { from: 1, until: 2, over: 3 });
  expect(await ledger.publishing.unknownCalls(id, [0])).toEqual([undefined]);
  expect(await ledger.rows.errors(id, [0])).toMatchObject([{ code: 'posted_twice' }]);
});

it('no post is named for a waiting row of a campaign that is paused for another reason', async () => {
  const test = testLedger();
  const { ledger } = test;
  const id = await test.campaign(1);
  await ledger.campaigns.pause(id, { code: 'paused', message: 'by hand' });
  const result = { postId: 'p1', postStatus: '', fileIds: [], at: 0 };
  const ref = { campaign: id, row: 0, revision: 0 };
  const decided = await ledger.decisions.decide(ref, 'post', { kind: 'posted', result, assets: [] });
  expect(decided).toEqual({ kind: 'changed', state: 'waiting' });
});
