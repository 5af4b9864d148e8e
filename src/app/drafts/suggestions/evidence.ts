/**
 * Evidence from the good rows of a sheet: which id a product title has, whether dates begin with the day or the month, and their years.
 */

import { areLongIds, isLongId } from '../../../importers/check/known-products.ts';
import { mayLackDigits } from '../../../importers/check/lost-digits.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { findIdFault } from '../../../manifest/cells/id.ts';
import { turn } from '../../../manifest/event-loop.ts';
import type { ColumnIndexes } from '../../../manifest/headers/header.ts';
import { detached } from '../../../manifest/printable.ts';
import { foldName } from '../../campaigns/import/aliases.ts';

/** Most different pairs to keep. A sheet has far fewer products. */
const mostPairs = 40_000;
/** With more texts, only their own spelling is found: the others would take too long. */
const mostSpelled = 5000;
const mostPartners = 10;
/** Longer texts are not titles. */
const longestText = 256;

/** Products to search before other work may have its turn. */
const searchedAtOnce = 100;

const mostYears = 3;

/** Number of rows in which each partner is beside a text. */
export type Partners = ReadonlyMap<string, number>;

export interface SheetProduct {
  readonly title: string;
  readonly id: string;
  readonly rows: number;
}

/** Number of rows in which only one order of day and month is possible, with an example. */
export interface DateOrder {
  readonly rows: number;
  readonly example: string;
}

export interface StoredEvidence {
  /** Number of rows by title and id. */
  readonly products: ReadonlyMap<string, Partners>;
  /** Number of rows by year. */
  readonly years: ReadonlyMap<string, number>;
  readonly dayFirst: DateOrder;
  readonly monthFirst: DateOrder;
}

const noOrder: DateOrder = { rows: 0, example: '' };

export class SheetEvidence {
  readonly #title: number;
  readonly #id: number;
  readonly #time: number;
  readonly #products: PairCount;
  readonly #years: Map<string, number>;
  #dayFirst: DateOrder;
  #monthFirst: DateOrder;

  /** @param stored that of an earlier check. */
  constructor(
    indexes: Pick<ColumnIndexes, 'product_id' | 'product_title' | 'scheduled_at'>,
    stored?: StoredEvidence,
  ) {
    this.#title = indexes.product_title;
    this.#id = indexes.product_id;
    this.#time = indexes.scheduled_at;
    this.#products = new PairCount(stored?.products);
    this.#years = new Map(stored?.years);
    this.#dayFirst = stored?.dayFirst ?? noOrder;
    this.#monthFirst = stored?.monthFirst ?? noOrder;
  }

  get stored(): StoredEvidence {
    const products = this.#products.byText;
    return { products, years: this.#years, dayFirst: this.#dayFirst, monthFirst: this.#monthFirst };
  }

  /** Adds a row. Ignores invalid ids and ids that lost their last digits. @param isIdDoubtful whether its id may be that of another product. */
  note(cells: readonly string[], isIdDoubtful = false): void {
    const title = isIdDoubtful ? '' : textOfCell(cells, this.#title);
    const id = textOfCell(cells, this.#id);
    // A known pair needs no validation.
    if (title !== '' && id !== '' && !this.#products.addKnown(title, id)) {
      if (findIdFault(id) === null && !mayLackDigits(id) && !title.includes('??'))
        this.#products.addNew(title, id);
    }
    const time = textOfCell(cells, this.#time);
    this.#noteYear(time);
    // Skips times that begin with the year, as most do.
    if (time[2] === '/' || time[2] === '-' || time[1] === '/' || time[1] === '-') this.#noteOrder(time);
  }

  /** Whether the ids of the good rows are long numbers, so that another text is hardly one. */
  get hasLongIds(): boolean {
    let [long, others] = [0, 0];
    for (const [, id, rows] of this.#products.pairs()) {
      if (isLongId(id)) long += rows;
      else others += rows;
    }
    return areLongIds(long, others);
  }

  /** The products of the good rows. */
  *pairs(): Generator<Pick<SheetProduct, 'title' | 'id'>> {
    for (const [title, id] of this.#products.pairs()) yield { title, id };
  }

  /** Of a title in another spelling, if the title itself has none. */
  idsOf(title: string): Partners {
    const own = this.#products.partnersOf(title);
    return own.size > 0 ? own : this.#products.partnersOf(this.#products.spelled(title));
  }

  titlesOf(id: string): Partners {
    return this.#products.textsOf(id);
  }

  /** The years of the rows, the most frequent one first. */
  get years(): readonly { readonly year: number; readonly rows: number }[] {
    return [...this.#years]
      .map(([year, rows]) => ({ year: Number(year), rows }))
      .sort((one, other) => other.rows - one.rows)
      .slice(0, mostYears);
  }

  /** The products of the good rows, the most frequent ones first. @param text part of a title or id, in any case. */
  async products(text: string): Promise<readonly SheetProduct[]> {
    const wanted = text.trim().toLowerCase();
    const found: SheetProduct[] = [];
    let looked = 0;
    for (const [title, id, rows] of this.#products.pairs()) {
      looked += 1;
      if (looked % searchedAtOnce === 0) await turn.pause();
      if (`${title}\n${id}`.toLowerCase().includes(wanted)) found.push({ title, id, rows });
    }
    return found.sort((one, other) => other.rows - one.rows);
  }

  get dayFirst(): DateOrder {
    return this.#dayFirst;
  }

  get monthFirst(): DateOrder {
    return this.#monthFirst;
  }

  #noteYear(time: string): void {
    const year = time[4] === '-' ? time.slice(0, 4) : (/(?<!\d)20\d{2}(?!\d)/.exec(time)?.[0] ?? '');
    const count = this.#years.get(year);
    if (count !== undefined) this.#years.set(year, count + 1);
    else if (/^20\d{2}$/.test(year)) this.#years.set(detached(year), 1);
  }

  #noteOrder(time: string): void {
    const match = /^(\d{1,2})[-/](\d{1,2})[-/]\d{4}/.exec(time);
    if (match === null) return;
    const [example = '', one, other] = match;
    if (Number(one) > 12) this.#dayFirst = { rows: this.#dayFirst.rows + 1, example: detached(example) };
    else if (Number(other) > 12) {
      this.#monthFirst = { rows: this.#monthFirst.rows + 1, example: detached(example) };
    }
  }
}

class PairCount {
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
