/** Keys of rows skipped by an import because of problems, so that a later update can say when it brings one of them in. */
import { randomUUID } from 'node:crypto';
import { stagedForSeconds } from '../keys.ts';
import { batches, type LedgerContext, LedgerPart } from '../ledger-part.ts';

const namesAtOnce = 500;

export class LeftOutRows extends LedgerPart {
  readonly #context: LedgerContext;

  constructor(context: LedgerContext) {
    super(context);
    this.#context = context;
  }

  stage(): StagedNames {
    return new StagedNames(this.#context);
  }

  /** Makes them all rows left out of the campaign, in place of those of an earlier version of the plan. */
  async remember(campaign: string, rows: StagedNames): Promise<void> {
    await rows.flush();
    await this.run('campaigns/take-left-out', [campaign, rows.store, rows.count]);
  }

  /** Counts rows of a sheet with some of the rows: those left out, and those imported (which may have been left out before). */
  async count(
    campaign: string,
    { leftOut, cameIn }: { readonly leftOut: StagedNames; readonly cameIn: StagedNames },
  ): Promise<void> {
    const script = 'campaigns/count-left-out';
    for await (const names of leftOut.batches()) await this.run(script, [campaign, names.length, ...names]);
    for await (const names of cameIn.batches()) await this.run(script, [campaign, 0, ...names]);
  }
}

export class StagedNames extends LedgerPart implements AsyncDisposable {
  readonly store: string = randomUUID();
  /** Number of rows; some may have the same name. */
  count = 0;
  #pending: string[] = [];
  #isWritten = false;

  /** Adds a name without waiting. Call `write` now and then. */
  push(name: string): void {
    this.#pending.push(name);
    this.count += 1;
  }

  async add(name: string): Promise<void> {
    this.push(name);
    await this.write();
  }

  /** Writes the names once they are many. */
  async write(): Promise<void> {
    if (this.#pending.length >= namesAtOnce) await this.flush();
  }

  async flush(): Promise<void> {
    const names = this.#pending;
    if (names.length === 0) return;
    this.#pending = [];
    this.#isWritten = true;
    const key = this.keys.stagedNames(this.store);
    for (const batch of batches(names, namesAtOnce)) {
      await this.redis.sadd(key, ...batch);
      await this.redis.expire(key, stagedForSeconds);
    }
  }

  /** All names, in any order, some of them twice. */
  async *batches(): AsyncGenerator<readonly string[]> {
    await this.flush();
    if (!this.#isWritten) return;
    let cursor = '0';
    do {
      const key = this.keys.stagedNames(this.store);
      const [next, names] = await this.redis.sscan(key, cursor, 'COUNT', namesAtOnce);
      // A scan may answer with far more than it was asked for.
      yield* batches(names, namesAtOnce);
      cursor = next;
    } while (cursor !== '0');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isWritten) return;
    // They expire by themselves.
    await this.redis.unlink(this.keys.stagedNames(this.store)).catch(() => undefined);
  }
}
