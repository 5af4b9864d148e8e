/** Histories of single rows (every attempt, and actions of people; `lua/history.lua` has the rules), and the comments of people. */
import { z } from 'zod';
import type { RowIndex, RowVersion } from '../../manifest/row.ts';
import { type Step, steps } from '../../manifest/steps.ts';
import { flatVersions, LedgerPart } from '../ledger-part.ts';
import { readStored } from '../stored-json.ts';

/** Outcome of an attempt that did not end its row. */
export type InterimOutcome = 'retry' | 'again' | 'throttled' | 'held';

/** One attempt, or an event outside of a step. */
export interface HistoryEntry {
  /** Unix epoch, milliseconds. */
  readonly at: number;
  /** Undefined outside of a step: an action of a person, or news from the publishing records. */
  readonly step: Step | undefined;
  /** Such as `ok`, `retry`, `failed`, `review`, `posted`, `retried`, `cancelled`. */
  readonly outcome: string;
  /** One line, cut after 240 characters. */
  readonly message: string | undefined;
  /** Number of consecutive attempts, of which only the last one is shown. */
  readonly times: number;
}

/** Newer programs may store more. */
const storedEntry = z.looseObject({
  t: z.number(),
  s: z.enum(steps).optional(),
  o: z.string(),
  m: z.string().optional(),
  n: z.number().optional(),
});

export class RowHistories extends LedgerPart {
  /** Records an attempt that did not end its row. */
  async record(
    campaign: string,
    rows: readonly RowVersion[],
    attempt: { readonly step: Step; readonly outcome: InterimOutcome; readonly message: string },
  ): Promise<void> {
    const { step, outcome, message } = attempt;
    const args = [campaign, this.clock, step, outcome, message, ...flatVersions(rows)];
    await this.run('rows/record-attempt', args);
  }

  /** The oldest first; empty for a row that has not begun, or that succeeded at the first attempt. */
  async read(campaign: string, row: RowIndex): Promise<readonly HistoryEntry[]> {
    const history = await this.redis.hget(this.keys.histories(campaign), String(row));
    return readLines(storedEntry, history).map(({ t, s, o, m, n = 1 }) => {
      return { at: t, step: s, outcome: o, message: m, times: n };
    });
  }
}

export const longestComment = 2000;
/** Comments of one row, and of one campaign or draft. */
export const mostOfRow = 100;
export const mostOfCampaign = 10_000;

export const storedComment = z.looseObject({
  by: z.string(),
  text: z.string(),
  /** Unix epoch, milliseconds. */
  at: z.number(),
  /** Whether somebody without an account wrote it, under this name. */
  isGuest: z.boolean().optional(),
});
export type Comment = Readonly<Pick<z.infer<typeof storedComment>, 'by' | 'text' | 'at' | 'isGuest'>>;

export class CommentLedger extends LedgerPart {
  /** @returns `full`: there are as many as are kept. `gone`: no such row. */
  async add(campaign: string, row: RowIndex, comment: Omit<Comment, 'at'>): Promise<'ok' | 'full' | 'gone'> {
    return this.#add(campaign, row, comment);
  }

  /** Adds one of the draft that became the campaign, unless it or a later one was added. @param number rises from comment to comment. */
  async carry(campaign: string, row: RowIndex, comment: Comment, number: number): Promise<void> {
    await this.#add(campaign, row, comment, number);
  }

  #add(campaign: string, row: RowIndex, comment: object, number: number | '' = '') {
    const args = [campaign, row, this.clock, JSON.stringify(comment), mostOfRow, mostOfCampaign, number];
    return this.run<'ok' | 'full' | 'gone'>('approvals/add-comment', args);
  }

  /** The comments of each row, oldest first. */
  async of(campaign: string, rows: readonly RowIndex[]): Promise<readonly (readonly Comment[])[]> {
    if (rows.length === 0) return [];
    const found = await this.redis.hmget(this.keys.comments(campaign), ...rows.map(String));
    return found.map((lines) => readLines(storedComment, lines));
  }
}

/** Entries as JSON, one a line, without those that cannot be read. */
function readLines<T>(schema: z.ZodType<T>, text: string | null): readonly T[] {
  const entries = (text ?? '').split('\n').map((line) => readStored(schema, line));
  return entries.filter((entry) => entry !== undefined);
}
