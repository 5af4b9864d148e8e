import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  type PictureName,
  PictureStore,
  pathOf,
  pictureKey,
} from '../../../src/service/media/picture-store.ts';
import { temporaryFolder } from '../../support/folder.ts';

it('all pictures together are bounded: the oldest go first, also after a restart', async () => {
  const directory = temporaryFolder();
  const bytes = Buffer.alloc(1000);
  const nameOf = (index: number): PictureName => ({
    owner: 'root-1',
    key: pictureKey(`${index}`),
    kind: 'small',
  });
  const store = new PictureStore(directory, 4500);
  for (let index = 0; index < 6; index += 1) await store.keep(nameOf(index), bytes);
  const here = (by: PictureStore) =>
    Array.from({ length: 7 }, (_, index) => by.bytesOf(nameOf(index)) !== undefined);
  expect(here(store)).toEqual([false, false, true, true, true, true, false]);
  // By the time of their files.
  const owner = join(directory, 'root-1');
  for (const name of readdirSync(owner)) utimesSync(join(owner, name), 1000, 1000);
  utimesSync(join(directory, pathOf(nameOf(2))), 2000, 2000);
  const again = new PictureStore(directory, 4500);
  await again.keep(nameOf(6), bytes);
  expect([here(again)[2], here(again)[6], here(again).filter(Boolean).length]).toEqual([true, true, 4]);
});

it('a sweep removes the pictures of campaigns that are gone, and nothing else', async () => {
  const directory = temporaryFolder();
  const store = new PictureStore(directory, 1e6);
  const nameOf = (owner: string): PictureName => ({ owner, key: pictureKey('a'), kind: 'small' });
  const owners = ['root-2', 'campaign-c1', 'campaign-c2', 'videos-covers'];
  for (const owner of owners) await store.keep(nameOf(owner), Buffer.from('a'));
  writeFileSync(join(directory, 'campaign-c2', 'notes.txt'), 'mine');
  await store.sweep(new Set(['campaign-c1']));
  expect(readdirSync(directory).sort()).toEqual(['campaign-c1', 'campaign-c2', 'videos-covers']);
  expect(readdirSync(join(directory, 'campaign-c2'))).toEqual(['notes.txt']);
  expect(store.bytesOf(nameOf('root-2'))).toBeUndefined();
  expect(store.bytesOf(nameOf('campaign-c1'))).toBe(1);
});
