/** Keeps look-ups of creators for a while, so that repeated checks of a draft do not look up the same creators again. */

import { creatorsOf } from '../../campaigns/import/check.ts';
import type { CreatorLookUp } from '../../importers/check/creators/creator-check.ts';
import type { Account } from '../../processors/runner/accounts.ts';
import type { Runtime } from '../../runtime/runtime.ts';

/** How long a look-up is kept. Milliseconds. */
const keptMs = 2 * 60_000;

export class RecentCreators {
  readonly #runtime: Runtime;
  #known: { readonly account: string; readonly at: number; readonly lookUp: CreatorLookUp } | undefined;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  lookUp(account: Account): CreatorLookUp {
    const now = this.#runtime.now();
    const known = this.#known;
    if (known?.account === account.name && now - known.at < keptMs) return known.lookUp;
    const lookUp = creatorsOf(this.#runtime, account);
    this.#known = { account: account.name, at: now, lookUp };
    return lookUp;
  }

  forget(): void {
    this.#known = undefined;
  }
}
