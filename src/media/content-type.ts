/** What a file is: its MIME type by its name and by its bytes, and whether the two agree. */
import { extensions } from '../manifest/media-source.ts';
import { MediaError } from './errors.ts';
import { typeOfBytes } from './signature.ts';

export type MediaKind = 'VIDEO' | 'PHOTO';

const types: ReadonlyMap<string, string> = new Map(
  [...extensions].flatMap(([type, names]) => names.map((name) => [name, type] as const)),
);

/** Types that share a container, and whose names are used for each other in good faith. The name decides. */
const families = [
  new Set(['video/mp4', 'video/x-m4v', 'video/quicktime', 'video/3gpp']),
  new Set(['image/heic', 'image/heif']),
];

/** What posts call a type that is known here: an image is a PHOTO. */
export function kindOf(contentType: string): MediaKind {
  return contentType.startsWith('image/') ? 'PHOTO' : 'VIDEO';
}

/** The MIME type that the extension tells; undefined for none, or one that is not of a video or image. */
export function typeOfName(fileName: string): string | undefined {
  const dot = fileName.lastIndexOf('.');
  return dot < 0 ? undefined : types.get(fileName.slice(dot + 1).toLowerCase());
}

/** The usual extension of a type, without a dot. */
export function extensionOf(contentType: string): string | undefined {
  return extensions.get(contentType)?.[0];
}

/**
 * The type of a file that a person named.
 * @param start its first bytes, as many as `signatureLength`.
 * @throws {MediaError} `media_type_mismatch` when the bytes contradict the extension, `media_type_unknown` for what is
 * no video or image.
 */
export function decideType(fileName: string, start: Buffer, subject: string): string {
  const named = typeOfName(fileName);
  const actual = typeOfBytes(start);
  if (actual === undefined) throw notMedia(named, subject);
  if (named === undefined || named === actual) return actual;
  if (families.some((family) => family.has(named) && family.has(actual))) return named;
  throw new MediaError('media_type_mismatch', `The name says ${named}, the bytes are ${actual}.`, subject);
}

/**
 * The type of what a URL answered with. The bytes decide, because servers send an image in the format they think best
 * under the same name; that it is an image where the name says so is all that is asked.
 * @throws {MediaError} as `decideType`.
 */
export function decideFetchedType(fileName: string, start: Buffer, subject: string): string {
  const named = typeOfName(fileName);
  const actual = typeOfBytes(start);
  if (actual === undefined) throw notMedia(named, subject);
  if (named === undefined || kindOf(named) === kindOf(actual)) return actual;
  throw new MediaError('media_type_mismatch', `The URL says ${named}, the bytes are ${actual}.`, subject);
}

function notMedia(named: string | undefined, subject: string): MediaError {
  return named === undefined
    ? new MediaError('media_type_unknown', 'This is no video or image that is known here.', subject)
    : new MediaError(
        'media_type_mismatch',
        `The name says ${named}, the bytes are no video or image.`,
        subject,
      );
}
