/** Cancels campaigns: first marks the campaign, then cancels its rows in parts, so that Redis is never blocked for long. */

import { LedgerPart } from '../part.ts';
import { type RowVersion, readVersions } from '../transitions/steps.ts';
import type { CampaignState } from './campaigns.ts';

export interface CancelledRows {
  readonly cancelled: number;
  /** Rows that went to review, because a call is under way or of unknown outcome. */
  readonly review: number;
  /** Cancelled rows that were running: their jobs are no longer needed. */
  readonly ran: readonly RowVersion[];
}

export class CancellationLedger extends LedgerPart {
  /**
   * Marks a campaign as cancelled: no row is admitted and no step begins from now on. It ends once its rows are cancelled.
   * @returns its state now; undefined when there is no such campaign.
   */
  async begin(id: string): Promise<CampaignState | undefined> {
    return (await this.run<CampaignState | null>('campaigns/cancel', [id, this.clock])) ?? undefined;
  }

  /** Cancels the waiting and running ones among `count` rows from `first`. Idempotent. */
  async cancelRows(id: string, first: number, count: number): Promise<CancelledRows> {
    const reply = await this.run<number[]>('campaigns/cancel-rows', [id, first, count, this.clock]);
    const [cancelled = 0, review = 0, ...rest] = reply;
    return { cancelled, review, ran: readVersions(rest) };
  }
}
