/** Fault 25: the disk is full while a report is written. A bound on the size of files stands in for the disk. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';

const program = new URL('full-disk-program.ts', import.meta.url).pathname;

/** @param blocks of 512 bytes that a file may have. */
function run(blocks: number | 'unlimited', kind: string, path: string): string {
  const script = `ulimit -f ${blocks}; exec "$@"`;
  return execFileSync('sh', ['-c', script, 'sh', process.execPath, program, kind, path], {
    encoding: 'utf8',
  });
}

const kinds = ['csv', 'json', 'jsonl', 'xlsx', 'problems'];

test.each(kinds)('%s: an error, the earlier file as it was, and no half file', (kind) => {
  const folder = temporaryFolder();
  const path = join(folder, 'report');
  writeFileSync(path, 'earlier');
  expect(run(200, kind, path)).toMatch(/EFBIG|file too large/i);
  expect(readdirSync(folder)).toEqual(['report']);
  expect(readFileSync(path, 'utf8')).toBe('earlier');
});

test.each(kinds)('%s: with room, the same report is written', (kind) => {
  const folder = temporaryFolder();
  const path = join(folder, 'report');
  expect(run('unlimited', kind, path)).toBe('written');
  expect(readdirSync(folder)).toEqual(['report']);
});
