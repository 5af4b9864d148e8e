/** Which rows of a sheet are posts: all but those that are skipped as asked, and those that are no posts. */
import { isFilled } from '../../manifest/headers/header.ts';
import { detached } from '../../manifest/printable.ts';
import { describePlace } from '../../manifest/problems/problem.ts';
import type { RowReader } from '../../manifest/reader.ts';
import { maxIdLength } from '../../manifest/sheet-bounds.ts';
import type { SheetRow } from '../../sheets/sheet.ts';
import type { CheckOptions } from './checked-row.ts';
import { NoPosts } from './no-posts.ts';
import { unseenAs } from './unseen-rows.ts';

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
