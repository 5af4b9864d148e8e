/** The package that runs: its version and commit, and the places of its files. */
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, resolve } from 'node:path';

interface PackageFacts {
  readonly version: string;
  /** The lowest version of Node, such as `24.5`. */
  readonly node: string;
}

export function readPackageFacts(): PackageFacts {
  const facts = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
    readonly version: string;
    readonly engines: { readonly node: string };
  };
  return { version: facts.version, node: facts.engines.node.replace(/^>=/, '') };
}

/** Longer than Git needs to tell the commits of a large project apart. */
const shortCommit = 10;

/** The version and the commit that run, as `0.1.0+1a2b3c4d5e`; without a commit where none is known. */
export function readBuild(): string {
  const { version } = readPackageFacts();
  // `scripts/build` wrote it: the commit of a clone may be another one by now.
  if (import.meta.url.endsWith('.js')) return textOf(packagePath('dist', 'build')) || version;
  const commit = checkedOut();
  return /^[0-9a-f]{40}/.test(commit) ? `${version}+${commit.slice(0, shortCommit)}` : version;
}

/** The commit that a clone has checked out, read without Git; '' if it has no repository of its own, or refs of another form. */
function checkedOut(): string {
  const link = packagePath('.git');
  // In another work tree of the repository, a file names the folder.
  const named = /^gitdir: (.+)$/m.exec(textOf(link))?.[1];
  const folder = named === undefined ? link : resolve(dirname(link), named);
  const head = textOf(join(folder, 'HEAD'));
  const ref = /^ref: (refs\/\S+)$/.exec(head)?.[1];
  if (ref === undefined) return head;
  const common = resolve(folder, textOf(join(folder, 'commondir')) || '.');
  const packed = textOf(join(common, 'packed-refs'))
    .split('\n')
    .find((line) => line.endsWith(` ${ref}`));
  return textOf(join(common, ref)) || (packed ?? '');
}

/** Its text without the line end; '' for a file that cannot be read. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

/** Absolute: `packagePath('config', 'sandbox.json')`, from sources in `src/` as from compiled code in `dist/src/`. */
export function packagePath(...names: readonly string[]): string {
  const manifest = findPackageJSON(import.meta.url);
  if (manifest === undefined) throw new Error(`no package.json above ${import.meta.url}`);
  return join(dirname(manifest), ...names);
}

/** Place of a document of the runner, for messages: clone, package and image have them at the same place in their own folder. @param name such as `backup.md`. */
export function documentPlace(name: string): string {
  return packagePath('docs', name);
}
