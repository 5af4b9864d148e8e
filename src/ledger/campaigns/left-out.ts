/** Keys of rows left out of their campaign because of problems, so that a later import can tell when it brings one of them in. */
import { LedgerPart } from '../part.ts';
import { parts } from '../parts.ts';

const keysAtOnce = 500;

export class LeftOutRows extends LedgerPart {
  /** Remembers rows that the campaign's first import has already counted. */
  async remember(campaign: string, rows: readonly string[]): Promise<void> {
    for (const some of parts(rows, keysAtOnce)) await this.redis.sadd(this.keys.leftOut(campaign), ...some);
  }

  /** Counts rows of a further sheet: those left out, and those imported (which may have been left out before). */
  async count(
    campaign: string,
    { leftOut, cameIn }: { readonly leftOut: readonly string[]; readonly cameIn: readonly string[] },
  ): Promise<void> {
    for (const some of parts(leftOut, keysAtOnce))
      await this.run('campaigns/count-left-out', [campaign, some.length, ...some]);
    for (const some of parts(cameIn, keysAtOnce))
      await this.run('campaigns/count-left-out', [campaign, 0, ...some]);
  }
}
