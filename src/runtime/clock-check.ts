/**
 * The clocks of all machines must agree: they decide when a row is late and when a job runs again. All machines share Redis,
 * so its clock is the reference.
 */
import type { RedisServer } from '../redis/server.ts';
import { UseCaseError } from './use-case-error.ts';
import { describeDuration } from './wording.ts';

/** Polls and retries may be early or late by this much. Milliseconds. */
const toleratedMs = 60_000;

/** @throws {UseCaseError} `clock_wrong` if the clock of this machine is far from the clock of Redis. */
export async function requireClock(redis: RedisServer): Promise<void> {
  const connection = redis.connect('clock');
  try {
    const before = Date.now();
    const [seconds, microseconds] = (await connection.time()) as unknown as [string, string];
    // The travel time of the answer may explain a part of the difference.
    const there = Number(seconds) * 1000 + Number(microseconds) / 1000;
    const ahead = before > there ? before - there : Math.min(0, Date.now() - there);
    if (Math.abs(ahead) <= toleratedMs) return;
    throw new UseCaseError(
      'clock_wrong',
      `the clock of this machine is ${describeDuration(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} the clock of Redis: rows would be posted late, or counted as late`,
      { cure: 'Correct the wrong clock, for example with NTP. Nothing was sent.' },
    );
  } finally {
    connection.disconnect();
  }
}
