import { describe, expect, it } from 'vitest';
import { expectAgreement } from '../support/agreement.ts';
import { openScene, playOnce } from '../support/processes/scene.ts';
import { aiPhotoRow, aiVideoRow } from '../support/sheets/rows.ts';

const impatient = { generation: { poll: { first: '20ms', max: '100ms', deadline: '2s' } } };

describe('a generation that does not come through', () => {
  const scene = playOnce(async (owner) => {
    const opened = await openScene(owner, { settings: impatient });
    const { faults } = opened.sandbox;
    const operation = 'listAiTasksByScheduleId';
    const rows = ['unknown', 'stuck', 'fail', 'cancel', 'expire'].map((word) =>
      aiVideoRow(word, { ai_prompt: `[${word}] a video` }),
    );
    // Which schedule an empty list is for shows only in the answer to its creation: all polls get it for a while.
    faults.add({ operation, kind: 'empty-list', times: 5 });
    const ended = await opened.run(['run', opened.manifest([...rows, aiVideoRow('good')])]);
    expect(ended.code, ended.stderr).toBe(3);
    return opened;
  });

  it.for([
    ['unknown', 'review', 'poll_deadline'],
    ['stuck', 'review', 'poll_deadline'],
    ['fail', 'failed', 'generation_failed'],
    ['cancel', 'failed', 'generation_cancelled'],
    ['expire', 'failed', 'generation_expired'],
    ['good', 'posted', ''],
  ] as const)('%s: %s', ([key, status, code]) => {
    const row = scene()
      .results()
      .rows.find((one) => one.key === key);
    expect(row).toMatchObject({ status, error_code: code });
  });

  it('is never made a second time', () => {
    expect(scene().sandbox.effects().generations).toHaveLength(6);
    expectAgreement(scene().sandbox, scene().results());
  });
});

describe('polling', () => {
  it('that never sees the task ends at the deadline, in review', async (test) => {
    const scene = await openScene(test, { settings: impatient });
    scene.sandbox.faults.add({ operation: 'listAiTasksByScheduleId', kind: 'empty-list', times: 'always' });
    expect((await scene.run(['run', scene.manifest([aiVideoRow('1')])])).code).toBe(3);
    expect(scene.results().rows).toMatchObject([{ status: 'review', error_code: 'poll_deadline' }]);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('that is refused again and again ends in review, before the deadline', async (test) => {
    const scene = await openScene(test);
    const operation = 'listAiTasksByScheduleId';
    scene.sandbox.faults.add({ operation, kind: 'status', status: 404, times: 'always' });
    expect((await scene.run(['run', scene.manifest([aiVideoRow('1')])])).code).toBe(3);
    expect(scene.results().rows).toMatchObject([{ status: 'review', error_code: 'poll_refused' }]);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('that is refused now and then goes on', async (test) => {
    const scene = await openScene(test);
    const operation = 'listAiTasksByScheduleId';
    const refusals = { operation, kind: 'code', code: 50_001, times: 2 } as const;
    scene.sandbox.faults.add(refusals);
    scene.sandbox.faults.add({ operation, kind: 'empty-list', times: 1 });
    scene.sandbox.faults.add(refusals);
    expect((await scene.run(['run', scene.manifest([aiVideoRow('1')])])).code).toBe(0);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('that fails again and again uses no attempt', async (test) => {
    const scene = await openScene(test, { settings: { retry: { attempts: 1 } } });
    const operation = 'listAiTasksByScheduleId';
    scene.sandbox.faults.add({ operation, kind: 'reset', times: 4 });
    scene.sandbox.faults.add({ operation, kind: 'throttle', times: 3 });
    scene.sandbox.faults.add({ operation, kind: 'status', status: 500, times: 4 });
    expect((await scene.run(['run', scene.manifest([aiVideoRow('1')])])).code).toBe(0);
    expectAgreement(scene.sandbox, scene.results());
  });
});

describe('a generation that failed explicitly', () => {
  it('is created again if the settings ask for it, under another task id', async (test) => {
    const scene = await openScene(test, { settings: { generation: { retries: 1 } } });
    const row = aiVideoRow('1', { ai_prompt: '[fail once] a video' });
    expect((await scene.run(['run', scene.manifest([row])])).code).toBe(0);
    const { generations } = scene.sandbox.effects();
    expect(new Set(generations.map(({ request }) => request.taskId)).size).toBe(2);
    expectAgreement(scene.sandbox, scene.results(), { generationsPerRow: 2 });
  });

  it('is created again by a retry, for the missing outputs', async (test) => {
    const scene = await openScene(test);
    const row = aiPhotoRow('1', 3, { ai_prompt: '[fail:2] pictures' });
    expect((await scene.run(['run', scene.manifest([row])])).code).toBe(3);
    expect((await scene.run(['retry', 'c1'])).code).toBe(0);
    expect((await scene.run(['run'])).code).toBe(0);
    expect(scene.sandbox.effects().generations.map(({ request }) => request.nums)).toEqual([3, 1]);
    expectAgreement(scene.sandbox, scene.results(), { generationsPerRow: 2 });
  });
});
