/**
 * Pictures of media, for people. Files from other servers are fetched once, so that no browser has to ask those servers.
 *
 *     small    a JPEG of some 15 KB, made from an image. Known by the file's identity
 *     copy     a file from another server, as it came. Known by its URL, or by what it is a picture of
 */
import { join } from 'node:path';
import { Semaphore } from 'async-mutex';
import { LRUCache } from 'lru-cache';
import { isUrl } from '../../manifest/cells/media-source.ts';
import type { AddressPolicy } from './addresses.ts';
import { typeOfBytes } from './content-type.ts';
import { Downloader } from './download.ts';
import { MediaError } from './errors.ts';
import { inspectLocal } from './local.ts';
import { type PictureName, PictureStore, pictureKey } from './picture-store.ts';
import { Shrinker } from './shrinker.ts';
import { type OpenMedium, openShown } from './source.ts';
import { openSpool } from './spool.ts';

export interface Depicted {
  /** Path, or URL. */
  readonly source: string;
  /** Media root of a path. */
  readonly root: string;
  /** Who the picture is removed with. */
  readonly owner: string;
  readonly isVideo: boolean;
  /** Time of the frame to show, in milliseconds; undefined for the usual one. */
  readonly frameMs?: number | undefined;
  /** What identifies a copy instead of its URL, which changes each time that the service names it. */
  readonly copyOf?: string | undefined;
}

/** What there is of a medium now. */
export interface Look {
  /** `away`: on another server, and not fetched. `missing`: cannot be opened. `kept`: it can be shown. */
  readonly place: 'away' | 'missing' | 'kept';
  /** Changes with the file; for its address. Empty unless it is kept. */
  readonly version: string;
}

export interface OpenPicture extends OpenMedium {
  /** Changes with what is sent. */
  readonly etag: string;
}

/** Larger images are not sent to lists where no small version can be made. Bytes. */
const largestShown = 2_000_000;
/** Images up to this size need no small version. Bytes. */
const smallEnough = 48_000;
/** Largest file that is fetched, and largest image that a small version is made of. Bytes. */
const largestCopy = 64_000_000;
const fetchesAtOnce = 4;
/** Most fetches, and small versions, that wait for their turn. */
const mostWaiting = 200;
/** How long a failure is remembered, in milliseconds: pages would ask again and again. */
const failureKeptMs = 10 * 60_000;
const patience = { totalMs: 60_000, windowMs: 10_000, windowBytes: 64 * 1024 };

export interface PicturesOptions {
  readonly directory: string;
  /** Bound for all pictures together, in bytes. */
  readonly mostBytes: number;
  readonly addresses: AddressPolicy;
}

export class Pictures {
  readonly store: PictureStore;
  readonly #options: PicturesOptions;
  #downloader: Promise<Downloader> | undefined;
  readonly #fetches = new Map<string, Promise<void>>();
  /** By file and URL: a file may be named by a fresh URL. A `max` would take the room of all at once. */
  readonly #failures = new LRUCache<string, MediaError>({
    maxSize: 10_000,
    sizeCalculation: () => 1,
    ttl: failureKeptMs,
  });
  readonly #shrinker = new Shrinker();
  /** Small versions that are being made, by path. */
  readonly #making = new Map<string, Promise<void>>();
  readonly #slots = new Semaphore(fetchesAtOnce);

  constructor(options: PicturesOptions) {
    this.#options = options;
    this.store = new PictureStore(options.directory, options.mostBytes);
  }

  /** Sees what there is of a medium. Fetches nothing, and opens no file. */
  async look(depicted: Depicted): Promise<Look> {
    await this.store.ready();
    const original = await this.#inspect(depicted);
    return typeof original === 'string'
      ? { place: original, version: '' }
      : { place: 'kept', version: versionOf(original.identity) };
  }

  /**
   * Opens a picture. Fetches a file from another server first, if it is not there.
   * @param size `small` for lists: a small version of an image, or the image itself where that is small, or cannot be made smaller.
   * @throws {MediaError}
   */
  async open(depicted: Depicted, size: 'small' | 'whole'): Promise<OpenPicture> {
    await this.store.ready();
    if (isUrl(depicted.source)) await this.#fetch(depicted);
    const whole = await this.#openWhole(depicted);
    const etag = versionOf(whole.identity);
    if (size === 'whole') return { ...whole, etag };
    try {
      const small = isImage(whole) && whole.bytes > smallEnough && (await this.#openSmall(depicted, whole));
      if (small) {
        await whole.close();
        return { ...small, etag };
      }
      if (isImage(whole) && whole.bytes <= largestShown) return { ...whole, etag };
      throw new MediaError('media_missing', 'There is no small version of this file.', depicted.source);
    } catch (error) {
      await whole.close();
      throw error;
    }
  }

  /** @returns undefined if no small version can be made. @throws {MediaError} if too many are being made. */
  async #openSmall(depicted: Depicted, { identity, bytes }: OpenMedium): Promise<OpenMedium | undefined> {
    const name: PictureName = { owner: depicted.owner, key: pictureKey(`${identity} small`), kind: 'small' };
    const path = this.store.pathOf(name);
    if (this.store.bytesOf(name) === undefined) {
      if (bytes > largestCopy || this.#failures.has(path)) return undefined;
      if (this.#making.size >= mostWaiting) throw new BusyError(depicted.source);
      const making = this.#making.get(path) ?? this.#makeSmall(depicted, identity, name);
      this.#making.set(path, making);
      try {
        await making;
      } catch (error) {
        const why = 'No small version of this image can be made.';
        this.#failures.set(path, new MediaError('media_type_unknown', why, depicted.source, error));
        return undefined;
      } finally {
        this.#making.delete(path);
      }
    }
    const small = await openShown(path, this.store.directory).catch(() => undefined);
    if (small === undefined) this.store.forget(name);
    return small;
  }

  async #makeSmall(depicted: Depicted, identity: string, name: PictureName): Promise<void> {
    const small = await this.#shrinker.shrink(async () => {
      const whole = await this.#openWhole(depicted);
      const pieces = await whole.read(0, whole.bytes - 1).toArray();
      if (whole.identity !== identity) throw new Error('the image has changed');
      return Buffer.concat(pieces as Buffer[]);
    });
    await this.store.keep(name, small);
  }

  async #inspect(
    depicted: Depicted,
  ): Promise<'away' | 'missing' | { readonly identity: string; readonly size: number }> {
    if (isUrl(depicted.source)) {
      const copy = copyName(depicted);
      const size = this.store.bytesOf(copy);
      return size === undefined ? 'away' : { identity: copy.key, size };
    }
    try {
      return await inspectLocal(depicted.source, depicted.root);
    } catch (error) {
      if (error instanceof MediaError) return 'missing';
      throw error;
    }
  }

  async #openWhole(depicted: Depicted): Promise<OpenMedium> {
    if (!isUrl(depicted.source)) return openShown(depicted.source, depicted.root);
    const name = copyName(depicted);
    try {
      return { ...(await openShown(this.store.pathOf(name), this.store.directory)), identity: name.key };
    } catch (error) {
      this.store.forget(name);
      throw error;
    }
  }

  async #fetch(depicted: Depicted): Promise<void> {
    const name = copyName(depicted);
    if (this.store.bytesOf(name) !== undefined) return;
    const path = this.store.pathOf(name);
    const place = `${path} ${depicted.source}`;
    const failure = this.#failures.get(place);
    if (failure) throw failure;
    let fetching = this.#fetches.get(path);
    if (fetching === undefined) {
      fetching = this.#fetchNow(depicted.source, name);
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
      this.#downloader ??= this.#openDownloader();
      const downloader = await this.#downloader;
      await using fetched = await downloader.fetch(source);
      if (typeOfBytes(fetched.start) === undefined)
        throw new MediaError('media_type_unknown', 'This is neither an image nor a video.', source);
      await this.store.keep(name, { path: fetched.file.path, size: fetched.size });
    });
  }

  async #openDownloader(): Promise<Downloader> {
    const { directory, mostBytes, addresses } = this.#options;
    const maxBytes = Math.min(largestCopy, mostBytes);
    const spool = await openSpool({
      directory: join(directory, 'incoming'),
      quotaBytes: fetchesAtOnce * maxBytes,
    });
    return new Downloader({ spool, addresses, maxBytes, patience });
  }
}

/** Too many files are waiting: asked again, it may work. */
class BusyError extends MediaError {
  constructor(source: string) {
    super('media_download_failed', 'Too many other files are being fetched.', source);
  }
}

function isImage({ contentType }: OpenMedium): boolean {
  return contentType.startsWith('image/');
}

function copyName({ owner, source, copyOf }: Depicted): PictureName {
  return { owner, key: pictureKey(copyOf ?? source), kind: 'copy' };
}

/** @param identity of the file. */
function versionOf(identity: string): string {
  return pictureKey(identity).slice(0, 12);
}
