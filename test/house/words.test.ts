/** Options and commands of the terminal are its own words: nothing else in the sources names them to people. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';

const root = join(import.meta.dirname, '../../src');
const names = commands.map(([usage]) => usage.split(' ')[0]).join('|');
const command = new RegExp(`\\bcampaigns (?:${names})\\b`);
const option = /(?:^|[\s('"`])--[a-z]/;

const onlyThere = 'it names what only the terminal can do';
const exceptions: Readonly<Record<string, string>> = {
  'campaigns/causes/commands.ts':
    'it writes the field `commands` of documents, which has commands by contract',
  'processors/notify/deliver.ts': 'it writes the field `command` of messages, which has one by contract',
  'console/hints.ts': onlyThere,
  'console/sign-in/page.ts': onlyThere,
  'console/http/turn-away.ts': onlyThere,
  'console/pages/campaigns/page.ts': 'it shows newcomers the way through the terminal beside its own',
  'console/pages/videos/figures.ts': onlyThere,
};

/** Whether a line that is no comment has such words. A decrement begins with `--` too, but its line has no text. */
function namesTerminal(file: string): boolean {
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(?:\*|\/\*|\/\/)/.test(line))
    .map((line) => line.replaceAll('\\n', ' '))
    .some((line) => command.test(line) || (option.test(line) && /['"`<]/.test(line)));
}

const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.startsWith('cli/'),
);

it('only the terminal names its options and commands', () => {
  const found = sources.filter(namesTerminal);
  expect(found.filter((file) => !(file in exceptions))).toEqual([]);
});

it.each(Object.keys(exceptions))('%s still needs its exception', (file) => {
  expect(namesTerminal(file)).toBe(true);
});
