/** What makes two rows the same post, in whatever sheets they stand: creator, media, product and time. */
import type { Row } from '../../manifest/row.ts';
import { type HashWords, hashText } from './text-hash.ts';

const words: HashWords = new Uint32Array(2);

/**
 * Eight bytes that are the same for the same post.
 * @param creator the same for every spelling of the creator's name.
 */
export function postIdentity({ media, generation, product, schedule }: Row, creator: string): Buffer {
  const made = generation === undefined ? media.join('|') : `${generation.model} ${generation.prompt}`;
  hashText(words, made, `${creator} ${product.id} ${schedule?.at ?? ''}`);
  const identity = Buffer.allocUnsafe(8);
  identity.writeUInt32BE(words[0] ?? 0, 0);
  identity.writeUInt32BE(words[1] ?? 0, 4);
  return identity;
}
