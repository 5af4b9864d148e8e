/** Files that are copied into one folder by several at once. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyPlacedFile } from '../../../src/platform/files/place-file.ts';
import { temporaryFolder } from '../../support/folder.ts';

test('of two different files of one name, one arrives whole and the other is refused', async () => {
  const base = temporaryFolder();
  const to = { root: base, below: 'campaign' };
  const copies = ['anna', 'ben'].map((person, index) => {
    mkdirSync(join(base, person));
    writeFileSync(join(base, person, 'clip.mp4'), Buffer.alloc((3 + index) * 1024 * 1024, person));
    return copyPlacedFile({ root: base, below: person }, to, 'clip.mp4', person);
  });

  const arrived = await Promise.all(copies);

  expect(arrived.filter(Boolean)).toHaveLength(1);
  const who = arrived[0] ? 'anna' : 'ben';
  const same = readFileSync(join(base, 'campaign/clip.mp4')).equals(
    readFileSync(join(base, who, 'clip.mp4')),
  );
  expect(same).toBe(true);
  expect(readdirSync(join(base, 'campaign'))).toEqual(['clip.mp4']);
});
