/** Identifies equal posts across sheets by account, creator, product, media and caption, and by their time. */
import { bucketCount, identityBytes } from '../../ledger/planned-posts/planned-posts.ts';
import type { Row } from '../../manifest/row.ts';
import { type HashWords, hashText } from '../check/seen-texts.ts';

/** Between the parts of a hashed text; no cell has it. */
const separator = '\0';
const words: HashWords = new Uint32Array(2);

/** What a post is made of, apart from its media and its time. The same for every spelling of the creator's name. */
export function postText({ product, caption }: Row, account: string, creator: string): string {
  return [account, creator, product.id, plainCaption(caption)].join(separator);
}

const unusual = /[^\x21-\x7e ]| {2}|^ | $/;

/** Sheets are saved by programs that write line breaks and accents in other ways. */
function plainCaption(caption: string): string {
  if (!unusual.test(caption)) return caption;
  return caption.normalize('NFC').replace(/\s+/gu, ' ').trim();
}

/**
 * The media of a post.
 * @param contentOf what identifies the bytes of a file, whatever its name; undefined if they are not known.
 */
export function postMedia(
  { media, generation }: Pick<Row, 'media' | 'generation'>,
  contentOf: (source: string) => string | undefined,
): string {
  if (generation === undefined) return media.map((source) => contentOf(source) ?? source).join(separator);
  const { model, prompt, references, count } = generation;
  return [model, prompt, count, ...references].join(separator);
}

/** Nine bytes for `PlannedPosts`, equal for equal posts. @param at its time, in milliseconds since the epoch. */
function postIdentity(text: string, media: string, at: number | undefined): Buffer {
  const identity = Buffer.allocUnsafe(identityBytes);
  hashText(words, text, media);
  identity.writeUInt16BE((words[0] ?? 0) % bucketCount, 0);
  identity.writeUInt32BE(words[1] ?? 0, 2);
  // The whole hash goes into the other one, so that the two tell more than one.
  hashText(words, `${at ?? ''}`, `${words[0]} ${words[1]}`);
  identity.writeUIntBE((words[0] ?? 0) % 2 ** 24, 6, 3);
  return identity;
}

/** The post of a row, to be compared. */
export interface ComparedPost {
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
  readonly account: string;
  /** Id of the creator. */
  readonly creator: string;
  /** Identifies the bytes of a file; undefined if they are not known. */
  readonly contentOf: (source: string) => string | undefined;
}

export function comparedPost(row: Row, { account, creator, contentOf }: PostFacts): ComparedPost {
  const text = postText(row, account, creator);
  const media = postMedia(row, contentOf);
  const written = postMedia(row, () => undefined);
  const at = row.schedule?.at;
  return { text, media, written, at, identity: postIdentity(text, media, at) };
}
