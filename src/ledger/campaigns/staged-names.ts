/** Names of rows that an import collects before it is sure. Few are in memory: a sheet may have a million. What a killed import leaves behind expires. */
import { randomUUID } from 'node:crypto';
import { stagedForSeconds } from '../keys.ts';
import { LedgerPart } from '../part.ts';
import { parts } from '../parts.ts';

const namesAtOnce = 500;

export class StagedNames extends LedgerPart implements AsyncDisposable {
  readonly store: string = randomUUID();
  #pending: string[] = [];
  #isWritten = false;

  /** For callers that cannot wait. They call `write` now and then. */
  push(name: string): void {
    this.#pending.push(name);
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
    for (const some of parts(names, namesAtOnce)) {
      await this.redis.sadd(key, ...some);
      await this.redis.expire(key, stagedForSeconds);
    }
  }

  /** All names, in any order, some of them twice. */
  async *batches(): AsyncGenerator<readonly string[]> {
    await this.flush();
    if (!this.#isWritten) return;
    let cursor = '0';
    do {
      const [next, names] = await this.redis.sscan(
        this.keys.stagedNames(this.store),
        cursor,
        'COUNT',
        namesAtOnce,
      );
      yield names;
      cursor = next;
    } while (cursor !== '0');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isWritten) return;
    // They expire by themselves.
    await this.redis.unlink(this.keys.stagedNames(this.store)).catch(() => undefined);
  }
}
