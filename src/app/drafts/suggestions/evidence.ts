/**
 * Evidence from the good rows of a sheet: which id a product title has, whether dates begin with the day or the month, and their years.
 */

import { areLongIds, isLongId } from '../../../importers/check/known-products.ts';
import { mayLackDigits } from '../../../importers/check/lost-digits.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { findIdFault } from '../../../manifest/cells/id.ts';
import { two } from '../../../manifest/cells/time-of-day.ts';
import { readWritten } from '../../../manifest/cells/written-time.ts';
import { turn } from '../../../manifest/event-loop.ts';
import type { ColumnIndexes } from '../../../manifest/headers/header.ts';
import { detached } from '../../../manifest/printable.ts';
import { PairCount, type Partners } from './pair-count.ts';

/** Products to search before other work may have its turn. */
const searchedAtOnce = 100;

const mostYears = 3;

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

/** The first and last of some days, as `2026-12-07`. */
export interface Days {
  readonly first: string;
  readonly last: string;
}

export interface StoredEvidence {
  /** Number of rows by title and id. */
  readonly products: ReadonlyMap<string, Partners>;
  /** Number of rows by year. */
  readonly years: ReadonlyMap<string, number>;
  /** By year. Checks of earlier versions have none. */
  readonly days?: ReadonlyMap<string, Days>;
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
  readonly #days: Map<string, Days>;
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
    this.#days = new Map(stored?.days);
    this.#dayFirst = stored?.dayFirst ?? noOrder;
    this.#monthFirst = stored?.monthFirst ?? noOrder;
  }

  get stored(): StoredEvidence {
    const products = this.#products.byText;
    const [years, days, dayFirst, monthFirst] = [this.#years, this.#days, this.#dayFirst, this.#monthFirst];
    return { products, years, days, dayFirst, monthFirst };
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
    this.#noteDay(time);
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

  rowsIn(year: number): number {
    return this.#years.get(String(year)) ?? 0;
  }

  /** The rows of other years, and their days; undefined if there are none. */
  without(year: number): (Days & { readonly rows: number }) | undefined {
    const isOther = ([each]: readonly [string, unknown]) => each !== String(year);
    const days = [...this.#days].filter(isOther).map(([, each]) => each);
    const rows = [...this.#years].filter(isOther).reduce((sum, [, each]) => sum + each, 0);
    return days.length === 0 ? undefined : { ...days.reduce(withDays), rows };
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

  /** Of a date that can be read in only one way. */
  #noteDay(time: string): void {
    const [only, ...others] = time[4] === '-' ? [] : readWritten(time);
    const isOne = only?.year !== undefined && others.length === 0;
    const text = isOne ? `${only.year}-${two(only.month)}-${two(only.day)}` : time.slice(0, 10);
    if (!/^20\d\d-\d\d-\d\d$/.test(text)) return;
    const before = this.#days.get(text.slice(0, 4));
    if (before !== undefined && before.first <= text && text <= before.last) return;
    const day = detached(text);
    const own = { first: day, last: day };
    this.#days.set(detached(text.slice(0, 4)), before === undefined ? own : withDays(before, own));
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

function withDays(one: Days, other: Days): Days {
  const all = [one.first, one.last, other.first, other.last].sort();
  return { first: all[0] ?? '', last: all.at(-1) ?? '' };
}
