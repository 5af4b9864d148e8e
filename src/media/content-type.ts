/** Decides the MIME type of a file by its name and its bytes, and checks that the two agree. */
import { extensions } from '../manifest/cells/media-source.ts';
import { MediaError } from './errors.ts';
import { typeOfBytes } from './signature.ts';

export type MediaKind = 'VIDEO' | 'PHOTO';

const types: ReadonlyMap<string, string> = new Map(
  [...extensions].flatMap(([type, names]) => names.map((name) => [name, type] as const)),
);

/** Types that share a container. Their extensions are often mixed up, so the name decides. */
const families = [
  new Set(['video/mp4', 'video/x-m4v', 'video/quicktime', 'video/3gpp']),
  new Set(['image/heic', 'image/heif']),
];

/** The media type of a post for a known MIME type: an image is a PHOTO. */
export function kindOf(contentType: string): MediaKind {
  return contentType.startsWith('image/') ? 'PHOTO' : 'VIDEO';
}

/** The MIME type by the extension; undefined unless it is one of a video or image. */
export function typeOfName(fileName: string): string | undefined {
  const dot = fileName.lastIndexOf('.');
  return dot < 0 ? undefined : types.get(fileName.slice(dot + 1).toLowerCase());
}

/** The usual extension of a type, without a dot. */
export function extensionOf(contentType: string): string | undefined {
  return extensions.get(contentType)?.[0];
}

/**
 * Decides the type of a local file.
 * @param start its first `signatureLength` bytes.
 * @throws {MediaError} `media_type_mismatch` if the bytes contradict the extension, `media_type_unknown` for anything but a video or image.
 */
export function decideType(fileName: string, start: Buffer, subject: string): string {
  const { named, actual } = typesOf(fileName, start, subject);
  if (named === undefined || named === actual) return actual;
  if (families.some((family) => family.has(named) && family.has(actual))) return named;
  throw new MediaError(
    'media_type_mismatch',
    `The name says ${named}, but the bytes are ${actual}.`,
    subject,
  );
}

/**
 * Decides the type of a fetched file. The bytes decide, because servers send images of one name in different formats. Only the kind
 * (image or video) must match the name.
 * @throws {MediaError} as `decideType`.
 */
export function decideFetchedType(fileName: string, start: Buffer, subject: string): string {
  const { named, actual } = typesOf(fileName, start, subject);
  if (named === undefined || kindOf(named) === kindOf(actual)) return actual;
  throw new MediaError('media_type_mismatch', `The URL says ${named}, but the bytes are ${actual}.`, subject);
}

function typesOf(fileName: string, start: Buffer, subject: string) {
  const named = typeOfName(fileName);
  const actual = typeOfBytes(start);
  if (actual !== undefined) return { named, actual };
  if (named === undefined)
    throw new MediaError('media_type_unknown', 'This is not a known video or image.', subject);
  const problem = `The name says ${named}, but the bytes are not a video or image.`;
  throw new MediaError('media_type_mismatch', problem, subject);
}
