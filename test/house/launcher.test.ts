import { chmodSync, copyFileSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageFacts from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../support/folder.ts';
import { spawnProgram } from '../support/processes/child.ts';

const launcher = join(import.meta.dirname, '../../bin/campaigns');

/** A project folder with the real launcher and a program that prints how it was started. */
function project(commandLine = 'process.stdout.write(JSON.stringify(process.argv.slice(2)));') {
  const root = join(temporaryFolder(), 'a project');
  const write = (path: string, text: string): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('src/cli/main.ts', commandLine);
  write('package.json', '{ "type": "module" }');
  write('package-lock.json', '{}');
  write('node_modules/.campaigns-setup', '');
  write(
    'scripts/setup',
    '#!/bin/sh\necho "setting up"\n: >"$(dirname "$0")/../node_modules/.campaigns-setup"\n',
  );
  chmodSync(join(root, 'scripts/setup'), 0o755);
  mkdirSync(join(root, '.runtime/node_modules/node/bin'), { recursive: true });
  symlinkSync(process.execPath, join(root, '.runtime/node_modules/node/bin/node'));
  mkdirSync(join(root, 'bin'));
  copyFileSync(launcher, join(root, 'bin/campaigns'));
  return root;
}

test('it works from another folder and passes the arguments unchanged', async () => {
  const run = spawnProgram(join(project(), 'bin/campaigns'), ['run', 'my sheet.csv', ''], {}, { cwd: '/' });
  expect(await run.end()).toEqual({ code: 0, signal: null });
  expect(run.output.stdout).toEqual(['["run","my sheet.csv",""]']);
});

test('what it sets up gets no secrets', async () => {
  const root = project();
  utimesSync(join(root, 'node_modules/.campaigns-setup'), 0, 0);
  writeFileSync(join(root, 'scripts/setup'), '#!/bin/sh\nenv\n');
  const secrets = { CREATOR_API_KEY: 'canary-key', OTHER: 'kept' };
  const run = spawnProgram(join(root, 'bin/campaigns'), [], secrets);
  await run.end();
  expect(run.output.stderr).toContain('OTHER=kept');
  expect(run.output.stderr.join()).not.toContain('canary');
});

test('it works through a chain of symbolic links, absolute and relative', async () => {
  const root = project();
  const folder = temporaryFolder();
  symlinkSync(join(root, 'bin/campaigns'), join(folder, 'one'));
  symlinkSync('one', join(folder, 'two'));
  const run = spawnProgram(join(folder, 'two'), ['list']);
  await run.end();
  expect(run.output.stdout).toEqual(['["list"]']);
});

test('its exit code is that of the command', async () => {
  const run = spawnProgram(join(project('process.exitCode = 3;'), 'bin/campaigns'), []);
  expect(await run.end()).toMatchObject({ code: 3 });
});

test('a signal reaches the command itself', async () => {
  const root = project(
    "process.on('SIGTERM', () => process.exit(7));\nsetInterval(() => {}, 1000);\nprocess.stdout.write('up\\n');",
  );
  const run = spawnProgram(join(root, 'bin/campaigns'), []);
  await run.line(/^up$/);
  run.kill('SIGTERM');
  expect(await run.end()).toEqual({ code: 7, signal: null });
});

test('an unprepared clone is set up first, and standard output stays clean', async () => {
  const root = project();
  utimesSync(join(root, 'node_modules/.campaigns-setup'), 0, 0);
  const first = spawnProgram(join(root, 'bin/campaigns'), []);
  await first.end();
  const second = spawnProgram(join(root, 'bin/campaigns'), []);
  await second.end();
  expect(first.output).toEqual({ stdout: ['[]'], stderr: ['setting up'] });
  expect(second.output.stderr).toEqual([]);
});

/** An installed package: no sources, no set-up script, and the Node of the search path. */
function installed() {
  const root = join(temporaryFolder(), 'a package');
  for (const folder of ['bin', 'scripts', 'dist/src/cli']) mkdirSync(join(root, folder), { recursive: true });
  copyFileSync(launcher, join(root, 'bin/campaigns'));
  copyFileSync(join(launcher, '../../scripts/use-node.sh'), join(root, 'scripts/use-node.sh'));
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'dist/src/cli/main.js'), "process.stdout.write('built\\n');");
  return join(root, 'bin/campaigns');
}

/** A search path on which `node` is of that version. */
function nodeOfVersion(version: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'node'), `#!/bin/sh\necho ${version}\n`);
  chmodSync(join(folder, 'node'), 0o755);
  return `${folder}:/usr/bin:/bin`;
}

test('an installed package runs the build, and sets up nothing', async () => {
  const run = spawnProgram(installed(), []);
  expect(await run.end()).toEqual({ code: 0, signal: null });
  expect(run.output).toEqual({ stdout: ['built'], stderr: [] });
});

const needed = packageFacts.engines.node.replace('>=', '');

test.each(['v24.4.1', 'v22.19.0'])(
  'with Node %s it says which Node it needs, and ends with 2',
  async (version) => {
    const run = spawnProgram(installed(), [], { PATH: nodeOfVersion(version) });
    expect(await run.end()).toEqual({ code: 2, signal: null });
    expect(run.output.stdout).toEqual([]);
    expect(run.output.stderr[0]).toBe(`campaigns: Node ${needed} or later is needed; found: ${version}`);
  },
);

test.each([`v${needed}.0`, 'v26.0.0'])('with Node %s it starts', async (version) => {
  const run = spawnProgram(installed(), [], { PATH: nodeOfVersion(version) });
  expect(await run.end()).toEqual({ code: 0, signal: null });
});

test('an image that has everything is not set up', async () => {
  const root = project();
  utimesSync(join(root, 'node_modules/.campaigns-setup'), 0, 0);
  const run = spawnProgram(join(root, 'bin/campaigns'), [], { CAMPAIGNS_SETUP: 'skip' });
  await run.end();
  expect(run.output.stderr).toEqual([]);
});
