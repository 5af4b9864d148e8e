import { expect, it } from 'vitest';
import { CliCommand } from '../../../src/cli/flags/common.ts';
import { addImportOptions } from '../../../src/cli/flags/import.ts';

function nameOf(text: string): unknown {
  const command = new CliCommand().exitOverride().configureOutput({ writeErr: () => undefined });
  return addImportOptions(command).parse(['--name', text], { from: 'user' }).opts().name;
}

it.each(['', ' ', '../spring', 'a/b', 'a\\b', '.spring', 'x'.repeat(101)])(
  'the name "%s" of a campaign is refused: its sheets are named so',
  (name) => {
    expect(() => nameOf(name)).toThrow('The campaign name is empty, too long, or contains characters');
  },
);

it('other names are taken as they are', () => {
  expect(nameOf('Spring 2027, 春')).toBe('Spring 2027, 春');
});
