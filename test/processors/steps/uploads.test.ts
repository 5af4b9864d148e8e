import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NoPlaceError } from '../../../src/processors/steps/uploads.ts';
import { hashBytes } from '../../../src/service/media/content-hash.ts';
import { rejection } from '../../support/client.ts';
import { openRunner } from '../../support/in-process.ts';
import { bytesOf } from '../../support/sheets/media-bytes.ts';
import { aiVideoRow, videoRow } from '../../support/sheets/rows.ts';

it.for([
  [20_000_000, undefined],
  [20_000_001, 'media_cover_too_large'],
] as const)('a cover of %i bytes that goes into a form: %s', async ([size, code]) => {
  const { context, folder } = await openRunner();
  writeFileSync(join(folder, 'cover.png'), bytesOf('image/png', size));
  const reading = context.uploads.withCover('cover.png', folder, async (cover) => cover);
  if (code === undefined) expect((await reading).bytes).toHaveLength(size);
  else expect(await rejection(reading)).toMatchObject({ code, subject: 'cover.png', transient: false });
});

it('a cover can be registered by facts about its file, also of a file that the service has', async () => {
  const uploadCover = {
    method: 'POST',
    path: '/v1/creator/socialshop/uploadPhoto',
    query: { name: '{fileName}', type: '{contentType}', size: '{size}', hash: '{hash}', url: '{url}' },
    body: { fileId: '{fileId}' },
    result: { coverUri: '/data/uri' },
  };
  const runner = await openRunner({ settings: { api: { uploadCover } } });
  await runner.start();
  for (const key of ['a', 'b']) {
    const id = await runner.importOrUpdate([videoRow(key, { cover: 'cover.png' })]);
    expect(await runner.ended(id)).toMatchObject({ counts: { posted: 1 } });
  }
  const bytes = readFileSync(join(runner.folder, 'cover.png'));
  const facts = { name: 'cover.png', type: 'image/png', size: `${bytes.length}`, hash: hashBytes(bytes) };
  const sent = runner.sandbox
    .calls('uploadCover')
    .map(({ target }) => new URLSearchParams(target.split('?')[1]));
  expect(sent.map((query) => Object.fromEntries(query))).toEqual(
    [1, 2].map(() => ({ ...facts, url: expect.stringMatching(/^http:.*\/\d+/) })),
  );
});

it('a reference whose URL is signed is presigned anew for each row, and sent again by none', async () => {
  const sign = (url: string) => `${url}?sign=${randomUUID()}`;
  const runner = await openRunner({
    relay: { answered: (body) => body.replaceAll(/http:[^"?]+\/files\/\d+/g, sign) },
  });
  await runner.start();
  for (const key of ['a', 'b']) {
    const id = await runner.importOrUpdate([aiVideoRow(key, { ai_references: 'look.png' })]);
    expect(await runner.ended(id)).toMatchObject({ counts: { posted: 1 } });
  }
  const sent = runner.sandbox.effects().generations.map(({ request }) => request.params.inputReference);
  expect(new Set(sent).size).toBe(2);
  const puts = runner.sandbox.calls('putFile').length;
  expect(puts).toBe(3);
});

it('no more uploads are under way than the setting says, whichever jobs ask for them', async () => {
  const { context, folder, ...runner } = await openRunner({ settings: { concurrency: { upload: 2 } } });
  const asked: (() => void)[] = [];
  const ask = async () => {
    const answer = Promise.withResolvers<void>();
    asked.push(answer.resolve);
    await answer.promise;
    return { kind: 'withdrawn' } as const;
  };
  const uploads = [0, 1, 2, 3].map((index) => {
    writeFileSync(join(folder, `${index}.mp4`), bytesOf('video/mp4', 100 + index));
    const request = { service: context.service, source: `${index}.mp4`, isAsset: false, mediaRoot: folder };
    const quick = index % 2 === 0 ? { quick: { maxBytes: 1000, maxWaitMs: 10, placeWithinMs: 120_000 } } : {};
    return context.uploads.upload({ ...request, ...quick, kind: 'VIDEO', needsUrl: false }, ask);
  });
  await runner.until(async () => asked.length === 2, 'two uploads');
  asked[0]?.();
  await runner.until(async () => asked.length === 3, 'the third one');
  asked[1]?.();
  asked[2]?.();
  await runner.until(async () => asked.length === 4, 'the last one');
  asked[3]?.();
  expect(await Promise.all(uploads)).toEqual(Array(4).fill({ kind: 'withdrawn' }));
});

it('a quick upload waits for its place only so long, and leaves it to others', async () => {
  const { context, folder } = await openRunner({ settings: { concurrency: { upload: 1 } } });
  const held = Promise.withResolvers<void>();
  const upload = (name: string, quick?: { placeWithinMs: number }) => {
    writeFileSync(join(folder, name), bytesOf('video/mp4', 100 + name.length));
    const request = { service: context.service, source: name, isAsset: false, mediaRoot: folder } as const;
    const bounds = quick && { quick: { maxBytes: 1000, maxWaitMs: 10, ...quick } };
    return context.uploads.upload({ ...request, ...bounds, kind: 'VIDEO', needsUrl: false }, async () => {
      await held.promise;
      return { kind: 'withdrawn' };
    });
  };
  const first = upload('a.mp4');
  expect(await rejection(upload('bb.mp4', { placeWithinMs: 1 }))).toBeInstanceOf(NoPlaceError);
  held.resolve();
  expect(await first).toEqual({ kind: 'withdrawn' });
  expect(await upload('ccc.mp4', { placeWithinMs: 120_000 })).toEqual({ kind: 'withdrawn' });
});
