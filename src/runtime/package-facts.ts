/** What the package says of itself. */
import { readFileSync } from 'node:fs';

export interface PackageFacts {
  /** Of the runner. */
  readonly version: string;
  /** The lowest version of Node, as `22.19`. */
  readonly node: string;
}

export function readPackageFacts(): PackageFacts {
  const file = new URL('../../package.json', import.meta.url);
  const facts = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly version: string;
    readonly engines: { readonly node: string };
  };
  return { version: facts.version, node: facts.engines.node.replace(/^>=/, '') };
}
