import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { CliCommand } from '../../src/cli/flags/common.ts';
import { imageModels, videoSeconds } from '../../src/service/contract/generation.ts';
import { spawnNode } from '../support/processes/child.ts';
import { openScene } from '../support/processes/scene.ts';

const program = new URL('../../src/cli/main.ts', import.meta.url);

test('--help lists every command with its arguments', async () => {
  const run = spawnNode(program, ['--help'], {});
  expect(await run.end(), run.output.stderr.join('\n')).toEqual({ code: 0, signal: null });
  for (const [usage] of commands) {
    const [name, ...operands] = usage.split(' ');
    expect(run.output.stdout.join('\n')).toContain([`  ${name}`, ...operands].join(' '));
  }
});

test.each([
  '--help',
  'run --help',
  'sandbox --help',
  'decide --help',
  'videos --help',
  'videos report --help',
])('%s fits the terminal, and two screens of it', async (args) => {
  const run = spawnNode(program, args.split(' '), { COLUMNS: '80' });
  await run.end();
  const lines = run.output.stdout;
  expect(lines.length).toBeLessThan(60);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test.each(commands)(
  '%s has the arguments of the list, and an example in its help',
  async (usage, _, load) => {
    const [name, ...operands] = usage.split(' ');
    const define = await load();
    const help: string[] = [];
    const command = define(new CliCommand(name)).configureOutput({ writeOut: (text) => help.push(text) });
    command.outputHelp();
    expect(command.usage().replace('[options]', '').trim()).toBe(operands.join(' '));
    expect(help.join('')).toMatch(/Examples?:\n|\n {2}\$ campaigns /);
  },
);

test.each(['template', 'check', 'run', 'import'])(
  '%s --help names the models and their seconds, or the help that does',
  async (name) => {
    const [usage = '', , load] = commands.find(([each]) => each.split(' ')[0] === name) ?? [];
    const help: string[] = [];
    const define = await load?.();
    const command = define?.(new CliCommand(usage)).configureOutput({ writeOut: (text) => help.push(text) });
    command?.outputHelp();
    if (name !== 'template') {
      expect(help.join('')).toMatch(/^Models for ai_model.*\n {2}campaigns template --help$/m);
      return;
    }
    for (const model of imageModels) expect(help.join('')).toContain(model);
    for (const [model, seconds] of Object.entries(videoSeconds)) {
      expect(help.join('')).toMatch(new RegExp(`${model} +${seconds.join(', ')}`));
    }
  },
);

test('without a command, help goes to standard error, and it ends with 2', async (context) => {
  const { code, stdout, stderr } = await (await openScene(context)).run([]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('  run [file]');
});

test('a mistyped command is told, with the nearest one', async (context) => {
  const { code, stderr } = await (await openScene(context)).run(['runn', 'posts.csv']);
  expect(code).toBe(2);
  expect(stderr).toContain(
    "unknown command 'runn' (Did you mean run?)\nSee all options:\n  campaigns --help",
  );
});
