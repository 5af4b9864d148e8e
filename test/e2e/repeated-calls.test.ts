import { describe, expect, it } from 'vitest';
import type { SandboxOperation } from '../../src/sandbox/description/operations.ts';
import type { FaultInput } from '../../src/sandbox/faults/schema.ts';
import { expectAgreement } from '../support/agreement.ts';
import { openScene, playOnce } from '../support/processes/scene.ts';
import { aiPhotoRow, photoRow, videoRow } from '../support/sheets/rows.ts';

/** For services whose 500 is known to come before the effect. */
const retryOn500 = { post: { on500: 'retry' }, generation: { on500: 'retry' } };

/** Calls that are harmless to repeat, or only read. */
const operations = [
  'listCreatorAccounts',
  'addSocialShowcaseProducts',
  'createFileUpload',
  'confirmUpload',
  'listAiTasksByScheduleId',
] as const satisfies SandboxOperation[];

const faults: readonly FaultInput[] = [
  { kind: 'reset' },
  { kind: 'lost-answer', by: 'reset' },
  { kind: 'lost-answer', by: 'fin' },
  { kind: 'half-body' },
  { kind: 'html' },
  { kind: 'empty' },
  { kind: 'malformed-json' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 500, when: 'after' },
  { kind: 'status', status: 503 },
  { kind: 'throttle' },
  { kind: 'redirect' },
  { kind: 'no-answer' },
  { kind: 'slow-body' },
];

describe('calls that may be repeated', () => {
  const scene = playOnce(async (owner) => {
    const opened = await openScene(owner, {
      settings: {
        api: { timeout: '500ms' },
        retry: { attempts: 40, base: '5ms', cap: '50ms' },
        generation: { poll: { first: '20ms', max: '40ms', deadline: '60s' } },
      },
    });
    for (const operation of operations) {
      for (const fault of faults) opened.sandbox.faults.add({ ...fault, operation });
    }
    const rows = [videoRow('1'), videoRow('2'), photoRow('3', 3), aiPhotoRow('4', 2), aiPhotoRow('5', 2)];
    const ended = await opened.run(['run', opened.manifest(rows)]);
    expect(ended.code, ended.stderr).toBe(0);
    return opened;
  });

  it.for(operations)('%s is repeated after every fault', (operation) => {
    const struck = scene()
      .sandbox.faults.list()
      .filter(({ fault }) => fault.operation === operation);
    expect(struck.map(({ struck: times }) => times)).toEqual(faults.map(() => 1));
  });

  it('leaves one post and one generation for each row', () => {
    expectAgreement(scene().sandbox, scene().results());
    expect(scene().sandbox.effects().generations).toHaveLength(2);
  });

  it('follows no redirect', () => {
    expect(scene().sandbox.calls('decoy')).toEqual([]);
  });
});

describe('calls that go on failing', () => {
  it.for([
    ['addSocialShowcaseProducts', 'showcase', 'server_error'],
    ['createFileUpload', 'upload', 'server_error'],
    ['confirmUpload', 'upload', 'server_error'],
    ['putFile', 'upload', 'upload_failed'],
  ] as const)(
    '%s is repeated a bounded number of times, then the row fails',
    async ([operation, step, code], test) => {
      const scene = await openScene(test, { settings: { retry: { attempts: 3 } } });
      scene.sandbox.faults.add({ operation, kind: 'status', status: 500, times: 'always' });
      expect((await scene.run(['run', scene.manifest([videoRow('1')])])).code).toBe(3);
      expect(scene.results().rows).toMatchObject([{ status: 'failed', step, error_code: code }]);
      expect(scene.sandbox.counts()[operation]).toBe(3);
    },
  );

  it.for([
    ['createCreatorPost', videoRow('1')],
    ['createAiGenerationSchedule', aiPhotoRow('1', 2)],
  ] as const)(
    '%s with HTTP 500 is repeated by `on500: "retry"`, and ends in review',
    async ([operation, row], test) => {
      const scene = await openScene(test, { settings: { ...retryOn500, retry: { attempts: 3 } } });
      scene.sandbox.faults.add({ operation, kind: 'status', status: 500, times: 'always' });
      expect((await scene.run(['run', scene.manifest([row])])).code).toBe(3);
      expect(scene.results().rows).toMatchObject([{ status: 'review', error_code: 'server_error' }]);
      expect(scene.sandbox.counts()[operation]).toBe(3);
      expectAgreement(scene.sandbox, scene.results());
    },
  );

  it.for([
    ['createCreatorPost', videoRow('1')],
    ['createAiGenerationSchedule', aiPhotoRow('1', 2)],
  ] as const)(
    '%s with HTTP 500 a few times gets through by `on500: "retry"`, with one effect',
    async ([operation, row], test) => {
      const scene = await openScene(test, { settings: retryOn500 });
      scene.sandbox.faults.add({ operation, kind: 'status', status: 500, times: 3 });
      expect((await scene.run(['run', scene.manifest([row])])).code).toBe(0);
      expect(scene.sandbox.counts()[operation]).toBe(4);
      expectAgreement(scene.sandbox, scene.results());
    },
  );

  it('a storm of 429 uses no attempt', async (test) => {
    const scene = await openScene(test, { settings: { retry: { attempts: 1 } } });
    for (const operation of ['addSocialShowcaseProducts', 'createFileUpload', 'createCreatorPost'] as const) {
      scene.sandbox.faults.add({ operation, kind: 'throttle', times: 6 });
    }
    scene.sandbox.faults.add({
      operation: 'createCreatorPost',
      kind: 'throttle',
      retryAfterSeconds: 1,
      times: 2,
    });
    expect((await scene.run(['run', scene.manifest([videoRow('1'), videoRow('2')])])).code).toBe(0);
    expect(scene.sandbox.faults.list().map(({ struck }) => struck)).toEqual([6, 6, 6, 2]);
    expectAgreement(scene.sandbox, scene.results());
  });
});
