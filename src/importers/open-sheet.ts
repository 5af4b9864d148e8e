/** Opens a manifest: finds what it is by its bytes, not by its name, and reads its header. */
import { createHash, type Hash } from 'node:crypto';
import { type HeaderOptions, isListHeader } from '../manifest/header.ts';
import { readCsv } from './csv.ts';
import { findEncoding } from './find-encoding.ts';
import { findFormat, refuseForeignFormats } from './format.ts';
import { openJson } from './json.ts';
import { type SheetFormat, type SheetHeader, type SheetOptions, type SheetRow, unreadable } from './sheet.ts';
import type { ManifestSource } from './source.ts';

/** A manifest that is open: its header is read, its rows follow. */
export interface OpenSheet {
  /** What it was taken for. */
  readonly format: SheetFormat;
  /** What the file itself calls the campaign. */
  readonly name?: string | undefined;
  readonly header: SheetHeader;
  /** What the names of the header are called in problems. */
  readonly called: HeaderOptions['called'];
  /** In batches of the size that they happen to arrive in; to be read once. */
  readonly rows: AsyncIterable<readonly SheetRow[]>;
  /** SHA-256 of the bytes in lowercase hex; to be asked for once all rows are read. */
  digest(): string;
}

/** Enough of the file to tell its format and its separator from. */
const headBytes = 64 * 1024;

/**
 * Opens a manifest and reads its header.
 * @throws {UnreadableSheetError} where the bytes are in no format that can be read, or are none at all.
 */
export async function openSheet(source: ManifestSource, options: SheetOptions = {}): Promise<OpenSheet> {
  const head = await readHead(source);
  // Workbooks go from here to a reader of their own, by `source.path`, where `isZip(head)`.
  refuseForeignFormats(head);
  const { delimiter, encoding = await findEncoding(source, head) } = options;
  const text = new TextDecoder(encoding).decode(head, { stream: true });
  const format = findFormat(text, { encoding, delimiter });
  return format.kind === 'csv' ? openCsvSheet(source, format) : openJsonSheet(source, format, options);
}

async function openCsvSheet(
  source: ManifestSource,
  format: SheetFormat & { readonly kind: 'csv' },
): Promise<OpenSheet> {
  const hash = createHash('sha256');
  const rows = flatten(readCsv(piecesOf(source, hash), format));
  const first = await rows.next();
  if (first.done) {
    throw unreadable(
      1,
      'empty_file',
      'the file is empty',
      'Give a CSV or JSON file with a row for each post.',
    );
  }
  const [header, ...others] = first.value;
  return {
    format,
    header: header as SheetRow,
    called: 'header',
    rows: prepend(others, rows),
    digest: () => hash.digest('hex'),
  };
}

async function openJsonSheet(
  source: ManifestSource,
  { kind, encoding }: SheetFormat & { readonly kind: 'json' | 'jsonl' },
  { map }: SheetOptions,
): Promise<OpenSheet> {
  const hash = createHash('sha256');
  const lists = new Map<string, boolean>();
  const isList = (name: string) => {
    const known = lists.get(name) ?? isListHeader(name, map);
    if (lists.size < maxNamesKept) lists.set(name, known);
    return known;
  };
  const { header, name, rows } = await openJson(piecesOf(source), { kind, encoding, isList });
  return {
    format: { kind, encoding },
    name,
    header,
    called: 'key',
    rows: rows(piecesOf(source, hash)),
    digest: () => hash.digest('hex'),
  };
}

/** As many as rows may have different keys, and more. */
const maxNamesKept = 2000;

async function readHead(source: ManifestSource): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const bytes of source.bytes()) {
    pieces.push(Buffer.from(bytes));
    length += bytes.length;
    if (length >= headBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, headBytes);
}

async function* piecesOf(source: ManifestSource, hash?: Hash): AsyncGenerator<Buffer> {
  for await (const piece of source.bytes()) {
    hash?.update(piece);
    yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  }
}

/** Without empty batches, so that the first holds the header. */
async function* flatten(
  batches: AsyncIterable<readonly SheetRow[]>,
): AsyncGenerator<readonly SheetRow[], undefined> {
  for await (const batch of batches) if (batch.length > 0) yield batch;
}

async function* prepend(
  first: readonly SheetRow[],
  rest: AsyncIterable<readonly SheetRow[]>,
): AsyncGenerator<readonly SheetRow[]> {
  if (first.length > 0) yield first;
  yield* rest;
}
