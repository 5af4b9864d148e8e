/** Identifies equal posts across sheets by creator, media, product and time. */
import type { Row } from '../../manifest/row.ts';
import { type HashWords, hashText } from './text-hash.ts';

const words: HashWords = new Uint32Array(2);

/**
 * Returns eight bytes that are equal for equal posts.
 * @param creator must be the same for every spelling of the creator's name.
 */
export function postIdentity({ media, generation, product, schedule }: Row, creator: string): Buffer {
  const made = generation === undefined ? media.join('|') : `${generation.model} ${generation.prompt}`;
  hashText(words, made, `${creator} ${product.id} ${schedule?.at ?? ''}`);
  const identity = Buffer.allocUnsafe(8);
  identity.writeUInt32BE(words[0] ?? 0, 0);
  identity.writeUInt32BE(words[1] ?? 0, 4);
  return identity;
}
