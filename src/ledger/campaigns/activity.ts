/**
 * What went on in a campaign lately: posts by minute, pauses, rows that changed last (`rows.lua` writes these), and running rows that
 * the rescuer found without a live job. It sends them again; a number that stays shows that this does not help.
 */

import { z } from 'zod';
import type { RowIndex } from '../../manifest/row.ts';
import { LedgerPart, pairs } from '../ledger-part.ts';
import { readAllStored } from '../stored-json.ts';

interface Pause {
  /** Unix epoch, milliseconds. */
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to: number | undefined;
  /** As of `PauseReason`. */
  readonly code: string;
}

export class ThroughputLedger extends LedgerPart {
  /** The last 1,440 minutes in which rows were posted, in order. @returns `minute`: minutes since 1970. */
  async minutes(id: string) {
    const counts = await this.redis.hvals(this.keys.pace(id));
    return counts
      .map((text) => {
        const [minute = 0, posted = 0] = text.split(' ').map(Number);
        return { minute, posted };
      })
      .filter(({ minute, posted }) => minute > 0 && posted > 0)
      .sort((one, other) => one.minute - other.minute);
  }

  /** The last 50 pauses, in order. */
  async pauses(id: string): Promise<readonly Pause[]> {
    const notes = await this.redis.lrange(this.keys.pauses(id), 0, -1);
    const pauses: Pause[] = [];
    let open: { readonly from: number; readonly code: string } | undefined;
    for (const note of notes) {
      const [text = '', code = ''] = note.split(' ');
      const at = Number(text);
      if (code !== '') open ??= { from: at, code };
      else if (open) {
        pauses.push({ ...open, to: at });
        open = undefined;
      }
    }
    return open ? [...pauses, { ...open, to: undefined }] : pauses;
  }
}

export interface ChangedRow {
  readonly row: RowIndex;
  /** Unix epoch, milliseconds. */
  readonly at: number;
}

export class ChangedRows extends LedgerPart {
  /** The newest first. */
  async latest(id: string): Promise<readonly ChangedRow[]> {
    const flat = await this.redis.zrevrange(this.keys.changed(id), 0, -1, 'WITHSCORES');
    return Array.from(pairs(flat), ([row, at]) => ({ row: Number(row), at: Number(at) }));
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

/** `since`: when the first of them were found (Unix epoch, milliseconds). */
const stored = z.object({ rows: z.int(), since: z.number() });
type StrandedRows = Readonly<z.infer<typeof stored>>;

/** Two periods of the rescuer: one for finding such rows, one for sending them again. Milliseconds. */
const lastingAfterMs = 30_000;

export class StrandedLedger extends LedgerPart {
  async record(campaign: string, rows: number): Promise<void> {
    const { stranded } = this.keys;
    if (rows === 0) return void (await this.redis.hdel(stranded, campaign));
    const since = (await this.#all()).get(campaign)?.since ?? (await this.time());
    await this.redis.hset(stranded, campaign, JSON.stringify({ rows, since } satisfies StrandedRows));
  }

  /** By campaign, those that stay. */
  async lasting(): Promise<ReadonlyMap<string, StrandedRows>> {
    const now = await this.time();
    return new Map([...(await this.#all())].filter(([, { since }]) => now - since > lastingAfterMs));
  }

  async #all(): Promise<ReadonlyMap<string, StrandedRows>> {
    const all = await this.redis.hgetall(this.keys.stranded);
    return new Map(readAllStored(stored, Object.entries(all)));
  }
}
