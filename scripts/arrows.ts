/**
 * Checks which part of the project may import which. Prints a line for each breach, and ends with exit code 1:
 *
 *     cli, console -> campaigns, videos -> runtime -> { importers, processors } -> { ledger, queues } -> redis
 *     importers, videos -> sheets ;  importers, processors, campaigns, videos, runtime -> api, media ;  sandbox -> api/contract only
 *     api, ledger, media, queues and sheets do not import each other
 *     campaigns and videos share only what lies below them
 *     doors call use cases: they import only types from the floors below `runtime`
 *     nothing imports a door, but for cli -> console (commands/serve) and cli -> sandbox (commands/sandbox, demo)
 *     console/board shows the queues themselves; cli/doctor looks at every floor; cli/demo has a private Redis of its own
 *     every floor may use manifest and the types of config ;  fs knows no other part, and any may use it
 *     index.ts is the package's door: it re-exports from campaigns, videos and runtime
 *     only config and runtime read process.env
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

interface Arrows {
  readonly values: readonly string[];
  /** Parts of which only types may be imported. */
  readonly types?: readonly string[];
}

const vocabulary = ['config', 'manifest', 'api/contract'];
const service = ['api', 'api/contract', 'media'];
const stores = ['ledger', 'queues', 'redis'];
const floors = [...stores, ...service, 'sheets', 'importers', 'processors'];

/** `sheets`: the options for reading a file, and its detected format. */
const door = ['campaigns', 'videos', 'runtime', 'config', 'manifest', 'api/contract', 'sheets', 'fs'];
const terminal = [...door, 'console', 'sandbox', 'cli/doctor', 'cli/demo'];

const arrows: Readonly<Record<string, Arrows>> = {
  fs: { values: [] },
  redis: { values: [] },
  'api/contract': { values: [] },
  config: { values: ['api/contract', 'fs'] },
  manifest: { values: ['api/contract'], types: ['config'] },
  sandbox: { values: ['api/contract'] },
  api: { values: ['api/contract'], types: ['config'] },
  media: { values: ['manifest'], types: vocabulary },
  sheets: { values: ['manifest', 'fs'], types: ['config'] },
  ledger: { values: ['redis'], types: vocabulary },
  queues: { values: ['redis'], types: vocabulary },
  processors: { values: [...stores, ...service, 'manifest'], types: ['config'] },
  importers: { values: [...stores, ...service, 'manifest', 'sheets', 'fs'], types: ['config'] },
  runtime: { values: [...floors, 'config', 'manifest', 'fs'] },
  campaigns: { values: [...floors, 'runtime', 'config', 'manifest', 'fs'] },
  videos: { values: [...floors, 'runtime', 'config', 'manifest', 'fs'] },
  console: { values: [...door, 'console/board'], types: floors },
  'console/board': { values: [...door, 'console', 'queues'], types: floors },
  'index.ts': { values: ['campaigns', 'videos', 'runtime'], types: floors },
  cli: { values: terminal, types: floors },
  'cli/doctor': { values: [...terminal, 'cli', ...floors] },
  'cli/demo': { values: [...terminal, 'cli', 'redis'], types: floors },
};

const mayReadEnvironment = ['config', 'runtime'];

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
    const target = partOf(root, join(dirname(file), specifier));
    const mayImport =
      target === part || allowed.values.includes(target) || (isType && allowed.types?.includes(target));
    if (mayImport) continue;
    const onlyTypes = allowed.types?.includes(target) ? ' (only its types)' : '';
    breaches.push(`${at(index)}: ${part} may not import ${target}${onlyTypes}`);
  }
  const environment = /\bprocess\??\.env\b|\benv\b[^;]*\bfrom 'node:process'/.exec(text);
  if (environment && !mayReadEnvironment.includes(part)) {
    breaches.push(`${at(environment.index)}: ${part} may not read process.env`);
  }
  return breaches;
}

/** `src/api/contract/x.ts` -> `api/contract`, `src/queues/x.ts` -> `queues`, `config/x.ts` -> `config`, `test/x` -> `test`. */
function partOf(root: string, file: string): string {
  const [top = '', part = '', inner = ''] = relative(root, file).split(sep);
  if (top !== 'src') return top;
  const nested = `${part}/${inner}`;
  return Object.hasOwn(arrows, nested) ? nested : part;
}

interface Import {
  readonly specifier: string;
  readonly isType: boolean;
  readonly index: number;
}

// The sources are formatted: single quotes, one import a statement.
const statement = /^(?:import|export)\s+(?<type>type\s)?(?:[^;'"]*?\sfrom\s+)?'(?<specifier>\.[^']*)'/gm;
const dynamic = /\bimport\(\s*(?:new URL\()?[`'](?<specifier>\.[^'`]*)[`']/g;

/** The relative imports of a source. `import { type A, type B }` counts as types only. */
function importsOf(text: string): Import[] {
  const found = [...text.matchAll(statement), ...text.matchAll(dynamic)];
  return found.map((match) => ({
    specifier: match.groups?.specifier ?? '',
    isType: match.groups?.type !== undefined || namesOnlyTypes(match[0]),
    index: match.index,
  }));
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
  return text.replace(/^\s*(?:\/\/|\/\*|\*).*$/gm, '');
}

if (import.meta.main) {
  const breaches = findBreaches(join(import.meta.dirname, '..'));
  for (const breach of breaches) process.stdout.write(`${breach}\n`);
  process.exitCode = breaches.length > 0 ? 1 : 0;
}
