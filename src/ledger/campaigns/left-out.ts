/** Keys of rows left out of their campaign because of problems, so that a later import can tell when it brings one of them in. */
import { type LedgerContext, LedgerPart } from '../part.ts';
import { parts } from '../parts.ts';
import { StagedNames } from './staged-names.ts';

const keysAtOnce = 500;

export class LeftOutRows extends LedgerPart {
  readonly #context: LedgerContext;

  constructor(context: LedgerContext) {
    super(context);
    this.#context = context;
  }

  /** Collects names while a sheet is read. */
  stage(): StagedNames {
    return new StagedNames(this.#context);
  }

  /** Remembers rows that the campaign's first import has already counted. */
  async remember(campaign: string, rows: StagedNames): Promise<void> {
    await rows.flush();
    await this.run('campaigns/take-left-out', [campaign, rows.store]);
  }

  /** Counts rows of a further sheet: those left out, and those imported (which may have been left out before). */
  async count(
    campaign: string,
    { leftOut, cameIn }: { readonly leftOut: StagedNames; readonly cameIn: StagedNames },
  ): Promise<void> {
    for await (const names of leftOut.batches())
      for (const some of parts(names, keysAtOnce))
        await this.run('campaigns/count-left-out', [campaign, some.length, ...some]);
    for await (const names of cameIn.batches())
      for (const some of parts(names, keysAtOnce))
        await this.run('campaigns/count-left-out', [campaign, 0, ...some]);
  }
}
