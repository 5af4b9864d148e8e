/** Ends what a round has started. */
import type { TestContext } from 'vitest';

/** Collects ends as a test does, so that a round can use what the tests use. */
export class Ends implements AsyncDisposable {
  readonly #ends: Parameters<TestContext['onTestFinished']>[0][] = [];

  onTestFinished(end: Parameters<TestContext['onTestFinished']>[0]): void {
    this.#ends.unshift(end);
  }

  /** The last comes first. All are carried out, even if one of them fails. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#ends.splice(0)) {
      try {
        await end({ task: {} } as TestContext);
      } catch (error) {
        process.stderr.write(`faults: ${error instanceof Error ? error.message : error}\n`);
      }
    }
  }
}
