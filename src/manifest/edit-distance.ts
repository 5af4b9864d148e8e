/** Finds the intended name behind a typo, within a bound of work: names and words come from outside. */

/** Nobody mistypes so long a word. */
const longestWord = 128;
/** No longer name is near a word. */
const longestName = Math.ceil((longestWord * 4) / 3);
/** Most comparisons for one word: some milliseconds. So many long names that are alike show no intention. */
const mostOfWord = 300_000;
/** Most comparisons for all words of a sheet together, unless told otherwise: about a second in all. */
const mostOfSheet = 100_000_000;
/** Guesses to keep of the words of a sheet: the same wrong word stands in many rows. */
export const guessesKept = 1000;
/** Comparisons that a name costs before its letters are compared. */
const costOfName = 20;
/** Bits of the set of letters of a word. English letters and digits have one each. */
const letterBits = 37;

/** How many letters were compared with letters, of all words together. A letter takes some nanoseconds. */
export class ComparingWork {
  readonly #most: number;
  #done = 0;

  constructor(most = mostOfSheet) {
    this.#most = most;
  }

  get done(): number {
    return this.#done;
  }

  /** How many comparisons one more word may take; 0 when all are used up. */
  get left(): number {
    return Math.min(mostOfWord, Math.max(0, this.#most - this.#done));
  }

  add(comparisons: number): void {
    this.#done += comparisons;
  }
}

export class NearestNames {
  readonly #byLength = new Map<number, SameLength>();

  constructor(names: Iterable<string> = []) {
    for (const name of names) this.add(name);
  }

  add(name: string): void {
    if (name.length > longestName) return;
    const known = this.#byLength.get(name.length) ?? { names: [], low: [], high: [] };
    if (known.names.length === 0) this.#byLength.set(name.length, known);
    const { low, high } = lettersOf(name);
    known.names.push(name);
    known.low.push(low);
    known.high.push(high);
  }

  /**
   * Finds the name nearest to `word`, if it may be a typo: at most a third of the letters, and always up to two, are added, left out,
   * changed or swapped with a neighbour.
   * @param work done so far, for all words together. When it is used up, no name is found any more.
   */
  find(word: string, work = new ComparingWork()): string | undefined {
    return this.#compare(word, work, (comparison, candidates, most) => comparison.nearest(candidates, most));
  }

  /** All names that `word` may be a typo of, as `find`. */
  findAll(word: string, work = new ComparingWork()): readonly string[] {
    return (
      this.#compare(word, work, (comparison, candidates, most) => comparison.near(candidates, most)) ?? []
    );
  }

  #compare<T>(
    word: string,
    work: ComparingWork,
    look: (comparison: Comparison, candidates: Candidates, most: number) => T,
  ): T | undefined {
    if (word.length > longestWord || work.left === 0) return undefined;
    const most = Math.max(2, Math.floor(word.length / 3));
    const comparison = new Comparison(word, work.left);
    const found = look(comparison, this.#candidates(word, most, comparison), most);
    work.add(comparison.done);
    return comparison.isTooMuch ? undefined : found;
  }

  /** The names that may be near enough, by the least distance that their lengths and letters allow. */
  #candidates(word: string, most: number, comparison: Comparison): Candidates {
    const candidates: string[][] = Array.from({ length: most + 1 }, () => []);
    for (let length = Math.max(0, word.length - most); length <= word.length + most; length += 1) {
      const known = this.#byLength.get(length);
      if (known === undefined) continue;
      comparison.done += known.names.length;
      if (comparison.isTooMuch) return [];
      addCandidates(candidates, word, known);
    }
    return candidates;
  }
}

/** Finds the name nearest to `word` among a few, as `NearestNames.find`. */
export function nearest(word: string, names: Iterable<string>, work?: ComparingWork): string | undefined {
  return word.length > longestWord ? undefined : new NearestNames(names).find(word, work);
}

/**
 * Whether each word may be a typo of the other's. Of long names that share most words, the letters alone would tell little. Words with
 * digits, and those behind a number (units), must be equal.
 */
export function areNear(words: readonly string[], others: readonly string[], work?: ComparingWork): boolean {
  if (words.join('') === others.join('')) return true;
  return (
    words.length === others.length &&
    words.every((word, index) => {
      const other = others[index] ?? '';
      if (word === other) return true;
      if (/\d/.test(word + other)) return withoutZeros(word) === withoutZeros(other);
      return !/^\d+$/.test(words[index - 1] ?? '') && nearest(word, [other], work) !== undefined;
    })
  );
}

/** `take07` is `take7`. */
function withoutZeros(word: string): string {
  return word.replace(/(?<!\d)0+(?=\d)/g, '');
}

/** Names by the least distance that they may have. */
type Candidates = readonly (readonly string[])[];

/** Names, and the sets of their letters. */
interface SameLength {
  readonly names: string[];
  readonly low: number[];
  readonly high: number[];
}

/** Adds each name by how many letters at least must change: a letter that only one of the words has costs a change. */
function addCandidates(
  candidates: readonly string[][],
  word: string,
  { names, low, high }: SameLength,
): void {
  const letters = lettersOf(word);
  const atLeast = Math.abs((names[0] ?? '').length - word.length);
  for (let index = 0; index < names.length; index += 1) {
    const [otherLow, otherHigh] = [low[index] ?? 0, high[index] ?? 0];
    const more = bitsOf(letters.low & ~otherLow) + bitsOf(letters.high & ~otherHigh);
    const less = bitsOf(otherLow & ~letters.low) + bitsOf(otherHigh & ~letters.high);
    const bound = Math.max(atLeast, more, less);
    if (bound < candidates.length) candidates[bound]?.push(names[index] ?? '');
  }
}

/** The set of the letters of a word: bits by code unit. */
function lettersOf(word: string): { readonly low: number; readonly high: number } {
  let low = 0;
  let high = 0;
  for (let index = 0; index < word.length; index += 1) {
    const bit = word.charCodeAt(index) % letterBits;
    if (bit < 32) low |= 1 << bit;
    else high |= 1 << (bit - 32);
  }
  return { low, high };
}

function bitsOf(set: number): number {
  let pairs = set - ((set >>> 1) & 0x55555555);
  pairs = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((pairs + (pairs >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

class Comparison {
  readonly #word: string;
  readonly #most: number;
  done = 0;

  constructor(word: string, most: number) {
    this.#word = word;
    this.#most = most;
  }

  get isTooMuch(): boolean {
    return this.done >= this.#most;
  }

  nearest(candidates: Candidates, most: number): string | undefined {
    let best: string | undefined;
    let within = most;
    for (const [atLeast, names] of candidates.entries()) {
      for (const name of names) {
        if (atLeast > within || this.isTooMuch) return best;
        const distance = this.#distance(name, within);
        if (distance > within) continue;
        best = name;
        within = distance - 1;
      }
    }
    return best;
  }

  near(candidates: Candidates, most: number): readonly string[] {
    return candidates.flat().filter((name) => !this.isTooMuch && this.#distance(name, most) <= most);
  }

  /** Counts the letters to add, leave out, change or swap with a neighbour. Stops beyond `most`, with a greater number. */
  #distance(name: string, most: number): number {
    this.done += costOfName;
    const longest = Math.max(this.#word.length, name.length);
    // With most letters changed it is another word, not a typo.
    const distance = this.#distanceOf(...withoutCommonEnds(this.#word, name), Math.min(most, longest >> 1));
    return distance ?? most + 1;
  }

  /** @returns undefined beyond `within`. */
  #distanceOf(word: string, name: string, within: number): number | undefined {
    const over = within + 1;
    let [beforeLast, last, current] = rows;
    for (let col = 0; col <= name.length; col += 1) last[col] = col;
    for (let row = 1; row <= word.length; row += 1) {
      // Further from the diagonal, more letters are added or left out than may be.
      const [from, to] = [Math.max(1, row - within), Math.min(name.length, row + within)];
      current[from - 1] = from === 1 ? row : over;
      let least = from === 1 ? row : over;
      const letter = word.charCodeAt(row - 1);
      for (let col = from; col <= to; col += 1) {
        const change = letter === name.charCodeAt(col - 1) ? 0 : 1;
        let cost = Math.min(at(last, col) + 1, at(current, col - 1) + 1, at(last, col - 1) + change);
        const isSwapped =
          row > 1 &&
          col > 1 &&
          letter === name.charCodeAt(col - 2) &&
          word.charCodeAt(row - 2) === name.charCodeAt(col - 1);
        if (isSwapped) cost = Math.min(cost, at(beforeLast, col - 2) + 1);
        current[col] = cost;
        if (cost < least) least = cost;
      }
      if (to < name.length) current[to + 1] = over;
      this.done += Math.max(0, to - from + 1);
      if (least > within) return undefined;
      [beforeLast, last, current] = [last, current, beforeLast];
    }
    const distance = at(last, name.length);
    return distance > within ? undefined : distance;
  }
}

/** The names of a team, or of an account's creators, often begin and end alike. */
function withoutCommonEnds(one: string, other: string): [one: string, other: string] {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one.charCodeAt(start) === other.charCodeAt(start)) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return [one.slice(start, one.length - end), other.slice(start, other.length - end)];
}

/** The last rows of a comparison, used again for each: names may be a third longer than the longest word. */
const rows = [newRow(), newRow(), newRow()] as const;

function newRow(): Uint16Array {
  return new Uint16Array(longestWord * 2);
}

function at(row: Uint16Array, index: number): number {
  return row[index] ?? 0;
}
