/** Campaigns that are called off: the mark first, then their rows, some at a time, so that Redis is never held for long. */
import type { RunScript } from '../redis/script.ts';
import type { CampaignState } from './campaigns.ts';

/** What became of a part of a campaign. */
export interface CancelledRows {
  /** Rows cancelled. */
  readonly cancelled: number;
  /** Rows whose call is under way or in doubt: they are in review. */
  readonly review: number;
  /** Those of the cancelled that ran: their jobs are superfluous. */
  readonly ran: readonly { readonly row: number; readonly revision: number }[];
}

export class CancellationLedger {
  readonly #cancel: RunScript;
  readonly #cancelRows: RunScript;
  readonly #now: () => number;

  constructor(scripts: { readonly cancel: RunScript; readonly cancelRows: RunScript }, now: () => number) {
    this.#cancel = scripts.cancel;
    this.#cancelRows = scripts.cancelRows;
    this.#now = now;
  }

  /**
   * Calls a campaign off: nothing of it is admitted or begun from here on, and it ends once its rows are cancelled.
   * @returns the state that it is in now; undefined when there is no such campaign.
   */
  async begin(id: string): Promise<CampaignState | undefined> {
    return ((await this.#cancel([id, this.#now()])) as CampaignState | null) ?? undefined;
  }

  /** Cancels what waits or runs among `count` rows from `first`. It may be done again: it then finds nothing. */
  async cancelRows(id: string, first: number, count: number): Promise<CancelledRows> {
    const reply = (await this.#cancelRows([id, first, count, this.#now()])) as number[];
    const [cancelled = 0, review = 0, ...rest] = reply;
    const ran: { row: number; revision: number }[] = [];
    for (let at = 0; at + 1 < rest.length; at += 2) {
      ran.push({ row: rest[at] as number, revision: rest[at + 1] as number });
    }
    return { cancelled, review, ran };
  }
}
