/**
 * Pictures of media, for people. Nothing here decodes an image: small versions are drawn by browsers and offered, and files from other
 * servers are fetched once, so that no browser has to ask those servers.
 *
 *     small    a JPEG of some 15 KB: a small version of an image, or a frame of a video. Known by the file's identity and the frame's time
 *     copy     a file from another server, as it came. Known by its URL, or by what it is a picture of
 */
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { isUrl } from '../manifest/cells/media-source.ts';
import { describeSize } from '../manifest/presentable.ts';
import type { AddressPolicy } from './addresses.ts';
import { typeOfBytes } from './content-type.ts';
import { Downloader } from './download.ts';
import { MediaError } from './errors.ts';
import { inspectLocal } from './local.ts';
import { type OpenMedium, openShown } from './open-shown.ts';
import { type PictureName, PictureStore, pictureKey } from './picture-store.ts';
import { openSpool } from './spool.ts';

/** A medium whose picture is wanted. */
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
  /** `away`: on another server, and not fetched. `missing`: cannot be opened. `kept`: there is something to show or to draw from. */
  readonly place: 'away' | 'missing' | 'kept';
  /** Whether a list can show it: there is a small version, or the image is small enough. */
  readonly isShown: boolean;
  /** Whether a browser should draw the small version. */
  readonly wantsSmall: boolean;
  /** Changes with the picture; for its address. */
  readonly version: string;
}

export interface OpenPicture extends OpenMedium {
  /** Changes with what is sent. */
  readonly etag: string;
}

/** Larger images are not sent to lists. Bytes. */
const largestShown = 2_000_000;
/** Images up to this size need no small version. Bytes. */
const smallEnough = 48_000;
/** Largest small version that is taken. Bytes. */
const largestSmall = 40_000;
/** Largest width and height of one: a picture of few bytes could still fill the memory of every browser that shows it. Pixels. */
const widestSmall = 512;
/** Largest file that is fetched. Bytes. */
const largestCopy = 64_000_000;
const fetchesAtOnce = 4;
/** Most fetches that wait for their turn. */
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
  /** A `max` would take the room of all at once. */
  readonly #failures = new LRUCache<string, MediaError>({
    maxSize: 10_000,
    sizeCalculation: () => 1,
    ttl: failureKeptMs,
  });
  #running = 0;
  readonly #turns: (() => void)[] = [];

  constructor(options: PicturesOptions) {
    this.#options = options;
    this.store = new PictureStore(options.directory, options.mostBytes);
  }

  /** Sees what there is of a medium. Fetches nothing, and opens no file. */
  async look(depicted: Depicted): Promise<Look> {
    await this.store.ready();
    const original = await this.#inspect(depicted);
    if (typeof original === 'string')
      return { place: original, isShown: false, wantsSmall: original === 'away', version: '' };
    const [exact, usual] = smallNames(depicted, original.identity);
    const hasExact = this.store.bytesOf(exact) !== undefined;
    const small = hasExact ? exact : this.store.bytesOf(usual) === undefined ? undefined : usual;
    const { isVideo } = depicted;
    const isShown = small !== undefined || (!isVideo && original.size <= largestShown);
    const wantsSmall = !hasExact && (isVideo || original.size > smallEnough);
    return {
      place: 'kept',
      isShown,
      wantsSmall,
      version: versionOf(small?.key ?? pictureKey(original.identity)),
    };
  }

  /**
   * Opens a picture. Fetches a file from another server first, if it is not there.
   * @param size `small` for lists: the small version, else the file itself if it is an image and not too large.
   * @throws {MediaError}
   */
  async open(depicted: Depicted, size: 'small' | 'whole'): Promise<OpenPicture> {
    await this.store.ready();
    const { directory } = this.store;
    if (isUrl(depicted.source)) await this.#fetch(depicted);
    const original = await this.#inspect(depicted);
    if (size === 'small' && typeof original !== 'string') {
      for (const name of smallNames(depicted, original.identity)) {
        if (this.store.bytesOf(name) === undefined) continue;
        const found = await openShown(this.store.pathOf(name), directory).catch(() => undefined);
        if (found) return { ...found, etag: versionOf(name.key) };
        this.store.forget(name);
      }
    }
    const whole = await this.#openWhole(depicted);
    const etag = versionOf(pictureKey(whole.identity));
    const isShown = size === 'whole' || (isImage(whole) && whole.bytes <= largestShown);
    if (isShown) return { ...whole, etag };
    await whole.close();
    throw new MediaError('media_missing', 'There is no small version of this file.', depicted.source);
  }

  /** Keeps a small version that a browser has drawn. @throws {MediaError} for anything but a small JPEG. */
  async keepSmall(depicted: Depicted, bytes: Buffer): Promise<void> {
    requireSmall(bytes, depicted.source);
    await this.store.ready();
    const original = await this.#inspect(depicted);
    if (typeof original === 'string')
      throw new MediaError('media_missing', 'There is no such file.', depicted.source);
    const [exact] = smallNames(depicted, original.identity);
    await this.store.keep(exact, bytes);
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

  /** @throws {MediaError} */
  async #fetch(depicted: Depicted): Promise<void> {
    const name = copyName(depicted);
    if (this.store.bytesOf(name) !== undefined) return;
    const path = this.store.pathOf(name);
    const failure = this.#failures.get(path);
    if (failure) throw failure;
    let fetching = this.#fetches.get(path);
    if (fetching === undefined) {
      fetching = this.#fetchNow(depicted.source, name);
      this.#fetches.set(path, fetching);
      fetching
        .catch((error: unknown) => {
          if (error instanceof MediaError && !(error instanceof BusyError)) this.#failures.set(path, error);
        })
        .finally(() => this.#fetches.delete(path));
    }
    await fetching;
  }

  async #fetchNow(source: string, name: PictureName): Promise<void> {
    await this.#turn(source);
    try {
      this.#downloader ??= this.#openDownloader();
      const downloader = await this.#downloader;
      await using fetched = await downloader.fetch(source);
      if (typeOfBytes(fetched.start) === undefined)
        throw new MediaError('media_type_unknown', 'This is neither an image nor a video.', source);
      await this.store.keep(name, { path: fetched.file.path, size: fetched.size });
    } finally {
      this.#running -= 1;
      this.#turns.shift()?.();
    }
  }

  async #turn(source: string): Promise<void> {
    while (this.#running >= fetchesAtOnce) {
      if (this.#turns.length >= mostWaiting) throw new BusyError(source);
      await new Promise<void>((resolve) => this.#turns.push(resolve));
    }
    this.#running += 1;
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

/** The small version with the wanted frame, and the one that serves until somebody has drawn it. */
function smallNames(
  { owner, frameMs }: Depicted,
  identity: string,
): [exact: PictureName, usual: PictureName] {
  const name = (text: string): PictureName => ({ owner, key: pictureKey(text), kind: 'small' });
  const usual = name(`${identity} small`);
  return [frameMs === undefined ? usual : name(`${identity} small ${frameMs}`), usual];
}

function versionOf(key: string): string {
  return key.slice(0, 12);
}

/** @throws {MediaError} */
function requireSmall(bytes: Buffer, source: string): void {
  if (bytes.length > largestSmall) {
    const limit = describeSize(largestSmall);
    throw new MediaError('media_too_large', `A small version has ${limit} at most.`, source);
  }
  const size = sizeOfJpeg(bytes);
  if (size === undefined) throw new MediaError('media_type_unknown', 'This is no JPEG image.', source);
  if (size.width > widestSmall || size.height > widestSmall || size.width * size.height === 0)
    throw new MediaError(
      'media_too_large',
      `A small version has ${widestSmall} pixels a side at most.`,
      source,
    );
}

/** Width and height by the frame header of a JPEG; undefined for anything else. */
function sizeOfJpeg(bytes: Buffer): { readonly width: number; readonly height: number } | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8 || bytes.readUInt16BE(bytes.length - 2) !== 0xffd9)
    return undefined;
  for (let at = 2; at + 9 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at);
    // Baseline, extended and progressive: the others cannot be shown.
    if (marker >= 0xffc0 && marker <= 0xffc2)
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    if (marker < 0xffc4 || marker === 0xffd8 || marker === 0xffd9 || marker === 0xffda) return undefined;
  }
  return undefined;
}
