/**
 * The clocks of all machines must agree: they decide which jobs are due. All machines share Redis, so its clock is the reference.
 * Workers check theirs at each heartbeat as well (`processors/pulse.ts`).
 */

import type { RedisServer } from '../redis/choose-redis.ts';
import { toleratedMs } from '../redis/clock.ts';
import { UseCaseError } from './use-case-error.ts';
import { describeClock } from './wording.ts';

/** @throws {UseCaseError} `clock_wrong` if the clock of this machine is far from the clock of Redis. */
export async function requireClock(redis: RedisServer): Promise<void> {
  const ahead = await measureClock(redis);
  if (Math.abs(ahead) <= toleratedMs) return;
  throw new UseCaseError(
    'clock_wrong',
    `the clock of this machine is ${describeClock(ahead)}: rows would be posted late, or counted as late`,
    { cure: 'Correct the wrong clock, for example with NTP. Nothing was sent.' },
  );
}

/** @returns by how much the clock of this machine is ahead of Redis at least, in milliseconds; negative: behind. */
export async function measureClock(redis: RedisServer): Promise<number> {
  const connection = redis.connect('clock');
  try {
    const before = Date.now();
    const [seconds, microseconds] = (await connection.time()) as unknown as [string, string];
    // The travel time of the answer may explain a part of the difference.
    const there = Number(seconds) * 1000 + Number(microseconds) / 1000;
    return before > there ? before - there : Math.min(0, Date.now() - there);
  } finally {
    connection.disconnect();
  }
}
