import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { spawnNode } from '../support/processes/child.ts';

const program = new URL('../../src/cli/main.ts', import.meta.url);

test('a reader that leaves early does no harm', async () => {
  const folder = temporaryFolder();
  const run = spawnNode(program, ['list', '--json'], { DATA_DIR: folder }, { cwd: folder });
  run.child.stdout?.destroy();
  expect(await run.end()).toEqual({ code: 0, signal: null });
  expect(run.output.stderr).toEqual([]);
});
