/** The record of a draft's files: `media.jsonl`, one line per event. */

import { appendFile, open, stat } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { readStored } from '../../../ledger/stored-json.ts';
import { plainFix } from '../../../manifest/problems/hint.ts';
import type { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { sentence } from '../../../manifest/wording.ts';
import { draftNotStored, onDisk } from '../draft.ts';
import { oneAtATime } from '../exclusive.ts';
import { type DraftRuntime, draftFiles } from '../folder.ts';

/** In characters. */
const longestPath = 1000;
const longestReason = 500;
/** Most refused files that are remembered; beyond it, the oldest are forgotten. */
const mostRefused = 1000;
/** A record of this size takes no more refusals, which anybody can cause at will. Bytes; that of 10,000 media has 4 million. */
const mostWithRefusals = 8_000_000;

const text = (max: number) => z.string().max(max);

const storedSchema = z.strictObject({
  /** Of its upload. */
  id: text(50),
  /** Below the folder of the draft's media, with `/`. */
  path: text(longestPath),
  bytes: z.int().min(0),
  /** Modification time on the owner's machine: milliseconds since the epoch. */
  modifiedAt: z.int(),
  /** Of its bytes, lowercase hex. */
  sha256: text(64),
});

const entrySchema = z.strictObject({
  at: z.int(),
  by: text(200),
  stored: storedSchema.optional(),
  refused: z.strictObject({ path: text(longestPath), why: text(longestReason) }).optional(),
  /** Path of a medium that was removed. */
  removed: text(longestPath).optional(),
});

export type StoredFile = Readonly<z.infer<typeof storedSchema>>;
export type FileEntry = Readonly<z.infer<typeof entrySchema>>;

class Files {
  /** Media that are in place, by path. */
  readonly stored = new Map<string, StoredFile>();
  /** Why files were refused, by path. */
  readonly refused = new Map<string, string>();
  /** Bytes of the media that are in place. */
  bytes = 0;
  /** Rises when the media change. */
  revision = 0;
  /** Time of the last event, in milliseconds since the epoch; 0 if there is none. */
  changedAt = 0;
  size = 0;
  /** Whether a crash has torn its last line. */
  isTorn = false;

  add({ at, stored, refused, removed }: FileEntry): void {
    this.changedAt = Math.max(this.changedAt, at);
    if (refused !== undefined) {
      this.refused.delete(refused.path);
      this.refused.set(refused.path, refused.why);
      const [oldest = ''] = this.refused.keys();
      if (this.refused.size > mostRefused) this.refused.delete(oldest);
    }
    if (removed !== undefined) this.#remove(removed);
    if (stored !== undefined) {
      this.#remove(stored.path);
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

/** So that others who look at the draft see it; the same one once. @throws {UseCaseError} `draft_not_stored`. */
export async function recordRefusal(
  runtime: DraftRuntime,
  draft: string,
  { path: given, by }: { readonly path: string; readonly by: string },
  error: UseCaseError,
): Promise<void> {
  const path = given.slice(0, longestPath).toWellFormed();
  const why = reasonOf(error);
  const { refused, size } = await readFiles(runtime, draft);
  if (refused.get(path) === why || size > mostWithRefusals) return;
  await recordFiles(runtime, draft, { at: runtime.now(), by, refused: { path, why } });
}

function reasonOf({ message, fix }: Pick<UseCaseError, 'message' | 'fix'>): string {
  return [sentence(message), plainFix(fix ?? '')]
    .filter(Boolean)
    .join(' ')
    .slice(0, longestReason)
    .toWellFormed();
}

export type RecordedFiles = Readonly<Omit<Files, 'add'>>;

/** Largest record, in bytes. */
const maxBytes = 64 * 1024 * 1024;
/** Cached records, by path. Another process may add to a record, so its size is checked before use. */
const known = new LRUCache<string, Files>({ max: 20 });

/** @throws {UseCaseError} `draft_not_stored`. */
export async function readFiles(runtime: DraftRuntime, draft: string): Promise<RecordedFiles> {
  const path = draftFiles(runtime, draft).media;
  return oneAtATime(`files of ${draft}`, () => read(path));
}

/** Adds lines to the record. @throws {UseCaseError} `draft_not_stored`. */
export async function recordFiles(
  runtime: DraftRuntime,
  draft: string,
  entry: FileEntry,
): Promise<RecordedFiles> {
  const path = draftFiles(runtime, draft).media;
  return oneAtATime(`files of ${draft}`, async () => {
    const files = await read(path);
    const line = Buffer.from(`${files.isTorn ? '\n' : ''}${JSON.stringify(entry)}\n`);
    if (files.size + line.length > maxBytes) {
      throw draftNotStored(new Error('too many files were added and removed: begin with a new draft'));
    }
    // Forces a new read after an error: only a part of the line may be written.
    known.delete(path);
    // Not flushed: if the machine loses a line in a crash, its file is only sent once more.
    await onDisk(() => appendFile(path, line, { mode: 0o600 }));
    files.add(entry);
    files.size += line.length;
    files.isTorn = false;
    known.set(path, files);
    return files;
  });
}

export function forgetFiles(runtime: DraftRuntime, draft: string): void {
  known.delete(draftFiles(runtime, draft).media);
}

async function read(path: string): Promise<Files> {
  const before = known.get(path);
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  if (before !== undefined && before.size === size) return before;
  const files = new Files();
  try {
    const text = await readText(path);
    files.size = Buffer.byteLength(text);
    files.isTorn = text !== '' && !text.endsWith('\n');
    for (const line of text.split('\n')) {
      const entry = readStored(entrySchema, line);
      if (entry) files.add(entry);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw draftNotStored(error);
  }
  known.set(path, files);
  return files;
}

async function readText(path: string): Promise<string> {
  await using handle = await open(path, 'r');
  if ((await handle.stat()).size > maxBytes) throw new Error('the record of its files is too large');
  return await handle.readFile('utf8');
}
