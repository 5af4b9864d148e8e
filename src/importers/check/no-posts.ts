/**
 * Which rows of a sheet are posts: all but those that are skipped as asked, and those of a planner's sheet that are no posts: months,
 * remarks, totals, and repeated headers. They are skipped, with a notice.
 */
import { type ColumnName, foldHeader } from '../../manifest/columns.ts';
import { type Header, isFilled, meaningsOf, namedColumn } from '../../manifest/headers/header.ts';
import { detached } from '../../manifest/printable.ts';
import {
  describePlace,
  describePlaces,
  type Problem,
  placeProblem,
  type RowPlace,
} from '../../manifest/problems/problem.ts';
import type { RowReader } from '../../manifest/reader.ts';
import { maxIdLength } from '../../manifest/sheet-bounds.ts';
import { plural } from '../../manifest/wording.ts';
import type { SheetRow } from '../../sheets/sheet.ts';
import { type CheckOptions, nameOf, type RefusedRow } from './checked-row.ts';
import { unseenAs } from './unseen-rows.ts';

/** A post has some of these. */
const needed = [
  'creator',
  'media',
  'ai_prompt',
  'product_id',
  'product_title',
  'product_link',
] as const satisfies readonly ColumnName[];
/** In a narrower sheet one cell may be half of a post. */
const leastColumns = 4;
const mostNamed = 5;

const totals: ReadonlySet<string> = new Set(
  (
    'total totals subtotal sum summe gesamt gesamtsumme zwischensumme totaux somme suma totales subtotales jumlah soma ' +
    'totais totale totali subtotale tong tongcong รวม รวมทั้งหมด 합계 총계 合计 总计 小计 合計 総計'
  ).split(' '),
);

/** Whether a text is the label of a sum, in the first column: `Total`, `Grand total:`, `Tổng cộng`. */
function isTotal(text: string): boolean {
  const words = text
    .toLowerCase()
    .replace(/^(?:grand|sub) /, '')
    .split(/[\s:(]/, 2);
  return text.length <= longestLabel && totals.has(foldHeader(words[0] ?? ''));
}

const longestLabel = 40;

/** A sum, or nothing. An id of the service is longer. */
const sum = /^[\d\s.,]{0,15}$/;

/** The same with what is counted: `45 videos`. */
const count = /^(?:[\d\s.,]{0,15}|\d{1,6} \p{L}{1,20})$/u;

/** The same with words about it: `posts planned`. */
const phrase = /^(?:[\d\s.,]{0,15}|(?:\d{1,6} )?[\p{L}\p{M} ]{1,40})$/u;

/** Why a row is no post: what it has. */
const reasons = {
  lone: 'only one filled cell',
  bare: 'no creator, media or product',
  total: 'a total',
  header: 'the headers again',
} as const;
type Reason = keyof typeof reasons;

export class NoPosts {
  readonly #names: readonly string[];
  readonly #meanings: ReadonlyMap<number, ColumnName>;
  readonly #needed: readonly number[];
  readonly #creator: number;
  readonly #productId: number;
  /** Columns of a results sheet, where a skipped row says why. */
  readonly #results: ReadonlySet<number>;
  /** Positions of the columns beside the creator where a total has only sums. */
  readonly #summed: readonly number[];
  readonly #reasons = new Set<Reason>();
  readonly #places: RowPlace[] = [];
  #count = 0;

  constructor(header: Header) {
    const { names, indexes, moreMedia, results } = header;
    this.#meanings = meaningsOf(header);
    this.#names = names;
    this.#results = new Set(results);
    this.#creator = indexes.creator;
    this.#productId = indexes.product_id;
    this.#needed = [...needed.map((name) => indexes[name]), ...moreMedia].filter((position) => position >= 0);
    const { caption, scheduled_at, scheduled_time } = indexes;
    this.#summed = [...this.#needed, caption, scheduled_at, scheduled_time].filter(
      (position) => position !== indexes.creator,
    );
  }

  get count(): number {
    return this.#count;
  }

  /** Counts the row if it is no post. @returns whether it is none; false for a row that could not be read. */
  take(row: SheetRow): boolean {
    const reason = row.faults === undefined ? this.#reasonOf(row.cells) : undefined;
    if (reason === undefined) return false;
    this.#reasons.add(reason);
    this.#count += 1;
    const { line, worksheet } = row;
    if (this.#places.length < mostNamed) this.#places.push({ line, worksheet });
    return true;
  }

  #reasonOf(cells: readonly string[]): Reason | undefined {
    const first = this.#nextFilled(cells, 0);
    const second = this.#nextFilled(cells, first + 1);
    if (second >= cells.length) return this.#names.length >= leastColumns ? 'lone' : undefined;
    const isBlank = (position: number) => (cells[position] ?? '').trim() === '';
    if (this.#needed.every(isBlank)) return 'bare';
    const isSum = (position: number) => sum.test(cells[position] ?? '');
    // Nearly no row has only sums, and the test is cheap.
    if (this.#summed.every(isSum) && isTotal(cells[this.#creator] ?? '')) return 'total';
    // The number of posts or files may be below them.
    const isCount = (position: number) => count.test((cells[position] ?? '').trim());
    const isOfNobody = () => isCount(this.#creator) || isTotal(cells[this.#creator] ?? '');
    if (this.#summed.every(isCount) && [first, second].some((at) => isTotal(cells[at] ?? '')) && isOfNobody())
      return 'total';
    if (isBlank(this.#creator) && this.#isLabelled(cells)) return 'total';
    return this.#isHeader(cells, first) ? 'header' : undefined;
  }

  /** The first position from here on that is filled in, but not with a result; behind all cells if there is none. */
  #nextFilled(cells: readonly string[], from: number): number {
    let position = from;
    while (position < cells.length && ((cells[position] ?? '').trim() === '' || this.#results.has(position)))
      position += 1;
    return position;
  }

  /** Whether a total is named in a column of its own, beside sums and words about them. */
  #isLabelled(cells: readonly string[]): boolean {
    if (!cells.some((cell, at) => isTotal(cell) && !this.#summed.includes(at))) return false;
    const texts = this.#summed.map((at) => (cells[at] ?? '').trim());
    return texts.every((text) => phrase.test(text)) && texts.some((text) => text !== '' && sum.test(text));
  }

  /** @param first position of the first cell that is filled in. */
  #isHeader(cells: readonly string[], first: number): boolean {
    // Most rows have an id: it takes less time than to compare names.
    if (/^\d/.test(cells[this.#productId] ?? '')) return false;
    const isName = (position: number) => {
      const cell = (cells[position] ?? '').trim();
      if (cell === this.#names[position]?.trim()) return true;
      return cell.length <= longestLabel && this.#means(cell, position);
    };
    return isName(first) && cells.every((cell, position) => cell.trim() === '' || isName(position));
  }

  /** Whether a text is another header for the column of a position. */
  #means(text: string, position: number): boolean {
    const column = this.#meanings.get(position);
    return column !== undefined && namedColumn(foldHeader(text)) === column;
  }

  /** The notice about them; undefined if there are none. */
  get notice(): Problem | undefined {
    const [first] = this.#places;
    if (first === undefined) return undefined;
    const more = this.#count - this.#places.length;
    const lines = describePlaces(this.#places, more);
    const have = this.#count === 1 ? 'has' : 'have';
    const why = [...this.#reasons].map((reason) => reasons[reason]).join(', or ');
    return placeProblem(first, null, {
      column: null,
      code: 'no_posts',
      value: '',
      problem: `${plural(this.#count, 'row')} ${have} ${why}: skipped (${lines})`,
      fix: 'If a row is a post, fill in its creator and media.',
    });
  }
}

export class RowSelection {
  readonly #reader: RowReader;
  readonly #options: Pick<CheckOptions, 'edits' | 'sheet' | 'onMark' | 'onSkipped'>;
  /** Undefined for rows that a program wrote, or where a person wants all of them checked. */
  readonly noPosts: NoPosts | undefined;
  /** Rows that are skipped as asked. They are no rows of the campaign, and nothing is missing without them. */
  readonly skipped = { hidden: 0, ownStatus: 0 };
  /**
   * Number of the last row. Skipped ones count, because rows without a key are identified by their numbers. Set it to take rows that do not
   * follow each other.
   */
  rowsSeen = 0;

  /** @param hasPostsOnly whether a program wrote the rows. */
  constructor(reader: RowReader, options: CheckOptions, hasPostsOnly: boolean) {
    this.#reader = reader;
    this.#options = options;
    const takesAll = hasPostsOnly || options.sheet?.noPosts === 'post';
    this.noPosts = takesAll ? undefined : new NoPosts(reader.header);
  }

  /** Number of rows so far, without those that are skipped. */
  get rows(): number {
    return this.rowsSeen - this.skipped.hidden - this.skipped.ownStatus - (this.noPosts?.count ?? 0);
  }

  /** Takes the next row. @returns it as edited; undefined if it is no post, or skipped. */
  take(written: SheetRow): SheetRow | undefined {
    this.rowsSeen += 1;
    const { edits, sheet } = this.#options;
    if (sheet?.hidden === 'skip' && unseenAs(written) !== undefined) return this.skip('hidden');
    const row = edits?.apply(written, this.rowsSeen) ?? written;
    if (edits?.skips(this.rowsSeen)) return this.#tellSkipped(row);
    if (!this.#isNoPost(row, written)) return row;
    this.#options.onMark?.(this.rowsSeen, 'leftOut');
    return undefined;
  }

  /** Skips the row that was taken last. */
  skip(why: keyof RowSelection['skipped']): undefined {
    this.skipped[why] += 1;
    this.#options.onMark?.(this.rowsSeen, 'leftOut');
  }

  /** Skips a row with the problems that it was left out with before. */
  skipAgain(row: RefusedRow): void {
    const hasOwnKey = isFilled(row.cells, this.#reader.header.indexes.key);
    this.#options.onMark?.(row.number, 'leftOut');
    this.#options.onSkipped?.({ ...row, name: nameOf(row), hasOwnKey, wasSkipped: true });
  }

  #tellSkipped({ cells, line, worksheet }: SheetRow): undefined {
    const key = this.#reader.key({ cells, number: this.rowsSeen });
    this.#options.onSkipped?.({
      name: key.length > maxIdLength ? describePlace({ line, worksheet }) : detached(key),
      line,
      worksheet,
      hasOwnKey: isFilled(cells, this.#reader.header.indexes.key),
      wasSkipped: this.#options.edits?.skippedBefore(this.rowsSeen) ?? false,
    });
  }

  /** @param written the row without edits: the text that an added column has in all rows makes no post of a heading. */
  #isNoPost(row: SheetRow, written: SheetRow): boolean {
    const { edits } = this.#options;
    const isOwn = (at: number) => at < written.cells.length || edits?.isTyped(this.rowsSeen, at);
    const own = row === written ? row.cells : row.cells.map((cell, at) => (isOwn(at) ? cell : ''));
    const isBare = row !== written && own.filter((cell) => cell.trim() !== '').length < 2;
    return this.noPosts?.take(isBare ? { ...row, cells: own } : row) ?? false;
  }
}
