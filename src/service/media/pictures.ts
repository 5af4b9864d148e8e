/**
 * Pictures of media, for people. Files from other servers are fetched once, so that no browser has to ask those servers.
 *
 *     small    a JPEG of some 15 KB, and one of 3 KB, made from an image. Known by what is in it: rows of one file, or of two alike, share them
 *     copy     a file from another server, as it came. Known by its URL, or by what it is a picture of
 *
 * A video is shown by the picture beside it that has its name, if there is one: `clip.jpg` for `clip.mp4`.
 */
import { lstat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Semaphore } from 'async-mutex';
import { LRUCache } from 'lru-cache';
import { isUrl, posterPathsOf } from '../../manifest/cells/media-source.ts';
import { MediaError } from './errors.ts';
import { inspectLocal } from './local.ts';
import {
  BusyError,
  bounded,
  type Copied,
  copyName,
  failureKeptMs,
  largestCopy,
  mostWaiting,
  PictureFetches,
  type PicturesOptions,
} from './picture-fetches.ts';
import { isPictureName, type PictureName, PictureStore, pathOf, pictureKey } from './picture-store.ts';
import { Shrinker } from './shrinker.ts';
import { type OpenMedium, openShown, sampleImage } from './source.ts';

export interface Depicted extends Copied {
  /** Media root of a path. */
  readonly root: string;
  readonly isVideo: boolean;
  /** Time of the frame to show, in milliseconds; undefined for the usual one. */
  readonly frameMs?: number | undefined;
}

/** What there is of a medium now. */
export interface Look {
  /** `away`: on another server, and not fetched. `missing`: cannot be opened. `unshown`: browsers show no picture of its format. `kept`: it can be shown. */
  readonly place: 'away' | 'missing' | 'unshown' | 'kept';
  /** Changes with the file; for its address. Empty unless it is kept, or unshown. */
  readonly version: string;
  /** Name of the small versions, for `openSmall`: of an image, or of the picture beside a video. */
  readonly small: string | undefined;
}

export type SmallSize = 'small' | 'tiny';

interface FileFacts {
  readonly identity: string;
  /** Bytes. */
  readonly size: number;
}

/** An image whose small versions may be asked for. */
interface NamedImage extends FileFacts {
  readonly depicted: Depicted;
}

export interface OpenPicture extends OpenMedium {
  /** Changes with what is sent. */
  readonly etag: string;
}

/** Larger images are not sent to lists where no small version can be made. Bytes. */
const largestShown = 2_000_000;
/** A page to print has thousands of rows, and each file is open while it is read. */
const readsAtOnce = 16;
/** Images up to this size are their own small versions. Bytes. */
const smallEnough = 4000;
/** How long after a look the small versions may be made. Milliseconds. */
const askedWithinMs = 10 * 60_000;

export class Pictures {
  readonly store: PictureStore;
  readonly #fetches: PictureFetches;
  /** By name of small versions. */
  readonly #failures = new LRUCache<string, MediaError>({ ...bounded, ttl: failureKeptMs });
  /** Images by the name of their small versions. */
  readonly #named = new LRUCache<string, NamedImage>({ ...bounded, ttl: askedWithinMs });
  /** Samples of files by their identities; empty for those that are no images. */
  readonly #samples = new LRUCache<string, string>(bounded);
  readonly #shrinker = new Shrinker();
  readonly #making = new Map<string, Promise<void>>();
  readonly #reading = new Semaphore(readsAtOnce);

  constructor(options: PicturesOptions) {
    this.store = new PictureStore(options.directory, options.mostBytes);
    this.#fetches = new PictureFetches(this.store, options);
  }

  /** Sees what there is of a medium. Fetches nothing, and opens only images, each once. */
  async look(depicted: Depicted): Promise<Look> {
    await this.store.ready();
    const original = await this.#inspect(depicted);
    if (typeof original === 'string') return { place: original, version: '', small: undefined };
    const small = depicted.isVideo
      ? await this.#smallOfPoster(depicted)
      : await this.#nameSmall(depicted, original);
    const place = small === undefined && !depicted.isVideo ? 'unshown' : 'kept';
    return { place, version: versionOf(original.identity), small };
  }

  /**
   * Opens a picture. Fetches a file from another server first, if it is not there.
   * @param size other than `whole`: as `openSmall`.
   * @throws {MediaError}
   */
  async open(depicted: Depicted, size: 'whole' | SmallSize): Promise<OpenPicture> {
    await this.store.ready();
    if (isUrl(depicted.source)) await this.#fetches.fetch(depicted);
    if (size === 'whole') {
      const whole = await this.#openWhole(depicted);
      return { ...whole, etag: versionOf(whole.identity) };
    }
    const { place, small } = await this.look(depicted);
    if (small !== undefined) return this.openSmall(small, size);
    const isHere = place === 'kept' || place === 'unshown';
    const problem = isHere ? 'There is no small version of this file.' : 'There is no such file.';
    throw new MediaError('media_missing', problem, depicted.source);
  }

  /**
   * Opens a small version of an image, or the image itself where none can be made and it is not large.
   * @param name as `look` returned it.
   * @throws {MediaError} also if too many are being made.
   */
  async openSmall(name: string, size: SmallSize): Promise<OpenPicture & { readonly isLasting: boolean }> {
    await this.store.ready();
    const [owner = '', key = ''] = name.split('/');
    const kept: PictureName = { owner, key, kind: size };
    const named = this.#named.get(name);
    if (!isPictureName(kept)) throw notHere(name);
    if (this.store.bytesOf(kept) === undefined && named && !this.#failures.has(name))
      await this.#makeOnce(name, named);
    if (this.store.bytesOf(kept) !== undefined) {
      const small = await openShown(pathOf(kept), this.store.directory).catch(() => undefined);
      if (small) return { ...small, etag: `${key.slice(0, 12)}-${size}`, isLasting: true };
      this.store.forget(kept);
    }
    if (named === undefined) throw notHere(name);
    const whole = await this.#openWhole(named.depicted);
    if (whole.identity === named.identity && whole.bytes <= largestShown)
      return { ...whole, etag: versionOf(whole.identity), isLasting: false };
    await whole.close();
    throw new MediaError('media_missing', 'There is no small version of this file.', named.depicted.source);
  }

  /** The name of the small versions of an image; undefined for another file. */
  async #nameSmall(depicted: Depicted, original: FileFacts): Promise<string | undefined> {
    const sample = await this.#sampleOf(depicted, original.identity);
    if (sample === undefined) return undefined;
    const name = `${depicted.owner}/${pictureKey(sample)}`;
    this.#named.set(name, { depicted, ...original });
    return name;
  }

  async #smallOfPoster(video: Depicted): Promise<string | undefined> {
    if (isUrl(video.source)) return undefined;
    for (const source of posterPathsOf(video.source)) {
      // Most videos have none, and it takes longer to resolve a path than to see that nothing is there.
      if (!(await lstat(resolve(video.root, source)).catch(() => undefined))) continue;
      const { small } = await this.look({ ...video, source, isVideo: false, frameMs: undefined });
      if (small !== undefined) return small;
    }
    return undefined;
  }

  async #sampleOf(depicted: Depicted, identity: string): Promise<string | undefined> {
    const isCopy = isUrl(depicted.source);
    const path = isCopy ? pathOf(copyName(depicted)) : depicted.source;
    const key = isCopy ? path : identity;
    const read = async () => {
      const sample =
        this.#samples.get(key) ?? (await sampleImage(path, isCopy ? this.store.directory : depicted.root));
      this.#samples.set(key, sample ?? '');
      return sample || undefined;
    };
    try {
      return this.#samples.has(key) ? await read() : await this.#reading.runExclusive(read);
    } catch (error) {
      if (error instanceof MediaError) return undefined;
      throw error;
    }
  }

  async #makeOnce(name: string, named: NamedImage): Promise<void> {
    const making = this.#making.get(name) ?? this.#make(name, named);
    this.#making.set(name, making);
    try {
      await making;
    } finally {
      this.#making.delete(name);
    }
  }

  async #make(name: string, named: NamedImage): Promise<void> {
    if (this.#making.size >= mostWaiting) throw new BusyError(named.depicted.source);
    const [owner = '', key = ''] = name.split('/');
    const isSmall = named.size <= smallEnough;
    const read = () => this.#readWhole(named);
    const made = await (isSmall
      ? read().then((own) => ({ small: own, tiny: own }))
      : this.#shrinker.shrink(read)
    ).catch((error: unknown) => {
      const why = 'No small version of this image can be made.';
      this.#failures.set(name, new MediaError('media_type_unknown', why, named.depicted.source, error));
    });
    if (made === undefined) return;
    await this.store.keep({ owner, key, kind: 'small' }, made.small);
    await this.store.keep({ owner, key, kind: 'tiny' }, made.tiny);
  }

  async #readWhole({ depicted, identity }: NamedImage): Promise<Buffer> {
    const whole = await this.#openWhole(depicted);
    const isOther = whole.identity !== identity || whole.bytes > largestCopy;
    if (isOther) await whole.close();
    if (isOther) throw new Error('the image has changed, or is too large');
    return Buffer.concat(await whole.read(0, whole.bytes - 1).toArray());
  }

  async #inspect(depicted: Depicted): Promise<'away' | 'missing' | FileFacts> {
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
      return { ...(await openShown(pathOf(name), this.store.directory)), identity: name.key };
    } catch (error) {
      this.store.forget(name);
      throw error;
    }
  }
}

function notHere(name: string): MediaError {
  return new MediaError('media_missing', 'This picture is no longer here. Load the page again.', name);
}

/** @param identity of the file. */
function versionOf(identity: string): string {
  return pictureKey(identity).slice(0, 12);
}
