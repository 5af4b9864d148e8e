/** Which texts were seen before, by their hashes: how many distinct ones there are, and the line that each was on first. */
import { randomInt } from 'node:crypto';

/** The count is exact up to this size; beyond it, one text in two is sampled, then one in four, ... */
const countedEach = 65_536;

/**
 * Counts distinct texts, or pairs of texts: exactly up to some ten thousands, beyond that to within about one percent. It samples the
 * texts whose hash ends in zeros.
 */
export class DistinctCount {
  readonly #counted = new LineTable();
  /** How many texts a sampled one stands for: a power of two. */
  #weight = 1;
  readonly #hash: HashWords = new Uint32Array(2);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @returns how many distinct texts this one stands for; 0 if it is not new. */
  add(text: string, second?: string): number {
    hashText(this.#hash, text, second);
    const weight = this.#weight;
    if (!isSampled(this.#hash[0] ?? 0, weight) || this.#counted.find(this.#hash) > 0) return 0;
    this.#counted.add(this.#hash, 1);
    this.#size += weight;
    if (this.#counted.size > countedEach) {
      this.#weight *= 2;
      this.#counted.keep((first) => isSampled(first, this.#weight));
    }
    return weight;
  }
}

function isSampled(hash: number, weight: number): boolean {
  return (hash & (weight - 1)) === 0;
}

/**
 * The line of each text, or pair of texts, by a hash of 64 bits: 14 to 28 bytes for each, where a map of the texts takes 100 and
 * more. In a sheet of a million texts, two different ones are taken for the same with a chance of one in 30 million. The seed is
 * random, so that collisions can hardly be prepared.
 */
export class LineIndex {
  readonly #hash: HashWords = new Uint32Array(2);
  readonly #seed = randomInt(2 ** 32);
  readonly #kept: number;
  #newer = new LineTable();
  #older = new LineTable();

  /** @param kept at least so many texts are remembered, and at most twice as many. Default: all. */
  constructor(kept = Number.POSITIVE_INFINITY) {
    this.#kept = kept;
  }

  /** Remembers the line of a text that is new. @returns the line of one that is not; undefined if it is. */
  seen(line: number, text: string, second?: string): number | undefined {
    hashText(this.#hash, text, second, this.#seed);
    const earlier = this.#newer.find(this.#hash) || this.#older.find(this.#hash);
    if (earlier > 0) return earlier;
    if (this.#newer.size === this.#kept) {
      [this.#newer, this.#older] = [this.#older, this.#newer];
      this.#newer.clear();
    }
    this.#newer.add(this.#hash, line);
    return undefined;
  }
}

/** How many of its slots are in use, how many bits of the hash all texts of the page share, then its slots. */
type Page = Uint32Array<ArrayBuffer>;

const headWords = 2;
/** Words of a slot: two of the hash, then the line. A slot without a line is free. */
const slotWords = 3;
/** A page takes 4 KB. */
const pageSlots = 340;
/** 4096 pages hold a million texts. With more, or with prepared collisions, a page grows instead. */
const mostBits = 12;

/**
 * A hash table of pages, found by the first bits of a hash. A full page is split in two. Up to a million texts, pages are of
 * one size and never given back, so they leave neither garbage in the heap nor holes around it.
 */
class LineTable {
  /** By the first bits of the second word. Neighbours may be the same page. */
  #pages: Page[] = Array(2).fill(createPage(pageSlots, 0));
  #bits = 1;
  size = 0;

  /** @returns 0 if the hash is not there. */
  find(hash: HashWords): number {
    const [first = 0, second = 0] = hash;
    const page = this.#pageOf(second);
    return page[slotOf(page, first, second) + 2] ?? 0;
  }

  /** Adds a hash that is not there. @param line at least 1. */
  add(hash: HashWords, line: number): void {
    const [first = 0, second = 0] = hash;
    let page = this.#pageOf(second);
    for (; isFull(page); page = this.#pageOf(second)) this.#split(page, second);
    put(page, first, second, line);
    this.size += 1;
  }

  /** Keeps only the hashes whose first word is wanted. */
  keep(isWanted: (first: number) => boolean): void {
    this.size = 0;
    for (const page of new Set(this.#pages)) {
      refill(page, (first) => (isWanted(first) ? page : undefined));
      this.size += page[0] ?? 0;
    }
  }

  clear(): void {
    this.keep(() => false);
  }

  #pageOf(second: number): Page {
    return this.#pages[second >>> (32 - this.#bits)] ?? noPage;
  }

  #split(page: Page, second: number): void {
    const [, shared = 0] = page;
    const isLast = shared === mostBits;
    if (shared === this.#bits && !isLast) {
      this.#pages = this.#pages.flatMap((each) => [each, each]);
      this.#bits += 1;
    }
    const other = createPage(isLast ? slotsOf(page) * 2 : pageSlots, isLast ? shared : shared + 1);
    const isOther = (word: number) => isLast || ((word >>> (31 - shared)) & 1) === 1;
    page[1] = other[1] ?? 0;
    refill(page, (_first, word) => (isOther(word) ? other : page));
    // The neighbours that are the same page, or the second half of them.
    const spread = 2 ** (this.#bits - shared);
    const first = (second >>> (32 - this.#bits)) & -spread;
    this.#pages.fill(other, isLast ? first : first + spread / 2, first + spread);
  }
}

const noPage = createPage(1, 0);

function createPage(slots: number, shared: number): Page {
  const page = new Uint32Array(headWords + slots * slotWords);
  page[1] = shared;
  return page;
}

function slotsOf(page: Page): number {
  return (page.length - headWords) / slotWords;
}

/** Beyond this, the search of a free slot takes long. */
function isFull(page: Page): boolean {
  return (page[0] ?? 0) > slotsOf(page) * 0.85;
}

function put(page: Page, first: number, second: number, line: number): void {
  const slot = slotOf(page, first, second);
  page[slot] = first;
  page[slot + 1] = second;
  page[slot + 2] = line;
  page[0] = (page[0] ?? 0) + 1;
}

/** Puts each hash of a page where it belongs now. */
function refill(page: Page, pageOf: (first: number, second: number) => Page | undefined): void {
  const words = page.slice();
  page.fill(0, headWords);
  page[0] = 0;
  for (let slot = headWords; slot < words.length; slot += slotWords) {
    const [first = 0, second = 0, line = 0] = [words[slot], words[slot + 1], words[slot + 2]];
    const to = line > 0 ? pageOf(first, second) : undefined;
    if (to !== undefined) put(to, first, second, line);
  }
  // Frees the memory at once: the garbage collection would come later.
  words.buffer.transfer(0);
}

/**
 * Where a hash is in a page, or would be. The last bits of the second word decide, because the first bits are the same in a page, and
 * the first word has the same last bits in all if it is sampled by them.
 */
function slotOf(page: Page, first: number, second: number): number {
  let slot = headWords + (second % slotsOf(page)) * slotWords;
  while (page[slot + 2] !== 0 && (page[slot] !== first || page[slot + 1] !== second)) {
    slot += slotWords;
    if (slot === page.length) slot = headWords;
  }
  return slot;
}

/** Two 32-bit words in an array of the caller, so that a million hashes need no allocations. */
export type HashWords = Uint32Array<ArrayBuffer>;

/**
 * A 64-bit hash that is fast on short texts: of the UTF-16 units of a text, or of a pair of texts, in two lanes with different
 * constants. Not secure: with a known seed, collisions can be constructed.
 * @param seed 32 bits.
 */
export function hashText(into: HashWords, text: string, second?: string, seed = 0): void {
  let a = 0x9e3779b9 ^ seed;
  let b = 0x85ebca6b ^ rotate(seed, 16);
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
