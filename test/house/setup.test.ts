import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { spawnProgram } from '../support/processes/child.ts';

const scripts = join(import.meta.dirname, '../../scripts');

test('the set-up is silent when nothing is missing', async () => {
  const setup = join(scripts, 'setup');
  await spawnProgram(setup, []).end();
  const second = spawnProgram(setup, []);
  expect(await second.end()).toEqual({ code: 0, signal: null });
  expect(second.output).toEqual({ stdout: [], stderr: [] });
});

test('a Mac with an old Node gets a new one by Homebrew', async () => {
  const folder = temporaryFolder();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode: 0o755 });
  };
  write('bin/uname', '#!/bin/sh\necho Darwin\n');
  write('bin/node', '#!/bin/sh\necho v20.20.0\n');
  write('bin/npm', '#!/bin/sh\nexit 1\n');
  write('bin/brew', `#!/bin/sh\n[ "$1" = --prefix ] && echo '${folder}/keg' || echo "brew $*" >&2\n`);
  mkdirSync(join(folder, 'keg/bin'), { recursive: true });
  symlinkSync(process.execPath, join(folder, 'keg/bin/node'));
  // As if all packages were there: the project is not installed once more.
  write('clone/scripts/installed.ts', '');
  write('clone/node_modules/.keep', '');
  write('clone/package-lock.json', '{}');
  for (const name of ['setup', 'use-node.sh'])
    copyFileSync(join(scripts, name), join(folder, 'clone/scripts', name));

  const env = { PATH: `${folder}/bin:/usr/bin:/bin`, REDIS_URL: 'redis://elsewhere' };
  const setup = spawnProgram(join(folder, 'clone/scripts/setup'), [], env);
  expect(await setup.end()).toEqual({ code: 0, signal: null });
  expect(setup.output.stderr).toContain('brew install node@24');
  const node = spawnProgram(join(folder, 'clone/.runtime/node_modules/node/bin/node'), ['--version']);
  await node.end();
  expect(node.output.stdout).toEqual([process.version]);
});
