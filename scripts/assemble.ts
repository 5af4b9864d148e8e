/** Adds to `dist` what the compiler does not write: files that modules read, copies of a few packages, the entries and the program. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import facts from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** Lua scripts, assets and sample videos. */
cpSync(join(root, 'src'), join(dist, 'src'), {
  recursive: true,
  filter: (file) => !/\.ts$|\/\.[^/]*$/.test(file),
});

/**
 * An optional part of msgpackr runs a script when it is installed, which makes `pnpm add` fail. Nothing needs that part, so the packages
 * that lead to it are a part of this one.
 */
const copied = ['bullmq', 'msgpackr', '@bull-board/api'];
/** Other forms of the same code, and what only its makers need. */
function isLeftOut(file: string): boolean {
  if (file.startsWith('/dist/esm/') && /(?<!\.d)\.(?:js|ts)$/.test(file)) return true;
  return /\.(?:map|mts|lua|tsbuildinfo|min\.js|md)$|\/(?:rollup\.config|test-worker|test)\.js$/.test(file);
}

for (const name of copied) {
  const from = join(root, 'node_modules', name);
  const filter = (file: string) => !isLeftOut(file.slice(from.length));
  cpSync(from, join(dist, 'node_modules', name), { recursive: true, filter });
}

/**
 * A Node that is too old cannot even parse the modules of the package, and says nothing but `SyntaxError`: so each entry checks the
 * version first, and only then loads its module: at once, so that CommonJS can load the entry, too. Bundlers take the module itself.
 */
const needed = facts.engines.node.replace('>=', '');
const [major, minor] = needed.split('.');
const check = `const [major, minor] = process.versions.node.split('.').map(Number);
if (major < ${major} || (major === ${major} && minor < ${minor})) {
  throw new Error(
    \`${facts.name} needs Node ${needed} or later; this is Node \${process.versions.node}\\nInstall it from https://nodejs.org\`,
  );
}
`;
const entries = join(dist, 'entries');
mkdirSync(entries);
writeFileSync(join(entries, 'check-node.js'), check);
for (const entry of Object.values(facts.exports)) {
  if (typeof entry === 'string') continue;
  const module = join(root, entry.module);
  const names = Object.keys(await import(module)).join(', ');
  const path = relative(entries, module);
  const text = `import './check-node.js';
import { createRequire } from 'node:module';

export const { ${names} } = createRequire(import.meta.url)('${path}');
`;
  writeFileSync(join(entries, basename(entry.default)), text);
}

/**
 * `campaigns` starts in two thirds of the time from a few large files: most of a start was finding and opening hundreds of modules.
 * What serves the console stays apart: its packages read files of their own.
 */
const program = join(dist, 'cli');
/** Loads these three when they are first used. */
const packages = join(dist, 'src/fs/packages.js');
const { resolve } = createRequire(packages);
const bundle = await rolldown({
  input: {
    main: join(dist, 'src/cli/main.js'),
    bullmq: resolve('bullmq'),
    pino: resolve('pino'),
    undici: resolve('undici'),
  },
  platform: 'node',
  resolve: { mainFields: ['module', 'main'] },
  external: /^(?:@bull-board|@opentelemetry|@tus|compression|express|helmet|prom-client)(?:$|\/)/,
  plugins: [
    {
      name: 'modules find the files beside them',
      transform: (code, id) =>
        id.startsWith(join(dist, 'src'))
          ? code
              .replaceAll('import.meta.url', `new URL('${relative(program, id)}', import.meta.url).href`)
              .replace(/\bload\('(\w+)'\)/g, "load('../../cli/$1.js').default")
          : null,
    },
  ],
});
await bundle.write({ dir: program, codeSplitting: true });
