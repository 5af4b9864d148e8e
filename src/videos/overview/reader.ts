/**
 * Keeps overviews for a while, because each takes a pass over the whole watch list.
 *
 *     1. An overview is fresh for ten times as long as its pass took, so that passes take a tenth of one core at most
 *     2. After that it is still shown, while the next pass runs
 *     3. After a change by hand, or when it is too old, a reader waits for the next pass
 *     4. Passes run one after the other
 */
import type { Runtime } from '../../runtime/runtime.ts';
import { type Overview, type OverviewQuery, readOverview } from './read.ts';

/** Times are milliseconds of `performance.now()`. */
interface Kept {
  /** What is shown. */
  shown: Promise<Overview>;
  isReading: boolean;
  freshUntil: number;
  shownUntil: number;
}

const leastFreshMs = 5000;
const mostFreshMs = 120_000;
/** How long an overview is shown that is not fresh any more. */
const staleMs = 600_000;
/** Each holds one line for each video. */
const mostKept = 4;

export class OverviewReader {
  readonly #runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>;
  readonly #kept = new Map<string, Kept>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>) {
    this.#runtime = runtime;
  }

  read(query: OverviewQuery): Promise<Overview> {
    const { span, zone, campaign, creator, product, state } = query;
    const key = JSON.stringify([span, zone, campaign, creator, product, state]);
    const now = performance.now();
    const known = this.#kept.get(key);
    if (known?.isReading || (known && now < known.freshUntil)) return known.shown;
    const reading = this.#last.then(() => this.#pass(query));
    this.#last = reading.catch(() => undefined);
    const shown = known && now < known.shownUntil ? known.shown : reading;
    const next: Kept = { shown, isReading: true, freshUntil: 0, shownUntil: 0 };
    this.#kept.delete(key);
    this.#kept.set(key, next);
    reading.then(
      ({ tookMs }) => {
        const end = performance.now();
        const freshMs = Math.min(mostFreshMs, Math.max(leastFreshMs, tookMs * 10));
        Object.assign(next, { shown: reading, isReading: false, freshUntil: end + freshMs });
        next.shownUntil = next.freshUntil + staleMs;
      },
      () => {
        // Failures are not kept.
        if (this.#kept.get(key) === next) this.#kept.delete(key);
      },
    );
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(oldest);
    }
    return shown;
  }

  /** Reads everything anew, after a change of the list. */
  forget(): void {
    this.#kept.clear();
  }

  async #pass(query: OverviewQuery): Promise<Overview & { readonly tookMs: number }> {
    const start = performance.now();
    const overview = await readOverview(this.#runtime, query);
    return { ...overview, tookMs: performance.now() - start };
  }
}
