/** The files that pages load: one stylesheet, the scripts, the logo. Their URLs contain a hash of their content. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { RequestHandler } from 'express';

interface Asset {
  readonly name: string;
  readonly type: string;
  readonly body: Buffer;
}

export type AssetName = keyof typeof sources;

const css = 'text/css; charset=utf-8';
const script = 'text/javascript; charset=utf-8';

const installed = createRequire(import.meta.url);

function ours(path: string): Buffer {
  return readFileSync(new URL(path, import.meta.url));
}

function fromPackage(specifier: string): Buffer {
  return readFileSync(installed.resolve(specifier));
}

const styles = [
  'tokens',
  'elements',
  'layout',
  'components',
  'pages',
  'campaigns',
  'campaign',
  'pictures',
  'adapt',
] as const;

const sources = {
  'console.css': {
    type: css,
    read: () =>
      Buffer.concat([
        fromPackage('uplot/dist/uPlot.min.css'),
        ...styles.map((name) => ours(`./styles/${name}.css`)),
      ]),
  },
  // Bundled into one file: htmx may start between two files, and would never open streams of an extension that it does not know yet.
  'htmx.js': {
    type: script,
    read: () =>
      Buffer.concat([
        fromPackage('htmx.org/dist/htmx.min.js'),
        Buffer.from('\n;'),
        fromPackage('htmx.org/dist/ext/hx-sse.min.js'),
      ]),
  },
  'uplot.js': { type: script, read: () => fromPackage('uplot/dist/uPlot.iife.min.js') },
  'console.js': { type: script, read: () => ours('./client/console.js') },
  'plots.js': { type: script, read: () => ours('./client/plots.js') },
  'pictures.js': { type: script, read: () => ours('./client/pictures.js') },
  'comes-back.js': { type: script, read: () => ours('./client/comes-back.js') },
  'uploads.js': { type: script, read: () => ours('./client/uploads.js') },
  'mark.svg': { type: 'image/svg+xml', read: () => ours('./mark.svg') },
} as const;

/** A year, because the content under a URL never changes. */
const cacheControl = 'public, max-age=31536000, immutable';

export class Assets {
  /** By path below the folder of the assets. */
  readonly #byPath = new Map<string, Asset>();
  readonly #paths = new Map<string, string>();

  constructor() {
    for (const [name, { type, read }] of Object.entries(sources)) {
      const body = read();
      const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12);
      const path = `/assets/${hash}/${name}`;
      this.#byPath.set(path, { name, type, body });
      this.#paths.set(name, path);
    }
  }

  /** Path of a file within the console. */
  path(name: AssetName): string {
    return this.#paths.get(name) ?? '';
  }

  handler(): RequestHandler {
    return (request, response, next) => {
      const asset = this.#byPath.get(request.path);
      if (asset === undefined) {
        next();
        return;
      }
      response.set({ 'content-type': asset.type, 'cache-control': cacheControl }).send(asset.body);
    };
  }
}
