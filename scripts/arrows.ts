/**
 * Checks which part of the project may import which. Prints a line for each breach, and ends with exit code 1:
 *
 *     cli, console -> drafts, campaigns, videos, access -> runtime -> { importers, processors } -> { ledger, queues } -> redis
 *     importers, videos -> sheets ;  importers, processors, campaigns, videos, runtime -> api, media ;  sandbox -> api/contract only
 *     api, ledger, media, queues and sheets do not import each other
 *     campaigns, videos and access share only what lies below them ;  drafts becomes campaigns, so it uses their import and look-ups
 *     surfaces call use cases: they import only types from the floors below `runtime`
 *     nothing imports a surface, but for cli -> console (commands/serve) and cli -> sandbox (commands/sandbox, demo)
 *     console/board shows the queues themselves; cli/doctor looks at every floor; cli/demo has a private Redis of its own
 *     every floor may use manifest and the types of config ;  fs knows no other part, and any may use it
 *     index.ts is the surface for programs: it re-exports from campaigns, videos, runtime and manifest, and the types that these take and return
 *     only config and runtime read process.env
 *     only cli/print/terminal.ts writes to standard output and standard error: it is the gate for text from outside
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

interface Arrows {
  readonly values: readonly string[];
  /** Parts of which only types may be imported. */
  readonly types?: readonly string[];
  /** Folders and files of other parts, below `src`. */
  readonly paths?: readonly string[];
}

const vocabulary = ['config', 'manifest', 'api/contract'];
const service = ['api', 'api/contract', 'media'];
const stores = ['ledger', 'queues', 'redis'];
const floors = [...stores, ...service, 'sheets', 'importers', 'processors'];

/** `sheets`: the options for reading a file, and its detected format. */
const surface = [
  'campaigns',
  'drafts',
  'videos',
  'access',
  'runtime',
  'config',
  'manifest',
  'api/contract',
  'sheets',
  'fs',
];
const terminal = [...surface, 'console', 'sandbox', 'cli/doctor', 'cli/demo'];

const arrows: Readonly<Record<string, Arrows>> = {
  fs: { values: [] },
  redis: { values: ['config', 'fs'] },
  'api/contract': { values: [] },
  // The table of the steps has a default for each.
  config: { values: ['api/contract', 'fs'], paths: ['manifest/steps.ts'] },
  manifest: { values: ['api/contract'], types: ['config'] },
  sandbox: { values: ['api/contract'] },
  api: { values: ['api/contract', 'fs'], types: ['config'] },
  media: { values: ['manifest', 'fs'], types: vocabulary },
  sheets: { values: ['manifest', 'fs'], types: ['config'] },
  ledger: { values: ['redis', 'manifest'], types: vocabulary },
  queues: { values: ['redis', 'fs'], types: vocabulary, paths: ['manifest/steps.ts'] },
  processors: { values: [...stores, ...service, 'manifest', 'fs'], types: ['config'] },
  importers: { values: [...stores, ...service, 'manifest', 'sheets', 'fs'], types: ['config'] },
  runtime: { values: [...floors, 'config', 'manifest', 'fs'] },
  campaigns: { values: [...floors, 'runtime', 'config', 'manifest', 'fs'] },
  drafts: {
    values: [...floors, 'runtime', 'config', 'manifest', 'fs'],
    paths: [
      'campaigns/calendar/schedule.ts',
      'campaigns/documents/sheet.ts',
      'campaigns/find.ts',
      'campaigns/import',
      'campaigns/look-up.ts',
      'campaigns/rows/pictures.ts',
      'campaigns/sheet-permits.ts',
    ],
  },
  videos: { values: [...floors, 'runtime', 'config', 'manifest', 'fs'] },
  access: { values: ['ledger', 'manifest', 'runtime', 'sheets'] },
  console: { values: [...surface, 'console/board'], types: floors },
  'console/board': { values: [...surface, 'console', 'queues'], types: floors },
  'index.ts': {
    values: ['campaigns', 'videos', 'runtime', 'manifest'],
    types: [...floors, 'config', 'manifest', 'fs'],
  },
  cli: { values: terminal, types: floors },
  'cli/doctor': { values: [...terminal, 'cli', ...floors] },
  'cli/demo': { values: [...terminal, 'cli', 'redis'], types: floors },
};

const mayReadEnvironment = ['config', 'runtime'];
const terminalGate = join('src', 'cli', 'print', 'terminal.ts');

/** Checks all sources under `src` and `config` of the project at the absolute path `root`. @returns `file:line: problem` */
export function findBreaches(root: string): string[] {
  return ['src', 'config']
    .flatMap((folder) => sourcesIn(join(root, folder)))
    .flatMap((file) => checkFile(root, file));
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function checkFile(root: string, file: string): string[] {
  const text = withoutCommentLines(readFileSync(file, 'utf8'));
  const part = partOf(root, file);
  const at = (index: number): string => `${relative(root, file)}:${text.slice(0, index).split('\n').length}`;
  const allowed = arrows[part];
  if (!allowed) return [`${at(0)}: "${part}" is on no arrow: add it to scripts/arrows.ts`];

  const breaches: string[] = [];
  for (const { specifier, isType, index } of importsOf(text)) {
    const imported = join(dirname(file), specifier);
    const target = partOf(root, imported);
    const mayImport =
      target === part || allowed.values.includes(target) || (isType && allowed.types?.includes(target));
    if (mayImport || isWithin(allowed.paths, relative(join(root, 'src'), imported))) continue;
    const onlyTypes = allowed.types?.includes(target) ? ' (only its types)' : '';
    breaches.push(`${at(index)}: ${part} may not import ${target}${onlyTypes}`);
  }
  const environment = findUse(text, /\bprocess\??\.env\b/, /\benv\b/);
  if (environment !== undefined && !mayReadEnvironment.includes(part)) {
    breaches.push(`${at(environment)}: ${part} may not read process.env`);
  }
  const stream = findUse(text, /\bprocess\??\.std(?:out|err)\b|\bwriteSync\([12]\b/, /\bstd(?:out|err)\b/);
  if (stream !== undefined && relative(root, file) !== terminalGate) {
    breaches.push(`${at(stream)}: only ${terminalGate} may write to standard output and standard error`);
  }
  return breaches;
}

/** Where a source uses a part of `process`, or imports it by one of these names. */
function findUse(text: string, use: RegExp, name: RegExp): number | undefined {
  const used = use.exec(text)?.index;
  const end = text.indexOf(" from 'node:process'");
  if (used !== undefined || end < 0) return used;
  const start = startOfStatement(text, end);
  return name.test(text.slice(start, end)) ? start : undefined;
}

/** `src/api/contract/x.ts` -> `api/contract`, `src/queues/x.ts` -> `queues`, `config/x.ts` -> `config`, `test/x` -> `test`. */
function partOf(root: string, file: string): string {
  const [top = '', part = '', inner = ''] = relative(root, file).split(sep);
  if (top !== 'src') return top;
  const nested = `${part}/${inner}`;
  return Object.hasOwn(arrows, nested) ? nested : part;
}

function isWithin(paths: readonly string[] = [], path: string): boolean {
  return paths.some((each) => path === each || path.startsWith(`${each}${sep}`));
}

interface Import {
  readonly specifier: string;
  readonly isType: boolean;
  readonly index: number;
}

// The sources are formatted: single quotes, one import a statement, its end on one line.
const specifierForm = /^(?:import|.* from) '(?<specifier>\.[^'\n]*)'/gm;
const dynamic = /\bimport\(\s*(?:new URL\()?[`'](?<specifier>\.[^'`]*)[`']/g;

/** The relative imports of a source. `import { type A, type B }` counts as types only. */
function importsOf(text: string): Import[] {
  const found = [...text.matchAll(specifierForm)].map((match) => {
    const index = startOfStatement(text, match.index);
    const statement = text.slice(index);
    const isType = /^(?:import|export) type /.test(statement) || namesOnlyTypes(statement);
    return { specifier: match.groups?.specifier ?? '', isType, index };
  });
  const called = [...text.matchAll(dynamic)].map((match) => ({
    specifier: match.groups?.specifier ?? '',
    isType: false,
    index: match.index,
  }));
  return [...found, ...called];
}

/** Where the `import` or `export` begins that ends on the line at `index`. */
function startOfStatement(text: string, index: number): number {
  return Math.max(text.lastIndexOf('\nimport ', index), text.lastIndexOf('\nexport ', index)) + 1;
}

function namesOnlyTypes(text: string): boolean {
  const names = /^import\s+\{(?<names>[^}]*)\}/
    .exec(text)
    ?.groups?.names?.split(',')
    .map((name) => name.trim());
  return names?.every((name) => name === '' || name.startsWith('type ')) ?? false;
}

/** Blanks whole comment lines; line numbers stay. */
function withoutCommentLines(text: string): string {
  return text.replace(/^[ \t]*(?:\/\/|\/\*|\*).*$/gm, '');
}

if (import.meta.main) {
  const breaches = findBreaches(join(import.meta.dirname, '..'));
  for (const breach of breaches) process.stdout.write(`${breach}\n`);
  process.exitCode = breaches.length > 0 ? 1 : 0;
}
