/** The files that pages load: one stylesheet, the font, the scripts, the logo. Their URLs contain a hash of their content. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';

interface Asset {
  readonly type: string;
  readonly body: Buffer;
  /** The body as browsers get it, by its coding; made when one asks for it first. */
  readonly compressed: Map<Coding, Buffer>;
}

/** The smaller one first. */
const codings = ['br', 'gzip'] as const;
type Coding = (typeof codings)[number];

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) };
/** A third of the time of the best, and 2 % larger. Each file is compressed once. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };

export type AssetName = keyof typeof sources;
/** The address of a file, with the base path of the console. */
export type FileAddress = (name: AssetName) => string;

const css = 'text/css; charset=utf-8';
const font = 'font/woff2';
const script = 'text/javascript; charset=utf-8';

const installed = createRequire(import.meta.url);

function ours(path: string): Buffer {
  return readFileSync(new URL(path, import.meta.url));
}

/** Without indents, and without comments that have lines of their own: they are a fifth of what browsers would load. */
function terse(path: string): Buffer {
  let isComment = false;
  const lines = ours(path)
    .toString()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => {
      const isPart = isComment || line.startsWith('/*') || line.startsWith('//');
      isComment = (isComment || line.startsWith('/*')) && !line.endsWith('*/');
      return !isPart && line !== '';
    });
  return Buffer.from(lines.join('\n'));
}

function fromPackage(specifier: string): Buffer {
  return readFileSync(installed.resolve(specifier));
}

/** Layers of the stylesheet, the weakest first: a later one wins, whatever its selectors. Each is a file, or a folder of files in any order. */
const layers = ['tokens', 'elements', 'parts', 'pages'] as const;

function stylesheet(): Buffer {
  const files = readdirSync(new URL('./styles/', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.css'))
    .sort();
  const sheets = layers.map((layer) => {
    const own = files.filter((file) => file.startsWith(layer)).map((file) => terse(`./styles/${file}`));
    return `@layer ${layer} {\n${own.join('\n')}\n}\n`;
  });
  return Buffer.from(sheets.join(''));
}

function client(name: string) {
  return { type: script, read: () => terse(`./client/${name}.js`), namesOthers: true } as const;
}

/** A stylesheet, and a module, names files that stand before it. */
const sources = {
  // Its Latin letters, of any weight. Other scripts use the fonts of the system.
  'inter.woff2': {
    type: font,
    read: () => fromPackage('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  },
  'console.css': { type: css, read: stylesheet, namesOthers: true },
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
  'tus.js': { type: script, read: () => fromPackage('tus-js-client/dist/tus.min.js') },
  'pictures.js': client('pictures'),
  'plots.js': client('plots'),
  'page.js': client('page'),
  'live.js': client('live'),
  'asks.js': client('asks'),
  'draft.js': client('draft'),
  'sheet.js': client('sheet'),
  'calendar.js': client('calendar'),
  'review.js': client('review'),
  'approvals.js': client('approvals'),
  'uploads.js': client('uploads'),
  'comes-back.js': client('comes-back'),
  'shared.js': client('shared'),
  'mark.svg': { type: 'image/svg+xml', read: () => ours('./mark.svg') },
  'mark-waiting.svg': { type: 'image/svg+xml', read: () => ours('./mark-waiting.svg') },
} as const;

/** A year, because the content under a URL never changes. */
const cacheControl = 'public, max-age=31536000, immutable';

export class Assets {
  /** By path below the folder of the assets. */
  readonly #byPath = new Map<string, Asset>();
  readonly #paths = new Map<string, string>();

  constructor() {
    for (const [name, { type, read, ...more }] of Object.entries(sources)) {
      const body = 'namesOthers' in more ? this.#withPaths(read()) : read();
      const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12);
      const path = `/assets/${hash}/${name}`;
      this.#byPath.set(path, { type, body, compressed: new Map() });
      this.#paths.set(name, path);
    }
  }

  path(name: AssetName): string {
    return this.#paths.get(name) ?? '';
  }

  /** Puts paths in the place of the files' names. They are relative, because the console may have a base path. */
  #withPaths(file: Buffer): Buffer {
    return Buffer.from(
      file.toString().replaceAll(/(url\("|'\.\/)([\w.-]+)(?=["'])/g, (_all, before: string, name: string) => {
        const path = this.#paths.get(name);
        if (path === undefined) throw new Error(`a file names ${name}, which is no asset before it`);
        return before.replace('./', '') + path.replace('/assets/', '../');
      }),
    );
  }

  handler(): RequestHandler {
    return async (request, response, next) => {
      const asset = this.#byPath.get(request.path);
      if (asset === undefined) {
        next();
        return;
      }
      response.set({
        'content-type': asset.type,
        'cache-control': cacheControl,
        'x-content-type-options': 'nosniff',
      });
      await sendSmallest(request, response, asset);
    };
  }
}

async function sendSmallest(request: Request, response: Response, asset: Asset): Promise<void> {
  // The font is compressed.
  const coding =
    asset.type === font ? undefined : codings.find((each) => request.acceptsEncodings(each) === each);
  if (asset.type !== font) response.vary('accept-encoding');
  if (coding === undefined) return void response.send(asset.body);
  const small = asset.compressed.get(coding) ?? (await compressFirst(asset, coding));
  response.set('content-encoding', coding).send(small);
}

/** The first browser does not wait for the best; the next ones get it. */
async function compressFirst({ body, compressed }: Asset, coding: Coding): Promise<Buffer> {
  const small = coding === 'br' ? await compress.br(body, quality) : await compress.gzip(body);
  if (compressed.has(coding)) return small;
  compressed.set(coding, small);
  if (coding === 'br') void compress.br(body).then((best) => compressed.set('br', best));
  return small;
}
