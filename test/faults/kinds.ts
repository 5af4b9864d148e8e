/** The kinds of faults: each chooses what happens to which part of the site, and heals it afterwards. */

import type { Failpoint } from '../../src/processors/runner/context.ts';
import type { Random } from '../fuzz/random.ts';
import type { Site } from './site.ts';
import type { Worker } from './worker.ts';

/** What one fault does. It ends healed, at the latest when the site heals. */
export type Strike = (site: Site) => Promise<void>;

/** Chooses a fault. All that is random is drawn here, so that a seed gives the same faults. */
type Kind = (random: Random) => Strike;

const second = 1000;

/** From `least` to `most`, short ones more often: as many between 1 and 2 as between 10 and 20. */
function span(random: Random, least: number, most: number): number {
  return Math.round(least * (most / least) ** random.next());
}

/** A fault of one worker. Its parts (the process and its two ways) can have a fault each at the same time. */
function ofWorker(
  random: Random,
  part: 'process' | 'way to Redis' | 'way to the service',
  work: (worker: Worker, site: Site) => Promise<void>,
): Strike {
  const choice = random.integer(0, 11);
  return async (site) => {
    const worker = site.workers[choice % site.workers.length];
    using claim = worker && site.claim(`${part} of ${worker.name}`);
    if (worker && claim) await work(worker, site);
  };
}

function ofRedis(work: (site: Site) => Promise<void>): Strike {
  return async (site) => {
    using claim = site.claim('redis');
    if (claim) await work(site);
  };
}

/** Moments around the calls that must not be repeated, and around the gates of rows. */
const moments: readonly Failpoint[] = [
  ...(['at-gate', 'after-wake'] as const),
  ...(['before-sending', 'after-journal', 'after-journal', 'after-answer', 'after-bookkeeping'] as const),
];

function inSeconds(ms: number): string {
  return `${(ms / second).toFixed(1)} s`;
}

export const kinds = {
  kill: (random) => {
    const pause = random.integer(0, 2 * second);
    return ofWorker(random, 'process', async (worker, site) => {
      site.timeline.note(`kill -9 of ${worker.name}`);
      await worker.kill();
      await site.lasting(pause);
      await worker.start();
    });
  },

  freeze: (random) => {
    // Longer than a job's lock; or so long that the row can be decided and sent by another worker meanwhile.
    const [least, most] = random.pick([
      [200, 2 * second],
      [2 * second, 6 * second],
      [6 * second, 25 * second],
    ] as const);
    const ms = span(random, least, most);
    return ofWorker(random, 'process', async (worker, site) => {
      site.timeline.note(`${worker.name} freezes for ${inSeconds(ms)}`);
      worker.freeze();
      await site.outlasting(ms);
      worker.thaw();
      site.timeline.note(`${worker.name} goes on`);
    });
  },

  'kill-aimed': (random) => {
    const failpoint = `${random.pick(moments)}:${random.integer(1, 4)}`;
    return ofWorker(random, 'process', async (worker, site) => {
      site.timeline.note(`kill -9 of ${worker.name}; the next one kills itself at ${failpoint}`);
      await worker.kill();
      await worker.start(failpoint);
      await site.waitFor(() => worker.isHalted);
      site.timeline.note(`${worker.name} ${worker.isHalted ? 'has killed itself' : 'is killed before'}`);
      await worker.kill();
      await worker.start();
    });
  },

  'freeze-aimed': (random) => {
    const failpoint = `${random.pick(moments)}:${random.integer(1, 4)}:stop`;
    const ms = span(random, 2 * second, 25 * second);
    return ofWorker(random, 'process', async (worker, site) => {
      site.timeline.note(`kill -9 of ${worker.name}; the next one freezes at ${failpoint}`);
      await worker.kill();
      await worker.start(failpoint);
      await site.waitFor(() => worker.isHalted);
      if (!worker.isHalted) {
        await worker.kill();
        return worker.start();
      }
      site.timeline.note(`${worker.name} freezes for ${inSeconds(ms)}`);
      await site.outlasting(ms);
      worker.thaw();
      site.timeline.note(`${worker.name} goes on`);
    });
  },

  restart: (random) =>
    ofWorker(random, 'process', async (worker, site) => {
      site.timeline.note(`SIGTERM to ${worker.name}`);
      site.timeline.note(`${worker.name} ended with ${await worker.stop()}`);
      await worker.start();
    }),

  clock: (random) => {
    const ms = span(random, second, 10 * second);
    return ofWorker(random, 'process', async (worker, site) => {
      site.timeline.note(
        `the clock of ${worker.name} jumps by ${inSeconds(site.clockShiftMs)} for ${inSeconds(ms)}`,
      );
      worker.turnClock();
      await site.lasting(ms);
      worker.turnClock();
      site.timeline.note(`the clock of ${worker.name} is right`);
    });
  },

  'redis-cut': (random) =>
    ofWorker(random, 'way to Redis', async (worker, site) => {
      site.timeline.note(`connections of ${worker.name} to Redis are reset`);
      worker.toRedis.reset();
    }),

  'redis-slow': (random) => {
    const delay = span(random, 5, 300);
    const ms = span(random, second, 5 * second);
    return ofWorker(random, 'way to Redis', async (worker, site) => {
      site.timeline.note(`${worker.name} is ${delay} ms from Redis for ${inSeconds(ms)}`);
      worker.toRedis.delay(delay);
      await site.lasting(ms);
      worker.restoreDelay();
      // Later pieces would overtake those that are under way.
      worker.toRedis.reset();
    });
  },

  'redis-hole': (random) => {
    const ms = span(random, 500, 15 * second);
    const isLost = random.once(2);
    return ofWorker(random, 'way to Redis', async (worker, site) => {
      site.timeline.note(`nothing passes between ${worker.name} and Redis for ${inSeconds(ms)}`);
      worker.toRedis.swallow(true);
      await site.lasting(ms);
      if (isLost) worker.toRedis.reset();
      worker.toRedis.swallow(false);
      site.timeline.note(
        `${worker.name} reaches Redis; what was under way ${isLost ? 'is lost' : 'comes late'}`,
      );
    });
  },

  'service-cut': (random) =>
    ofWorker(random, 'way to the service', async (worker, site) => {
      site.timeline.note(`connections of ${worker.name} to the service are reset`);
      worker.toService.reset();
    }),

  'service-hole': (random) => {
    const ms = span(random, 500, 8 * second);
    return ofWorker(random, 'way to the service', async (worker, site) => {
      site.timeline.note(`nothing passes between ${worker.name} and the service for ${inSeconds(ms)}`);
      worker.toService.swallow(true);
      await site.lasting(ms);
      // No network delivers a request after its sender has long given up the connection.
      worker.toService.reset();
      worker.toService.swallow(false);
      site.timeline.note(`${worker.name} reaches the service`);
    });
  },

  'redis-kill': (random) => {
    const pause = random.integer(0, 4 * second);
    return ofRedis(async (site) => {
      site.timeline.note('kill -9 of Redis');
      await site.redis.kill();
      await site.lasting(pause);
      await site.redis.restart();
      site.timeline.note('Redis runs');
    });
  },

  'redis-freeze': (random) => {
    const ms = span(random, 200, 8 * second);
    return ofRedis(async (site) => {
      site.timeline.note(`Redis freezes for ${inSeconds(ms)}`);
      site.redis.freeze();
      await site.lasting(ms);
      site.redis.thaw();
      site.timeline.note('Redis goes on');
    });
  },

  'redis-full': (random) => {
    const ms = span(random, 500, 8 * second);
    return ofRedis(async (site) => {
      site.timeline.note(`Redis takes no writes for ${inSeconds(ms)}`);
      await site.redis.refuseWrites(true);
      await site.lasting(ms);
      await site.redis.refuseWrites(false);
      site.timeline.note('Redis takes writes');
    });
  },

  'redis-back': (random) => {
    const age = span(random, 500, 5 * second);
    return ofRedis(async (site) => {
      site.redis.copy();
      site.timeline.note('the append-only file is copied');
      await site.lasting(age);
      await site.redis.kill();
      site.redis.putBack();
      await site.redis.restart();
      site.timeline.note(`Redis runs on the copy of ${inSeconds(age)} ago`);
    });
  },
} as const satisfies Readonly<Record<string, Kind>>;
