/**
 * Plans of sheets for a campaign. Planning a large sheet takes minutes, so it runs in the background, and a
 * page shows how many rows have been read.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { SheetDecided } from './decisions/decide-sheet.ts';
import { readSheetLater, requireSheetPermit } from './sheet-permits.ts';

/** How long a page waits for a plan before it shows its progress. */
const usualWaitMs = 1000;
/** How long an unclaimed plan is kept: the campaign goes on meanwhile. */
const usualKeptMs = 60_000;

/** Called with rows of the sheet as they are read. */
type OnRead = (rows: readonly unknown[]) => void;

export type Planning<T> =
  | { readonly kind: 'planned'; readonly plan: T }
  /** `rows`: read so far. */
  | { readonly kind: 'reading'; readonly rows: number };

interface UnderWay<T> {
  rows: number;
  /** Undefined while it is being made. */
  made: (() => T) | undefined;
  ended: Promise<void>;
}

export class Plans<T> {
  readonly #plans = new Map<string, UnderWay<T>>();
  readonly #waitMs: number;
  readonly #keptMs: number;

  constructor({ waitMs = usualWaitMs, keptMs = usualKeptMs } = {}) {
    this.#waitMs = waitMs;
    this.#keptMs = keptMs;
  }

  /**
   * Returns the plan of a name, once. The next call plans again, for the campaign as it is then.
   * @param make begins a plan if none is under way.
   * @param user for whom it is.
   * @throws {UseCaseError} `sheets_busy`; errors of `make`.
   */
  async look(name: string, make: (onRead: OnRead) => Promise<T>, user?: string): Promise<Planning<T>> {
    const plan = this.#plans.get(name) ?? this.#begin(name, make, user);
    await Promise.race([plan.ended, wait(this.#waitMs, undefined, { ref: false })]);
    const { made, rows } = plan;
    if (made === undefined) return { kind: 'reading', rows };
    this.#forget(name, plan);
    return { kind: 'planned', plan: made() };
  }

  /** Rows read so far for a plan; undefined if none is being made. */
  rowsRead(name: string): number | undefined {
    const plan = this.#plans.get(name);
    return plan === undefined || plan.made !== undefined ? undefined : plan.rows;
  }

  #begin(name: string, make: (onRead: OnRead) => Promise<T>, user: string | undefined): UnderWay<T> {
    if (user !== undefined) requireSheetPermit(user);
    const plan: UnderWay<T> = { rows: 0, made: undefined, ended: Promise.resolve() };
    const work = async () => {
      try {
        const made = await make(({ length }) => {
          plan.rows += length;
        });
        plan.made = () => made;
      } catch (error) {
        plan.made = () => {
          throw error;
        };
      }
      setTimeout(() => this.#forget(name, plan), this.#keptMs).unref();
    };
    // A plan goes on when its tab is closed, so that the page finds it when it is opened again.
    plan.ended = readSheetLater(work, { user });
    this.#plans.set(name, plan);
    return plan;
  }

  #forget(name: string, plan: UnderWay<T>): void {
    if (this.#plans.get(name) === plan) this.#plans.delete(name);
  }
}

/** Plans of sheets, by kind. */
export class SheetPlans {
  readonly decisions = new Plans<SheetDecided>();
}
