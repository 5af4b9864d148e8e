/** Estimates of the time left, as a range. */
import type { Pace } from '../../../campaigns/progress/pace.ts';
import { describeRange } from '../../../runtime/wording.ts';
import { moment } from './numbers.ts';

/** `19 to 27 min left`. */
export function timeLeft({ remaining: { least, most } }: Pace): string {
  return `${describeRange(least, most)} left`;
}

/** `ends between 16:01 and 16:09`; empty while there is no estimate. */
export function endsBetween({ remaining: { least, most } }: Pace, now: number, zone: string): string {
  if (most === undefined) return '';
  const [from, to] = [moment(now + least, zone, now), moment(now + most, zone, now)];
  return from === to ? `ends about ${from}` : `ends between ${from} and ${to}`;
}
