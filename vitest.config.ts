import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { patienceMs } from './test/support/events.ts';

// Hundreds of processes are started: each compiles what the ones before it have not. `bin/campaigns` uses the same folder.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/**
 * Spreads the tests of whole processes, which mostly wait, evenly among the others, which mostly compute. Side by side, tests of one
 * kind leave the cores idle, or fight for them.
 */
class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const [waiting = [], computing = []] = [true, false].map((waits) =>
      sorted.filter(({ moduleId }) => moduleId.includes('/test/e2e/') === waits),
    );
    return [waiting, computing]
      .flatMap((kind) => kind.map((file, index) => ({ file, place: index / kind.length })))
      .sort((one, other) => one.place - other.place)
      .map(({ file }) => file);
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/redis/global-redis.ts'],
    // Processes, not threads: tests send signals, and change what belongs to a process.
    pool: 'forks',
    // Files share their processes: no test changes what belongs to a process without changing it back.
    isolate: false,
    sequence: { sequencer: Mixed },
    // Three for each of the two cores that there are at least: four left a quarter of their time idle.
    maxWorkers: 6,
    // Tests that run side by side mostly wait, until the locks of a killed process have run out. `command-host.ts` keeps as
    // many processes for their commands.
    maxConcurrency: 6,
    // One patience for all tests: other work takes the cores of a machine of continuous integration.
    testTimeout: 1.5 * patienceMs,
    hookTimeout: 1.5 * patienceMs,
    // A test that asserts nothing cannot fail. Assertions count for the case that began last: one that runs beside others ends with one.
    expect: { requireAssertions: true, poll: { timeout: patienceMs } },
  },
});
