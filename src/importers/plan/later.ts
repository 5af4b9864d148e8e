/** The posts that wait here for their day: how many there are, and whether a day has more than the rate limit carries. */
import { handedOverAt } from '../../manifest/lead.ts';
import type { Row } from '../../manifest/row.ts';

/** Posts that go to the service later than now. Times are in milliseconds since the epoch. */
export interface LaterPosts {
  readonly rows: number;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  /** The day (UTC, as its first moment) with the most of them, if that is more than the rate limit for posts carries in a day. */
  readonly fullDay: { readonly at: number; readonly rows: number; readonly carried: number } | null;
}

const dayMs = 86_400_000;
/** Beyond it, no day of a hostile sheet is counted. */
const mostDays = 5000;

export class LaterCount {
  readonly #lead: number | null;
  readonly #now: number | null;
  readonly #days = new Map<number, number>();
  #rows = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  /** @param lead of the campaign; see `handedOverAt`. @param now `null`: nothing is counted. */
  constructor(lead: number | null, now: number | null) {
    this.#lead = lead;
    this.#now = now;
  }

  add(row: Row): void {
    const at = handedOverAt(row, this.#lead);
    if (this.#now === null || at === undefined || at <= this.#now) return;
    this.#rows += 1;
    this.#first = Math.min(this.#first, at);
    this.#last = Math.max(this.#last, at);
    const day = Math.floor(at / dayMs);
    const known = this.#days.get(day);
    if (known !== undefined || this.#days.size < mostDays) this.#days.set(day, (known ?? 0) + 1);
  }

  /** @param perSecond rate limit for posts; `null`: no bound. */
  finish(perSecond: number | null): LaterPosts {
    if (this.#rows === 0) return { rows: 0, firstAt: null, lastAt: null, fullDay: null };
    const carried = perSecond === null ? Number.POSITIVE_INFINITY : Math.floor((perSecond * dayMs) / 1000);
    let [day, most] = [0, 0];
    for (const [each, rows] of this.#days) if (rows > most) [day, most] = [each, rows];
    const fullDay = most > carried ? { at: day * dayMs, rows: most, carried } : null;
    return { rows: this.#rows, firstAt: this.#first, lastAt: this.#last, fullDay };
  }
}
