/** The posts that wait here for their day: how many there are, and whether so many are due together that some would come too late. */
import { z } from 'zod';
import { handedOverAt } from '../../manifest/campaign-options.ts';
import type { Row } from '../../manifest/row.ts';
import { minuteMs } from './canary.ts';

/** Posts that go to the service later than now. Times are in milliseconds since the epoch. */
export const laterSchema = z.strictObject({
  rows: z.int(),
  firstAt: z.number().nullable(),
  lastAt: z.number().nullable(),
  /**
   * The minute in which posts queue longest for the rate limit, if that is longer than their lead; else `null`. `rows`: posts in the queue
   * then. `takesMs`: how long they take, so that a lead of that would be enough.
   */
  crowd: z.strictObject({ at: z.number(), rows: z.int(), takesMs: z.number() }).nullable(),
});
type LaterPosts = Readonly<z.infer<typeof laterSchema>>;

interface Due {
  rows: number;
  /** The shortest lead among them, in milliseconds. */
  lead: number;
}

/** Most minutes to count: a hostile sheet may name more. */
const mostMinutes = 100_000;

export class LaterCount {
  readonly #lead: number | null;
  readonly #now: number;
  readonly #due = new Map<number, Due>();
  #rows = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  /** @param lead of the campaign; see `handedOverAt`. */
  constructor(lead: number | null, now: number) {
    this.#lead = lead;
    this.#now = now;
  }

  add(row: Row): void {
    const at = handedOverAt(row, this.#lead);
    if (at === undefined || at <= this.#now) return;
    this.#rows += 1;
    this.#first = Math.min(this.#first, at);
    this.#last = Math.max(this.#last, at);
    const minute = Math.floor(at / minuteMs);
    const lead = (row.schedule?.at ?? at) - at;
    const due = this.#due.get(minute);
    if (due !== undefined) {
      due.rows += 1;
      due.lead = Math.min(due.lead, lead);
    } else if (this.#due.size < mostMinutes) this.#due.set(minute, { rows: 1, lead });
  }

  /** @param perSecond rate limit for posts; `null`: no bound. */
  finish(perSecond: number | null): LaterPosts {
    if (this.#rows === 0) return { rows: 0, firstAt: null, lastAt: null, crowd: null };
    const crowd = perSecond === null ? null : this.#crowd(perSecond);
    return { rows: this.#rows, firstAt: this.#first, lastAt: this.#last, crowd };
  }

  #crowd(perSecond: number): LaterPosts['crowd'] {
    let worst: LaterPosts['crowd'] = null;
    let [inLine, before] = [0, 0];
    for (const [minute, { rows, lead }] of [...this.#due].sort(([one], [other]) => one - other)) {
      inLine = Math.max(0, inLine - (minute - before) * 60 * perSecond) + rows;
      before = minute;
      const takesMs = (inLine / perSecond) * 1000;
      if (takesMs > lead && takesMs > (worst?.takesMs ?? 0))
        worst = { at: minute * minuteMs, rows: Math.ceil(inLine), takesMs };
    }
    return worst;
  }
}
