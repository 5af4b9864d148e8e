import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FaultInput } from '../../src/sandbox/faults/schema.ts';
import { expectAgreement } from '../support/agreement.ts';
import { serveMedia } from '../support/file-server.ts';
import { openRunner } from '../support/in-process.ts';
import { openScene } from '../support/processes/scene.ts';
import { contractHash } from '../support/sandbox.ts';
import { mp4 } from '../support/sheets/media.ts';
import { aiVideoRow, videoRow } from '../support/sheets/rows.ts';

describe('an upload that is disturbed', () => {
  it.for<readonly [name: string, fault: FaultInput, presigns: number]>([
    ['a URL that says it has expired', { operation: 'createFileUpload', kind: 'presign-expired' }, 2],
    [
      'a URL that has expired unannounced',
      { operation: 'createFileUpload', kind: 'presign-expired', announced: false },
      2,
    ],
    ['a PUT refused with 403', { operation: 'putFile', kind: 'status', status: 403 }, 2],
    ['a PUT answered with 500', { operation: 'putFile', kind: 'status', status: 500 }, 2],
    ['a PUT cut in the middle', { operation: 'putFile', kind: 'cut-upload', afterBytes: 0 }, 2],
    ['a PUT without an answer', { operation: 'putFile', kind: 'lost-answer' }, 2],
  ])('%s: presigned anew', async ([, fault, presigns], test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add(fault);
    expect((await scene.run(['run', scene.manifest([videoRow('1')])])).code).toBe(0);
    expect(scene.sandbox.counts().createFileUpload).toBe(presigns);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('by a storage that always says 403: presigned a bounded number of times', async (test) => {
    const scene = await openScene(test, { settings: { retry: { attempts: 2 } } });
    scene.sandbox.faults.add({ operation: 'putFile', kind: 'status', status: 403, times: 'always' });
    expect((await scene.run(['run', scene.manifest([videoRow('1')])])).code).toBe(3);
    expect(scene.results().rows).toMatchObject([{ status: 'failed', error_code: 'upload_url_expired' }]);
    expect(scene.sandbox.counts().createFileUpload).toBe(6);
  });
});

describe('a large file', () => {
  const padding = 5_000_000;

  it('is streamed from the disk, again after a PUT that was cut', async (test) => {
    const scene = await openScene(test);
    const file = scene.manifest([videoRow('1')]);
    const bytes = mp4('large', padding);
    writeFileSync(join(scene.folder, '1.mp4'), bytes);
    scene.sandbox.faults.add({ operation: 'putFile', kind: 'cut-upload', afterBytes: 1_000_000 });
    expect((await scene.run(['run', file])).code).toBe(0);
    expect(scene.sandbox.effects().files).toContainEqual(
      expect.objectContaining({ hash: contractHash(bytes), state: 'confirmed' }),
    );
  });

  it('is fetched from its URL once, and sent on', async (test) => {
    const scene = await openScene(test);
    const { url, requests } = await serveMedia(test);
    const row = videoRow('1', { media: `${url}/1.mp4?padding=${padding}` });
    expect((await scene.run(['run', scene.manifest([row])])).code).toBe(0);
    expect(scene.sandbox.effects().files).toMatchObject([
      { hash: contractHash(mp4('/1.mp4', padding)), state: 'confirmed' },
    ]);
    expect(requests).toHaveLength(1);
  });
});

describe('files that rows share', () => {
  it('are uploaded once, whichever rows and campaigns name them', async (test) => {
    const scene = await openScene(test);
    const rows = ['1', '2', '3', '4'].map((key) => videoRow(key, { media: 'same.mp4' }));
    expect((await scene.run(['run', scene.manifest(rows)])).code).toBe(0);
    const later = scene.manifest([videoRow('5', { media: 'same.mp4' })], 'later.csv');
    expect((await scene.run(['run', later])).code).toBe(0);
    expect(scene.sandbox.counts()).toMatchObject({ putFile: 1, confirmUpload: 1, createCreatorPost: 5 });
    expectAgreement(scene.sandbox, {
      ...scene.results(),
      rows: [...scene.results().rows, ...scene.results('later.results.csv').rows],
    });
  });

  it('are uploaded again when they have changed', async (test) => {
    const scene = await openScene(test);
    expect((await scene.run(['run', scene.manifest([videoRow('1', { media: 'a.mp4' })])])).code).toBe(0);
    const later = scene.manifest([videoRow('2', { media: 'a.mp4' })], 'later.csv');
    writeFileSync(join(scene.folder, 'a.mp4'), mp4('another video'));
    expect((await scene.run(['run', later])).code).toBe(0);
    expect(scene.sandbox.effects().files.map(({ hash }) => hash)).toEqual([
      contractHash(mp4('a.mp4')),
      contractHash(mp4('another video')),
    ]);
  });
});

describe.concurrent('a generated file', () => {
  it.for<readonly [name: string, fault: FaultInput, code: string]>([
    ['that is not there', { kind: 'status', status: 404, times: 'always' }, 'result_expired'],
    [
      'that is larger than allowed',
      { kind: 'oversize', bytes: 5_000_000, times: 'always' },
      'media_too_large',
    ],
    [
      'whose server redirects to something else',
      { kind: 'redirect', times: 'always' },
      'media_type_mismatch',
    ],
    ['whose server is down', { kind: 'status', status: 503, times: 'always' }, 'media_download_failed'],
  ])('%s: the row fails with the reason', async ([, fault, code], test) => {
    const scene = await openScene(test, {
      settings: { retry: { attempts: 1 }, media: { maxBytes: '1MB', allowPrivateAddresses: ['127.0.0.1'] } },
    });
    scene.sandbox.faults.add({ ...fault, operation: 'getAsset' });
    expect((await scene.run(['run', scene.manifest([aiVideoRow('1')])])).code).toBe(3);
    expect(scene.results().rows).toMatchObject([{ status: 'failed', step: 'upload', error_code: code }]);
    expect(scene.sandbox.calls('decoy')).toHaveLength(fault.kind === 'redirect' ? 1 : 0);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('that trickles: the row fails with the reason', async (test) => {
    const patience = { totalMs: 60_000, windowMs: 500, windowBytes: 1000 };
    const runner = await openRunner({ settings: { retry: { attempts: 1 } }, patience }, test);
    runner.sandbox.faults.add({ operation: 'getAsset', kind: 'slow-body', times: 'always' });
    const id = await runner.importOrUpdate([aiVideoRow('1')]);
    await runner.start();
    await runner.ended(id);
    const error = { step: 'upload', code: 'media_download_failed' };
    expect(await runner.rows(id)).toMatchObject([{ state: 'failed', error }]);
    expect(runner.sandbox.effects().posts).toEqual([]);
  });

  it('that comes at the second try: the row goes on, with the same generation', async (test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add({ operation: 'getAsset', kind: 'status', status: 503 });
    expect((await scene.run(['run', scene.manifest([aiVideoRow('1')])])).code).toBe(0);
    expectAgreement(scene.sandbox, scene.results());
  });
});
