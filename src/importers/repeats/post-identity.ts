/** Identifies equal posts across sheets by creator, product, media and caption, and by their time. */
import { bucketCount, identityBytes, postText, separator } from '../../ledger/planned-posts.ts';
import { isUrl } from '../../manifest/cells/media-source.ts';
import type { Row } from '../../manifest/row.ts';
import { type HashWords, hashText } from '../check/text-hashes.ts';

const words: HashWords = new Uint32Array(2);

/**
 * The media of a post.
 * @param contentOf what identifies the bytes of a file, whatever its name; undefined if they are not known.
 */
export function postMedia(
  { media, generation }: Pick<Row, 'media' | 'generation'>,
  contentOf: (source: string) => string | undefined,
): string {
  if (generation === undefined)
    return media.map((source) => contentOf(source) ?? placeOf(source)).join(separator);
  const { model, prompt, references, count } = generation;
  return [model, prompt, count, ...references.map(placeOf)].join(separator);
}

const mediaFile = /\.(?:mp4|m4v|mov|webm|avi|mkv|mpe?g|3gp|jpe?g|png|webp|gif|bmp|heic|heif|avif|tiff?)$/i;
/** Parameters that name a file, as they are written in links. Others sign the link, or say how it is downloaded. */
const naming: ReadonlySet<string> = new Set(
  'id fileid file f path key name filename v video videoid image imageid asset assetid media mediaid item itemid object p resid'.split(
    ' ',
  ),
);

/** A source without the parts of a link that change with each export, such as a signature or its expiry. */
function placeOf(source: string): string {
  if (!isUrl(source) || !/[?#]/.test(source) || !URL.canParse(source)) return source;
  const { origin, pathname, searchParams } = new URL(source);
  const place = `${origin}${pathname}`;
  if (mediaFile.test(pathname)) return place;
  const names = [...searchParams].filter(([name]) => naming.has(name.toLowerCase().replace(/[_-]/g, '')));
  return names.length === 0 ? place : `${place}?${new URLSearchParams(names.sort())}`;
}

/** Nine bytes for `PlannedPosts`, equal for equal posts. @param at its time, in milliseconds since the epoch. */
function postIdentity(text: string, media: string, at: number | undefined): Buffer {
  const identity = Buffer.allocUnsafe(identityBytes);
  hashText(words, text, media);
  identity.writeUInt16BE((words[0] ?? 0) % bucketCount, 0);
  identity.writeUInt32BE(words[1] ?? 0, 2);
  // The second hash covers all of the first one, so that the two together are stronger.
  hashText(words, `${at ?? ''}`, `${words[0]} ${words[1]}`);
  identity.writeUIntBE((words[0] ?? 0) % 2 ** 24, 6, 3);
  return identity;
}

export interface ComparedPost {
  readonly key: string;
  /** `postText`. */
  readonly text: string;
  /** `postMedia`: by content, and as written in the sheet. */
  readonly media: string;
  readonly written: string;
  /** Its time, in milliseconds since the epoch. */
  readonly at: number | undefined;
  /** `postIdentity` of the media by content. */
  readonly identity: Buffer;
}

export interface PostFacts {
  /** Id of the creator. */
  readonly creator: string;
  /** Identifies the bytes of a file; undefined if they are not known. */
  readonly contentOf: (source: string) => string | undefined;
}

export function comparedPost(row: Row, { creator, contentOf }: PostFacts): ComparedPost {
  const text = postText(row, creator);
  const media = postMedia(row, contentOf);
  const written = postMedia(row, () => undefined);
  const at = row.schedule?.at;
  return { key: row.key, text, media, written, at, identity: postIdentity(text, media, at) };
}
