/** What becomes of a row after a person has decided, while workers are at work. */
import { expect, it } from 'vitest';
import { cancelCampaign } from '../../../src/app/campaigns/steer.ts';
import { decideRow } from '../../../src/app/decisions/decide-row.ts';
import type { Verdict } from '../../../src/app/decisions/decision.ts';
import { openRunner, type RunnerOptions } from '../../support/in-process.ts';
import { patiently } from '../../support/processes/scene.ts';
import { aiVideoRow, videoRow } from '../../support/sheets/rows.ts';

const aiRow = aiVideoRow('1', { creator: 'demo_ben' });

/** A runner whose clock can be put ahead: decided rows wait a while before they go on. */
async function openDecided(options: RunnerOptions = {}) {
  const clock = { ahead: 0 };
  const runner = await openRunner({ now: () => Date.now() + clock.ahead, ...options });
  async function decide(id: string, verdict: Verdict) {
    const campaign = await runner.ledger.campaigns.find(id);
    if (!campaign) throw new Error('there is no campaign');
    return decideRow(runner.context, campaign, '1', verdict);
  }
  /** Decides, lets the time pass in which that could be undone, and waits for the end. */
  async function decideAndGoOn(id: string, verdict: Verdict) {
    expect(await decide(id, verdict)).toBe('waiting');
    clock.ahead += 11_000;
    await runner.queues.wakeAdmission(id);
    return runner.ended(id);
  }
  return { ...runner, decide, decideAndGoOn };
}

it('a post that is not there is sent again, and nothing else is done again', async () => {
  const { sandbox, importOrUpdate, start, ended, decideAndGoOn } = await openDecided();
  sandbox.faults.add({ operation: 'createCreatorPost', kind: 'reset' });
  const id = await importOrUpdate([videoRow('1')]);
  await start();
  expect((await ended(id)).counts).toMatchObject({ review: 1 });
  expect((await decideAndGoOn(id, { decision: 'not-posted' })).counts).toMatchObject({ posted: 1 });
  expect(sandbox.counts()).toMatchObject({ createFileUpload: 1, createCreatorPost: 2 });
  expect(sandbox.effects().posts).toHaveLength(1);
});

it('while the call is under way, nobody decides: its answer does', async () => {
  const { sandbox, context, importOrUpdate, start, rows, until, decide } = await openDecided({
    settings: patiently,
  });
  sandbox.faults.add({ operation: 'createCreatorPost', kind: 'hold', when: 'after' });
  const id = await importOrUpdate([videoRow('1')]);
  await start();
  await sandbox.whenHeld('createCreatorPost');
  await cancelCampaign(context, id);
  await expect(decide(id, { decision: 'not-posted' })).rejects.toMatchObject({ code: 'decision_early' });
  sandbox.release();
  await until(async () => (await rows(id))[0]?.state === 'posted', 'the answer');
  expect(sandbox.counts().createCreatorPost).toBe(1);
});

it('a generation that is there is polled, and not made again', async () => {
  const { sandbox, importOrUpdate, start, ended, decideAndGoOn } = await openDecided();
  sandbox.faults.add({ operation: 'createAiGenerationSchedule', kind: 'lost-answer' });
  const id = await importOrUpdate([aiRow]);
  await start();
  await ended(id);
  const scheduleId = sandbox.effects().generations[0]?.scheduleId ?? '';
  const { counts } = await decideAndGoOn(id, { decision: 'generated', scheduleId });
  expect(counts).toMatchObject({ posted: 1 });
  expect(sandbox.counts().createAiGenerationSchedule).toBe(1);
});

it('a generation that is not there is created again', async () => {
  const { sandbox, importOrUpdate, start, ended, decideAndGoOn } = await openDecided();
  sandbox.faults.add({ operation: 'createAiGenerationSchedule', kind: 'reset' });
  const id = await importOrUpdate([aiRow]);
  await start();
  await ended(id);
  expect((await decideAndGoOn(id, { decision: 'not-generated' })).counts).toMatchObject({ posted: 1 });
  expect(sandbox.effects().generations).toHaveLength(1);
});

it('a generation that did not come in time is polled until a new deadline, or created again', async () => {
  const poll = { first: '20ms', max: '50ms', deadline: '2s' };
  const { sandbox, importOrUpdate, start, ended, rows, decideAndGoOn } = await openDecided({
    settings: { generation: { poll } },
  });
  const fault = { operation: 'createAiGenerationSchedule', kind: 'generation-outcome' } as const;
  sandbox.faults.add({ ...fault, status: 'stuck' });
  const id = await importOrUpdate([aiRow]);
  await start();
  await ended(id);
  expect(await rows(id)).toMatchObject([{ state: 'review', error: { code: 'poll_deadline' } }]);
  const polls = sandbox.counts().listAiTasksByScheduleId ?? 0;
  const scheduleId = sandbox.effects().generations[0]?.scheduleId ?? '';

  const again = await decideAndGoOn(id, { decision: 'generated', scheduleId });
  expect(again.counts).toMatchObject({ review: 1 });
  expect(sandbox.counts().listAiTasksByScheduleId).toBeGreaterThan(polls);
  expect(sandbox.effects().generations).toHaveLength(1);

  expect((await decideAndGoOn(id, { decision: 'not-generated' })).counts).toMatchObject({ posted: 1 });
  expect(sandbox.effects().generations).toHaveLength(2);
});
