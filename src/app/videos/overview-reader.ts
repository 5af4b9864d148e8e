/**
 * Keeps overviews, because each takes a pass over the whole watch list.
 *
 *     1. An overview is valid until the list, its scrapes or the day change
 *     2. While a scrape runs, it is valid for ten times as long as its pass took: passes take at most a tenth of one core
 *     3. After a change, a reader gets the previous overview at once, and the next one when its pass is done. For a small list, it
 *        waits for the next one
 *     4. Passes run one after the other. Few may wait at once, because each ends with a line for each video: a further query is
 *        refused. A pass is left out if nobody waits for it any more when its turn comes
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ListStamp } from '../../ledger/videos/watch-list.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type Overview, type OverviewQuery, readOverview } from './overview.ts';
import { daysOf } from './spans.ts';

export interface AvailableOverview {
  /** Undefined: there is none yet. */
  readonly overview: Overview | undefined;
  /** False: a pass for a newer one runs, or has to wait. */
  readonly isCurrent: boolean;
  /** Too many passes wait already: none for this query does. */
  readonly isBusy: boolean;
  /** Videos that this pass has examined. */
  readonly looked: number;
}

/** A pass over the list, waiting or running. */
interface Pass {
  readonly end: Promise<Overview>;
  looked: number;
  waiting: number;
}

interface CachedOverview {
  /** Stamp: of the list when its reading began. */
  held: { readonly overview: Overview; readonly stamp: ListStamp } | undefined;
  pass: Pass | undefined;
  /** End of its validity while a scrape runs: milliseconds of `performance.now()`. */
  freshUntil: number;
  /** When a page last asked for it: milliseconds of `performance.now()`. */
  shownAt: number;
}

/** A pass over at most this many videos is quick. */
const smallList = 2000;
/** How long a reader waits for a pass over a large list, in milliseconds. */
const patienceMs = 400;
const leastFreshMs = 5000;
const mostFreshMs = 120_000;
/** Most overviews in memory: each has one entry for each video. */
const mostKept = 4;
/** Most passes that wait or run at once; more of a small list, because they are quick. */
const mostPasses = 4;
const mostSmallPasses = 50;
/** Pages ask again every second until they have the figures of now. */
const inUseMs = 5000;

type Tools = Pick<Runtime, 'ledger' | 'settings' | 'now'>;

export class OverviewReader {
  readonly #tools: Tools;
  readonly #small: number;
  readonly #kept = new Map<string, CachedOverview>();
  #last: Promise<unknown> = Promise.resolve();

  /** @param options `small`: pages wait for a pass over at most this many videos. */
  constructor(tools: Tools, { small = smallList }: { readonly small?: number } = {}) {
    this.#tools = tools;
    this.#small = small;
    // The stamps of another list may be the same.
    tools.ledger.journal.onReplaced(() => this.#kept.clear());
  }

  /** @param left nobody waits for it any more: it ends with its reason. @throws {UseCaseError} `figures_busy`. */
  async read(query: OverviewQuery, left?: AbortSignal): Promise<Overview> {
    const { kept, pass, isBusy } = await this.#look(query);
    if (pass) return waitFor(pass, pass.end, left);
    if (!isBusy && kept.held) return kept.held.overview;
    throw new UseCaseError('figures_busy', 'too many figures of the watch list are being read', {
      fix: 'Ask again in a moment. Ask for fewer different figures at once: each zone, span and filter takes a pass over the list.',
    });
  }

  /** Returns what can be shown at once. For a small list, that is the current overview, unless too many are being read. */
  async show(query: OverviewQuery): Promise<AvailableOverview> {
    const { kept, pass, isSmall, isBusy } = await this.#look(query, true);
    if (pass) {
      // Errors of the pass go to those who wait for it.
      const shown = isSmall
        ? pass.end
        : Promise.race([pass.end, delay(patienceMs, undefined, { ref: false })]);
      await waitFor(pass, shown);
    }
    const isCurrent = !isBusy && kept.pass === undefined;
    return { overview: kept.held?.overview, isCurrent, isBusy, looked: kept.pass?.looked ?? 0 };
  }

  /** @returns `pass`: with the asker among those who wait, so `waitFor` must follow. `isBusy`: too many wait. */
  async #look(query: OverviewQuery, isShown = false) {
    const { span, until, zone, campaign, creator, product, state } = query;
    const key = JSON.stringify([span, until, zone, campaign, creator, product, state]);
    const { list } = this.#tools.ledger.videos;
    const [stamp, size] = await Promise.all([list.stamp(), list.size()]);
    const isSmall = size <= this.#small;
    const kept = this.#kept.get(key) ?? {
      held: undefined,
      pass: undefined,
      freshUntil: 0,
      shownAt: Number.NEGATIVE_INFINITY,
    };
    if (isShown) kept.shownAt = performance.now();
    const isPassNeeded = kept.pass === undefined && !this.#holds(kept, query, stamp);
    const isBusy = isPassNeeded && this.#passes >= (isSmall ? mostSmallPasses : mostPasses);
    if (isPassNeeded && !isBusy) kept.pass = this.#queue(key, kept, query);
    // The last one used is at the end.
    this.#kept.delete(key);
    if (kept.held || kept.pass) this.#kept.set(key, kept);
    this.#forgetOld();
    const { pass } = kept;
    // At once: the turn of the pass may come before the asker goes on.
    if (pass) pass.waiting += 1;
    return { kept, pass, isSmall, isBusy };
  }

  get #passes(): number {
    return [...this.#kept.values()].filter(({ pass }) => pass !== undefined).length;
  }

  /** The oldest first; those that a page still waits for only if there are very many. */
  #forgetOld(): void {
    const before = performance.now() - inUseMs;
    for (const [key, kept] of this.#kept) {
      if (this.#kept.size <= mostKept) return;
      const isInUse = kept.shownAt >= before && this.#kept.size <= mostKept + mostPasses;
      if (!kept.pass && !isInUse) this.#kept.delete(key);
    }
  }

  #holds(
    { held, freshUntil }: CachedOverview,
    { span, until, zone }: OverviewQuery,
    stamp: ListStamp,
  ): boolean {
    if (!held || held.stamp.changes !== stamp.changes) return false;
    const { starts } = daysOf(span, zone, this.#tools.now(), until);
    if (starts.at(-1) !== held.overview.days.starts.at(-1)) return false;
    return held.stamp.scrapes === stamp.scrapes || performance.now() < freshUntil;
  }

  #queue(key: string, kept: CachedOverview, query: OverviewQuery): Pass {
    const read = async () => {
      const begun = performance.now();
      try {
        if (pass.waiting === 0 && kept.shownAt < begun - inUseMs) {
          throw new Error('no reader waits for this pass');
        }
        const stamp = await this.#tools.ledger.videos.list.stamp();
        const overview = await readOverview(this.#tools, query, (videos) => {
          pass.looked = videos;
        });
        const end = performance.now();
        kept.held = { overview, stamp };
        kept.freshUntil = end + Math.min(mostFreshMs, Math.max(leastFreshMs, (end - begun) * 10));
        return overview;
      } finally {
        // At once: nobody may join it any more.
        kept.pass = undefined;
        if (!kept.held) this.#kept.delete(key);
        this.#forgetOld();
      }
    };
    const pass: Pass = { end: this.#last.then(read), looked: 0, waiting: 0 };
    this.#last = pass.end.catch(() => undefined);
    return pass;
  }
}

/** Waits for something of a pass, then no longer counts as one who waits. @throws the reason of `left`. */
async function waitFor<T>(pass: Pass, awaited: Promise<T>, left?: AbortSignal): Promise<T> {
  const gone = Promise.withResolvers<never>();
  const leave = () => gone.reject(left?.reason);
  if (left?.aborted) leave();
  else left?.addEventListener('abort', leave);
  try {
    return await Promise.race([awaited, gone.promise]);
  } finally {
    pass.waiting -= 1;
    left?.removeEventListener('abort', leave);
  }
}
