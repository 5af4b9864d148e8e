/**
 * Checks which part of the project may import which. Prints a line for each breach, and ends with exit code 1:
 *
 *     cli, console -> app -> importers, processors -> ledger, queues, service, sheets -> manifest, platform
 *     sandbox -> service/contract only ;  service, ledger, queues and sheets do not import each other
 *     in app: operations -> all other parts ;  drafts, decisions, approvals -> campaigns ;  approvals -> access, drafts ;  campaigns, videos and access share only the runtime and
 *     what lies below
 *     cli and console call use cases: they import only types from the floors below `app`, but for opening sheets (importers/open)
 *     nothing imports cli or console, but for cli -> console (commands/serve) and cli -> sandbox (commands/sandbox, demo)
 *     console/board shows the queues themselves; cli/doctor looks at every floor; cli/demo has a private Redis of its own
 *     every floor may use manifest and the types of config ;  platform/files knows no other part, and any may use it
 *     index.ts is the surface for programs: the operations, and what opens and works on them
 *     only config and app/runtime read process.env
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

const vocabulary = ['config', 'manifest', 'service/contract'];
const service = ['service', 'service/contract', 'service/media', 'platform/net'];
const stores = ['ledger', 'queues', 'platform/redis'];
const floors = [...stores, ...service, 'sheets', 'importers', 'importers/open', 'processors'];
const below = [...floors, 'config', 'manifest', 'platform/files'];

const rooms = [
  'app/campaigns',
  'app/decisions',
  'app/approvals',
  'app/drafts',
  'app/videos',
  'app/access',
  'app/runtime',
];
/** `sheets`: the options for reading a file, and its detected format. `importers/open`: the file that people hand in. */
const surface = [
  'app/operations',
  'app/operations.ts',
  ...rooms,
  'config',
  'manifest',
  'service/contract',
  'sheets',
  'importers/open',
  'platform/files',
];
const terminal = [...surface, 'console', 'sandbox', 'cli/doctor', 'cli/demo'];

const arrows: Readonly<Record<string, Arrows>> = {
  'platform/files': { values: [] },
  'platform/redis': { values: ['config', 'platform/files'] },
  'platform/net': { values: ['platform/files'], types: ['config'] },
  'service/contract': { values: [] },
  // The table of the steps has a default for each; a lead and which posts wait for an approval are written alike in settings and sheets.
  config: {
    values: ['service/contract', 'platform/files'],
    paths: ['manifest/steps.ts', 'manifest/campaign-options.ts'],
  },
  manifest: { values: ['service/contract'], types: ['config'] },
  sandbox: { values: ['service/contract'] },
  service: {
    values: ['service/contract', 'platform/net', 'platform/files'],
    types: ['config', 'manifest'],
  },
  'service/media': { values: ['manifest', 'platform/net', 'platform/files'], types: vocabulary },
  sheets: { values: ['manifest', 'platform/files'], types: ['config'] },
  ledger: { values: ['platform/redis', 'manifest'], types: vocabulary },
  queues: { values: ['platform/redis', 'platform/files'], types: vocabulary, paths: ['manifest/steps.ts'] },
  processors: { values: [...stores, ...service, 'manifest', 'platform/files'], types: ['config'] },
  importers: {
    values: [...stores, ...service, 'importers/open', 'manifest', 'sheets', 'platform/files'],
    types: ['config'],
  },
  'importers/open': { values: ['ledger', 'manifest', 'sheets', 'platform/files'], types: ['config'] },
  'app/runtime': { values: below },
  'app/campaigns': { values: [...below, 'app/runtime'] },
  'app/decisions': { values: [...below, 'app/runtime', 'app/campaigns'] },
  // Links are secrets, as sessions and tokens are.
  'app/approvals': { values: [...below, 'app/runtime', 'app/campaigns', 'app/drafts', 'app/access'] },
  'app/drafts': {
    values: [...below, 'app/runtime'],
    paths: [
      'app/campaigns/calendar/schedule.ts',
      'app/campaigns/find.ts',
      'app/campaigns/import',
      'app/campaigns/look-up.ts',
      'app/campaigns/results/own-sheet.ts',
      'app/campaigns/rows/pictures.ts',
      'app/campaigns/sheets-at-once.ts',
    ],
  },
  'app/videos': { values: [...below, 'app/runtime'] },
  'app/access': { values: ['ledger', 'manifest', 'app/runtime', 'sheets'] },
  'app/operations': { values: [...rooms, ...below] },
  'app/operations.ts': { values: ['app/operations', ...rooms], types: ['importers/open'] },
  console: { values: [...surface, 'console/board'], types: floors },
  'console/board': { values: [...surface, 'console', 'queues'], types: floors },
  'index.ts': {
    values: [
      'app/operations',
      'app/operations.ts',
      'app/campaigns',
      'app/runtime',
      'importers/open',
      'manifest',
    ],
    types: [...floors, 'config'],
  },
  cli: { values: terminal, types: floors },
  'cli/doctor': { values: [...terminal, 'cli', ...floors] },
  'cli/demo': { values: [...terminal, 'cli', 'platform/redis'], types: floors },
};

const mayReadEnvironment = ['config', 'app/runtime'];
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

/** `src/service/contract/x.ts` -> `service/contract`, `src/queues/x.ts` -> `queues`, `config/x.ts` -> `config`, `test/x` -> `test`. */
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
