/**
 * The record of a draft's files: `media.jsonl`, a line for each thing that happened. A file is announced before its first byte, so that
 * the record knows what is still to come, whoever looks, and after a restart.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type DraftRuntime, draftFiles, draftNotStored } from '../folder.ts';
import { oneAtATime } from '../one-at-a-time.ts';

const text = (max: number) => z.string().max(max);
const idSchema = z.string().regex(/^[0-9a-f]{32}$/);

const announcedSchema = z.strictObject({
  /** The same for the same path, size and time of change, so that a file that is dropped again goes on. */
  id: idSchema,
  kind: z.enum(['sheet', 'media']),
  /** Below the folder of the draft's media, with `/`. */
  path: text(1000),
  bytes: z.int().min(0),
  /** When the file was changed, as its owner's machine tells it: milliseconds since the epoch. */
  modifiedAt: z.int(),
});

const storedSchema = announcedSchema.omit({ kind: true }).extend({
  /** Of its bytes, lowercase hex. */
  sha256: text(64),
});

const entrySchema = z.strictObject({
  at: z.int(),
  by: text(200),
  announced: z.array(announcedSchema).optional(),
  /** A medium is in its place. */
  stored: storedSchema.optional(),
  /** No longer expected: the sheet has come, or somebody stopped the upload. */
  ended: idSchema.optional(),
  /** What came is not what was promised. */
  refused: z.strictObject({ id: idSchema, path: text(1000), why: text(500) }).optional(),
  /** Path of a medium that was removed. */
  removed: text(1000).optional(),
});

export type AnnouncedFile = Readonly<z.infer<typeof announcedSchema>>;
export type StoredFile = Readonly<z.infer<typeof storedSchema>>;
export type FileEntry = Readonly<z.infer<typeof entrySchema>>;

/** The files of a draft, by the record. */
export interface RecordedFiles {
  /** Media that are in place, by path. */
  readonly stored: ReadonlyMap<string, StoredFile>;
  /** Files that are to come, or have come in part, by id. */
  readonly announced: ReadonlyMap<string, AnnouncedFile>;
  /** Why files were refused, by path. */
  readonly refused: ReadonlyMap<string, string>;
  /** Bytes of the media that are in place. */
  readonly bytes: number;
  /** Rises when the media change. */
  readonly revision: number;
}

class Files implements RecordedFiles {
  readonly stored = new Map<string, StoredFile>();
  readonly announced = new Map<string, AnnouncedFile>();
  readonly refused = new Map<string, string>();
  bytes = 0;
  revision = 0;
  /** Bytes of the record that are read: whole lines. */
  read = 0;
  /** Size of the record. A crash may have torn its last line. */
  size = 0;

  add({ announced = [], stored, ended, refused, removed }: FileEntry): void {
    for (const file of announced) {
      this.announced.set(file.id, file);
      this.refused.delete(file.path);
    }
    if (ended !== undefined) this.announced.delete(ended);
    if (refused !== undefined) {
      this.announced.delete(refused.id);
      this.refused.set(refused.path, refused.why);
    }
    if (removed !== undefined) this.#remove(removed);
    if (stored !== undefined) {
      this.#remove(stored.path);
      this.announced.delete(stored.id);
      this.stored.set(stored.path, stored);
      this.bytes += stored.bytes;
      this.revision += 1;
    }
  }

  #remove(path: string): void {
    this.refused.delete(path);
    const file = this.stored.get(path);
    if (file === undefined) return;
    this.stored.delete(path);
    this.bytes -= file.bytes;
    this.revision += 1;
  }
}

/** Largest record, in bytes. */
const maxBytes = 64 * 1024 * 1024;
/** Records that are kept in memory, by path. */
const known = new LRUCache<string, Files>({ max: 20 });

/** @throws {UseCaseError} `draft_not_stored`. */
export async function readFiles(runtime: DraftRuntime, draft: string): Promise<RecordedFiles> {
  return oneAtATime(`files of ${draft}`, () => catchUp(runtime, draft));
}

/** Adds lines to the record. @throws {UseCaseError} `draft_not_stored`. */
export async function recordFiles(
  runtime: DraftRuntime,
  draft: string,
  entry: FileEntry,
): Promise<RecordedFiles> {
  return oneAtATime(`files of ${draft}`, async () => {
    const files = await catchUp(runtime, draft);
    const line = Buffer.from(`${files.size > files.read ? '\n' : ''}${JSON.stringify(entry)}\n`);
    if (files.size + line.length > maxBytes) {
      throw draftNotStored(new Error('too many files came and went: begin with a new draft'));
    }
    try {
      await using handle = await open(draftFiles(runtime, draft).media, 'a', 0o600);
      await handle.writeFile(line);
      // A line that a crash takes back does no harm: its file is still announced, and is sent once more.
      if (entry.announced !== undefined) await handle.sync();
    } catch (error) {
      // What of the line is written shows at the next reading.
      throw draftNotStored(error);
    }
    return catchUp(runtime, draft);
  });
}

/** Reads what was added since the last time. */
async function catchUp(runtime: DraftRuntime, draft: string): Promise<Files> {
  const path = draftFiles(runtime, draft).media;
  let files = known.get(path) ?? new Files();
  try {
    await using handle = await open(path, 'r');
    const { size } = await handle.stat();
    if (size < files.read) files = new Files();
    if (size > maxBytes + 1) throw new Error('the record of its files is too large');
    files.size = size;
    const added = await readFrom(handle, files.read, size);
    const end = added.lastIndexOf(0x0a) + 1;
    for (const line of added.toString('utf8', 0, end).split('\n')) {
      const entry = entrySchema.safeParse(parse(line));
      if (entry.success) files.add(entry.data);
    }
    files.read += end;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw draftNotStored(error);
    files = new Files();
  }
  known.set(path, files);
  return files;
}

async function readFrom(handle: FileHandle, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.alloc(to - from);
  let read = 0;
  while (read < bytes.length) {
    const { bytesRead } = await handle.read(bytes, read, bytes.length - read, from + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
