/** Somebody who may write into the media root replaces a folder by a link at the moment when a file of it is read. */
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MediaError } from '../../src/service/media/errors.ts';
import { inspectLocal, openLocal } from '../../src/service/media/local.ts';
import { rejection } from '../support/client.ts';
import { temporaryFolder } from '../support/folder.ts';
import { spawnNode } from '../support/processes/child.ts';

const swapping = new URL('../support/console/swapping-program.ts', import.meta.url);
const isLinux = process.platform === 'linux';

/** A root with the folder `sub`, and with `link`, which leads to a folder outside with a file of the same name. */
function setUp() {
  const folder = temporaryFolder();
  const root = join(folder, 'root');
  mkdirSync(join(root, 'sub'), { recursive: true });
  mkdirSync(join(folder, 'outside'));
  writeFileSync(join(root, 'sub', 'a.mp4'), 'inside');
  writeFileSync(join(folder, 'outside', 'a.mp4'), 'secret');
  symlinkSync('../outside', join(root, 'link'));
  return root;
}

function swap(root: string): void {
  renameSync(join(root, 'sub'), join(root, 'spare'));
  renameSync(join(root, 'link'), join(root, 'sub'));
}

async function readInside(root: string): Promise<string | undefined> {
  const file = await openLocal('sub/a.mp4', root);
  try {
    return readFileSync(file.handle.fd, 'utf8');
  } finally {
    await file.handle.close();
  }
}

test('a file of a folder that has just become a link is not read', async () => {
  const root = setUp();
  // Nothing of what was true a moment ago may be remembered.
  expect(await readInside(root)).toBe('inside');
  swap(root);

  const text = await readInside(root).catch((error: MediaError) => error.code);
  expect(text).toBe('media_outside_root');
});

test('a file of a folder that has just become a link has no identity', async () => {
  const root = setUp();
  await inspectLocal('sub/a.mp4', root);
  swap(root);

  expect(await rejection(inspectLocal('sub/a.mp4', root))).toMatchObject({ code: 'media_outside_root' });
});

// Elsewhere Node cannot ask a descriptor where it is: SECURITY.md says what that leaves open.
test.runIf(isLinux)(
  'files are never read from outside, however often a folder and a link are swapped',
  async () => {
    const root = setUp();
    const swapper = spawnNode(swapping, [root]);
    await swapper.line(/^swapping$/);
    const seen = new Map<string | undefined, number>();
    const goesOn = (reads: number) => reads < 3000 || (seen.size < 2 && reads < 500_000);
    for (let reads = 0; goesOn(reads); reads += 1) {
      const result = await readInside(root).catch((error: unknown) => {
        if (error instanceof MediaError) return error.code;
        throw error;
      });
      seen.set(result, (seen.get(result) ?? 0) + 1);
    }

    expect([...seen.keys()]).not.toContain('secret');
    // The swapping was under way.
    expect(seen.size).toBeGreaterThan(1);
  },
);
