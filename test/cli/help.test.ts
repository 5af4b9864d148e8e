import { Command } from 'commander';
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { imageModels, videoSeconds } from '../../src/service/contract/generation.ts';
import { spawnNode } from '../support/processes/child.ts';
import { openScene } from '../support/processes/scene.ts';

const program = new URL('../../src/cli/main.ts', import.meta.url);

test('--help lists every command with its arguments', async () => {
  const run = spawnNode(program, ['--help'], {});
  expect(await run.end(), run.output.stderr.join('\n')).toEqual({ code: 0, signal: null });
  for (const [usage] of commands) {
    const [name, ...operands] = usage.split(' ');
    expect(run.output.stdout.join('\n')).toContain([`  ${name} [options]`, ...operands].join(' '));
  }
});

test.each(commands)(
  '%s has the arguments of the list, and an example in its help',
  async (usage, _, load) => {
    const [name, ...operands] = usage.split(' ');
    const define = (await load()).commands[name ?? ''];
    const help: string[] = [];
    const command = define?.(new Command(name)).configureOutput({ writeOut: (text) => help.push(text) });
    command?.outputHelp();
    expect(command?.usage().replace('[options]', '').trim()).toBe(operands.join(' '));
    expect(help.join('')).toMatch(/Examples?:\n|\n {2}\$ campaigns /);
  },
);

test.each(['template', 'check', 'run', 'import'])(
  '%s --help names the models and their seconds',
  async (name) => {
    const [usage = '', , load] = commands.find(([each]) => each.split(' ')[0] === name) ?? [];
    const help: string[] = [];
    const define = (await load?.())?.commands[name];
    const command = define?.(new Command(usage)).configureOutput({ writeOut: (text) => help.push(text) });
    command?.outputHelp();
    for (const model of imageModels) expect(help.join('')).toContain(model);
    for (const [model, seconds] of Object.entries(videoSeconds)) {
      expect(help.join('')).toMatch(new RegExp(`${model} +${seconds.join(', ')}`));
    }
  },
);

test('without a command, help goes to standard error, and it ends with 2', async (context) => {
  const { code, stdout, stderr } = await (await openScene(context)).run([]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('  run [options] [file]');
});

test('a mistyped command is told, with the nearest one', async (context) => {
  const { code, stderr } = await (await openScene(context)).run(['runn', 'posts.csv']);
  expect(code).toBe(2);
  expect(stderr).toContain('Did you mean run?');
});
