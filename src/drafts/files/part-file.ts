/**
 * A file that arrives in parts: it is appended to a part file on the disk of its final place, and hashed as it arrives. After a
 * restart, the hash is computed again from the part file.
 */

import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { RoomWatch } from '../../fs/disk.ts';
import {
  type FileIn,
  type FolderBelow,
  findFolderBelow,
  makeFolderBelow,
  type OpenFolder,
  removeEmptyFolder,
} from '../../fs/place-file.ts';
import { describeSize } from '../../manifest/presentable.ts';
import { decideType, signatureLength } from '../../media/content-type.ts';
import { MediaError } from '../../media/errors.ts';
import { onDisk } from '../draft.ts';
import { type DraftRuntime, draftFolder, draftMediaPlace } from '../folder.ts';
import { type FileKind, notTaken } from './dropped-path.ts';
import { noteArrival } from './pace.ts';

const folderName = '.incoming';
/** Never follows a link, and never blocks on a pipe that somebody put in its place. */
const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const readingFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const readAtOnce = 1024 * 1024;
/** Pieces are collected up to this size, because each write is a trip to the disk. Bytes. */
const writtenAtOnce = 1024 * 1024;
const mostPieces = 64;

const cureOfLong = 'It changed during upload, or is too large. Add it again.';

interface Hashed {
  readonly hash: Hash;
  readonly bytes: number;
}

/** Hashes of the bytes received, by path of the part file. */
const hashes = new LRUCache<string, Hashed>({ max: 1000 });

/** An upload. */
export interface Upload {
  readonly draft: string;
  readonly id: string;
  readonly kind: FileKind;
}

interface Arriving extends Upload {
  /** Path as in the record, for messages and for its extension. */
  readonly path: string;
}

/** Path of the bytes of an incomplete upload, on the disk of its final place. */
export function partPath(runtime: DraftRuntime, upload: Upload): string {
  const { root, below } = placeOfParts(runtime, upload);
  return join(root, below, nameOf(upload));
}

function nameOf({ id }: Pick<Upload, 'id'>): string {
  return `${id}.part`;
}

function placeOfParts(runtime: DraftRuntime, { draft, kind }: Omit<Upload, 'id'>): FolderBelow {
  if (kind === 'sheet') return { root: draftFolder(runtime, draft), below: folderName };
  const { root, below } = draftMediaPlace(runtime, draft);
  return { root, below: `${below}/${folderName}` };
}

export async function arrivedBytes(path: string): Promise<number> {
  const hashed = hashes.get(path);
  if (hashed !== undefined) return hashed.bytes;
  return (await lstat(path).catch(() => undefined))?.size ?? 0;
}

/** Bytes received of a draft's files, by id. Files without any are left out, because there may be very many. */
export async function arrivedOf(
  runtime: DraftRuntime,
  draft: string,
  files: Iterable<Omit<Upload, 'draft'>>,
): Promise<ReadonlyMap<string, number>> {
  const begun = new Set<string>();
  for (const kind of ['sheet', 'media'] as const) {
    const { root, below } = placeOfParts(runtime, { draft, kind });
    for (const name of await readdir(join(root, below)).catch(() => [])) begun.add(name);
  }
  const arrived = new Map<string, number>();
  for (const file of files)
    if (begun.has(nameOf(file)))
      arrived.set(file.id, await arrivedBytes(partPath(runtime, { ...file, draft })));
  return arrived;
}

export async function removePart(runtime: DraftRuntime, upload: Upload): Promise<void> {
  hashes.delete(partPath(runtime, upload));
  await using folder = await findFolderBelow(placeOfParts(runtime, upload));
  if (folder !== undefined) await unlink(folder.at(nameOf(upload))).catch(() => undefined);
}

/** Opens the bytes received of an upload, to read them. @returns undefined if there are none. */
export async function openArrived(runtime: DraftRuntime, upload: Upload): Promise<FileHandle | undefined> {
  await using folder = await findFolderBelow(placeOfParts(runtime, upload));
  return folder && (await open(folder.at(nameOf(upload)), readingFlags).catch(() => undefined));
}

/** Removes the part files of a draft, including those left behind by a crash. Removes only files with our names. */
export async function removeParts(runtime: DraftRuntime, draft: string): Promise<void> {
  for (const kind of ['sheet', 'media'] as const) {
    const place = placeOfParts(runtime, { draft, kind });
    await using folder = await findFolderBelow(place);
    if (folder === undefined) continue;
    for (const name of await readdir(folder.at(''))) {
      if (!/^[0-9a-f]{32}\.part$/.test(name)) continue;
      hashes.delete(join(place.root, place.below, name));
      await unlink(folder.at(name)).catch(() => undefined);
    }
    await removeEmptyFolder(place);
  }
}

/** An open part file. */
export class PartFile implements AsyncDisposable, FileIn {
  readonly path: string;
  readonly name: string;
  readonly folder: OpenFolder;
  readonly handle: FileHandle;
  readonly #opened: AsyncDisposable;
  readonly #runtime: DraftRuntime;
  readonly #arriving: Arriving;
  readonly #room: RoomWatch;
  #hash: Hash;
  #bytes: number;

  private constructor(
    runtime: DraftRuntime,
    arriving: Arriving,
    { hash, bytes, ...file }: Hashed & FileIn & { readonly opened: AsyncDisposable },
  ) {
    this.#runtime = runtime;
    this.#arriving = arriving;
    this.path = partPath(runtime, arriving);
    this.#room = new RoomWatch(dirname(this.path), runtime.freeBytes);
    this.name = file.name;
    this.folder = file.folder;
    this.handle = file.handle;
    this.#opened = file.opened;
    this.#hash = hash;
    this.#bytes = bytes;
  }

  /** Opens the file, or creates it. @throws {UseCaseError} `draft_not_stored`. */
  static async open(runtime: DraftRuntime, arriving: Arriving): Promise<PartFile> {
    const path = partPath(runtime, arriving);
    const name = nameOf(arriving);
    return onDisk(async () => {
      await using opened = new AsyncDisposableStack();
      const folder = opened.use(await makeFolderBelow(placeOfParts(runtime, arriving)));
      const handle = opened.use(await open(folder.at(name), flags, 0o644));
      const stats = await handle.stat();
      const isOurs = stats.isFile() && (await folder.holds(handle, name));
      if (!isOurs) throw new Error('something else is where the upload belongs');
      const known = hashes.get(path);
      const isKnown = known !== undefined && known.bytes <= stats.size;
      if (!isKnown) hashes.delete(path);
      const hashed = isKnown ? known : await hashOf(handle, stats.size);
      // Cuts off bytes of an interrupted write, which were not counted.
      if (stats.size > hashed.bytes) await handle.truncate(hashed.bytes);
      return new PartFile(runtime, arriving, { ...hashed, name, folder, handle, opened: opened.move() });
    });
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Discards the bytes received. @throws {UseCaseError} `draft_not_stored`. */
  async restart(): Promise<void> {
    if (this.#bytes === 0) return;
    await onDisk(() => this.handle.truncate(0));
    this.#hash = createHash('sha256');
    this.#bytes = 0;
    hashes.delete(this.path);
  }

  /** SHA-256 in lowercase hex. Call it only once, when the file is complete. */
  digest(): string {
    hashes.delete(this.path);
    return this.#hash.digest('hex');
  }

  /**
   * Appends a stream. Bytes received before an error are written, and count.
   * @param limit bytes of the whole file.
   * @throws {UseCaseError} `draft_not_stored`; `upload_refused` beyond the limit, or if the first bytes are not those of an
   *   image or video; errors of the stream.
   */
  async append(stream: AsyncIterable<Buffer>, limit: number): Promise<void> {
    let left = limit - this.#bytes;
    let pieces: Buffer[] = [];
    let bytes = 0;
    // Collects the next pieces while the previous ones are written.
    let writing = Promise.resolve();
    try {
      for await (const chunk of stream) {
        left -= chunk.length;
        if (left < 0)
          throw notTaken(this.#arriving.path, `it is over the limit of ${describeSize(limit)}`, cureOfLong);
        pieces.push(chunk);
        bytes += chunk.length;
        if (bytes < writtenAtOnce && pieces.length < mostPieces) continue;
        await writing;
        writing = this.#write(pieces, bytes);
        writing.catch(() => undefined);
        pieces = [];
        bytes = 0;
      }
    } finally {
      await writing;
      if (bytes > 0) await this.#write(pieces, bytes);
    }
  }

  /** Refuses a file whose bytes do not match its name. @throws {UseCaseError} `upload_refused`. */
  async checkType(): Promise<void> {
    const { kind, path } = this.#arriving;
    if (kind === 'sheet') return;
    const start = Buffer.alloc(Math.min(signatureLength, this.#bytes));
    await this.handle.read(start, 0, start.length, 0);
    try {
      decideType(path, start, path);
    } catch (error) {
      if (!(error instanceof MediaError)) throw error;
      const { message, cure } = error;
      throw notTaken(path, `${message.charAt(0).toLowerCase()}${message.slice(1)}`.replace(/\.$/, ''), cure);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened[Symbol.asyncDispose]();
  }

  /** Writes pieces. Counts their bytes only when all are written. */
  async #write(pieces: readonly Buffer[], bytes: number): Promise<void> {
    const before = this.#bytes;
    await onDisk(() => this.#room.take(bytes));
    const writing = this.#writeAt(pieces, bytes, before);
    writing.catch(() => undefined);
    for (const piece of pieces) this.#hash.update(piece);
    await onDisk(() => writing).catch((error: unknown) => {
      // The hash is ahead of the file now, so it must be computed again from the file.
      hashes.delete(this.path);
      throw error;
    });
    this.#bytes += bytes;
    hashes.set(this.path, { hash: this.#hash, bytes: this.#bytes });
    noteArrival(this.#arriving.draft, bytes, this.#runtime.now());
    if (before < signatureLength && this.#bytes >= signatureLength) await this.checkType();
  }

  async #writeAt(pieces: readonly Buffer[], bytes: number, at: number): Promise<void> {
    let { bytesWritten: written } = await this.handle.writev(pieces, at);
    if (written === bytes) return;
    // A nearly full disk may write only a part.
    const all = Buffer.concat(pieces);
    while (written < bytes) {
      written += (await this.handle.write(all, written, bytes - written, at + written)).bytesWritten;
    }
  }
}

async function hashOf(handle: FileHandle, size: number): Promise<Hashed> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(Math.min(readAtOnce, size));
  let bytes = 0;
  while (bytes < size) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, size - bytes), bytes);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    bytes += bytesRead;
  }
  return { hash, bytes };
}
