/** Opens a manifest: a file, or a pipe or rows of a program, which are stored in a file because a manifest is read more than once. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { StoredTooMuchError } from '../../../ledger/imports/stored-bytes.ts';
import { asFileName } from '../../../manifest/campaign-name.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type PipeOptions, sheetTooLarge, storePipe } from './piped-manifest.ts';

/** The argument that stands for standard input. */
export const standardInput = '-';

/** A manifest whose bytes are in a file. */
export interface ManifestFile {
  /** As given by the user; for rows of a program, their name. */
  readonly file: string;
  /** Where its bytes are: `file`, or the stored bytes of a pipe or of rows. */
  readonly path: string;
  /** File name without the extension, used for names of campaigns and sheets. */
  readonly name: string;
  /** Absolute path of its folder, for a pipe and for rows the current one: media are relative to it unless another folder is given. */
  readonly folder: string;
}

/** An open manifest. Dispose of it at the end (`await using`). */
export interface OpenManifest extends ManifestFile, AsyncDisposable {}

/** Size of its file; 0 if it is gone, which the check reports. */
export async function fileBytesOf({ path }: Pick<ManifestFile, 'path'>): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Tells people that the rows of a sheet take too much; any other error stays as it is. */
export function storedTooMuch(error: unknown): unknown {
  if (!(error instanceof StoredTooMuchError)) return error;
  return new UseCaseError('manifest_unreadable', `the sheet cannot be imported: ${error.message}`, {
    cure: 'Nothing was imported. Split the sheet, or ask an operator for more memory for Redis.',
    cause: error,
  });
}

/** @returns the file name without its extension; `stdin` for standard input. */
export function manifestName(file: string): string {
  return file === standardInput ? 'stdin' : basename(file, extname(file));
}

/** Options of `openManifest`. */
export interface OpenManifestOptions extends Partial<PipeOptions> {
  /** Name of rows of a program, and of their campaign unless another is given; default: `rows`. */
  readonly name?: string | undefined;
  /** Standard input; undefined when nothing is piped in. */
  readonly input?: Readable | undefined;
}

/**
 * Opens a manifest: a file, or rows of a program. The bytes of a pipe and rows are written to a file in the temporary folder, which
 * is removed when the value is disposed. The same rows are the same manifest.
 * @param source path of a file, `-` for `options.input`, or rows: objects with the names of columns.
 * @throws {UseCaseError} `manifest_unreadable` for a device, an empty terminal, a manifest that is too large or cannot be kept, or a
 *   value of a row that no cell can hold.
 */
export async function openManifest(
  { settings }: Pick<Runtime, 'settings'>,
  source: string | ManifestRows,
  { maxBytes = settings.manifest.maxBytes, name = 'rows', ...given }: OpenManifestOptions = {},
): Promise<OpenManifest> {
  const options = { ...given, maxBytes };
  if (typeof source !== 'string') {
    const rows = new RowsReading(source);
    const pipe = Readable.from(rows.bytes(), { objectMode: false });
    return storeBytes({ file: name, name: asFileName(name), called: name }, pipe, options).catch(
      (error: unknown) => rows.rethrow(error),
    );
  }
  const pipe = await openPipe(source, options);
  const file = { file: source, name: manifestName(source) };
  if (pipe !== null) {
    const called = source === standardInput ? 'standard input' : source;
    return storeBytes({ ...file, called }, pipe, options);
  }
  const folder = resolve(dirname(source));
  return {
    ...file,
    path: source,
    folder,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** @param called name of the bytes in messages. */
async function storeBytes(
  { called, ...names }: Pick<ManifestFile, 'file' | 'name'> & { readonly called: string },
  pipe: Readable,
  options: PipeOptions,
): Promise<OpenManifest> {
  const { path, remove } = await storePipe(pipe, { ...options, name: called });
  return { ...names, path, folder: resolve('.'), [Symbol.asyncDispose]: async () => remove() };
}

/** @returns `null` for a regular file, which can be read repeatedly, or a missing one. */
async function openPipe(
  file: string,
  { input, maxBytes }: PipeOptions & Pick<OpenManifestOptions, 'input'>,
): Promise<Readable | null> {
  if (file === standardInput) {
    if (input) return input;
    throw new UseCaseError('manifest_unreadable', 'there is nothing on standard input', {
      cure: 'Pipe the sheet in, or give a file.',
    });
  }
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() && found.size > maxBytes) throw sheetTooLarge(file, maxBytes);
  if (found === undefined || found.isFile() || found.isDirectory()) return null;
  if (found.isFIFO() || found.isSocket()) return createReadStream(file);
  throw new UseCaseError('manifest_unreadable', `${file}: this is a device; give a file`);
}

/** A value of a row. A list is for columns that take one, such as `media`; nothing is an empty cell. */
export type ManifestValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | undefined
  | readonly (string | number | bigint)[];

/** A row of a program, by the names of columns: `{ creator: 'demo_anna', media: 'mug.mp4', ... }`. */
export type ManifestRow = Readonly<Record<string, ManifestValue>>;

/** Rows of a program: an array, or any other iterable, which is read once. */
export type ManifestRows = Iterable<ManifestRow> | AsyncIterable<ManifestRow>;

/** Rows are joined to pieces of about this many characters. */
const pieceLength = 64 * 1024;

/** One pass over rows. */
export class RowsReading {
  readonly #rows: ManifestRows;
  /** What the rows, not their storage, failed with. */
  #failure: { readonly error: unknown } | undefined;

  constructor(rows: ManifestRows) {
    this.#rows = rows;
  }

  async *bytes(): AsyncGenerator<Buffer> {
    try {
      yield* this.#pieces();
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  /** Throws the error of the rows, if it was theirs, else this one. */
  rethrow(error: unknown): never {
    throw this.#failure ? this.#failure.error : error;
  }

  async *#pieces(): AsyncGenerator<Buffer> {
    let number = 0;
    let piece = '[';
    for await (const row of this.#rows) {
      number += 1;
      piece += `${number === 1 ? '' : ','}${lineOf(row, number)}\n`;
      if (piece.length < pieceLength) continue;
      yield Buffer.from(piece);
      piece = '';
    }
    yield Buffer.from(`${piece}]`);
  }
}

function lineOf(row: ManifestRow, number: number): string {
  // A program without types may send anything.
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    throw new UseCaseError('manifest_unreadable', `row ${number} is no object of cells`, {
      cure: "Give each row as an object: { creator: 'anna', media: 'mug.mp4', ... }.",
    });
  }
  const cells = Object.entries(row).map(([name, value]) => {
    if (Array.isArray(value)) return [name, value.map((one) => cellOf(one, name, number))];
    return [name, cellOf(value, name, number)];
  });
  return JSON.stringify(Object.fromEntries(cells));
}

/** JSON writes an invalid time or number as nothing, and a row without a time is posted at once: such values are refused. */
function cellOf(value: unknown, name: string, number: number): unknown {
  if (typeof value === 'bigint') return String(value);
  const isInvalid = value instanceof Date ? Number.isNaN(value.getTime()) : Number.isNaN(value);
  if (!isInvalid && value !== Number.POSITIVE_INFINITY && value !== Number.NEGATIVE_INFINITY) return value;
  throw new UseCaseError(
    'manifest_unreadable',
    `row ${number}: ${name} is an invalid ${value instanceof Date ? 'time' : 'number'}`,
    {
      cure: 'Give a valid value, or leave it out.',
    },
  );
}
