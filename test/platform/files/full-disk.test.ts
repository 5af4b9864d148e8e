/** Fault 25: the disk is full while a report is written. A bound on the size of files stands in for the disk. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, type TestContext, test } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { playOnce } from '../../support/processes/scene.ts';

const program = new URL('full-disk-program.ts', import.meta.url).pathname;
const kinds = ['csv', 'json', 'jsonl', 'xlsx', 'problems'];

/** Writes a report of each kind where an earlier one is. @param blocks of 512 bytes that a file may have. */
async function writeReports(owner: Pick<TestContext, 'onTestFinished'>, blocks: number | 'unlimited') {
  const folder = temporaryFolder(owner);
  for (const kind of kinds) {
    mkdirSync(join(folder, kind));
    writeFileSync(join(folder, kind, 'report'), 'earlier');
  }
  const script = `ulimit -f ${blocks}; exec "$@"`;
  const args = ['-c', script, 'sh', process.execPath, program, folder, ...kinds];
  const outcomes: Readonly<Record<string, string>> = JSON.parse(
    execFileSync('sh', args, { encoding: 'utf8' }),
  );
  return { folder, outcomes };
}

describe('on a full disk', () => {
  const played = playOnce((owner) => writeReports(owner, 200));

  test.each(kinds)('%s: an error, the earlier file as it was, and no half file', (kind) => {
    const { folder, outcomes } = played();
    expect(outcomes[kind]).toMatch(/EFBIG|file too large/i);
    expect(readdirSync(join(folder, kind))).toEqual(['report']);
    expect(readFileSync(join(folder, kind, 'report'), 'utf8')).toBe('earlier');
  });
});

describe('with room', () => {
  const played = playOnce((owner) => writeReports(owner, 'unlimited'));

  test.each(kinds)('%s: the same report is written', (kind) => {
    const { folder, outcomes } = played();
    expect(outcomes[kind]).toBe('written');
    expect(readdirSync(join(folder, kind))).toEqual(['report']);
  });
});
