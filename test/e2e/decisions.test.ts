import { describe, expect, it } from 'vitest';
import { cancelCampaign } from '../../src/campaigns/cancel.ts';
import { decideRow } from '../../src/campaigns/decisions/decide-row.ts';
import type { Verdict } from '../../src/campaigns/decisions/decision.ts';
import type { RowState } from '../../src/ledger/states.ts';
import { expectAgreement } from '../support/agreement.ts';
import { waitUntil } from '../support/events.ts';
import { type Operator, openOperator } from '../support/processes/operator.ts';
import { meanwhile, openScene, type Scene } from '../support/processes/scene.ts';
import { aiVideoRow, videoRow } from '../support/sheets/rows.ts';
import type { ResultRow } from '../support/sheets/sheet.ts';

async function rowOf(scene: Scene): Promise<ResultRow | undefined> {
  expect((await scene.run(['report', 'c1', '--out', 'posts.results.csv'])).code).toBe(0);
  return scene.results().rows[0];
}

async function settle(operator: Operator, key: string, verdict: Verdict): Promise<RowState> {
  const campaign = await operator.ledger.campaigns.find('c1');
  if (!campaign) throw new Error('there is no campaign');
  return decideRow(operator, campaign, key, verdict);
}

const patient = { settings: { post: { on500: 'review' }, generation: { on500: 'review' } } };

/** Row 1 is posted; the outcome of row 2 is unknown. */
async function postedAndUnknown(test: Parameters<typeof openScene>[0]): Promise<Scene> {
  const scene = await openScene(test);
  const match = { title: 'Caption 2' };
  scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', match });
  expect((await scene.run(['run', scene.manifest([videoRow('1'), videoRow('2')])])).code).toBe(3);
  return scene;
}

describe.concurrent('a decision about a post', { timeout: 150_000 }, () => {
  it('that is there: the row is posted with it, and is not sent again', async (test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer' });
    const run = await scene.run(['run', scene.manifest([videoRow('1')])]);
    expect(run.stdout).toContain('campaigns decide c1 1 --posted POST_ID');
    const postId = scene.sandbox.effects().posts[0]?.postId ?? '';
    expect((await scene.run(['settle', 'c1', '1', '--posted', postId])).code).toBe(0);
    expect((await scene.run(['run'])).code).toBe(0);
    expect(await rowOf(scene)).toMatchObject({ status: 'posted', post_id: postId, error_code: '' });
    expect(scene.sandbox.counts().createCreatorPost).toBe(1);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('that is not there: the row is sent again, and nothing else is done again', async (test) => {
    const scene = await openScene(test, patient);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'reset' });
    expect((await scene.run(['run', scene.manifest([videoRow('1')])])).code).toBe(3);
    expect((await scene.run(['settle', 'c1', '1', '--not-posted', '--json'])).stdout).toContain('"waiting"');
    expect((await scene.run(['run'])).code).toBe(0);
    expect(scene.sandbox.counts()).toMatchObject({ createFileUpload: 1, createCreatorPost: 2 });
    expectAgreement(scene.sandbox, scene.results());
  });

  it('names no post that is another row’s', async (test) => {
    const scene = await postedAndUnknown(test);
    const [other] = scene.results().rows;
    const settled = await scene.run(['settle', 'c1', '2', '--posted', other?.post_id ?? '']);
    expect(settled).toMatchObject({ code: 2, stderr: expect.stringContaining('another row') });
  });

  it('is made by one of two operators', async (test) => {
    const scene = await openScene(test, patient);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'status', status: 500 });
    expect((await scene.run(['run', scene.manifest([videoRow('1')])])).code).toBe(3);
    const operators = [await openOperator(test, scene), await openOperator(test, scene)];
    const both = await Promise.allSettled(
      operators.map((operator) => settle(operator, '1', { kind: 'not-posted' })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'decision_refused', message: expect.stringContaining('row 1 is waiting') },
    });
    expect((await scene.run(['run'])).code).toBe(0);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('waits while the call is under way, and its answer decides the row', async (test) => {
    const scene = await openScene(test, { settings: { api: { timeout: '60s' } } });
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'hold', when: 'after' });
    const run = scene.run(['run', scene.manifest([videoRow('1')])]);
    await meanwhile(run, scene.sandbox.whenHeld('createCreatorPost'));
    const operator = await openOperator(test, scene);
    await cancelCampaign(operator, 'c1');
    await expect(settle(operator, '1', { kind: 'not-posted' })).rejects.toMatchObject({
      code: 'decision_early',
    });
    scene.sandbox.release();
    expect((await run).code).toBe(0);
    expect(await rowOf(scene)).toMatchObject({ status: 'posted' });
    expectAgreement(scene.sandbox, scene.results());
  });

  it('has to be about a row in review, and about its post', async (test) => {
    const scene = await postedAndUnknown(test);
    const cases = [
      [['1', '--not-posted'], 'row 1 is posted'],
      [['9', '--not-posted'], 'no row 9'],
      [['2', '--generated', 's1'], 'a decision about its post'],
      [['2', '--posted', 'two words'], 'no spaces'],
      [['2', '--posted', 'p1', '--not-posted'], 'exactly one'],
      [['2'], 'exactly one'],
    ] as const;
    for (const [args, message] of cases) {
      const refused = await scene.run(['settle', 'c1', ...args]);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    }
    expectAgreement(scene.sandbox, scene.results());
  });
});

describe.concurrent('a decision about a generation', { timeout: 150_000 }, () => {
  const row = aiVideoRow('1', { creator: 'demo_ben' });

  it('that is there: the row goes on with it', async (test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add({ operation: 'createAiGenerationSchedule', kind: 'lost-answer' });
    const run = await scene.run(['run', scene.manifest([row])]);
    expect(run.stdout).toContain('campaigns decide c1 1 --generated SCHEDULE_ID');
    const scheduleId = scene.sandbox.effects().generations[0]?.scheduleId ?? '';
    expect((await scene.run(['settle', 'c1', '1', '--generated', scheduleId])).code).toBe(0);
    expect((await scene.run(['run'])).code).toBe(0);
    expect(scene.sandbox.counts().createAiGenerationSchedule).toBe(1);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('that is not there: another one is created', async (test) => {
    const scene = await openScene(test, patient);
    scene.sandbox.faults.add({ operation: 'createAiGenerationSchedule', kind: 'reset' });
    expect((await scene.run(['run', scene.manifest([row])])).code).toBe(3);
    expect((await scene.run(['settle', 'c1', '1', '--not-generated'])).code).toBe(0);
    expect((await scene.run(['run'])).code).toBe(0);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('that did not come in time: polled until a new deadline, or created again', async (test) => {
    const poll = { first: '20ms', max: '50ms', deadline: '500ms' };
    const scene = await openScene(test, { settings: { generation: { poll } } });
    scene.sandbox.faults.add({
      operation: 'createAiGenerationSchedule',
      kind: 'generation-outcome',
      status: 'stuck',
    });
    expect((await scene.run(['run', scene.manifest([row])])).code).toBe(3);
    expect(await rowOf(scene)).toMatchObject({ status: 'review', error_code: 'poll_deadline' });
    const [stuck] = scene.sandbox.effects().generations;
    const polls = scene.sandbox.counts().listAiTasksByScheduleId ?? 0;

    expect((await scene.run(['settle', 'c1', '1', '--generated', stuck?.scheduleId ?? ''])).code).toBe(0);
    expect((await scene.run(['run'])).code).toBe(3);
    expect(scene.sandbox.counts().listAiTasksByScheduleId).toBeGreaterThan(polls);
    expect(scene.sandbox.effects().generations).toHaveLength(1);

    scene.configure({});
    expect((await scene.run(['settle', 'c1', '1', '--not-generated'])).code).toBe(0);
    expect((await scene.run(['run'])).code).toBe(0);
    expect(scene.sandbox.effects().generations).toHaveLength(2);
    expectAgreement(scene.sandbox, scene.results(), { generationsPerRow: 2 });
  });
});

describe.concurrent('a row whose time passes before it can be posted', { timeout: 150_000 }, () => {
  /** Row 1 waits behind the canary, and goes on when the time that it was planned for has passed. */
  async function missItsTime(test: Parameters<typeof openScene>[0], late: string): Promise<Scene> {
    const scene = await openScene(test, { settings: { post: { late } } });
    // Late by the clock of Redis: no clock of a process makes a row late.
    const at = Date.now() + 12_000;
    const scheduled = { scheduled_at: new Date(at).toISOString() };
    const file = scene.manifest([videoRow('0'), videoRow('1', scheduled)]);
    expect((await scene.run(['run', file, '--canary', '1'])).code).toBe(4);
    const operator = await openOperator(test, scene);
    expect(await operator.ledger.campaigns.resume('c1')).toBe('running');
    await waitUntil(() => Date.now() > at, 'the time of row 1 to pass', 30_000);
    await scene.run(['run']);
    return scene;
  }

  async function lateRow(scene: Scene): Promise<ResultRow | undefined> {
    await rowOf(scene);
    return scene.results().rows[1];
  }

  it('is left to a person, who says that it is not there: it needs a new time', async (test) => {
    const scene = await missItsTime(test, 'review');
    expect(await lateRow(scene)).toMatchObject({ status: 'review', error_code: 'late' });
    expect((await scene.run(['settle', 'c1', '1', '--not-posted', '--json'])).stdout).toContain('"failed"');
    expect(await lateRow(scene)).toMatchObject({ status: 'failed', error_code: 'late' });
    const shown = await scene.run(['show', 'c1']);
    expect(shown.stdout).toContain('campaigns run c1.late.csv --into c1');
    expect(shown.stdout).not.toContain('campaigns retry');
    expect(scene.sandbox.effects().posts).toHaveLength(1);
  });

  it('is sent without a time by a person, once the settings say so', async (test) => {
    const scene = await missItsTime(test, 'review');
    scene.configure({ post: { late: 'now' } });
    expect((await scene.run(['settle', 'c1', '1', '--not-posted'])).code).toBe(0);
    expect((await scene.run(['run'])).code).toBe(0);
    expect(scene.sandbox.effects().posts).toHaveLength(2);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('fails where the settings say so', async (test) => {
    const scene = await missItsTime(test, 'fail');
    expect(await lateRow(scene)).toMatchObject({ status: 'failed', error_code: 'late' });
    expect(scene.sandbox.effects().posts).toHaveLength(1);
  });

  it('is posted at once where the settings say so', async (test) => {
    const scene = await missItsTime(test, 'now');
    expect(await lateRow(scene)).toMatchObject({ status: 'posted' });
    expect(scene.sandbox.effects().posts[1]?.request.scheduledAt).toBeUndefined();
  });
});
