import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLedger } from '../../../src/ledger/ledger.ts';
import type { Decision } from '../../../src/ledger/transitions/decisions.ts';
import type { StepEnd } from '../../../src/ledger/transitions/step-outcomes.ts';
import { sendWithinMs } from '../../../src/ledger/transitions/steps.ts';
import { stepStart, testLedger } from '../../support/ledger.ts';

const error = { step: 'post' as const, code: 'outcome_unknown', message: 'no answer', at: 5 };
const result = (postId: string) => ({ postId, postStatus: '', fileIds: ['7'], at: 5000 });
const postedAs = (postId: string): StepEnd => ({ verdict: 'posted', result: result(postId), assets: [] });
const again: Decision = { kind: 'again', fields: [] };
const named = (postId: string): Decision => ({ kind: 'posted', result: result(postId), assets: [] });
const callMs = 30_000;

/** Running rows whose posts a test sends. Each call is an attempt with a token. */
async function runningRows(rows = 1) {
  const test = testLedger();
  const id = await test.campaign(rows);
  await test.admit(id, [...Array(rows).keys()]);
  const { ledger } = test;
  const call = (token: string, revision = 0, row = 0) => {
    const ref = { campaign: id, row, revision };
    return {
      start: () => ledger.steps.start({ ...stepStart(ref), effect: 'post', token, callMs }),
      finish: (end: StepEnd) =>
        ledger.steps.finish({ ...ref, step: 'post', jobId: 'job', effect: 'post', token, end }),
    };
  };
  const decide = (decision: Decision, revision = 0) =>
    ledger.decisions.decide({ campaign: id, row: 0, revision }, 'post', decision);
  const row = async (index = 0) => (await ledger.rows.outcomes(id, 0))[index];
  return { ...test, id, call, decide, row };
}

/** The first call of a row is lost with its process; a person has it sent again, and the second call is under way. */
async function sentAgain() {
  const test = await runningRows();
  const [first, peer, second] = [test.call('a'), test.call('peer'), test.call('b', 1)];
  await first.start();
  await peer.start();
  test.clock.now += sendWithinMs + callMs;
  await test.decide(again);
  test.clock.now += 10_000;
  await test.ledger.admission.releaseHeld(test.id);
  await test.admit(test.id, [0]);
  await second.start();
  return { ...test, first, second };
}

describe('a decision while the call may be under way', () => {
  it('does not send again before the call can no longer be under way', async () => {
    const { call, decide, clock, row } = await runningRows();
    await call('a').start();
    const sent = clock.now;
    await call('peer').start();
    const over = sent + sendWithinMs + callMs;
    clock.now = over - 1;
    expect(await decide(again)).toEqual({ kind: 'early', state: 'review', from: over });
    expect(await row()).toMatchObject({ state: 'review', progress: { unknownEffect: 'post' } });
    clock.now = over;
    expect(await decide(again)).toEqual({ kind: 'decided', state: 'waiting' });
  });

  it('is taken at once when it names the post', async () => {
    const { call, decide } = await runningRows();
    await call('a').start();
    await call('peer').start();
    expect(await decide(named('p1'))).toEqual({ kind: 'decided', state: 'posted' });
  });

  it('is taken at once when the sender has reported the end of the call', async () => {
    const { call, decide } = await runningRows();
    await call('a').start();
    await call('a').finish({ verdict: 'review', error });
    expect(await decide(again)).toEqual({ kind: 'decided', state: 'waiting' });
  });

  it('waits when the sender only gave the call up, because it was told to stop', async () => {
    const { call, decide } = await runningRows();
    await call('a').start();
    await call('a').finish({ verdict: 'cut-off', error });
    expect(await decide(again)).toMatchObject({ kind: 'early' });
  });

  it('goes by the clock of Redis, whatever the clock of this machine says', async () => {
    const { redis, prefix, id } = await runningRows();
    const { steps } = createLedger({ redis, prefix });
    const ref = { campaign: id, row: 0, revision: 0 };
    for (const token of ['a', 'peer'])
      await steps.start({ ...stepStart(ref), effect: 'post', token, callMs });
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    onTestFinished(() => void vi.restoreAllMocks());
    const { decisions } = createLedger({ redis, prefix });
    expect(await decisions.decide(ref, 'post', again)).toMatchObject({ kind: 'early' });
  });
});

describe('a late answer', () => {
  it('beside a newer call that is refused makes the row posted', async () => {
    const { first, second, row } = await sentAgain();
    expect(await first.finish(postedAs('p1'))).toBe('late');
    expect(await second.finish({ verdict: 'failed', error })).toBe('ok');
    expect(await row()).toMatchObject({ state: 'posted', result: { postId: 'p1' }, error: undefined });
  });

  it('beside a newer call that had no effect makes the row posted, and nothing is sent again', async () => {
    const { first, second, row } = await sentAgain();
    await first.finish(postedAs('p1'));
    await second.finish({ verdict: 'cleared' });
    expect(await row()).toMatchObject({ state: 'posted', result: { postId: 'p1' } });
  });

  it('beside a newer call that is not sent after all makes the row posted', async () => {
    const { first, second, row, ledger, id } = await sentAgain();
    await first.finish(postedAs('p1'));
    await ledger.campaigns.pause(id, { code: 'paused', message: 'by hand' });
    // The connection sends the script again, because its reply was lost.
    expect(await second.start()).toEqual({ kind: 'ended', state: 'posted' });
    expect(await row()).toMatchObject({ state: 'posted', result: { postId: 'p1' } });
  });

  it.for([
    ['before', ['first', 'second']],
    ['after', ['second', 'first']],
  ] as const)('%s the answer of a newer call tells that there are two posts', async ([, order]) => {
    const { row, ledger, id, ...calls } = await sentAgain();
    for (const name of order) await calls[name].finish(postedAs(name));
    expect(await row()).toMatchObject({
      state: 'review',
      error: { code: 'posted_twice', message: expect.stringMatching(/first|second/) },
    });
    const { error } = (await row()) ?? {};
    expect(error?.candidates?.map(({ postId }) => postId).sort()).toEqual(['first', 'second']);
    expect(await ledger.campaigns.find(id)).toMatchObject({
      counts: { review: 1, posted: 0 },
      done: { post: 0 },
    });
  });

  it('that is written twice is told once', async () => {
    const { first, second, row } = await sentAgain();
    await first.finish(postedAs('p1'));
    expect(await first.finish(postedAs('p1'))).toBe('stale');
    await second.finish(postedAs('p2'));
    expect(await first.finish(postedAs('p1'))).toBe('stale');
    expect((await row())?.error?.message).toBe('This row was posted twice: p1 and p2.');
  });

  it('beside a newer call without an answer stands in the unknown outcome', async () => {
    const { first, second, row, decide } = await sentAgain();
    await first.finish(postedAs('p1'));
    await second.finish({ verdict: 'review', error });
    expect(await row()).toMatchObject({
      state: 'review',
      error: { message: expect.stringContaining('post p1 exists') },
    });
    expect(await decide(again, 1)).toEqual({ kind: 'decided', state: 'posted' });
    expect(await row()).toMatchObject({ state: 'posted', result: { postId: 'p1' } });
  });

  it('and the post that a person finds of the newer call are two posts', async () => {
    const { first, second, row, decide } = await sentAgain();
    await first.finish(postedAs('p1'));
    await second.finish({ verdict: 'review', error });
    expect(await decide(named('p2'), 1)).toEqual({ kind: 'decided', state: 'review' });
    expect(await row()).toMatchObject({ error: { code: 'posted_twice' } });
  });

  it('are one post again once the decision is taken back: another row may have the one that was found', async () => {
    const { first, second, row, decide, ledger, id } = await sentAgain();
    await first.finish(postedAs('p1'));
    await second.finish({ verdict: 'review', error });
    const before = await row();
    await decide(named('p2'), 1);
    expect(await ledger.decisions.undo(id, 0)).toEqual({ kind: 'undone', state: 'review' });
    expect(await row()).toEqual(before);
    const owners = await ledger.publishing.owners(['p1', 'p2']);
    expect([...owners]).toEqual([['p1', { campaign: id, row: 0 }]]);
  });
});

describe('a row that was posted twice', () => {
  async function postedTwice() {
    const test = await sentAgain();
    await test.first.finish(postedAs('p1'));
    await test.second.finish(postedAs('p2'));
    const decide = (decision: Decision) =>
      test.ledger.decisions.decide({ campaign: test.id, row: 0, revision: 1 }, undefined, decision);
    return { ...test, decide };
  }

  it('keeps the post that a person names', async () => {
    const { decide, row, ledger, id } = await postedTwice();
    expect(await decide(named('p2'))).toEqual({ kind: 'decided', state: 'posted' });
    expect(await row()).toMatchObject({ state: 'posted', result: { postId: 'p2' }, error: undefined });
    expect(await ledger.campaigns.find(id)).toMatchObject({ counts: { posted: 1 }, done: { post: 1 } });
  });

  it('has both posts for ever: no other row can be given one', async () => {
    const { decide, ledger, id } = await postedTwice();
    await decide(named('p2'));
    const owners = await ledger.publishing.owners(['p1', 'p2']);
    expect([...owners.values()]).toEqual(Array(2).fill({ campaign: id, row: 0 }));
  });

  it('is never sent again', async () => {
    const { decide, row } = await postedTwice();
    await decide(again);
    expect(await row()).toMatchObject({ state: 'posted', result: { postId: 'p1' } });
  });
});

describe('one post', () => {
  it('that the service names for two rows belongs to the first for sure, and a person decides about the second', async () => {
    const { call, row } = await runningRows(2);
    for (const at of [0, 1]) {
      await call('a', 0, at).start();
      await call('a', 0, at).finish(postedAs('p1'));
    }
    expect(await row(0)).toMatchObject({ state: 'posted' });
    expect(await row(1)).toMatchObject({
      state: 'review',
      error: { code: 'post_of_another_row', subject: 'p1' },
    });
  });

  it('of another row leaves the entry of a newer call as it is', async () => {
    const { call, decide, clock, row, ...test } = await runningRows(2);
    await call('other', 0, 1).start();
    await call('other', 0, 1).finish(postedAs('p1'));
    await call('a').start();
    await call('peer').start();
    clock.now += sendWithinMs + callMs;
    await decide(again);
    clock.now += 10_000;
    await test.ledger.admission.releaseHeld(test.id);
    await test.admit(test.id, [0]);
    await call('b', 1).start();
    await call('a').finish(postedAs('p1'));
    expect(await row()).toMatchObject({ error: { code: 'post_of_another_row' } });
    expect(await decide(again, 1)).toMatchObject({ kind: 'early' });
  });
});
