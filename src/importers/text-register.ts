/** A set of texts that a million of them do not make large: it keeps 96 bits of a hash for each, not the text. */

/** Words of 32 bits for one text: three of its hash and its mark. */
const width = 4;
/** Pages of memory that nothing is written to take no room, so a large table costs a small manifest nothing. */
const initialCapacity = 1 << 19;

/**
 * Texts by hash, each with a mark. At 96 bits, the chance that any two of a million different texts are taken for one is
 * one in 10^17: there is no need to keep the texts for comparison.
 */
export class TextRegister {
  #capacity = initialCapacity;
  #slots = new Uint32Array(initialCapacity * width);
  #size = 0;
  readonly #hash = new Uint32Array(3);

  /** How many different texts were added. */
  get size(): number {
    return this.#size;
  }

  /**
   * Adds a text, or a pair of texts.
   * @param mark a number from 1 to 2^32 - 1 to remember it by, such as its line.
   * @returns 0 where it is new; else the mark that it was added with first.
   */
  add(mark: number, text: string, second?: string): number {
    const hash = this.#hash;
    hashText(hash, text, second);
    const one = hash[0] ?? 0;
    const two = hash[1] ?? 0;
    const three = hash[2] ?? 0;
    const slots = this.#slots;
    const slot = this.#find(one, two, three);
    const known = slots[slot + 3] ?? 0;
    if (known !== 0) return known;
    slots[slot] = one;
    slots[slot + 1] = two;
    slots[slot + 2] = three;
    slots[slot + 3] = mark;
    this.#size += 1;
    if (this.#size > this.#capacity * 0.75) this.#grow();
    return 0;
  }

  /** The slot of a hash: its own, or the empty one that it would go to. */
  #find(first: number, second: number, third: number): number {
    const slots = this.#slots;
    const last = this.#capacity - 1;
    for (let index = first & last; ; index = (index + 1) & last) {
      const slot = index * width;
      if (slots[slot + 3] === 0) return slot;
      if (slots[slot] === first && slots[slot + 1] === second && slots[slot + 2] === third) return slot;
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#capacity *= 2;
    this.#slots = new Uint32Array(this.#capacity * width);
    for (let slot = 0; slot < old.length; slot += width) {
      if (old[slot + 3] === 0) continue;
      const target = this.#find(old[slot] ?? 0, old[slot + 1] ?? 0, old[slot + 2] ?? 0);
      this.#slots.set(old.subarray(slot, slot + width), target);
    }
  }
}

/** Three lanes of multiply and rotate over the UTF-16 units, each with constants of its own, mixed at the end. */
function hashText(into: Uint32Array, text: string, second: string | undefined): void {
  let a = 0x9e3779b9 | 0;
  let b = 0x85ebca6b | 0;
  let c = 0xc2b2ae35 | 0;
  for (let part = 0; part < 2; part += 1) {
    const current = part === 0 ? text : second;
    if (current === undefined) break;
    // The length stands before each part, so that moving a letter from one to the other changes the hash.
    a ^= current.length;
    for (let index = 0; index < current.length; index += 1) {
      const unit = current.charCodeAt(index);
      a = Math.imul(rotate(a ^ unit, 13), 0xcc9e2d51);
      b = Math.imul(rotate(b ^ unit, 17), 0x1b873593);
      c = Math.imul(rotate(c ^ unit, 11), 0x38b34ae5);
    }
    a = Math.imul(a ^ b, 0xa1e38b93);
  }
  into[0] = finish(a ^ rotate(c, 7));
  into[1] = finish(b ^ rotate(a, 19));
  into[2] = finish(c ^ rotate(b, 5));
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** Spreads every bit of the word over all of it. */
function finish(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}
