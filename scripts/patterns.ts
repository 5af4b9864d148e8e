/**
 * Checks the regular expressions of the product with recheck: none may take more than linear time on any text, because nearly all of
 * them see text from outside. Prints a line for each that does, with a text that shows it, and ends with exit code 1.
 * Results are kept in `node_modules/.cache/patterns.json`, so that only new patterns take time.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { type Expression, type Identifier, type Node, parse, type SpreadElement } from 'acorn';
import { simple } from 'acorn-walk';
import type { Diagnostics } from 'recheck';
import recheckFacts from 'recheck/package.json' with { type: 'json' };

// The build for browsers is JavaScript alone: it starts no Java and no other program.
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as typeof import('recheck');

/**
 * The same pattern has the same verdict each time: the search has a seed, and is bounded by the characters that it reads. Bounds of time
 * count as slowness of the pattern, although the machine may be at fault.
 */
const search = {
  randomSeed: 1,
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
};
const searcher = `${recheckFacts.version} ${JSON.stringify(search)}`;

/** Those of scripts, benches and tests only read the project's own texts. */
const folders = ['src', 'config'];

interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly line: number;
}

/** What is wrong with a pattern; empty if it takes linear time on any text. */
type Verdict = string;

/** Judgements by pattern, of one version of recheck and one way of searching. */
interface Kept {
  readonly recheck: string;
  readonly verdicts: Record<string, Verdict>;
}

/**
 * Checks the sources of the project at the absolute path `root`.
 * @param cache file for judgements; undefined: keeps none.
 * @returns `file:line: pattern: what is wrong`
 */
export function findSlowPatterns(root: string, cache?: string): string[] {
  const known = cache === undefined ? {} : readVerdicts(cache);
  const used: Record<string, Verdict> = {};
  const found: string[] = [];
  for (const file of folders.flatMap((folder) => sourcesIn(join(root, folder)))) {
    for (const { source, flags, line } of patternsOf(readFileSync(file, 'utf8'))) {
      const pattern = `/${source}/${flags}`;
      used[pattern] ??= known[pattern] ?? judge(source, flags);
      if (used[pattern] !== '') found.push(`${relative(root, file)}:${line}: ${pattern}: ${used[pattern]}`);
    }
  }
  if (cache !== undefined) keep(cache, { recheck: searcher, verdicts: used });
  return found;
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The literals of a source, and the constants that it gives to `RegExp`. */
function patternsOf(text: string): Pattern[] {
  const tree = parse(stripTypeScriptTypes(text), {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
  });
  const found: Pattern[] = [];
  const add = (node: Node, source: string, flags: string) =>
    found.push({ source, flags, line: node.loc?.start.line ?? 0 });
  const constants = new Map<string, string>();
  simple(tree, {
    VariableDeclarator({ id, init }) {
      const value = constantOf(init, constants);
      if (id.type === 'Identifier' && value !== undefined) constants.set(id.name, value);
    },
  });
  const addCall = (node: Node, callee: Node, [source, flags]: readonly (Expression | SpreadElement)[]) => {
    const isPattern = callee.type === 'Identifier' && (callee as Identifier).name === 'RegExp';
    const pattern = constantOf(source, constants);
    if (isPattern && pattern !== undefined) add(node, pattern, constantOf(flags, constants) ?? '');
  };
  simple(tree, {
    Literal(node) {
      if (node.regex) add(node, node.regex.pattern, node.regex.flags);
    },
    NewExpression: (node) => addCall(node, node.callee, node.arguments),
    CallExpression: (node) => addCall(node, node.callee, node.arguments),
  });
  return found;
}

/** The text of a string, of a template (also behind `String.raw`), or of a constant; undefined if it is made at run time. */
function constantOf(
  node: Expression | SpreadElement | null | undefined,
  constants: ReadonlyMap<string, string>,
): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'Identifier') return constants.get(node.name);
  const template = node?.type === 'TaggedTemplateExpression' ? node.quasi : node;
  if (template?.type !== 'TemplateLiteral') return undefined;
  const texts = template.quasis.map(({ value }) => (template === node ? value.cooked : value.raw) ?? '');
  const values = template.expressions.map((inner) => constantOf(inner, constants));
  if (values.includes(undefined)) return undefined;
  return texts.map((text, index) => text + (values[index] ?? '')).join('');
}

function judge(source: string, flags: string): Verdict {
  // Nothing repeats, so the text is walked through a fixed number of times.
  if (!/[*+{]/.test(source)) return '';
  const result: Diagnostics = checkSync(source, flags, search);
  if (result.status === 'safe') return '';
  if (result.status === 'vulnerable') return `${result.complexity.summary}, by ${result.attack.pattern}`;
  const { error } = result;
  return `cannot be judged (${'message' in error ? error.message : error.kind})`;
}

function readVerdicts(cache: string): Readonly<Record<string, Verdict>> {
  try {
    const { recheck, verdicts } = JSON.parse(readFileSync(cache, 'utf8')) as Kept;
    return recheck === searcher ? verdicts : {};
  } catch {
    // There is none yet, or it was cut off.
    return {};
  }
}

function keep(cache: string, kept: Kept): void {
  mkdirSync(dirname(cache), { recursive: true });
  writeFileSync(cache, JSON.stringify(kept, null, 1));
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const found = findSlowPatterns(root, join(root, 'node_modules/.cache/patterns.json'));
  for (const line of found) process.stdout.write(`${line}\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
