import { Command } from 'commander';
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { spawnNode } from '../support/child.ts';

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
    const { define } = await load();
    const help: string[] = [];
    const command = define(new Command(name)).configureOutput({ writeOut: (text) => help.push(text) });
    command.outputHelp();
    expect(command.usage().replace('[options]', '').trim()).toBe(operands.join(' '));
    expect(help.join('')).toMatch(/Examples?:\n|\n {2}\$ campaigns /);
  },
);
