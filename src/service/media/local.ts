/**
 * Reads files under the media root only: `..`, absolute paths and symbolic links cannot leave it.
 *
 * 1. The path is resolved, and what leaves the root is not opened.
 * 2. A folder may be replaced by a link at this very moment. So the opened file is asked where it is, before a byte is read.
 *
 * Nothing is cached: each file is resolved again.
 *
 * A name with accents has two Unicode forms that look the same: a Mac writes NFD, most other programs NFC. The form that is there is taken.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isOnLocalDisk } from '../../platform/files/local-disk.ts';
import { placeOf } from '../../platform/files/place-file.ts';
import { MediaError } from './errors.ts';

export interface LocalFile {
  /** Its path with all symbolic links resolved. */
  readonly absolutePath: string;
  /** Bytes. */
  readonly size: number;
  /** Device, inode, size, times of the last write and change. A program may set the first time back, but not the second. */
  readonly identity: string;
}

/** A pipe must not block, and only our own code may follow a symbolic link. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Describes a file without opening it. @param path absolute, or below the root. @throws {MediaError} `media_missing`, `media_ambiguous`, ... */
export async function inspectLocal(path: string, mediaRoot: string): Promise<LocalFile> {
  const { place } = await resolveFile(path, mediaRoot);
  return describe(place, path, await reading(path, lstat(place, { bigint: true })));
}

/** Opens a file; the caller closes the handle. @throws {MediaError} as `inspectLocal`. */
export async function openLocal(
  path: string,
  mediaRoot: string,
): Promise<LocalFile & { readonly handle: FileHandle }> {
  const { place, root } = await resolveFile(path, mediaRoot);
  const handle = await reading(path, open(place, flags));
  try {
    // The descriptor is open, so that no disk is waited for.
    const stats = fstatSync(handle.fd, { bigint: true });
    const opened = placeOf(handle.fd);
    if (!isInside(opened ?? (await reading(path, realpath(place))), root)) throw outside(path);
    // Elsewhere than on Linux the path is resolved a second time, and the file that is there now must be the one that was opened. This
    // leaves a moment for somebody who replaces folders by links all the time.
    if (opened === undefined) await requireSame(stats, place, path);
    return { ...describe(place, path, stats), handle };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** A disk that took this long several times in a row, in milliseconds, is left to the thread pool for a while. Once may be the scheduler. */
const slowMs = 5;
const mostSlow = 3;
const restMs = 10_000;
let slow = 0;
let restUntil = 0;

/**
 * Reads a small file of a local disk at once, as safely as `openLocal`, but without the thread pool.
 * @param most bytes.
 * @returns undefined for any other file, and for any error: `openLocal` then opens it, or throws why not.
 */
export function readAtOnce(
  path: string,
  mediaRoot: string,
  most: number,
): (LocalFile & { readonly bytes: Buffer }) | undefined {
  const begun = performance.now();
  if (begun < restUntil || formsOf(path).length > 1) return undefined;
  let descriptor: number | undefined;
  try {
    const place = candidateOf(path, mediaRoot);
    if (place === resolve(mediaRoot) || !isOnLocalDisk(place)) return undefined;
    descriptor = openSync(place, flags);
    const stats = fstatSync(descriptor, { bigint: true });
    const size = Number(stats.size);
    if (size > most || placeOf(descriptor) !== place) return undefined;
    const described = describe(place, path, stats);
    const bytes = Buffer.allocUnsafeSlow(size);
    return readSync(descriptor, bytes, 0, size, 0) === size ? { ...described, bytes } : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
    slow = performance.now() - begun > slowMs ? slow + 1 : 0;
    if (slow >= mostSlow) restUntil = performance.now() + restMs;
  }
}

async function requireSame(opened: Stats, place: string, path: string): Promise<void> {
  const { dev, ino } = await reading(path, lstat(place, { bigint: true }));
  if (dev === opened.dev && ino === opened.ino) return;
  throw new MediaError('media_changed', 'The file was replaced while it was opened.', path);
}

export async function identityOf(handle: FileHandle): Promise<string> {
  return formatIdentity(await handle.stat({ bigint: true }));
}

/**
 * Resolves all links. A path without any is asked for once: each question takes a thread's time.
 * @throws {MediaError} for a path that leads out of the root, without saying what is there.
 */
async function resolveFile(
  path: string,
  mediaRoot: string,
): Promise<{ readonly place: string; readonly root: string }> {
  const written = candidateOf(path, mediaRoot);
  const top = resolve(mediaRoot);
  // The root itself is not a file.
  if (written === top) throw notRegular(path);
  const hasForms = formsOf(path).length > 1;
  const found = hasForms ? undefined : await realpath(written).catch(() => undefined);
  // No link leads there, so none leads to the root either.
  if (found === written) return { place: found, root: top };
  const root = await reading(mediaRoot, realpath(mediaRoot));
  const candidate = hasForms ? await asSpelled(path, written, { mediaRoot, root }) : written;
  const folder = await reading(path, realpath(dirname(candidate)));
  if (!isInside(folder, root)) throw outside(path);
  const place = found ?? (await reading(path, realpath(join(folder, basename(candidate)))));
  if (!isInside(place, root)) throw outside(path);
  return { place, root };
}

/** A name as written, and in its other Unicode forms. */
function formsOf(name: string): readonly string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is all of ASCII.
  return /^[\x00-\x7f]*$/.test(name)
    ? [name]
    : [...new Set([name, name.normalize('NFC'), name.normalize('NFD')])];
}

/** @throws {MediaError} `media_ambiguous` where two forms are there, and `media_outside_root`. */
async function asSpelled(
  path: string,
  written: string,
  { mediaRoot, root }: { readonly mediaRoot: string; readonly root: string },
): Promise<string> {
  let place = root;
  for (const name of relative(resolve(mediaRoot), written).split(sep)) {
    const forms = formsOf(name).map((form) => join(place, form));
    const stats = await Promise.all(
      forms.map((form) => lstat(form, { bigint: true }).catch(() => undefined)),
    );
    // Some file systems find one file by both forms.
    const found = new Map(forms.flatMap((form, at) => (stats[at] ? [[stats[at].ino, form] as const] : [])));
    if (found.size > 1) {
      const problem = 'Two files or folders have this name: their accents are stored in different ways.';
      throw new MediaError('media_ambiguous', problem, path);
    }
    const [spelled = join(place, name)] = found.values();
    place = await realpath(spelled).catch(() => spelled);
    if (!isInside(place, root)) throw outside(path);
  }
  return place;
}

/** Checked before any file system call, so that nothing can be learned about files outside. */
function candidateOf(path: string, mediaRoot: string): string {
  if (path.includes('\0')) throw new MediaError('media_missing', 'The path contains a NUL character.', path);
  const candidate = resolve(mediaRoot, path);
  if (!isInside(candidate, resolve(mediaRoot))) throw outside(path);
  return candidate;
}

/** Both are absolute, without `..`. */
function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}

function notRegular(path: string): MediaError {
  return new MediaError('media_not_regular', 'This is not a regular file.', path);
}

function outside(path: string): MediaError {
  return new MediaError('media_outside_root', 'The path points outside the media folder.', path);
}

interface Stats {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  isFile(): boolean;
}

function describe(absolutePath: string, path: string, stats: Stats): LocalFile {
  if (!stats.isFile()) throw notRegular(path);
  return { absolutePath, size: Number(stats.size), identity: formatIdentity(stats) };
}

function formatIdentity({ dev, ino, size, mtimeNs, ctimeNs }: Stats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

async function reading<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') {
      throw new MediaError('media_missing', 'There is no such file.', path, error);
    }
    // Errors of sockets and of devices without a driver.
    if (code === 'ENXIO' || code === 'ENODEV') throw notRegular(path);
    // ELOOP: a circle of links, or a link that replaced the file at this very moment.
    if (code === 'ELOOP')
      throw new MediaError('media_not_regular', 'The symbolic links do not lead to a file.', path, error);
    if (code === 'EACCES' || code === 'EPERM') {
      throw new MediaError('media_unreadable', 'The runner has no permission to read the file.', path, error);
    }
    throw error;
  }
}
