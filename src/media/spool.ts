/**
 * Disk for media that is fetched from URLs: a folder with one file per download, together under a quota.
 *
 * 1. A download claims bytes before it writes them, and gives them back when its file is dropped.
 * 2. Other processes that share the folder are counted by the sizes of their files.
 * 3. What killed processes left is removed when the spool is opened. Files are read by their open handle: one that is
 *    removed by mistake stays whole for who has it open.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { MediaError } from './errors.ts';

/** Older than any download may last, whatever machine it belongs to. */
const oldestMs = 24 * 60 * 60 * 1000;
const suffix = '.part';

export interface SpoolOptions {
  readonly directory: string;
  /** Bytes that all downloads together may take. */
  readonly quotaBytes: number;
  /** Unix epoch, milliseconds. */
  readonly now?: () => number;
}

/** Opens the spool, and clears it of what killed processes left. */
export async function openSpool({ directory, quotaBytes, now = Date.now }: SpoolOptions): Promise<Spool> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const name of await readdir(directory)) {
    if (name.endsWith(suffix) && (await isLeftOver(directory, name, now()))) {
      await rm(join(directory, name), { force: true });
    }
  }
  return new Spool(directory, quotaBytes);
}

export class Spool {
  readonly #directory: string;
  readonly #quotaBytes: number;
  readonly #prefix = ownPrefix();
  /** Bytes claimed by this process. */
  #claimed = 0;

  constructor(directory: string, quotaBytes: number) {
    this.#directory = directory;
    this.#quotaBytes = quotaBytes;
  }

  /** Begins a file. Dispose of it to remove it. @param subject the URL, for errors. */
  async create(subject: string): Promise<SpoolFile> {
    const others = await this.#bytesOfOthers();
    const path = join(this.#directory, `${this.#prefix}${randomUUID()}${suffix}`);
    const handle = await open(path, 'wx+', 0o600);
    const claim = (bytes: number): void => {
      if (bytes > 0 && others + this.#claimed + bytes > this.#quotaBytes) {
        throw new MediaError('media_spool_full', 'There is no room for the download (media.spool).', subject);
      }
      this.#claimed += bytes;
    };
    return new SpoolFile(path, handle, subject, claim);
  }

  /** Bytes that the downloads of this process take or have claimed. */
  get claimedBytes(): number {
    return this.#claimed;
  }

  async #bytesOfOthers(): Promise<number> {
    let sum = 0;
    for (const name of await readdir(this.#directory)) {
      if (!name.startsWith(this.#prefix)) sum += (await sizeOf(join(this.#directory, name))) ?? 0;
    }
    return sum;
  }
}

export class SpoolFile implements AsyncDisposable {
  readonly path: string;
  readonly handle: FileHandle;
  readonly #subject: string;
  readonly #claim: (bytes: number) => void;
  #claimed = 0;
  #size = 0;

  constructor(path: string, handle: FileHandle, subject: string, claim: (bytes: number) => void) {
    this.path = path;
    this.handle = handle;
    this.#subject = subject;
    this.#claim = claim;
  }

  /** Bytes written. */
  get size(): number {
    return this.#size;
  }

  /** Claims room for a file of a known size, in bytes. @throws {MediaError} `media_spool_full` */
  reserve(bytes: number): void {
    if (bytes <= this.#claimed) return;
    this.#claim(bytes - this.#claimed);
    this.#claimed = bytes;
  }

  /** Appends bytes. @throws {MediaError} `media_spool_full` for the quota, and for a disk that is full. */
  async append(bytes: Buffer): Promise<void> {
    this.reserve(this.#size + bytes.length);
    try {
      await this.handle.writeFile(bytes);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
      throw new MediaError('media_spool_full', 'The disk is full.', this.#subject, error);
    }
    this.#size += bytes.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#claim(-this.#claimed);
    this.#claimed = 0;
    await rm(this.path, { force: true });
    await this.handle.close();
  }
}

/**
 * A process id says something on its own host only, and is used again: in a container it is always 1. The moment that the
 * process began tells it from an earlier one.
 */
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

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}
