/** Histories of single rows: every attempt, and actions of people. `lua/history.lua` has the rules. */
import { z } from 'zod';
import type { RowIndex, RowVersion } from '../../manifest/row-ref.ts';
import { type Step, steps } from '../../manifest/steps.ts';
import type { ScriptArgument } from '../../platform/redis/script.ts';
import { LedgerPart } from '../ledger-part.ts';
import { readAllStored } from '../stored-json.ts';

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
  async tell(
    campaign: string,
    rows: readonly RowVersion[],
    attempt: { readonly step: Step; readonly outcome: InterimOutcome; readonly message: string },
  ): Promise<void> {
    const { step, outcome, message } = attempt;
    const args: ScriptArgument[] = [campaign, this.clock, step, outcome, message];
    for (const { row, revision } of rows) args.push(row, revision);
    await this.run('rows/tell-rows', args);
  }

  /** The oldest first; empty for a row that has not begun, or that succeeded at the first attempt. */
  async read(campaign: string, row: RowIndex): Promise<readonly HistoryEntry[]> {
    const history = await this.redis.hget(this.keys.histories(campaign), String(row));
    const lines = (history ?? '').split('\n').map((line, index) => [index, line] as const);
    return readAllStored(storedEntry, lines).map(([, { t, s, o, m, n = 1 }]) => {
      return { at: t, step: s, outcome: o, message: m, times: n };
    });
  }
}
