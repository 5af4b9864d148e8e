/** Look-ups of creators that are kept for a while, so that the checks of a draft do not ask for the same creators again and again. */
import type { CreatorLookUp } from '../../../importers/check/creators/creator-check.ts';
import type { Account } from '../../../processors/frame/accounts.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { creatorsOf } from '../../hand-in/check.ts';

/** Creators looked up so lately are not asked for again. Milliseconds. */
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
