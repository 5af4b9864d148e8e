/** Commands that are suggested: split as a POSIX shell does, and read by the real program, each value arrives as it was. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { commandsOf, quote } from '../../src/app/runtime/command-line.ts';
import { decideManyCommand, fixHere, reportCommand, undoCommand } from '../../src/cli/hints.ts';
import { suggestMap } from '../../src/cli/print/problems.ts';
import { createProgram } from '../../src/cli/program.ts';
import { fixOnPage } from '../../src/console/hints.ts';
import { type Action, type Hint, type HintParams, hint } from '../../src/manifest/problems/hint.ts';
import { showValue } from '../../src/manifest/problems/problem.ts';
import { temporaryFolder } from '../support/folder.ts';

const hostile = [
  'spring 1',
  '--yes',
  '--not-posted',
  '--version',
  '--help',
  '-h',
  '-',
  '--',
  '--json',
  '',
  '$(touch run)',
  '`touch run`',
  '"$HOME"',
  "it's",
  "'; touch run; '",
  'a\nb',
  '\n--yes\n',
  'first\r\nlast\n\n',
  'tab\there',
  'zero\u200bwidth \u202eright',
  '夏 ☀️ !!',
  '100%s \\n \\$x',
  '*.csv ~ {a,b} [x]',
  'a=b',
  '=cmd',
  '#1',
  '>out <in | & ;',
  'esc\u001b[31m',
] as const;

const run = promisify(execFile);

/** The words of command lines, as one `sh` has them. Fails if it runs anything else, or complains. */
async function splitLines(lines: readonly string[]): Promise<readonly (readonly string[])[]> {
  const script = `campaigns() { printf '%s\\0' "$#" "$@"; }\n${lines.join('\n')}`;
  const cwd = temporaryFolder();
  const { stdout, stderr } = await run('sh', ['-c', script], { cwd });
  expect(stderr).toBe('');
  expect(readdirSync(cwd)).toEqual([]);
  const printed = stdout.split('\0').slice(0, -1);
  const commands: string[][] = [];
  for (let at = 0; at < printed.length; at += 1 + Number(printed[at]))
    commands.push(printed.slice(at + 1, at + 1 + Number(printed[at])));
  expect(commands).toHaveLength(lines.length);
  return commands;
}

/** What the program makes of a command: its name, operands, and the values of its options. @param words of the line, as `sh` has them. */
async function parsed(line: string, words?: readonly string[]) {
  const [args = []] = words ? [words] : await splitLines([line]);
  const program = await createProgram(args);
  for (const command of [program, ...program.commands, ...program.commands.flatMap((each) => each.commands)])
    command.exitOverride().configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  const stopped = new Error('stopped before the action');
  let found:
    | { readonly name: string; readonly args: readonly string[]; readonly options: Record<string, unknown> }
    | undefined;
  program.hook('preAction', (_program, command) => {
    found = { name: command.name(), args: command.args, options: command.opts() };
    throw stopped;
  });
  await program.parseAsync([...args], { from: 'user' }).catch((error: unknown) => {
    if (error !== stopped) throw new Error(`${line}: ${String(error)}`, { cause: error });
  });
  if (found === undefined) throw new Error(`${line}: no command`);
  return found;
}

/** Commands in a text: each begins a line, or ends it. */
function commandsIn(text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line) => /(?:^|\s)(campaigns .*)$/.exec(line)?.[1]?.replace(' [RATE]', '') ?? []);
}

it.each(hostile)('%j is one word of a shell', async (word) => {
  expect(await splitLines([`campaigns ${quote(word)}`])).toEqual([[word]]);
});

it.each(hostile)('%j as a key is the operand of each decision', async (key) => {
  const abouts = ['post', 'generation'] as const;
  const hints = abouts.map((about) => hint('chooseDecision', { campaign: 'c1', key, about }));
  for (const line of hints.flatMap(commandsOf)) {
    const { name, args, options } = await parsed(line);
    expect({ name, args }).toEqual({ name: 'decide', args: ['c1', key] });
    expect(Object.keys(options)).toHaveLength(1);
  }
});

it.each(hostile)('%j is the value of each option that it is given for', async (value) => {
  const decide = decideManyCommand('c1', 'not-posted', { error: value, creator: value, expect: '3' });
  expect(await parsed(decide)).toEqual({
    name: 'decide',
    args: ['c1'],
    options: { notPosted: true, error: value, creator: value, expect: 3 },
  });
  expect(await parsed(reportCommand('c1', { out: value }))).toMatchObject({
    options: { out: value },
    args: ['c1'],
  });
});

it.each(hostile)(
  '%j as a code of the service names a sheet that lies in the current folder',
  async (code) => {
    const [line = ''] = commandsOf(hint('editSheet', { campaign: 'c1', error: `../${code}` }));
    const { options } = await parsed(line);
    expect(options.error).toBe(`../${code}`);
    expect(options.out).toMatch(/^c1[^/]*$/);
  },
);

it.each(hostile.filter((header) => header.trim() !== ''))(
  '%j as a header is mapped as it is',
  async (header) => {
    const options = suggestMap([showValue(header)], [header]);
    const { options: read } = await parsed(`campaigns check ${options} posts.csv`);
    expect(read.map).toEqual([`${header}=_`]);
  },
);

/** A hint of each action, in which every text is hostile. */
const hintsOf: { readonly [A in Action]: (value: string) => HintParams<A> } = {
  timezone: () => ({ zone: 'Asia/Shanghai' }),
  mediaRoot: () => ({}),
  mapColumn: (header) => ({ header, column: 'caption' }),
  joinCaption: (header) => ({ header }),
  keepAsNote: () => ({ part: 'header' }),
  encoding: () => ({ encoding: 'euc-kr' }),
  headerLine: () => ({ line: 5 }),
  chooseSheet: (sheet) => ({ sheet }),
  otherSheet: (sheet) => ({ sheet }),
  readSheets: (sheet) => ({ sheets: ['Week 1', sheet], more: [sheet] }),
  keep: () => ({ option: 'timezone' }),
  findProducts: () => ({}),
  findMusic: () => ({}),
  skipInvalid: () => ({}),
  postAgain: () => ({}),
  trustIds: () => ({}),
  rowsInDoubt: () => ({ option: 'hidden' }),
  mayPostTwice: () => ({}),
  updateCampaign: (campaign) => ({ campaign }),
  postAllAgain: () => ({}),
  sandbox: () => ({}),
  list: () => ({ what: 'creators' }),
  show: () => ({ campaign: 'c1' }),
  writeSheet: () => ({ campaign: 'c1', only: 'all' }),
  retry: (value) => ({ campaign: 'c1', key: value, error: value, creator: value }),
  editSheet: (error) => ({ campaign: 'c1', error }),
  resumeCreator: (creator) => ({ campaign: 'c1', creator }),
  refresh: () => ({ campaign: 'c1' }),
  decideAll: (error) => ({ campaign: 'c1', error, about: 'post' }),
  rowsAnew: (value) => ({
    campaign: 'c1',
    states: ['failed', 'cancelled'],
    mediaRoot: value,
    timezone: null,
    map: { [value]: 'caption' },
  }),
  cancelFirst: () => ({ campaign: 'c1' }),
  deleteAnyway: () => ({}),
  decideRow: (key) => ({ campaign: 'c1', key, decision: 'posted $(id)', unchecked: true }),
  chooseDecision: (key) => ({ campaign: 'c1', key, about: 'post' }),
  decideUnchecked: () => ({}),
  lookAtRows: (value) => ({ campaign: 'c1', decision: 'not-posted', error: value, creator: value, rows: 3 }),
  importVideos: () => ({}),
  scrapeVideos: () => ({}),
  setting: () => ({ name: 'media.root' }),
  startWorker: () => ({}),
  rate: () => ({ operation: 'createCreatorPost' }),
  acceptJournal: () => ({}),
  addUser: () => ({}),
  setPassword: (user) => ({ user }),
  removeToken: (user) => ({ user }),
};
const actions = Object.keys(hintsOf) as Action[];

function hintOf(action: Action, value: string): Hint {
  return { action, params: hintsOf[action](value) } as Hint;
}

/** In these, a value from outside is a word of a command; in those, of options to add to one. */
const inCommands: ReadonlySet<Action> = new Set([
  'retry',
  'editSheet',
  'resumeCreator',
  'decideAll',
  'rowsAnew',
  'decideRow',
  'chooseDecision',
  'lookAtRows',
  'setPassword',
  'removeToken',
]);
const inOptions: ReadonlySet<Action> = new Set([
  'mapColumn',
  'joinCaption',
  'chooseSheet',
  'readSheets',
  'updateCampaign',
]);
/** Hints are lines: the values have no line break at the end. */
const ofLines = [...hostile, 'first\r\nlast'].filter((value) => value.trim() !== '' && !value.endsWith('\n'));

/** Their text has a command. Others name one within a sentence, or none. */
const withCommands = actions.filter(
  (action) => action !== 'startWorker' && commandsIn(fixHere([hintOf(action, 'a')])).length > 0,
);

it.each(withCommands)(
  'commands of the hint %s are read, with what came from outside as it was',
  async (action) => {
    const texts = ofLines.map((value) => ({ value, lines: commandsIn(fixHere([hintOf(action, value)])) }));
    const split = (await splitLines(texts.flatMap(({ lines }) => lines))).values();
    for (const { value, lines } of texts) {
      const commands = lines.map((line) => parsed(line, split.next().value));
      const words = (await Promise.all(commands)).flatMap(({ args, options }) => [
        ...args,
        ...Object.values(options).flat(),
      ]);
      expect(words.includes(value)).toBe(inCommands.has(action));
    }
  },
);

it.each([...inOptions])(
  'options of the hint %s are read, with what came from outside as it was',
  async (action) => {
    for (const value of ofLines) {
      const text = fixHere([hintOf(action, value)]);
      const options = text.slice(text.indexOf('--')).replace(/\)?\.$/, '');
      const command = await parsed(`campaigns run ${options} posts.csv`);
      const words = Object.values(command.options).flat();
      const mapped = { mapColumn: `${value}=caption`, joinCaption: `${value}=+caption` } as const;
      expect(words).toContain(mapped[action as keyof typeof mapped] ?? value);
    }
  },
);

it('pages put nothing from outside into a command', () => {
  const texts = actions.flatMap((action) => ofLines.map((value) => fixOnPage([hintOf(action, value)])));
  expect(new Set(texts.flatMap(commandsIn))).toEqual(
    new Set(['campaigns journal --accept', 'campaigns worker.']),
  );
});

it('names of campaigns, and placeholders, stay readable', () => {
  expect(undoCommand('c1')).toBe('campaigns decide --undo -- c1 ROW');
  expect(commandsOf(hint('refresh', { campaign: 'c1' }))).toEqual(['campaigns refresh c1']);
  expect(reportCommand('c1', { only: 'scheduled' })).toBe('campaigns report --only scheduled --out FILE c1');
});
