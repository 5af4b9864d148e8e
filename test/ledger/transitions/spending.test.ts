/** AI outputs are counted once for each generation, and an allowance is for one of them. */
import { describe, expect, it } from 'vitest';
import { stepStart, testLedger } from '../../support/ledger.ts';

const error = { step: 'generate' as const, code: 'outcome_unknown', message: 'no answer', at: 5 };
const generated = JSON.stringify({ scheduleId: 's1', taskIds: [], outputs: 2, since: 5 });

/** A running row that makes two outputs a generation. @param most outputs of the campaign. */
async function running(most: number | null) {
  const test = testLedger();
  const { ledger, redis, clock } = test;
  const id = await test.campaign(2);
  await test.admit(id, [0]);
  const version = async () => (await ledger.rows.statuses(id, 0, 1))[0] ?? expect.unreachable();
  const ref = async () => ({ campaign: id, row: 0, revision: (await version()).revision });
  const spends = { outputs: 2, mostOfCampaign: most, mostOfMonth: null };
  const ask = async (token: string, effect: 'gen1' | 'gen2' = 'gen1') => {
    const verdict = await ledger.steps.start({
      ...stepStart(await ref()),
      effect,
      token,
      spends,
      callMs: 10,
    });
    return verdict.kind;
  };
  const answer = async (token: string, verdict: 'ok' | 'cleared' | 'review' | 'failed') => {
    const end =
      verdict === 'ok'
        ? ({ verdict, fields: [['gen1', generated]] } as const)
        : verdict === 'cleared'
          ? ({ verdict } as const)
          : ({ verdict, error } as const);
    const call = { step: 'generate' as const, jobId: 'job', effect: 'gen1' as const, token };
    return ledger.steps.finish({ ...(await ref()), ...call, end });
  };
  const wait = async () => {
    const end = { verdict: 'ready', gate: { name: 'unpaid', at: clock.now }, fields: [] } as const;
    await ledger.steps.finish({ ...(await ref()), step: 'generate', jobId: 'job', end });
  };
  const admit = async () => {
    clock.now += 10_000;
    await ledger.admission.wakeReady(id, 10);
    await ledger.admission.releaseHeld(id);
    await test.admit(id, [0]);
  };
  /** It waits for its allowance, gets it and runs again. */
  const allow = async () => {
    await wait();
    await ledger.approvals.allowSpending(id, [await ref()], 'mei');
    await admit();
  };
  /** It comes to review, and a person decides that nothing was generated. */
  const decideNot = async () => {
    clock.now += 1000;
    const decision = { kind: 'again', fields: [] } as const;
    expect(await ledger.decisions.decide(await ref(), 'gen1', decision)).toMatchObject({ kind: 'decided' });
  };
  const month = new Date(clock.now).toISOString().slice(0, 7);
  const spent = async () => [
    (await ledger.campaigns.find(id))?.outputs,
    Number(await redis.get(ledger.keys.outputs(month))),
  ];
  return { ...test, id, ref, version, ask, answer, allow, admit, decideNot, spent };
}

describe('an allowance', () => {
  it('is used up by one generation: the next one asks again', async () => {
    const { ask, answer, allow } = await running(0);
    expect(await ask('a')).toBe('unpaid');
    await allow();
    expect(await ask('b')).toBe('go');
    await answer('b', 'ok');
    expect(await ask('c', 'gen2')).toBe('unpaid');
  });

  it('is not used up twice by a script that the connection sends twice', async () => {
    const { ask, allow, spent } = await running(0);
    await allow();
    expect([await ask('b'), await ask('b')]).toEqual(['go', 'go']);
    expect(await spent()).toEqual([2, 2]);
  });

  it.each(['cleared', 'failed'] as const)('is there again if its call was %s', async (verdict) => {
    const { ledger, id, ref, ask, answer, allow, admit, spent } = await running(0);
    await allow();
    await ask('b');
    await answer('b', verdict);
    expect(await spent()).toEqual([0, 0]);
    if (verdict === 'failed') {
      await ledger.rows.redo(id, [await ref()]);
      await admit();
    }
    expect(await ask('c')).toBe('go');
  });
});

describe('a generation that a person decides not to exist', () => {
  async function decided(most: number | null) {
    const opened = await running(most);
    if (most === 0) await opened.allow();
    await opened.ask('a');
    await opened.answer('a', 'review');
    expect(await opened.spent()).toEqual([2, 2]);
    await opened.decideNot();
    return opened;
  }

  it('is given back, and counts once more only when it is asked for again', async () => {
    const { ask, admit, spent } = await decided(2);
    expect(await spent()).toEqual([0, 0]);
    await admit();
    expect(await ask('b')).toBe('go');
    expect(await spent()).toEqual([2, 2]);
  });

  it('gives its allowance back', async () => {
    const { ask, admit } = await decided(0);
    await admit();
    expect(await ask('b')).toBe('go');
  });

  it('counts again once the decision is taken back', async () => {
    const { ledger, id, spent, ask, admit, decideNot } = await decided(null);
    expect(await ledger.decisions.undo(id, 0)).toMatchObject({ kind: 'undone' });
    expect(await spent()).toEqual([2, 2]);
    await decideNot();
    expect(await spent()).toEqual([0, 0]);
    await admit();
    await ask('b');
    expect(await spent()).toEqual([2, 2]);
  });

  it('counts again, once, by a late answer that it exists', async () => {
    const { spent, answer } = await decided(null);
    await answer('a', 'ok');
    await answer('a', 'ok');
    expect(await spent()).toEqual([2, 2]);
  });

  it('uses its allowance up by a late answer that it exists', async () => {
    const { ask, answer, admit } = await decided(0);
    await answer('a', 'ok');
    await admit();
    expect(await ask('b', 'gen2')).toBe('unpaid');
  });

  it('counts beside the one that was asked for in its place', async () => {
    const { spent, ask, answer, admit } = await decided(null);
    await admit();
    await ask('b');
    expect(await answer('a', 'ok')).toBe('stale');
    expect(await spent()).toEqual([4, 4]);
  });

  it('counts again by its late answer also after another decision of the kind', async () => {
    const { spent, ask, answer, admit, decideNot } = await decided(null);
    await admit();
    await ask('b');
    await answer('b', 'review');
    await decideNot();
    await answer('a', 'ok');
    expect(await spent()).toEqual([2, 2]);
  });

  it('cannot be taken back once a late answer has counted another one', async () => {
    const { ledger, id, ref, spent, ask, answer, admit } = await decided(null);
    await admit();
    await ask('b');
    await answer('b', 'review');
    await ledger.decisions.decide(await ref(), 'gen1', { kind: 'again', fields: [['gen1', generated]] });
    await answer('a', 'ok');
    expect(await ledger.decisions.undo(id, 0)).toMatchObject({ kind: 'none' });
    await answer('a', 'ok');
    expect(await spent()).toEqual([4, 4]);
  });

  it('is not counted by a late answer that it was refused', async () => {
    const { spent, answer } = await decided(null);
    await answer('a', 'failed');
    expect(await spent()).toEqual([0, 0]);
  });

  it('keeps its count if the person says that it exists', async () => {
    const { ledger, ref, spent, ask, answer } = await running(null);
    await ask('a');
    await answer('a', 'review');
    await ledger.decisions.decide(await ref(), 'gen1', { kind: 'again', fields: [['gen1', generated]] });
    expect(await spent()).toEqual([2, 2]);
  });
});
