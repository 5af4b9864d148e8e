/** Opens a medium by path or URL: describes and hashes it for an upload, or shows it to people. */
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { isUrl } from '../../manifest/cells/media-source.ts';
import { describeExcess } from '../../manifest/printable.ts';
import type { MediaType } from '../contract/posts.ts';
import { findCut, type MediaFault } from './complete.ts';
import {
  type CheckUnchanged,
  hashBytes,
  hashFile,
  headBytes,
  heldBytes,
  type PieceReader,
  ReadAhead,
  readAll,
  sampleFile,
  streamFile,
} from './content-hash.ts';
import {
  baseName,
  decideFetchedType,
  decideType,
  kindOf,
  nameFromUrl,
  signatureLength,
  typeOfBytes,
  withExtension,
} from './content-type.ts';
import type { Downloader } from './download.ts';
import { MediaError } from './errors.ts';
import { identityOf, inspectLocal, type LocalFile, openLocal, readAtOnce } from './local.ts';
import type { MediaProbe, MediaProber } from './probe.ts';

export interface MediaOptions {
  /** Paths are relative to this folder and stay inside. */
  readonly mediaRoot: string;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  readonly downloader: Downloader;
  readonly signal?: AbortSignal | undefined;
}

interface MediaDescription {
  readonly fileName: string;
  readonly contentType: string;
  readonly kind: MediaType;
  /** Bytes. */
  readonly size: number;
  /** Changes with a local file; undefined for a URL. */
  readonly identity: string | undefined;
}

/** A medium ready for upload. Dispose of it to close its file and free the disk space of a download. */
export type OpenedMedia = MediaDescription &
  AsyncDisposable & {
    /** The hash that the upload declares (contract, section 4.6). */
    readonly hash: string;
  } & ({ readonly bytes: Buffer } | { readonly open: () => Readable });

/** Opens a medium. A small one is kept in memory; `open()` of a larger one fails with `media_changed` if it changed. @throws {MediaError} */
export function openMedia(source: string, options: MediaOptions): Promise<OpenedMedia> {
  return isUrl(source) ? openUrl(source, options) : openFile(source, options);
}

/** A local file, not read as a whole. */
interface LocalDescription extends MediaDescription {
  /** Why it looks cut off; undefined if it does not. */
  readonly cut: MediaFault | undefined;
  /** The same for the same bytes, whatever the name: see `sampleFile`. */
  readonly sample: string;
  /** What its headers say, as far as a prober can read them. */
  readonly probe: MediaProbe | undefined;
}

type DescribeOptions = Pick<MediaOptions, 'mediaRoot' | 'maxBytes'> & {
  readonly prober?: MediaProber | undefined;
};

/** Describes a file without hashing it, also one that looks cut off: the contract does not say what becomes of it. @throws {MediaError} */
export async function describeLocalMedia(path: string, options: DescribeOptions): Promise<LocalDescription> {
  const { mediaRoot, maxBytes } = options;
  const small = readAtOnce(path, mediaRoot, headBytes);
  if (small !== undefined) return describeOpened(path, small, new ReadAhead(small.bytes), options);
  const file = await openLocal(path, mediaRoot);
  try {
    // Before anything of it is read.
    checkSize(file.size, maxBytes, path);
    return await describeOpened(path, file, await ReadAhead.of(file.handle, file.size), options);
  } finally {
    await file.handle.close();
  }
}

async function describeOpened(
  path: string,
  file: LocalFile,
  handle: PieceReader,
  { maxBytes, prober }: DescribeOptions,
): Promise<LocalDescription> {
  checkSize(file.size, maxBytes, path);
  const start = await readAll(handle, Math.min(signatureLength, file.size));
  const described = describe(path, file, start);
  const type = typeOfBytes(start) ?? described.contentType;
  const sample = await sampleFile(handle, file.size);
  return {
    ...described,
    cut: await findCut(handle, file.size, type),
    sample,
    probe: await prober?.probe(sample, type, handle, file.size),
  };
}

/** Identifies the bytes of a local file, as `LocalDescription.sample`; undefined for a URL and for an unusable file. */
export async function sampleOf(
  source: string,
  options: Pick<MediaOptions, 'mediaRoot' | 'maxBytes'>,
): Promise<string | undefined> {
  return ofUsable(source, async () => (await describeLocalMedia(source, options)).sample);
}

/** The identity under which a local file may have been uploaded; undefined for a URL and for an unusable file. */
export async function identifyMedia(source: string, mediaRoot: string): Promise<string | undefined> {
  return ofUsable(source, async () => (await inspectLocal(source, mediaRoot)).identity);
}

async function ofUsable(source: string, tell: () => Promise<string>): Promise<string | undefined> {
  if (isUrl(source)) return undefined;
  return tell().catch((error: unknown) => {
    if (!(error instanceof MediaError)) throw error;
    return undefined;
  });
}

async function openFile(path: string, { mediaRoot, maxBytes }: MediaOptions): Promise<OpenedMedia> {
  const small = readAtOnce(path, mediaRoot, heldBytes - 1);
  if (small !== undefined) {
    checkSize(small.size, maxBytes, path);
    const { bytes } = small;
    const description = describe(path, small, bytes);
    return { ...description, hash: hashBytes(bytes), bytes, ...disposable(new AsyncDisposableStack()) };
  }
  const file = await openLocal(path, mediaRoot);
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => file.handle.close());
  checkSize(file.size, maxBytes, path);
  const { handle, size, identity } = file;
  const check: CheckUnchanged = async () => {
    if ((await identityOf(handle)) === identity) return;
    throw new MediaError('media_changed', 'The file changed during reading.', path);
  };
  const content = await readContent(handle, size, check);
  // A copy in memory cannot change. A file that is read again must still be the hashed one.
  if ('open' in content || content.bytes.length !== size) await check();
  const start = 'bytes' in content ? content.bytes : await readAll(handle, signatureLength);
  const description = describe(path, file, start);
  return { ...description, ...content, ...disposable(cleanup) };
}

/** As `openMedia`, for a source that must be an http(s) URL: a path is refused, whatever it leads to. */
export async function openUrl(
  url: string,
  { downloader, signal }: Pick<MediaOptions, 'downloader' | 'signal'>,
): Promise<OpenedMedia> {
  await using cleanup = new AsyncDisposableStack();
  const fetched = cleanup.use(await downloader.fetch(url, signal));
  const { file, size, hash, start } = fetched;
  const name = nameFromUrl(fetched.url);
  const contentType = decideFetchedType(name, start, url);
  const fileName = withExtension(name, contentType);
  const content =
    size < heldBytes
      ? { bytes: await readAll(file.handle, size) }
      : { open: () => streamFile(file.handle, size) };
  const described = { fileName, contentType, kind: kindOf(contentType), size, identity: undefined, hash };
  return { ...described, ...content, ...disposable(cleanup) };
}

async function readContent(handle: FileHandle, size: number, check: CheckUnchanged) {
  if (size >= heldBytes) {
    return { hash: await hashFile(handle, size), open: () => streamFile(handle, size, check) };
  }
  const bytes = await readAll(handle, size);
  return { hash: hashBytes(bytes), bytes };
}

function describe(path: string, { size, identity }: LocalFile, start: Buffer): MediaDescription {
  const name = baseName(path);
  const contentType = decideType(name, start, path);
  const fileName = withExtension(name, contentType);
  return { fileName, contentType, kind: kindOf(contentType), size, identity };
}

function checkSize(size: number, maxBytes: number, subject: string): void {
  if (size === 0) throw new MediaError('media_empty', 'The file has no bytes.', subject);
  if (size > maxBytes) {
    throw new MediaError('media_too_large', describeExcess('The file', size, maxBytes), subject);
  }
}

/** Passes the opened resources to the caller. */
function disposable(cleanup: AsyncDisposableStack): AsyncDisposable {
  const owned = cleanup.move();
  return { [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** An opened file. Its stream closes it; without a stream, call `close`. */
export interface OpenMedium {
  /** Content type of an image or a video, detected from the first bytes. */
  readonly contentType: string;
  readonly bytes: number;
  readonly identity: string;
  /** @param start, end positions in bytes, both inclusive. */
  readonly read: (start: number, end: number) => Readable;
  readonly close: () => Promise<void>;
}

/** A sample of an image under a media root, as `sampleFile` takes it; undefined for another file. @throws {MediaError} */
export async function sampleImage(path: string, mediaRoot: string): Promise<string | undefined> {
  const { handle, size } = await openLocal(path, mediaRoot);
  try {
    const head = await ReadAhead.of(handle, size);
    const type = typeOfBytes(await readAll(head, Math.min(signatureLength, size)));
    const isShown = type?.startsWith('image/') && !/^image\/hei[cf]$/.test(type);
    return isShown ? await sampleFile(head, size) : undefined;
  } finally {
    await handle.close();
  }
}

/** Opens an image or a video under a media root. @throws {MediaError} */
export async function openShown(path: string, mediaRoot: string): Promise<OpenMedium> {
  const { handle, size, identity } = await openLocal(path, mediaRoot);
  try {
    const contentType = typeOfBytes(await readAll(handle, Math.min(signatureLength, size)));
    if (contentType === undefined) {
      throw new MediaError('media_type_unknown', 'This is neither an image nor a video.', path);
    }
    return {
      contentType,
      bytes: size,
      identity,
      read: (start, end) => handle.createReadStream({ start, end }),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
