/** Damaged data in Redis: keys of a wrong type, values that cannot be used. `lua/damage.lua` has the rules. */
import type { ScriptArgument } from '../../redis/script.ts';
import { LedgerPart } from '../part.ts';
import type { FinishReply, RowVersion } from './steps.ts';

export class DamageLedger extends LedgerPart {
  /** Moves keys of a wrong type aside that a campaign has exactly one of, so that its rows go on. */
  async mend(campaign: string): Promise<void> {
    await this.run('damage/mend', [campaign, this.clock, '', '', '']);
  }

  /**
   * Sends running rows to review, because their data cannot be used.
   * @param text of the error of Redis.
   */
  end(campaign: string, rows: readonly RowVersion[], text: string): Promise<FinishReply> {
    const args: ScriptArgument[] = [campaign, this.clock, text];
    for (const { row, revision } of rows) args.push(row, revision);
    return this.run('damage/end-damaged', args);
  }

  /** Keys of a campaign that were moved aside, with the time (Unix epoch, ms). */
  async movedAside(campaign: string): Promise<ReadonlyMap<string, number>> {
    const all = await this.ifReadable(this.redis.hgetall(this.keys.aside(campaign)), {});
    return new Map(Object.entries(all).map(([key, at]) => [key, Number(at)]));
  }
}
