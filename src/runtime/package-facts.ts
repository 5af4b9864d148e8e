/** Facts from `package.json`, and paths of the package's files. */
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** @returns the version of the runner, and the lowest version of Node, such as `24.5`. */
export function readPackageFacts(): { readonly version: string; readonly node: string } {
  const facts = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
    readonly version: string;
    readonly engines: { readonly node: string };
  };
  return { version: facts.version, node: facts.engines.node.replace(/^>=/, '') };
}

/**
 * Absolute path of a file in the package: `packagePath('config', 'sandbox.json')`. The folder of `package.json` is the same
 * for sources in `src/` and compiled code in `dist/src/`.
 */
export function packagePath(...names: readonly string[]): string {
  const manifest = findPackageJSON(import.meta.url);
  if (manifest === undefined) throw new Error(`no package.json above ${import.meta.url}`);
  return join(dirname(manifest), ...names);
}
