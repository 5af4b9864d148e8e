/**
 * Disk space for media fetched from URLs: a folder with one file per download, under a common quota.
 *
 * 1. A download claims bytes as they arrive, before it writes them, and releases them with its file. What a server announces claims
 *    nothing: it may never come.
 * 2. Other processes that share the folder, and other spools of this one, count by the sizes of their files.
 * 3. Opening the spool removes the files of killed processes. Files are read by their open handle, so a file removed by mistake stays
 *    readable to its owner.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { MediaError } from './errors.ts';

/** Longer than any download can last, on any machine. */
const oldestMs = 24 * 60 * 60 * 1000;
const suffix = '.part';
/** Milliseconds for which a count of the others' files holds. */
const countedForMs = 1000;

interface SpoolOptions {
  readonly directory: string;
  /** Limit for all downloads together, in bytes. */
  readonly quotaBytes: number;
  /** Unix epoch, milliseconds. */
  readonly now?: () => number;
}

export async function openSpool({ directory, quotaBytes, now = Date.now }: SpoolOptions): Promise<Spool> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const name of await readdir(directory)) {
    if (name.endsWith(suffix) && (await isLeftOver(directory, name, now()))) {
      await rm(join(directory, name), { force: true });
    }
  }
  return new Spool(directory, quotaBytes, now);
}

export class Spool {
  readonly #directory: string;
  readonly #quotaBytes: number;
  readonly #prefix = `${ownPrefix()}${randomUUID()}~`;
  readonly #now: () => number;
  #claimed = 0;
  #others: { readonly at: number; readonly bytes: Promise<number> } | undefined;

  constructor(directory: string, quotaBytes: number, now: () => number) {
    this.#directory = directory;
    this.#quotaBytes = quotaBytes;
    this.#now = now;
  }

  /** Creates a file. Dispose of it to remove it. @param subject the URL, for errors. */
  async create(subject: string): Promise<SpoolFile> {
    const path = join(this.#directory, `${this.#prefix}${randomUUID()}${suffix}`);
    const handle = await open(path, 'wx+', 0o600);
    return new SpoolFile(path, handle, subject, {
      claim: async (bytes) => {
        const others = await this.#bytesOfOthers();
        // Checked and claimed in one go: other downloads claim at the same time.
        this.#requireRoom(others, bytes, subject);
        this.#claimed += bytes;
      },
      release: (bytes) => {
        this.#claimed -= bytes;
      },
    });
  }

  /** Checks that so many bytes would fit now; claims nothing. @throws {MediaError} `media_spool_full` */
  async requireFreeDisk(bytes: number, subject: string): Promise<void> {
    this.#requireRoom(await this.#bytesOfOthers(), bytes, subject);
  }

  #requireRoom(others: number, bytes: number, subject: string): void {
    if (others + this.#claimed + bytes <= this.#quotaBytes) return;
    const text = `The spool ${this.#directory} on ${hostname()} has no room for the download.`;
    throw new MediaError('media_spool_full', text, subject);
  }

  get claimedBytes(): number {
    return this.#claimed;
  }

  #bytesOfOthers(): Promise<number> {
    const at = this.#now();
    if (this.#others && at - this.#others.at < countedForMs) return this.#others.bytes;
    const bytes = this.#countOthers();
    this.#others = { at, bytes };
    return bytes;
  }

  async #countOthers(): Promise<number> {
    let sum = 0;
    for (const name of await readdir(this.#directory)) {
      if (name.startsWith(this.#prefix)) continue;
      const stats = await stat(join(this.#directory, name)).catch(() => undefined);
      sum += stats?.size ?? 0;
    }
    return sum;
  }
}

/** A file's part of the quota. */
interface Share {
  /** @throws {MediaError} `media_spool_full` */
  readonly claim: (bytes: number) => Promise<void>;
  readonly release: (bytes: number) => void;
}

export class SpoolFile implements AsyncDisposable {
  readonly path: string;
  readonly handle: FileHandle;
  readonly #subject: string;
  readonly #share: Share;
  #claimed = 0;
  #size = 0;

  constructor(path: string, handle: FileHandle, subject: string, share: Share) {
    this.path = path;
    this.handle = handle;
    this.#subject = subject;
    this.#share = share;
  }

  get size(): number {
    return this.#size;
  }

  /** Appends bytes. @throws {MediaError} `media_spool_full` if the quota or the disk is full. */
  async append(bytes: Buffer): Promise<void> {
    await this.#share.claim(bytes.length);
    this.#claimed += bytes.length;
    try {
      await this.handle.writeFile(bytes);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
      const text = `The disk of ${dirname(this.path)} on ${hostname()} is full.`;
      throw new MediaError('media_spool_full', text, this.#subject, error);
    }
    this.#size += bytes.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#share.release(this.#claimed);
    this.#claimed = 0;
    await rm(this.path, { force: true });
    await this.handle.close();
  }
}

/** A process id is unique only on its host and is reused (in a container often 1): the start time tells processes apart. */
function ownPrefix(): string {
  return `${encodeURIComponent(hostname())}~${process.pid}~${Math.floor(performance.timeOrigin)}~`;
}

async function isLeftOver(directory: string, name: string, now: number): Promise<boolean> {
  if (name.startsWith(ownPrefix())) return false;
  const [host, pid] = name.split('~');
  if (host === encodeURIComponent(hostname()) && !isAliveOther(Number(pid))) return true;
  const changed = await stat(join(directory, name)).catch(() => undefined);
  return changed !== undefined && now - changed.mtimeMs > oldestMs;
}

function isAliveOther(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
