/** Copies of files from other servers, for people: each is fetched once, a few at a time, and a failure is remembered. */
import { join } from 'node:path';
import { Semaphore } from 'async-mutex';
import { LRUCache } from 'lru-cache';
import type { AddressPolicy } from './addresses.ts';
import { typeOfBytes } from './content-type.ts';
import { Downloader } from './download.ts';
import { MediaError } from './errors.ts';
import { type PictureName, type PictureStore, pathOf, pictureKey } from './picture-store.ts';
import { openSpool } from './spool.ts';

export interface Copied {
  /** Path, or URL. */
  readonly source: string;
  /** Who the picture is removed with. */
  readonly owner: string;
  /** What identifies a copy instead of its URL, which changes each time that the service names it. */
  readonly copyOf?: string | undefined;
}

/** Largest file that is fetched, and largest image that a small version is made of. Bytes. */
export const largestCopy = 64_000_000;
const fetchesAtOnce = 4;
/** Most fetches, and small versions, that wait for their turn. */
export const mostWaiting = 200;
/** How long a failure is remembered, in milliseconds: pages would ask again and again. */
export const failureKeptMs = 10 * 60_000;
const patience = { totalMs: 60_000, windowMs: 10_000, windowBytes: 64 * 1024 };

/** A `max` would take the room of all at once. */
export const bounded = { maxSize: 10_000, sizeCalculation: () => 1 };

export interface PicturesOptions {
  readonly directory: string;
  /** Bound for all pictures together, in bytes. */
  readonly mostBytes: number;
  readonly addresses: AddressPolicy;
}

export class PictureFetches {
  readonly #store: PictureStore;
  readonly #options: PicturesOptions;
  #downloader: Promise<Downloader> | undefined;
  readonly #fetches = new Map<string, Promise<void>>();
  /** By file and URL: a file may be named by a fresh URL. */
  readonly #failures = new LRUCache<string, MediaError>({ ...bounded, ttl: failureKeptMs });
  readonly #slots = new Semaphore(fetchesAtOnce);

  constructor(store: PictureStore, options: PicturesOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Unless it is there. @throws {MediaError} also one of the last minutes again. */
  async fetch(file: Copied): Promise<void> {
    const name = copyName(file);
    if (this.#store.bytesOf(name) !== undefined) return;
    const path = pathOf(name);
    const place = `${path} ${file.source}`;
    const failure = this.#failures.get(place);
    if (failure) throw failure;
    let fetching = this.#fetches.get(path);
    if (fetching === undefined) {
      fetching = this.#fetchNow(file.source, name);
      this.#fetches.set(path, fetching);
      fetching
        .catch((error: unknown) => {
          if (error instanceof MediaError && !(error instanceof BusyError)) this.#failures.set(place, error);
        })
        .finally(() => this.#fetches.delete(path));
    }
    await fetching;
  }

  async #fetchNow(source: string, name: PictureName): Promise<void> {
    if (this.#fetches.size >= fetchesAtOnce + mostWaiting) throw new BusyError(source);
    await this.#slots.runExclusive(async () => {
      const downloader = await this.#needDownloader();
      await using fetched = await downloader.fetch(source);
      if (typeOfBytes(fetched.start) === undefined)
        throw new MediaError('media_type_unknown', 'This is neither an image nor a video.', source);
      await this.#store.keep(name, { path: fetched.file.path, size: fetched.size });
    });
  }

  #needDownloader(): Promise<Downloader> {
    this.#downloader ??= this.#openDownloader().catch((error: unknown) => {
      this.#downloader = undefined;
      throw error;
    });
    return this.#downloader;
  }

  async #openDownloader(): Promise<Downloader> {
    const { directory, mostBytes, addresses } = this.#options;
    const maxBytes = Math.min(largestCopy, mostBytes);
    const incoming = join(directory, 'incoming');
    const spool = await openSpool({ directory: incoming, quotaBytes: fetchesAtOnce * maxBytes });
    return new Downloader({ spool, addresses, maxBytes, patience });
  }
}

/** Too many files are waiting: asked again, it may work. */
export class BusyError extends MediaError {
  constructor(source: string) {
    super('media_download_failed', 'Too many other files are being fetched.', source);
  }
}

export function copyName({ owner, source, copyOf }: Copied): PictureName {
  return { owner, key: pictureKey(copyOf ?? source), kind: 'copy' };
}
