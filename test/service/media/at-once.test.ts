/** Small files of a local disk are read without the thread pool: as safely, and never where a disk is slow. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { openLocal, readAtOnce } from '../../../src/service/media/local.ts';
import { temporaryFolder } from '../../support/folder.ts';

/** Only Linux tells where an opened file is. */
const onLinux = test.skipIf(process.platform !== 'linux');

/** Stands still unless a test lets it go on: a busy machine is no slow disk. */
let now = performance.now();
let msAtEachLook = 0;
const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += msAtEachLook));
afterAll(() => clock.mockRestore());
const restMs = 11_000;
beforeEach(() => {
  now += restMs;
});

function setUp() {
  const folder = temporaryFolder();
  const root = join(folder, 'root');
  mkdirSync(join(root, 'sub'), { recursive: true });
  writeFileSync(join(root, 'sub/a.mp4'), 'inside');
  writeFileSync(join(folder, 'secret.mp4'), 'outside');
  return { folder, root };
}

onLinux('a small file is what it is when it is opened', async () => {
  const { root } = setUp();
  const opened = await openLocal('sub/a.mp4', root);
  await opened.handle.close();
  const { absolutePath, size, identity } = opened;
  expect(readAtOnce('sub/a.mp4', root, 6)).toEqual({
    absolutePath,
    size,
    identity,
    bytes: Buffer.from('inside'),
  });
});

onLinux('a larger one is left to the thread pool', () => {
  const { root } = setUp();
  expect(readAtOnce('sub/a.mp4', root, 5)).toBeUndefined();
});

test.each([
  ['a path out of the root', '../secret.mp4'],
  ['a link out of the root', 'link.mp4'],
  ['a folder that is a link out of the root', 'out/secret.mp4'],
  ['a missing file', 'gone.mp4'],
  ['a folder', 'sub'],
  ['the root', '.'],
  ['a pipe', 'pipe.mp4'],
  ['a name with a NUL', 'sub/a.mp4\0'],
  ['a name of two Unicode forms', 'sub/caf\u00e9.mp4'],
])('%s is not read', (_, path) => {
  const { folder, root } = setUp();
  symlinkSync(join(folder, 'secret.mp4'), join(root, 'link.mp4'));
  symlinkSync(folder, join(root, 'out'));
  writeFileSync(join(root, 'sub/caf\u00e9.mp4'), 'coffee');
  execFileSync('mkfifo', [join(root, 'pipe.mp4')]);
  expect(readAtOnce(path, root, 1000)).toBeUndefined();
});

onLinux('after three slow reads in a row, the disk is left to the thread pool for a while', () => {
  const { root } = setUp();
  const read = (ms: number) => {
    msAtEachLook = ms;
    return readAtOnce('sub/a.mp4', root, 1000);
  };
  // A busy machine makes single reads slow.
  for (const ms of [20, 20, 0, 20, 20, 20]) expect(read(ms)).toBeDefined();
  expect(read(0)).toBeUndefined();
  now += restMs;
  expect(read(0)).toBeDefined();
});
