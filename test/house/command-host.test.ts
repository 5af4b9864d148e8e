import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, type TestContext } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { spawnNode } from '../support/processes/child.ts';
import { runHosted } from '../support/processes/command-host.ts';
import { finished } from '../support/processes/scene.ts';

const commandLine = new URL('../../src/cli/main.ts', import.meta.url);
const withinMs = 20_000;

/** Runs a program of these lines. */
function run(test: TestContext, source: string, env: Readonly<Record<string, string>> = {}) {
  const cwd = temporaryFolder();
  const file = join(cwd, 'program.ts');
  writeFileSync(file, source);
  const command = { program: pathToFileURL(file).href, args: ['one', 'two'], cwd, env, leaveMs: 50 };
  return { cwd, ended: runHosted(test, command, withinMs) };
}

it.for([
  [['--version'], {}],
  [['--help'], {}],
  [['fly'], {}],
  [['template', '--format', 'json'], {}],
  [['check', 'missing.csv', '--json'], { CREATOR_API_URL: 'http://127.0.0.1:9' }],
  [['check', 'missing.csv'], {}],
] as const)(
  '%s prints the same, and ends the same, as in a process of its own',
  async ([args, env], test) => {
    const cwd = temporaryFolder();
    const { signal: _signal, ...apart } = await finished(spawnNode(commandLine, args, env, { cwd }));
    expect(await runHosted(test, { args, cwd, env }, withinMs)).toEqual(apart);
  },
);

it('a command has arguments, a folder and an environment of its own', async (test) => {
  await run(test, '', { GREETING: 'from before' }).ended;
  const { cwd, ended } = run(
    test,
    `const { argv, env } = process;
    process.stdout.write(JSON.stringify([argv.slice(2), process.cwd(), env.GREETING ?? null, env.NAME]));
    process.stderr.write('first\\r\\nsecond\\n');
    process.exitCode = 3;`,
    { NAME: 'campaign' },
  );
  const { code, stdout, stderr } = await ended;
  expect({ code, stdout: JSON.parse(stdout), stderr }).toEqual({
    code: 3,
    stdout: [['one', 'two'], cwd, null, 'campaign'],
    stderr: 'first\nsecond',
  });
});

it('a command that ends the process is told like any other', async (test) => {
  const { ended } = run(test, "process.stdout.write('bye\\n');\nprocess.exit(4);");
  expect(await ended).toEqual({ code: 4, stdout: 'bye', stderr: '' });
});

it('a command that would keep its process alive fails', async (test) => {
  const { ended } = run(test, 'setTimeout(() => {}, 60_000);');
  await expect(ended).rejects.toThrow('would not end: Timeout');
});

it('a command whose process is killed fails', async (test) => {
  const { ended } = run(test, "process.kill(process.pid, 'SIGKILL');");
  await expect(ended).rejects.toThrow('its host ended (SIGKILL)');
});
