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

test.each(commands)('%s --help shows its options and an example', async (usage) => {
  const [name = ''] = usage.split(' ');
  const run = spawnNode(program, [name, '--help'], {});
  expect(await run.end(), run.output.stderr.join('\n')).toEqual({ code: 0, signal: null });
  const shown = run.output.stdout.join('\n');
  expect(shown).toContain('--json');
  expect(shown).toMatch(/Examples?:\n|\n {2}\$ campaigns /);
});
