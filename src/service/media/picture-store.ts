/**
 * The disk of pictures: a folder for each owner, so that its files can be removed with it, and one bound for all of them together.
 *
 * 1. The files are counted when the store is first used, and again at each sweep: other processes may share the folder.
 * 2. A file that would go over the bound removes the oldest ones.
 * 3. A file that is gone is a picture that is not there: nothing else depends on it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface PictureName {
  /** Who it is removed with: a campaign, a folder of media, the watch list. */
  readonly owner: string;
  /** 32 hexadecimal digits, by `pictureKey`. */
  readonly key: string;
  /** `small`, `tiny`: versions of an image, as the shrinker makes them. `copy`: a file from another server. */
  readonly kind: 'small' | 'tiny' | 'copy';
}

/** Most files: more would take long to list. */
const mostFiles = 100_000;
const ownerForm = /^[a-z]+-[0-9a-zA-Z_-]{1,64}$/;
/** Owners that are swept. */
const mayEnd = /^(?:campaign|root)-/;
const keyForm = /^[0-9a-f]{32}$/;
const fileForm = /^[0-9a-f]{32}\.(?:small|tiny|copy)$/;
const partForm = /^\.[0-9a-f-]{36}\.part$/;

/** @param text what identifies the picture among those of its owner. */
export function pictureKey(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

export function isPictureName({ owner, key }: PictureName): boolean {
  return ownerForm.test(owner) && keyForm.test(key);
}

export function ownerOfRoot(mediaRoot: string): string {
  return `root-${pictureKey(mediaRoot)}`;
}

export function ownerOfCampaign(id: string): string {
  return `campaign-${id}`;
}

export class PictureStore {
  readonly directory: string;
  readonly #mostBytes: number;
  /** Bytes of each file, by path below the directory; the oldest first. */
  #files = new Map<string, number>();
  #bytes = 0;
  #ready: Promise<void> | undefined;

  constructor(directory: string, mostBytes: number) {
    this.directory = directory;
    this.#mostBytes = mostBytes;
  }

  /** Counts the files once. Before that, `bytesOf` knows none. */
  ready(): Promise<void> {
    this.#ready ??= this.#count().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  /** Size of a picture; undefined if the store does not have it. */
  bytesOf(name: PictureName): number | undefined {
    return this.#files.get(pathOf(name));
  }

  /** Forgets a file that could not be opened. */
  forget(name: PictureName): void {
    this.#drop(pathOf(name));
  }

  /** Keeps bytes, or a file on the same disk, which is moved. */
  async keep(name: PictureName, content: Buffer | { readonly path: string; readonly size: number }) {
    await this.ready();
    const path = pathOf(name);
    await mkdir(join(this.directory, name.owner), { recursive: true, mode: 0o700 });
    const target = join(this.directory, path);
    if (Buffer.isBuffer(content)) {
      const part = join(this.directory, name.owner, `.${randomUUID()}.part`);
      try {
        await writeFile(part, content, { mode: 0o600, flag: 'wx' });
        await rename(part, target);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    } else await rename(content.path, target);
    this.#drop(path);
    const size = Buffer.isBuffer(content) ? content.length : content.size;
    this.#files.set(path, size);
    this.#bytes += size;
    await this.#bound();
  }

  /** Removes the pictures of campaigns and media folders other than these, and counts the files again. */
  async sweep(owners: ReadonlySet<string>): Promise<void> {
    for (const owner of await this.#owners()) {
      if (mayEnd.test(owner) && !owners.has(owner)) await removePictures(this.directory, owner);
    }
    this.#ready = undefined;
    await this.ready();
  }

  async #count(): Promise<void> {
    const found: { readonly path: string; readonly bytes: number; readonly at: number }[] = [];
    for (const owner of await this.#owners()) {
      for (const name of await readdir(join(this.directory, owner)).catch(() => [])) {
        if (!fileForm.test(name)) continue;
        const path = `${owner}/${name}`;
        const stats = await stat(join(this.directory, path)).catch(() => undefined);
        if (stats) found.push({ path, bytes: stats.size, at: stats.mtimeMs });
      }
    }
    found.sort((one, other) => one.at - other.at);
    this.#files = new Map(found.map(({ path, bytes }) => [path, bytes]));
    this.#bytes = found.reduce((sum, { bytes }) => sum + bytes, 0);
    await this.#bound();
  }

  async #owners(): Promise<readonly string[]> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    return (await readdir(this.directory)).filter((name) => ownerForm.test(name));
  }

  async #bound(): Promise<void> {
    for (const path of this.#files.keys()) {
      if (this.#bytes <= this.#mostBytes && this.#files.size <= mostFiles) return;
      this.#drop(path);
      await rm(join(this.directory, path), { force: true });
    }
  }

  #drop(path: string): void {
    this.#bytes -= this.#files.get(path) ?? 0;
    this.#files.delete(path);
  }
}

/** Path below the directory. */
export function pathOf({ owner, key, kind }: PictureName): string {
  if (!ownerForm.test(owner)) throw new RangeError(`${owner} is no owner of pictures`);
  return `${owner}/${key}.${kind}`;
}

/** Removes the pictures of one owner, by their names. Files that others have put there stay. */
export async function removePictures(directory: string, owner: string): Promise<void> {
  const folder = join(directory, owner);
  for (const name of await readdir(folder).catch(() => [])) {
    if (fileForm.test(name) || partForm.test(name)) await unlink(join(folder, name)).catch(() => undefined);
  }
  await rmdir(folder).catch(() => undefined);
}
