/**
 * Writes the entries of the package into `dist/entries`. A Node that is too old cannot even parse the modules behind them, and says
 * nothing but `SyntaxError`: so each entry checks the version first, and only then loads its module.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import facts from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const needed = facts.engines.node.replace('>=', '');
const [major, minor] = needed.split('.');
const check = `
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < ${major} || (major === ${major} && minor < ${minor})) {
  throw new Error(
    \`${facts.name} needs Node ${needed} or later; this is Node \${process.versions.node}\\nInstall it from https://nodejs.org\`,
  );
}
`;

mkdirSync(join(root, 'dist/entries'));
writeFileSync(join(root, 'dist/entries/check-node.js'), check.trimStart());
for (const entry of Object.values(facts.exports)) {
  if (typeof entry === 'string') continue;
  const module = join(root, entry.module);
  const names = Object.keys(await import(module));
  const path = relative(join(root, 'dist/entries'), module);
  writeFileSync(
    join(root, 'dist/entries', basename(entry.default)),
    `import './check-node.js';\n\nexport const { ${names.join(', ')} } = await import('${path}');\n`,
  );
}
