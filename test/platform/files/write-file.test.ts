import { pbkdf2 } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { expect, it, test } from 'vitest';
import {
  AtomicFile,
  makeFolders,
  writeAtomically,
  writeNewFile,
} from '../../../src/platform/files/write-file.ts';
import { temporaryFolder } from '../../support/folder.ts';

test('a file has its name once it is committed, and not before', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'sheet.csv');
  await using file = await AtomicFile.create(path);
  await file.write('one,');
  await file.write(Buffer.from('two'));
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^\.sheet\.csv\.[0-9a-f]{12}\.tmp$/)]);
  await file.commit();
  expect(readdirSync(folder)).toEqual(['sheet.csv']);
  expect(readFileSync(path, 'utf8')).toBe('one,two');
});

test('a failed write leaves the earlier file as it was, and nothing beside it', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'sheet.csv');
  writeFileSync(path, 'earlier');
  async function* broken() {
    yield 'half';
    throw new Error('the ledger is gone');
  }
  await expect(writeAtomically(path, broken())).rejects.toThrow('the ledger is gone');
  expect(readdirSync(folder)).toEqual(['sheet.csv']);
  expect(readFileSync(path, 'utf8')).toBe('earlier');
});

test('a missing folder is an error', async () => {
  const path = join(temporaryFolder(), 'missing', 'sheet.csv');
  await expect(writeAtomically(path, ['x'])).rejects.toMatchObject({ code: 'ENOENT' });
});

it('a file whose stream fails before it is opened does not come after whoever removes it', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'sheet');
  // The threads that open files are busy.
  const busy = Array.from({ length: 8 }, () => promisify(pbkdf2)('', '', 20_000, 32, 'sha512'));
  const lost = async function* (): AsyncGenerator<Buffer> {
    yield Promise.reject(new Error('the connection was lost'));
  };
  await expect(writeNewFile(path, (file) => pipeline(lost, file))).rejects.toThrow('lost');
  rmSync(path, { force: true });
  await Promise.all(busy);
  await writeNewFile(join(folder, 'whole'), (file) => pipeline(['x'], file));
  expect(await readdir(folder)).toEqual(['whole']);
});

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
