/**
 * The clocks of all machines have to agree: by them a row is late, and a job comes again. All machines share Redis, so its
 * clock is the measure.
 */
import type { RedisServer } from '../redis/server.ts';
import { UseCaseError } from './use-case-error.ts';
import { describeDuration } from './wording.ts';

/** Polls and retries may come so much early or late without harm. */
const toleratedMs = 60_000;

/** @throws {UseCaseError} `clock_wrong` when the clock of this machine is far from that of Redis. */
export async function requireClock(redis: RedisServer): Promise<void> {
  const connection = redis.connect('clock');
  try {
    const before = Date.now();
    const [seconds, microseconds] = (await connection.time()) as unknown as [string, string];
    // The time that the answer took on its way counts in favour of the clock.
    const there = Number(seconds) * 1000 + Number(microseconds) / 1000;
    const ahead = before > there ? before - there : Math.min(0, Date.now() - there);
    if (Math.abs(ahead) <= toleratedMs) return;
    throw new UseCaseError(
      'clock_wrong',
      `the clock of this machine is ${describeDuration(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} that of Redis: rows would be posted late, or be taken for late`,
      { cure: 'Set the clock that is wrong (NTP keeps it right). Nothing was sent.' },
    );
  } finally {
    connection.disconnect();
  }
}
