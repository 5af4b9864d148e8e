import { describe, expect, it } from 'vitest';
import { undoWindowMs } from '../../../src/ledger/transitions/decisions.ts';
import { retryNow, stepStart } from '../../support/ledger.ts';
import { error, postedRow, result } from './posted-row.ts';

describe('a failed row that had a post', () => {
  it('is not sent back while nobody has looked its post up', async () => {
    const { ledger, campaign, fail, outcome, look } = await postedRow();
    await fail();
    expect(await retryNow(ledger, campaign, [0])).toEqual([]);
    expect(await outcome()).toMatchObject({ state: 'failed', error });
    await look();
    expect(await retryNow(ledger, campaign, [0])).toEqual([{ row: 0, revision: 0 }]);
  });

  it('is not sent back by a look of long ago, or at other posts', async () => {
    const { ledger, clock, campaign, fail, look } = await postedRow();
    await fail();
    await ledger.failedPosts.recordRechecks(campaign, new Map([[0, [{ ...result, postId: 'other' }]]]));
    expect(await retryNow(ledger, campaign, [0])).toEqual([]);
    await look();
    clock.now += 3_600_001;
    expect(await retryNow(ledger, campaign, [0])).toEqual([]);
  });

  it('is not sent back in another revision than the one that was seen', async () => {
    const { ledger, campaign, fail, look } = await postedRow();
    await fail();
    await look();
    expect(await ledger.rows.redo(campaign, [{ row: 0, revision: 1 }])).toEqual({ rows: [], held: 0 });
  });

  it('waits ten seconds, while the retry can be taken back', async () => {
    const { ledger, clock, campaign, fail, outcome, look } = await postedRow();
    await fail();
    await look();
    const before = await ledger.rows.progress(campaign, 0);
    expect(await ledger.rows.redo(campaign, [{ row: 0, revision: 0 }])).toMatchObject({ held: 1 });
    clock.now += undoWindowMs - 1;
    expect(await ledger.admission.releaseHeld(campaign)).toBe(0);
    expect(await ledger.decisions.decidedAt(campaign, 0)).toMatchObject({ was: 'failed' });
    expect(await ledger.decisions.undo(campaign, 0)).toEqual({ kind: 'undone', state: 'failed' });
    expect(await outcome()).toMatchObject({ state: 'failed', error, result: { postId: 'p1' } });
    expect(await ledger.rows.progress(campaign, 0)).toEqual(before);
    expect(await ledger.rows.inState(campaign, 'failed')).toEqual([0]);
    expect(await ledger.campaigns.find(campaign)).toMatchObject({
      state: 'ended',
      held: 0,
      counts: { waiting: 0, failed: 1 },
    });
  });

  it('is not taken back once it runs', async () => {
    const { ledger, campaign, fail, retry, admit } = await postedRow();
    await fail();
    await retry();
    await admit();
    expect(await ledger.decisions.undo(campaign, 0)).toEqual({ kind: 'changed', state: 'running' });
  });
});

describe('just before the next post', () => {
  const start = (token: string) => ({ effect: 'post', token }) as const;

  async function readyAgain() {
    const row = await postedRow();
    await row.fail();
    await row.retry();
    await row.admit();
    const ref = { campaign: row.campaign, row: 0, revision: 1 };
    const begin = (token: string) => row.ledger.steps.start({ ...stepStart(ref), ...start(token) });
    return { ...row, ref, begin };
  }

  it('the earlier posts must be looked up again, unless that was a moment ago', async () => {
    const { clock, begin, look, earlier } = await readyAgain();
    clock.now += 60_000;
    expect(await begin('t1')).toEqual({ kind: 'recheck', earlier: await earlier(), isUnchecked: false });
    await look();
    expect(await begin('t2')).toMatchObject({ kind: 'go' });
  });

  it('an earlier post that is published makes the row posted', async () => {
    const { ledger, clock, begin, ref, earlier, outcome } = await readyAgain();
    clock.now += 60_000;
    await begin('t1');
    const published = { ...result, postStatus: 'PUBLISHED' };
    expect(await ledger.failedPosts.postAgain(ref, await earlier(), published)).not.toBe('stale');
    expect(await outcome()).toMatchObject({ state: 'posted', result: published });
    expect(await begin('t2')).toEqual({ kind: 'ended', state: 'posted' });
  });

  it('but not once another attempt may have sent the next one', async () => {
    const { ledger, begin, ref, earlier } = await readyAgain();
    expect(await begin('t1')).toMatchObject({ kind: 'go' });
    expect(await ledger.failedPosts.postAgain(ref, await earlier(), result)).toBe('stale');
  });
});
