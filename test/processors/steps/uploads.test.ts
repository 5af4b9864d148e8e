import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { hashBytes } from '../../../src/media/content-hash.ts';
import { Room } from '../../../src/processors/steps/uploads.ts';
import { rejection } from '../../support/client.ts';
import { openRunner } from '../../support/in-process.ts';
import { bytesOf } from '../../support/sheets/media-bytes.ts';
import { videoRow } from '../../support/sheets/rows.ts';

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

it('files take turns when there is no room for them in memory, in the order in which they came', async () => {
  const room = new Room(10);
  const entered: string[] = [];
  const enter = (name: string, bytes: number) => room.take(bytes).then(() => entered.push(name));
  await enter('first', 6);
  const waiting = [enter('large', 8), enter('small', 1)];
  await setImmediate();
  expect(entered).toEqual(['first']);
  room.give(6);
  await Promise.all(waiting);
  expect(entered).toEqual(['first', 'large', 'small']);
});
