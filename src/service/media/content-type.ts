/**
 * Decides the MIME type of a file by its name and its bytes, checks that the two agree, and makes the file name that an upload declares,
 * which needs an extension (contract, section 4.6).
 */
import { extensions } from '../../manifest/cells/media-source.ts';
import type { MediaType } from '../contract/posts.ts';
import { MediaError } from './errors.ts';

const types: ReadonlyMap<string, string> = new Map(
  [...extensions].flatMap(([type, names]) => names.map((name) => [name, type] as const)),
);

/** Types that share a container. Their extensions are often mixed up, so the name decides. */
const families = [
  new Set(['video/mp4', 'video/x-m4v', 'video/quicktime', 'video/3gpp']),
  new Set(['image/heic', 'image/heif']),
];

/** The media type of a post for a known MIME type: an image is a PHOTO. */
export function kindOf(contentType: string): MediaType {
  return contentType.startsWith('image/') ? 'PHOTO' : 'VIDEO';
}

/** The MIME type by the extension; undefined unless it is one of a video or image. */
export function typeOfName(fileName: string): string | undefined {
  const dot = fileName.lastIndexOf('.');
  return dot < 0 ? undefined : types.get(fileName.slice(dot + 1).toLowerCase());
}

/** The usual extension of a type, without a dot. */
function extensionOf(contentType: string): string | undefined {
  return extensions.get(contentType)?.[0];
}

/** @param start its first `signatureLength` bytes. @throws {MediaError} `media_type_mismatch` or `media_type_unknown` */
export function decideType(fileName: string, start: Buffer, subject: string): string {
  const { named, actual } = typesOf(fileName, start, subject);
  if (named === undefined || named === actual) return actual;
  if (families.some((family) => family.has(named) && family.has(actual))) return named;
  const problem = `Named as ${shortName(named)}, but contains ${describe(actual)}.`;
  throw new MediaError('media_type_mismatch', problem, subject);
}

/** The bytes decide, as servers send images in other formats than named. Only the kind must match. @throws as `decideType`. */
export function decideFetchedType(fileName: string, start: Buffer, subject: string): string {
  const { named, actual } = typesOf(fileName, start, subject);
  if (named === undefined || kindOf(named) === kindOf(actual)) return actual;
  const problem = `The URL names ${shortName(named)}, but the file contains ${describe(actual)}.`;
  throw new MediaError('media_type_mismatch', problem, subject);
}

/** `MP4` for `video/mp4`. */
function shortName(contentType: string): string {
  return (extensionOf(contentType) ?? contentType).toUpperCase();
}

/** `MP4 video`. */
function describe(contentType: string): string {
  return `${shortName(contentType)} ${kindOf(contentType) === 'PHOTO' ? 'image' : 'video'}`;
}

function typesOf(fileName: string, start: Buffer, subject: string) {
  const named = typeOfName(fileName);
  const actual = typeOfBytes(start);
  if (actual !== undefined) return { named, actual };
  if (looksLikePage(start)) {
    throw new MediaError('media_web_page', 'This is a web page, not a video or image.', subject);
  }
  if (named === undefined)
    throw new MediaError('media_type_unknown', 'This is not a known video or image.', subject);
  const problem = `Named as ${shortName(named)}, but contains no video or image.`;
  throw new MediaError('media_type_mismatch', problem, subject);
}

const longestName = 200;
const fallback = 'media';

/** The last part of a path, as a plain file name; `media` if it is empty. */
export function baseName(path: string): string {
  const last = path.split(/[/\\]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters.
  const plain = last.replaceAll(/[\u0000-\u001f\u007f"]/g, '').trim();
  return plain.slice(-longestName) || fallback;
}

export function nameFromUrl(url: URL): string {
  try {
    return baseName(decodeURIComponent(url.pathname.split('/').at(-1) ?? ''));
  } catch {
    return baseName(url.pathname);
  }
}

/** Keeps the extension if it fits the type; else uses the usual one. */
export function withExtension(name: string, contentType: string): string {
  const named = typeOfName(name);
  if (named === contentType) return name;
  const stem = named === undefined ? name : name.slice(0, name.lastIndexOf('.'));
  return `${stem || fallback}.${extensionOf(contentType) ?? 'bin'}`;
}

/** Number of first bytes that `typeOfBytes` needs. */
export const signatureLength = 512;

/** MIME types by the first brand of an ISO base media file. Other brands count as MP4. */
const brands: ReadonlyMap<string, string> = new Map([
  ['qt  ', 'video/quicktime'],
  ['M4V ', 'video/x-m4v'],
  ['M4VH', 'video/x-m4v'],
  ['M4VP', 'video/x-m4v'],
  ['3gp4', 'video/3gpp'],
  ['3gp5', 'video/3gpp'],
  ['3gp6', 'video/3gpp'],
  ['3gp7', 'video/3gpp'],
  ['heic', 'image/heic'],
  ['heix', 'image/heic'],
  ['hevc', 'image/heic'],
  ['hevx', 'image/heic'],
  ['mif1', 'image/heif'],
  ['msf1', 'image/heif'],
  ['avif', 'image/avif'],
  ['avis', 'image/avif'],
]);

/** Audio and other content in the same container: neither video nor image. */
const otherBrands: ReadonlySet<string> = new Set(['M4A ', 'M4B ', 'M4P ', 'F4A ', 'F4B ', 'jp2 ', 'crx ']);

/** Old QuickTime files begin with one of these atoms instead of `ftyp`. */
const quickTimeAtoms: ReadonlySet<string> = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);

/** @param start the first `signatureLength` bytes, or the whole of a shorter file. @returns the MIME type, if it is known. */
export function typeOfBytes(start: Buffer): string | undefined {
  return imageOf(start) ?? isoMediaOf(start) ?? riffOf(start) ?? matroskaOf(start) ?? mpegOf(start);
}

/** Recognizes a web page by its first bytes: drives send one instead of a file that needs a sign-in. */
export function looksLikePage(start: Buffer): boolean {
  const bytes = begins(start, 'efbbbf') ? start.subarray(3) : start;
  const beginning = text(bytes, 0, 64).trimStart().toLowerCase();
  return beginning.startsWith('<!doctype html') || /^<(?:html|head|body)[\s>]/.test(beginning);
}

function imageOf(start: Buffer): string | undefined {
  if (begins(start, 'ffd8ff')) return 'image/jpeg';
  if (begins(start, '89504e470d0a1a0a')) return 'image/png';
  if (/^GIF8[79]a/.test(text(start, 0, 6))) return 'image/gif';
  // Two letters are not enough, so the header size is checked too: it has few possible values.
  if (
    text(start, 0, 2) === 'BM' &&
    start.length >= 18 &&
    [12, 40, 52, 56, 64, 108, 124].includes(start.readUInt32LE(14))
  ) {
    return 'image/bmp';
  }
  return undefined;
}

function isoMediaOf(start: Buffer): string | undefined {
  const atom = text(start, 4, 8);
  if (quickTimeAtoms.has(atom)) return 'video/quicktime';
  if (atom !== 'ftyp') return undefined;
  const brand = text(start, 8, 12);
  if (otherBrands.has(brand)) return undefined;
  const type = brands.get(brand);
  if (type !== 'image/heif') return type ?? 'video/mp4';
  // This brand is general. The compatible brands are more specific.
  const end = Math.min(start.readUInt32BE(0), start.length);
  for (let at = 16; at + 4 <= end; at += 4) {
    const compatible = brands.get(text(start, at, at + 4));
    if (compatible === 'image/avif' || compatible === 'image/heic') return compatible;
  }
  return type;
}

function riffOf(start: Buffer): string | undefined {
  if (text(start, 0, 4) !== 'RIFF') return undefined;
  const form = text(start, 8, 12);
  if (form === 'WEBP') return 'image/webp';
  return form === 'AVI ' ? 'video/x-msvideo' : undefined;
}

function matroskaOf(start: Buffer): string | undefined {
  if (!begins(start, '1a45dfa3')) return undefined;
  // The document type (element 4282) is in the header, which fits into `signatureLength`.
  const at = start.indexOf('4282', 0, 'hex');
  return at >= 0 && text(start, at + 3, at + 7) === 'webm' ? 'video/webm' : 'video/x-matroska';
}

function mpegOf(start: Buffer): string | undefined {
  return begins(start, '000001ba') || begins(start, '000001b3') ? 'video/mpeg' : undefined;
}

function begins(start: Buffer, hex: string): boolean {
  return start.toString('hex', 0, hex.length / 2) === hex;
}

function text(start: Buffer, from: number, to: number): string {
  return start.toString('latin1', from, to);
}
