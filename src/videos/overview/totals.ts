/** Sums of the videos of a creator, product or campaign, and the videos that gained most. */
import { type Amount, plus } from '../../ledger/videos/amount.ts';
import { counters } from '../../ledger/videos/sample.ts';
import type { WatchedVideo } from '../../ledger/videos/video.ts';
import { ratioOf } from '../figures.ts';
import { keepLargest } from '../largest.ts';
import type { VideoGains } from './gains.ts';

export interface GroupTotals {
  /** The creator, product or campaign; empty for videos without one. */
  readonly name: string;
  readonly videos: number;
  readonly plays: bigint;
  readonly gained: bigint;
  /** Plays gained by day. They are only plotted, so numbers are exact enough. */
  readonly daily: Float64Array;
}

/** Sums by name. */
export class Groups {
  readonly #groups = new Map<string, { -readonly [Key in keyof GroupTotals]: GroupTotals[Key] }>();
  readonly #days: number;

  constructor(days: number) {
    this.#days = days;
  }

  /** @param key identifies the group; the first of its names is shown. */
  add(name: string, { rawSummary }: WatchedVideo, { gained, daily }: VideoGains, key = name): void {
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { name, videos: 0, plays: 0n, gained: 0n, daily: new Float64Array(this.#days) };
      this.#groups.set(key, group);
    }
    group.videos += 1;
    group.plays += BigInt(rawSummary?.latest.counts[0] ?? 0);
    group.gained += gained[0] ?? 0n;
    const sums = group.daily;
    daily[0]?.forEach((gain, day) => {
      sums[day] = (sums[day] ?? 0) + Number(gain);
    });
  }

  /** The largest gain first. */
  finish(): readonly GroupTotals[] {
    return [...this.#groups.values()].sort(
      (one, other) => compareBig(other.gained, one.gained) || compareBig(other.plays, one.plays),
    );
  }
}

function compareBig(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Sums over all videos, by counter. */
export interface Sums {
  readonly counts: readonly bigint[];
  readonly gained: readonly bigint[];
  /** By counter, then by day. */
  readonly daily: readonly (readonly bigint[])[];
}

export class Totals {
  readonly #counts = counters.map((): Amount => 0);
  readonly #gained = counters.map(() => 0n);
  readonly #daily: Amount[][];

  constructor(days: number) {
    this.#daily = counters.map(() => Array.from({ length: days }, () => 0));
  }

  finish(): Sums {
    return {
      counts: this.#counts.map(BigInt),
      gained: this.#gained,
      daily: this.#daily.map((days) => days.map(BigInt)),
    };
  }

  add({ rawSummary }: WatchedVideo, { gained, daily }: VideoGains): void {
    for (let each = 0; each < counters.length; each += 1) {
      this.#counts[each] = plus(this.#counts[each] ?? 0, rawSummary?.latest.counts[each] ?? 0);
      if (gained[each] === undefined) continue;
      this.#gained[each] = (this.#gained[each] ?? 0n) + (gained[each] ?? 0n);
      const sums = this.#daily[each] ?? [];
      daily[each]?.forEach((gain, day) => {
        if (gain !== 0) sums[day] = plus(sums[day] ?? 0, gain);
      });
    }
  }
}

export interface Mover {
  readonly video: Pick<WatchedVideo, 'id' | 'facts' | 'meta'>;
  readonly gains: VideoGains;
  /** Plays gained, divided by those gained in the previous span; undefined if that is not known. */
  readonly ratio: number | undefined;
}

/** Videos with fewer plays grow fast by chance. */
export const leastPlays = 1000;
const moversKept = 5;

export interface FoundMovers {
  readonly most: readonly Mover[];
  readonly fastest: readonly Mover[];
}

/** Keeps the few videos that gained most, and those that grew fastest. */
export class Movers {
  readonly #most: Mover[] = [];
  readonly #fastest: Mover[] = [];

  add(video: WatchedVideo, gains: VideoGains): void {
    const gained = gains.gained[0];
    if (gained === undefined || gained <= 0n) return;
    const { playsBefore } = gains;
    const isKnown = playsBefore !== undefined && playsBefore > 0n;
    const ratio = isKnown ? ratioOf(gained, playsBefore) : undefined;
    const mover = { video, gains, ratio };
    keepLargest(this.#most, mover, moversKept, (each) => each.gains.gained[0] ?? 0n);
    const plays = video.rawSummary?.latest.counts[0] ?? 0;
    if (ratio === undefined || plays < leastPlays) return;
    keepLargest(this.#fastest, mover, moversKept, (each) => each.ratio ?? 0);
  }

  finish(): FoundMovers {
    const plain = ({ video: { id, facts, meta }, ...mover }: Mover): Mover => ({
      ...mover,
      video: { id, facts, meta },
    });
    return { most: this.#most.map(plain), fastest: this.#fastest.map(plain) };
  }
}
