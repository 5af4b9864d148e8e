import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { ProblemsFile } from '../../../src/importers/check/problems-file.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { check, manifestOf } from '../manifest-source.ts';

/** Checks a manifest and writes its problems file. Returns the rows of the file. */
async function problemsOf(content: string, path: string): Promise<string[][]> {
  await using file = await ProblemsFile.create(path);
  const { blocking } = await check(content, {
    onHeader: (header) => file.header(header),
    onRefused: (row) => file.add(row),
  });
  await file.finish(blocking);
  return parse(readFileSync(path), { bom: true });
}

test('each refused row is copied unchanged, with all its problems', async () => {
  const rows = await problemsOf(
    manifestOf([{ key: 'a' }, { key: 'b', caption: '', product_source: 'STORE' }]),
    join(temporaryFolder(), 'x.problems.csv'),
  );
  expect(rows).toEqual([
    [...'creator,media,caption,product_id,product_title,key,product_source'.split(','), ...added],
    [
      ...['demo_anna', 'a.mp4', '', '1', 'Serum', 'b', 'STORE', '3', 'caption | product_source'],
      ...[
        'caption is empty | this is not SHOP or SHOWCASE',
        'Fill in caption. Text of the post, at most 4,000 characters. | Write SHOP or SHOWCASE.',
      ],
    ],
  ]);
});

const added = ['line', 'column', 'problem', 'fix'];

test('cells that a spreadsheet program would run are guarded', async () => {
  const rows = await problemsOf(manifestOf([{ caption: '', key: '=1+1' }]), join(temporaryFolder(), 'p.csv'));
  expect(rows[1]).toContain("'=1+1");
});

test('problems of the whole manifest have no cells', async () => {
  const rows = await problemsOf('creator\nx\n', join(temporaryFolder(), 'p.csv'));
  expect(rows.map(([line, column]) => [line, column])).toEqual([
    ['line', 'column'],
    ['1', 'caption'],
    ['1', 'product_id'],
    ['1', 'product_title'],
    ['1', 'media'],
  ]);
});

test('a corrected file is a manifest again, and gets the problem columns only once', async () => {
  const folder = temporaryFolder();
  const first = join(folder, 'first.csv');
  await problemsOf(manifestOf([{ caption: '' }]), first);
  const again = await problemsOf(readFileSync(first, 'utf8'), join(folder, 'again.csv'));
  expect(again).toEqual(parse(readFileSync(first), { bom: true }));
  const edited = readFileSync(first, 'utf8').replace('a.mp4,,', 'a.mp4,Hi,');
  expect((await check(edited)).accepted).toBe(1);
});

test('the file exists only after finish', async () => {
  const folder = temporaryFolder();
  const file = await ProblemsFile.create(join(folder, 'p.csv'));
  await file.header(['creator']);
  expect(readdirSync(folder)).not.toContain('p.csv');
  await file.finish([]);
  expect(readdirSync(folder)).toEqual(['p.csv']);
});

test('an unfinished file leaves nothing behind', async () => {
  const folder = temporaryFolder();
  {
    await using file = await ProblemsFile.create(join(folder, 'p.csv'));
    await file.header(['creator']);
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('a missing folder is a file system error', async () => {
  const path = join(temporaryFolder(), 'gone', 'p.csv');
  await expect(ProblemsFile.create(path)).rejects.toMatchObject({ code: 'ENOENT' });
});
