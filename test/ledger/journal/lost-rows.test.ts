import { expect, it } from 'vitest';
import { stepStart, type TestLedger, testLedger } from '../../support/ledger.ts';

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
  const doubted = await ledger.lostRows.doubt(id, span, [{ row: 0, revision: 0, generation: undefined }]);
  expect(doubted).toEqual({ rows: 1, ran: [{ row: 0, revision: 0 }] });
  const result = { postId: 'p1', postStatus: '', fileIds: [], at: 0 };
  const end = { verdict: 'posted', result, assets: [] } as const;
  await ledger.steps.finish({ ...ref, step: 'post', jobId: 'job', effect: 'post', token: 'a', end });
  expect(await ledger.rows.statuses(id, 0, 1)).toEqual([{ state: 'posted', revision: 0 }]);
});

it('of two calls in doubt, the post is decided first, whichever began first', async () => {
  const test = testLedger();
  const { ledger } = test;
  const id = await test.campaign(1);
  await test.admit(id, [0]);
  const ref = { campaign: id, row: 0, revision: 0 };
  await ledger.steps.start({ ...stepStart(ref), effect: 'gen1', token: 'a' });
  const span = { from: 1, until: 2, over: 2 };
  await ledger.lostRows.doubt(id, span, [{ row: 0, revision: 0, generation: 1 }]);
  expect((await ledger.rows.errors(id, [0]))[0]).toMatchObject({ step: 'post' });
  expect((await ledger.rows.progress(id, 0)).inDoubt).toBe('post');
  expect(await ledger.decisions.decide(ref, 'post', { kind: 'again', fields: [] })).toMatchObject({
    kind: 'decided',
  });
  expect((await ledger.rows.progress(id, 0)).inDoubt).toBe('gen1');
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
  expect((await ledger.rows.progress(id, 0)).inDoubt).toBe('post');
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
