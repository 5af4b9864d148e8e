/** Counts in how many rows texts stand beside each other, such as titles and ids. */
import { detached } from '../../../manifest/printable.ts';
import { foldName } from '../../campaigns/import/aliases.ts';

/** Most different pairs to keep. A sheet has far fewer products. */
const mostPairs = 40_000;
/** With more texts, only their own spelling is found: the others would take too long. */
const mostSpelled = 5000;
const mostPartners = 10;
/** Longer texts are not titles. */
const longestText = 256;

/** Number of rows in which each partner is beside a text. */
export type Partners = ReadonlyMap<string, number>;

export class PairCount {
  readonly #partners: Map<string, Map<string, number>>;
  /** The reverse map, made on first use. */
  #texts: Map<string, Map<string, number>> | undefined;
  #spellings: ReadonlyMap<string, string> | undefined;
  #pairs = 0;

  constructor(byText: Iterable<readonly [string, Partners]> = []) {
    this.#partners = new Map([...byText].map(([text, partners]) => [text, new Map(partners)]));
  }

  get byText(): ReadonlyMap<string, Partners> {
    return this.#partners;
  }

  /** Counts a known pair. @returns false if the pair is not known. */
  addKnown(text: string, partner: string): boolean {
    const partners = this.#partners.get(text);
    const count = partners?.get(partner);
    if (count === undefined) return false;
    partners?.set(partner, count + 1);
    this.#texts = undefined;
    return true;
  }

  addNew(text: string, partner: string): void {
    if (text.length > longestText || partner.length > longestText || this.#pairs >= mostPairs) return;
    const partners = this.#partners.get(text) ?? new Map<string, number>();
    if (partners.size === 0) this.#partners.set(detached(text), partners);
    partners.set(detached(partner), 1);
    this.#pairs += 1;
    this.#texts = undefined;
    this.#spellings = undefined;
  }

  *pairs(): Generator<readonly [text: string, partner: string, count: number]> {
    for (const [text, partners] of this.#partners) {
      for (const [partner, count] of partners) yield [text, partner, count];
    }
  }

  partnersOf(text: string): Partners {
    return firstOf(this.#partners.get(text));
  }

  /** The text that differs only in case and spaces; empty if there is none. */
  spelled(text: string): string {
    if (this.#partners.size > mostSpelled) return '';
    this.#spellings ??= new Map([...this.#partners.keys()].map((each) => [foldName(each), each]));
    return this.#spellings.get(foldName(text)) ?? '';
  }

  textsOf(partner: string): Partners {
    this.#texts ??= this.#turnRound();
    return firstOf(this.#texts.get(partner));
  }

  #turnRound(): Map<string, Map<string, number>> {
    const texts = new Map<string, Map<string, number>>();
    for (const [text, partners] of this.#partners) {
      for (const [partner, count] of partners) {
        const found = texts.get(partner) ?? new Map<string, number>();
        texts.set(partner, found.set(text, count));
      }
    }
    return texts;
  }
}

function firstOf(partners: Partners = new Map()): Partners {
  return partners.size <= mostPartners ? partners : new Map([...partners].slice(0, mostPartners));
}
