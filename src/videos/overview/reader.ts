/**
 * Keeps overviews, because each takes a pass over the whole watch list.
 *
 *     1. An overview is valid until the list, its scrapes or the day change
 *     2. While a scrape runs, it is valid for ten times as long as its pass took: passes take at most a tenth of one core
 *     3. After a change, a reader gets the previous overview at once, and the next one when its pass is done. For a small list,
 * it
 *        waits for the next one
 *     4. Passes run one after the other
 *     5. Overviews of a whole large list are stored, so that the next process can show them at once
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ListStamp } from '../../ledger/videos/overviews.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { daysOf } from './days.ts';
import { packOverview, type StampedOverview, unpackOverview } from './pack.ts';
import { type Overview, type OverviewQuery, readOverview } from './read.ts';

/** The overview that can be shown now. */
export interface Shown {
  /** Undefined: there is none yet. */
  readonly overview: Overview | undefined;
  /** False: a pass for a newer one runs. */
  readonly isCurrent: boolean;
  /** Videos that this pass has examined. */
  readonly looked: number;
}

/** A pass over the list, waiting or running. */
interface Pass {
  readonly end: Promise<Overview>;
  looked: number;
}

interface Kept {
  held: StampedOverview | undefined;
  pass: Pass | undefined;
  /** End of its validity while a scrape runs: milliseconds of `performance.now()`. */
  freshUntil: number;
  /** Time of its last use: milliseconds of `performance.now()`. */
  usedAt: number;
}

/** A pass over at most this many videos is quick. */
const smallList = 2000;
/** How long a reader waits for a pass over a large list, in milliseconds. */
const patienceMs = 400;
const leastFreshMs = 5000;
const mostFreshMs = 120_000;
/** Most overviews in memory: each has one entry for each video. */
const mostKept = 4;
/** An overview is in use this long after a request: pages ask every second until they have current figures. Milliseconds. */
const inUseMs = 5000;

type Tools = Pick<Runtime, 'ledger' | 'settings' | 'now'>;

export class OverviewReader {
  readonly #tools: Tools;
  readonly #small: number;
  readonly #kept = new Map<string, Kept>();
  #last: Promise<unknown> = Promise.resolve();

  /** @param options `small`: readers wait for a pass over at most this many videos, and it is not stored. */
  constructor(tools: Tools, { small = smallList }: { readonly small?: number } = {}) {
    this.#tools = tools;
    this.#small = small;
  }

  /** Reads the current overview. */
  async read(query: OverviewQuery): Promise<Overview> {
    const { held, pass } = await this.#look(query);
    return pass ? pass.end : (held as StampedOverview).overview;
  }

  /** Returns what can be shown at once. For a small list, that is the current overview. */
  async show(query: OverviewQuery): Promise<Shown> {
    const kept = await this.#look(query);
    const { pass } = kept;
    if (pass) {
      const isSmall = (await this.#tools.ledger.videos.list.size()) <= this.#small;
      // Errors of the pass go to those who wait for it.
      if (isSmall) await pass.end;
      else await Promise.race([pass.end, delay(patienceMs, undefined, { ref: false })]);
    }
    const overview = kept.held?.overview;
    return { overview, isCurrent: kept.pass === undefined, looked: kept.pass?.looked ?? 0 };
  }

  /** Finds the overview in memory, and begins a pass if it is no longer valid. */
  async #look(query: OverviewQuery): Promise<Kept> {
    const { span, zone, campaign, creator, product, state } = query;
    const key = JSON.stringify([span, zone, campaign, creator, product, state]);
    const stamp = await this.#tools.ledger.videos.overviews.stamp();
    const kept = this.#kept.get(key) ?? {
      held: await this.#stored(query),
      pass: undefined,
      freshUntil: 0,
      usedAt: 0,
    };
    const known = this.#kept.get(key) ?? kept;
    known.usedAt = performance.now();
    this.#kept.delete(key);
    this.#kept.set(key, known);
    this.#forgetOld();
    if (!this.#holds(known, query, stamp)) known.pass ??= this.#begin(known, query);
    return known;
  }

  /** Removes the oldest, but none that a page still waits for. */
  #forgetOld(): void {
    const before = performance.now() - inUseMs;
    for (const [key, { pass, usedAt }] of this.#kept) {
      if (this.#kept.size <= mostKept) return;
      if (pass === undefined && usedAt < before) this.#kept.delete(key);
    }
  }

  #holds({ held, freshUntil }: Kept, { span, zone }: OverviewQuery, stamp: ListStamp): boolean {
    if (!held || held.stamp.changes !== stamp.changes) return false;
    const { starts } = daysOf(span, zone, this.#tools.now());
    if (starts.at(-1) !== held.overview.days.starts.at(-1)) return false;
    return held.stamp.scrapes === stamp.scrapes || performance.now() < freshUntil;
  }

  #begin(kept: Kept, query: OverviewQuery): Pass {
    const read = async () => {
      const begun = performance.now();
      const stamp = await this.#tools.ledger.videos.overviews.stamp();
      const overview = await readOverview(this.#tools, query, (videos) => {
        pass.looked = videos;
      });
      const end = performance.now();
      kept.held = { overview, stamp };
      kept.freshUntil = end + Math.min(mostFreshMs, Math.max(leastFreshMs, (end - begun) * 10));
      // A failure is ignored, because storing only saves time.
      await this.#store(query, kept.held).catch(() => undefined);
      return overview;
    };
    const end = this.#last.then(read).finally(() => {
      kept.pass = undefined;
    });
    const pass: Pass = { end, looked: 0 };
    this.#last = end.catch(() => undefined);
    return pass;
  }

  async #stored(query: OverviewQuery): Promise<StampedOverview | undefined> {
    if (isFiltered(query)) return undefined;
    const packed = await this.#tools.ledger.videos.overviews.find(query.span);
    const found = packed && (await unpackOverview(packed));
    return found?.overview.query.zone === query.zone ? found : undefined;
  }

  async #store(query: OverviewQuery, held: StampedOverview): Promise<void> {
    if (isFiltered(query) || held.overview.list.videos <= this.#small) return;
    await this.#tools.ledger.videos.overviews.keep(query.span, await packOverview(held));
  }
}

function isFiltered({ campaign, creator, product, state }: OverviewQuery): boolean {
  return [campaign, creator, product, state].some((filter) => filter !== undefined);
}
