import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolders } from '../../src/fs/make-folders.ts';
import { temporaryFolder } from '../support/folder.ts';

it('makes all that is missing, also if others make it at the same time', async () => {
  const path = join(temporaryFolder(), 'a', 'b', 'c');
  await Promise.all([makeFolders(path), makeFolders(path)]);
  expect(existsSync(path)).toBe(true);
});

it('is refused below a file', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  await expect(makeFolders(join(file, 'a', 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

it.skipIf(!existsSync('/proc/self'))('ends where no folder can be made', async () => {
  await expect(makeFolders('/proc/none/here')).rejects.toMatchObject({ code: 'ENOENT' });
});
