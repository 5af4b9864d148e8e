import { expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { openScene } from '../support/scene.ts';

it('--help lists every command with its arguments, and ends with 0', async (test) => {
  const { code, stdout } = await (await openScene(test)).run(['--help']);
  expect(code).toBe(0);
  for (const { usage } of commands) {
    const [name, ...operands] = usage.split(' ');
    expect(stdout).toContain(`  ${[name, '[options]', ...operands].join(' ')} `);
  }
});

it('without a command the same help goes to standard error, and it ends with 2', async (test) => {
  const scene = await openScene(test);
  const [named, none] = [await scene.run(['--help']), await scene.run([])];
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toBe(named.stdout);
});

it('a command that is mistyped is told, with the nearest one', async (test) => {
  const { code, stderr } = await (await openScene(test)).run(['runn', 'posts.csv']);
  expect(code).toBe(2);
  expect(stderr).toContain('Did you mean run?');
});

it('help of a command tells its options', async (test) => {
  const { code, stdout } = await (await openScene(test)).run(['help', 'retry']);
  expect(code).toBe(0);
  expect(stdout).toContain('--dry-run');
});
