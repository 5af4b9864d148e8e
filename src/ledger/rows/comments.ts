/** What people say about rows, and guests by a client link: kept with the campaign, the oldest first. */
import { z } from 'zod';
import type { RowIndex } from '../../manifest/row-ref.ts';
import { LedgerPart } from '../ledger-part.ts';
import { readAllStored } from '../stored-json.ts';

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

  /** Of each row, the oldest first. */
  async of(campaign: string, rows: readonly RowIndex[]): Promise<readonly (readonly Comment[])[]> {
    if (rows.length === 0) return [];
    const found = await this.redis.hmget(this.keys.comments(campaign), ...rows.map(String));
    return found.map((lines) => {
      const entries = (lines ?? '').split('\n').map((line, index) => [index, line] as const);
      return readAllStored(storedComment, entries).map(([, comment]) => comment);
    });
  }
}
