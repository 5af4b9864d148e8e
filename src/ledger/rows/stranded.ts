/** Running rows that the rescuer found without a live job. It sends them again; a number that stays shows that this does not help. */
import { z } from 'zod';
import { LedgerPart } from '../part.ts';
import { readAllStored } from '../stored-json.ts';

export interface StrandedRows {
  readonly rows: number;
  /** When the first of them were found: Unix epoch, milliseconds. */
  readonly since: number;
}

const stored: z.ZodType<StrandedRows> = z.object({ rows: z.int(), since: z.number() });

/** Two periods of the rescuer: one for finding such rows, one for sending them again. Milliseconds. */
const tellAfterMs = 30_000;

export class StrandedLedger extends LedgerPart {
  async note(campaign: string, rows: number): Promise<void> {
    const { stranded } = this.keys;
    if (rows === 0) return void (await this.redis.hdel(stranded, campaign));
    const since = (await this.#all()).get(campaign)?.since ?? (await this.time());
    await this.redis.hset(stranded, campaign, JSON.stringify({ rows, since } satisfies StrandedRows));
  }

  /** By campaign, those that stay. */
  async told(): Promise<ReadonlyMap<string, StrandedRows>> {
    const now = await this.time();
    return new Map([...(await this.#all())].filter(([, { since }]) => now - since > tellAfterMs));
  }

  async #all(): Promise<ReadonlyMap<string, StrandedRows>> {
    const all = await this.redis.hgetall(this.keys.stranded);
    return new Map(readAllStored(stored, Object.entries(all)));
  }
}
