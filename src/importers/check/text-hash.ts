/** A 64-bit hash that is fast on short texts. Not secure: collisions can be constructed. */

/** Two 32-bit words in an array of the caller, so that a million hashes need no allocations. */
export type HashWords = Uint32Array<ArrayBuffer>;

/** Hashes the UTF-16 units of a text, or of a pair of texts, in two lanes with different constants. */
export function hashText(into: HashWords, text: string, second?: string): void {
  let a = 0x9e3779b9 | 0;
  let b = 0x85ebca6b | 0;
  for (let part = 0; part < 2; part += 1) {
    const current = part === 0 ? text : second;
    if (current === undefined) break;
    // Mixes in the length of each part, so that moving a letter from one to the other changes the hash.
    a ^= current.length;
    for (let index = 0; index < current.length; index += 1) {
      const unit = current.charCodeAt(index);
      a = Math.imul(rotate(a ^ unit, 13), 0xcc9e2d51);
      b = Math.imul(rotate(b ^ unit, 17), 0x1b873593);
    }
    a = Math.imul(a ^ b, 0xa1e38b93);
  }
  into[0] = finish(a ^ rotate(b, 7));
  into[1] = finish(b ^ rotate(a, 19));
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** Spreads every bit over the whole word. */
function finish(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}
