/** How fast files arrive, by draft: bytes of the last seconds. Kept in memory, because only the present matters. */
import { LRUCache } from 'lru-cache';

const secondsKept = 60;
/** Seconds needed for an estimate. */
const leastSeconds = 3;
const shortSpan = 10;

class Pace {
  /** Bytes by second since the epoch. */
  readonly seconds = new Map<number, number>();

  add(second: number, bytes: number): void {
    this.seconds.set(second, (this.seconds.get(second) ?? 0) + bytes);
    for (const old of this.seconds.keys()) {
      if (old > second - secondsKept) break;
      this.seconds.delete(old);
    }
  }
}

const paces = new LRUCache<string, Pace>({ max: 100 });

/** @param now milliseconds since the epoch. */
export function noteArrival(draft: string, bytes: number, now: number): void {
  const pace = paces.get(draft) ?? new Pace();
  paces.set(draft, pace);
  pace.add(Math.floor(now / 1000), bytes);
}

/** Whether bytes have come in the last seconds. */
export function isArriving(draft: string, now: number): boolean {
  const last = [...(paces.peek(draft)?.seconds.keys() ?? [])].at(-1);
  return last !== undefined && last >= Math.floor(now / 1000) - shortSpan;
}

/** Drafts that receive bytes now. */
export function arrivingDrafts(now: number): readonly string[] {
  return [...paces.keys()].filter((draft) => isArriving(draft, now));
}

/**
 * Slower and faster of two averages in bytes per second: of the last minute, and of its end.
 * @returns undefined while nothing arrives, or there are too few seconds.
 */
export function paceOf(
  draft: string,
  now: number,
): { readonly least: number; readonly most: number } | undefined {
  const seconds = paces.get(draft)?.seconds;
  const current = Math.floor(now / 1000);
  const past = [...(seconds ?? [])].filter(([second]) => second < current && second >= current - secondsKept);
  const first = past[0]?.[0];
  if (first === undefined || current - first < leastSeconds) return undefined;
  const rate = (from: number) =>
    past.reduce((sum, [second, bytes]) => (second >= from ? sum + bytes : sum), 0) / (current - from);
  const rates = [rate(first), rate(Math.max(first, current - shortSpan))];
  const least = Math.min(...rates);
  return least > 0 ? { least, most: Math.max(...rates) } : undefined;
}
