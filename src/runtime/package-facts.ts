/** What the package says of itself, and where its files are. */
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

export interface PackageFacts {
  /** Of the runner. */
  readonly version: string;
  /** The lowest version of Node, as `24.5`. */
  readonly node: string;
}

export function readPackageFacts(): PackageFacts {
  const facts = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
    readonly version: string;
    readonly engines: { readonly node: string };
  };
  return { version: facts.version, node: facts.engines.node.replace(/^>=/, '') };
}

/**
 * Absolute path of what comes with the package and is not compiled: `packagePath('config', 'sandbox.json')`.
 * Sources run from `src/`, what was built from `dist/src/`: the folder with `package.json` is the same for both.
 */
export function packagePath(...names: readonly string[]): string {
  const manifest = findPackageJSON(import.meta.url);
  if (manifest === undefined) throw new Error(`no package.json above ${import.meta.url}`);
  return join(dirname(manifest), ...names);
}
