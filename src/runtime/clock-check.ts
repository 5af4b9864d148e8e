/**
 * The clocks of all machines have to agree: by them a row is late, and a job comes again. Redis is what they share, so its
 * clock is the measure.
 */

import { CommandError } from '../cli/exit.ts';
import { describeDuration } from '../cli/print/output.ts';
import type { RedisServer } from '../redis/server.ts';

/** Polls and retries may come so much early or late without harm. */
const toleratedMs = 60_000;

/** @throws {CommandError} when the clock of this machine is far from that of Redis. */
export async function requireClock(redis: RedisServer): Promise<void> {
  const connection = redis.connect('clock');
  try {
    const before = Date.now();
    const [seconds, microseconds] = (await connection.time()) as unknown as [string, string];
    // Whatever the answer took on its way counts for the clock, not against it.
    const there = Number(seconds) * 1000 + Number(microseconds) / 1000;
    const ahead = before > there ? before - there : Math.min(0, Date.now() - there);
    if (Math.abs(ahead) <= toleratedMs) return;
    throw new CommandError(
      `the clock of this machine is ${describeDuration(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} that of Redis: rows would be posted late, or be taken for late`,
      { cure: 'Set the clock that is wrong (NTP keeps it right). Nothing was sent.' },
    );
  } finally {
    connection.disconnect();
  }
}
