import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { spawnNode, spawnProgram } from '../support/processes/child.ts';

const program = new URL('../../src/cli/main.ts', import.meta.url);

test('a reader that leaves early does no harm', async () => {
  const folder = temporaryFolder();
  const run = spawnNode(program, ['list', '--json'], { DATA_DIR: folder }, { cwd: folder });
  run.child.stdout?.destroy();
  expect(await run.end()).toEqual({ code: 0, signal: null });
  expect(run.output.stderr).toEqual([]);
});

/** Linux only. */
const hasFullDisk = existsSync('/dev/full');

test.runIf(hasFullDisk)(
  'output that finds no room on its disk ends no command early, and is told',
  async () => {
    const folder = temporaryFolder();
    const list = (to: string) =>
      spawnProgram(
        '/bin/sh',
        ['-c', `exec "$@" ${to}`, 'sh', process.execPath, program.pathname, 'list'],
        { DATA_DIR: folder },
        { cwd: folder },
      );
    const results = list('> /dev/full');
    const messages = list('2> /dev/full');
    expect(await results.end()).toEqual({ code: 2, signal: null });
    expect(results.output.stderr.filter((line) => line.startsWith('campaigns: '))).toEqual([
      'campaigns: standard output cannot be written: the disk is full',
    ]);
    expect(await messages.end()).toEqual({ code: 0, signal: null });
  },
);
