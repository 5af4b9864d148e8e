/** What the good rows of a sheet tell about the others: which id a product title has, and whether the day or the month comes first. */

import { detached } from '../../../manifest/detached.ts';
import type { ColumnIndexes } from '../../../manifest/header.ts';
import { findIdFault } from '../../../manifest/scalars.ts';

/** Different texts that are remembered, and partners of each. A sheet has far fewer products. */
const mostTexts = 20_000;
const mostPartners = 10;
/** Longer texts are no titles. */
const longestText = 256;

/** How often each partner stands beside a text. */
export type Partners = ReadonlyMap<string, number>;

/** In how many rows only one order of day and month is possible, and such a date. */
export interface DateOrder {
  readonly rows: number;
  readonly example: string;
}

export class SheetEvidence {
  readonly #title: number;
  readonly #id: number;
  readonly #time: number;
  readonly #idsOf = new PairCount();
  readonly #titlesOf = new PairCount();
  #dayFirst: DateOrder = { rows: 0, example: '' };
  #monthFirst: DateOrder = { rows: 0, example: '' };

  constructor(indexes: ColumnIndexes) {
    this.#title = indexes.product_title;
    this.#id = indexes.product_id;
    this.#time = indexes.scheduled_at;
  }

  /** Takes a row. What is no id, or has lost its last digits, is left out. */
  note(cells: readonly string[]): void {
    const title = (cells[this.#title] ?? '').trim();
    const id = (cells[this.#id] ?? '').trim();
    if (title !== '' && id !== '' && findIdFault(id) === null && !title.includes('??')) {
      this.#idsOf.add(title, id);
      this.#titlesOf.add(id, title);
    }
    const time = (cells[this.#time] ?? '').trim();
    // Most times begin with the year.
    if (time[2] === '/' || time[2] === '-' || time[1] === '/' || time[1] === '-') this.#noteOrder(time);
  }

  idsOf(title: string): Partners {
    return this.#idsOf.of(title);
  }

  titlesOf(id: string): Partners {
    return this.#titlesOf.of(id);
  }

  get dayFirst(): DateOrder {
    return this.#dayFirst;
  }

  get monthFirst(): DateOrder {
    return this.#monthFirst;
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

/** Counts pairs of texts, within a bound of memory. */
class PairCount {
  readonly #partners = new Map<string, Map<string, number>>();

  add(text: string, partner: string): void {
    if (text.length > longestText || partner.length > longestText) return;
    let partners = this.#partners.get(text);
    if (partners === undefined) {
      if (this.#partners.size >= mostTexts) return;
      partners = new Map();
      this.#partners.set(detached(text), partners);
    }
    const count = partners.get(partner);
    if (count !== undefined) partners.set(partner, count + 1);
    else if (partners.size < mostPartners) partners.set(detached(partner), 1);
  }

  of(text: string): Partners {
    return this.#partners.get(text) ?? new Map();
  }
}
