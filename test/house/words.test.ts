/** Options and commands of the terminal are its own words: nothing else in the sources names them to people. Some words no text and no document has. */
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { parse } from 'acorn';
import { full } from 'acorn-walk';
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

/** Words that people do not use for these things, and the word that they do. */
const banned: readonly (readonly [word: RegExp, better: string])[] = [
  [/\bmend/i, 'fix a problem, edit a cell'],
  [/\bcures?\b/i, 'what to do'],
  [/\bhand(?:ed|s|ing)? (?:(?:a|the|it|them|mended|sheet) ){0,3}in\b/i, 'import, update, upload'],
  [/\bstor(?:y|ies)\b/i, 'history'],
  [/\bbudgets?\b/i, 'rate limit'],
  [/\bby (?:itself|themselves)\b/i, 'automatically'],
  [/\b(?:go(?:es|ing|ne)?|went) on\b/i, 'resume, continue'],
  [/\b(?:left|leaves?|leaving) out\b/i, 'skip, omit'],
  [/\bdoubt/i, 'unknown outcome, in review'],
  [/\bwhoever\b/i, 'who, any'],
];
/** In documents only: there, these are no names of types and properties. */
const bannedInDocuments: typeof banned = [
  ...banned,
  [/\bs(?:ent|ends?|ending) (?:\w+ ){0,3}again\b/i, 'resent, retried'],
  [/\bleav(?:e|es|ing) (?:\w+ ){1,3}out\b/i, 'skip, omit'],
  [/\b(?:is|are) told\b/i, 'get, know, report'],
  [/\b(?:asleep|held back|parked)\b/i, 'paused, on hold, rate-limited'],
  [/\bprovider\b/i, 'service support'],
];
/** Documents of how it works inside have them as names. */
const bannedOutside: typeof banned = [
  // Not `manifest.maxBytes`, a setting, and names of keys.
  [/(?<!:)\bmanifests?\b(?!\.\w)/i, 'sheet'],
  [/\breceivers?\b/i, 'webhook endpoint'],
];
/** A term of Kubernetes. */
const termsOfOthers = /disruption budget/g;

/** In texts of the sources only: documents say more of how it works inside. */
const bannedInSources: typeof banned = [
  [/\b(?:some|no)body\b/i, 'who it is: planner, operator, runner'],
  [/\bspreadsheets?\b(?! program)/i, 'sheet'],
  [/\bmedia root\b/i, 'media folder'],
  [/\bpoll(?:s|ed|ing)\b/i, 'AI result'],
  [/\bprovider\b/i, 'service support'],
  [/\b(?:redo(?:es|ne)?|do(?:es|ne)? again|sen[dt] again(?!=))\b/i, 'retry, resend'],
  [/\b(?:held back|parked|asleep)\b/i, 'paused, on hold, rate-limited'],
  [/\bplays\b/i, 'views'],
  [/\bwhat happened\b/i, 'history'],
  [/\bsend journal\b/i, 'send log'],
  [/\bcomes? back later\b/i, 'delayed'],
  [/\bwork(?:s|ed)? (?:them |campaigns )?off\b/i, 'process'],
];
/** On pages only: a command has this name. */
const settle = /\bsettl(?:e[ds]?|ing)\b/i;
/** On pages and in the terminal: logs have it, and a command and an address are named so. */
const scrape = /(?<!videos |\/)\bscrap(?:e|es|ed|ing)\b/i;

/** Texts that programs read: states, usages of commands, custom properties. */
const data: ReadonlySet<string> = new Set(['left out', 'budgets [name] [rate]', '--doubt-tint']);

const anyOf = new RegExp(
  [...[...banned, ...bannedOutside, ...bannedInSources].map(([word]) => word), settle, scrape]
    .map(({ source }) => source)
    .join('|'),
  'i',
);

interface Text {
  readonly line: number;
  readonly text: string;
}

/** Strings and templates of a source that people read: no words of programs, paths, tags of HTML, or code in backticks. */
function textsOf(file: string): Text[] {
  const source = readFileSync(join(root, file), 'utf8');
  if (!anyOf.test(source)) return [];
  const tree = parse(file.endsWith('.ts') ? stripTypeScriptTypes(source) : source, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
  });
  const found: Text[] = [];
  const add = (text: unknown, line: number) => {
    if (typeof text !== 'string' || data.has(text)) return;
    if (/^(?:\.{0,2}[a-z/][\w./-]*|(?:GET|PUT|POST|DELETE) \/.*)$/.test(text)) return;
    const words = text.replace(/^[^<>]*"[^<>]*>|<[a-z/][^<>]*>?|`[^`\n]*`/g, ' ').replace(/\s+/g, ' ');
    found.push({ line, text: words });
  };
  full(tree, (node) => {
    const line = node.loc?.start.line ?? 0;
    if (node.type === 'Literal' && 'value' in node) add(node.value, line);
    if (node.type === 'TemplateElement')
      add((node as unknown as { value: { cooked: string } }).value.cooked, line);
  });
  return found;
}

it('texts for people keep to the words of the glossary', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.[jt]s$/.test(name),
  );
  const found = files.flatMap((file) => {
    const words = [
      ...banned,
      ...bannedOutside,
      ...bannedInSources,
      ...(file.startsWith('console/') ? [[settle, 'decide'] as const] : []),
      ...(/^(?:console|cli)\//.test(file) ? [[scrape, 'update'] as const] : []),
    ];
    return textsOf(file).flatMap(({ line, text }) =>
      words
        .filter(([word]) => word.test(text))
        .map(([word, better]) => `${file}:${line}: ${word.exec(text)?.[0]} -> ${better}`),
    );
  });
  expect(found).toEqual([]);
});

const project = join(root, '..');
const documents = [
  'README.md',
  'examples/README.md',
  ...readdirSync(join(project, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

it.each(documents)('%s keeps to the words of the glossary', (document) => {
  const isInternal = document.startsWith(join('docs', 'internals'));
  const words = [...bannedInDocuments, [settle, 'decide'] as const, ...(isInternal ? [] : bannedOutside)];
  const lines = readFileSync(join(project, document), 'utf8').split('\n');
  const found = lines.flatMap((line, index) => {
    // Code, and targets of links.
    const prose = line.replace(/^ {4}.*|`[^`]*`|\]\([^)]*\)/g, ' ').replace(termsOfOthers, '');
    return words
      .filter(([word]) => word.test(prose))
      .map(([word, better]) => `${document}:${index + 1}: ${word.exec(prose)?.[0]} -> ${better}`);
  });
  expect(found).toEqual([]);
});
