import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AtomicFile, writeAtomically } from '../../src/fs/atomic-file.ts';
import { temporaryFolder } from '../support/folder.ts';

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
