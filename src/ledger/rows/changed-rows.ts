/** The rows of a campaign whose state changed last: at most a thousand, by time. `rows.lua` writes them. */
import type { RowIndex } from '../../manifest/row-ref.ts';
import { LedgerPart } from '../part.ts';

export interface ChangedRow {
  readonly row: RowIndex;
  /** Unix epoch, milliseconds. */
  readonly at: number;
}

export class ChangedRows extends LedgerPart {
  /** The newest first. */
  async latest(id: string): Promise<readonly ChangedRow[]> {
    const flat = await this.redis.zrevrange(this.keys.changed(id), 0, -1, 'WITHSCORES');
    const changed: ChangedRow[] = [];
    for (let index = 0; index + 1 < flat.length; index += 2) {
      changed.push({ row: Number(flat[index]), at: Number(flat[index + 1]) });
    }
    return changed;
  }

  /** When each of these rows changed, in their order: Unix epoch, milliseconds; undefined for a row that is not among the latest. */
  async timesOf(id: string, rows: readonly RowIndex[]): Promise<readonly (number | undefined)[]> {
    if (rows.length === 0) return [];
    const times = await this.redis.zmscore(this.keys.changed(id), ...rows.map(String));
    return rows.map((_row, index) => (times[index] ? Number(times[index]) : undefined));
  }

  /** When the last change was; 0 for none. */
  async lastAt(id: string): Promise<number> {
    const [, at = '0'] = await this.redis.zrevrange(this.keys.changed(id), 0, 0, 'WITHSCORES');
    return Number(at);
  }

  /** Number of rows that changed after a time; a thousand may mean more. */
  since(id: string, at: number): Promise<number> {
    return this.redis.zcount(this.keys.changed(id), `(${at}`, '+inf');
  }
}
