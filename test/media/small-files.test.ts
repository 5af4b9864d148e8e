import { constants, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SmallFiles } from '../../src/media/small-files.ts';
import { temporaryFolder } from '../support/folder.ts';

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const opened = (place: string) => () => ({ descriptor: openSync(place, flags), place });

/** A clock that advances by a given step at each read. */
function clock() {
  const time = { now: 0, step: 0 };
  const read = () => {
    time.now += time.step;
    return time.now;
  };
  return { time, read };
}

function file(bytes = 'bytes') {
  const path = join(temporaryFolder(), 'a.mp4');
  writeFileSync(path, bytes);
  return path;
}

test('a small file is read with its stats', () => {
  const found = new SmallFiles().read(opened(file('five!')), 10);
  expect(found?.bytes.toString()).toBe('five!');
  expect(found?.stats.size).toBe(5n);
});

test('an empty file is read', () => {
  expect(new SmallFiles().read(opened(file('')), 10)?.bytes).toHaveLength(0);
});

test.each([
  ['a file of the limit', () => file('0123456789')],
  ['a file that is not there', () => join(temporaryFolder(), 'none.mp4')],
  [
    'a folder',
    () => {
      const path = join(temporaryFolder(), 'folder');
      mkdirSync(path);
      return path;
    },
  ],
  [
    'a symbolic link',
    () => {
      const path = join(temporaryFolder(), 'link.mp4');
      symlinkSync(file(), path);
      return path;
    },
  ],
])('%s is left to the usual way', (_what, make) => {
  expect(new SmallFiles().read(opened(make()), 10)).toBeUndefined();
});

test.each([
  ['several slow reads in a row', [5, 5, 5]],
  ['a very slow read', [1, 40]],
])('synchronous reads stop for a while after %s', (_what, steps) => {
  const { time, read } = clock();
  const files = new SmallFiles(read);
  const path = file();
  for (const step of steps) {
    time.step = step;
    expect(files.read(opened(path), 10)).toBeDefined();
  }
  time.step = 0;
  expect(files.read(opened(path), 10)).toBeUndefined();
  time.now += 10_001;
  expect(files.read(opened(path), 10)).toBeDefined();
});

test('single slow reads stop nothing', () => {
  const { time, read } = clock();
  const files = new SmallFiles(read);
  const path = file();
  for (const step of [5, 5, 1, 5, 5, 1]) {
    time.step = step;
    expect(files.read(opened(path), 10)).toBeDefined();
  }
});

test('on a fast disk every file is read synchronously', () => {
  const { time, read } = clock();
  const files = new SmallFiles(read);
  const path = file();
  time.step = 1;
  expect(files.read(opened(path), 10)).toBeDefined();
  expect(files.read(opened(path), 10)).toBeDefined();
});
