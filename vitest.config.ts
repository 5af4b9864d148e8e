import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Hundreds of processes are started: each compiles what the ones before it have not. `bin/campaigns` uses the same folder.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/redis/global-redis.ts'],
    // Processes, not threads: tests send signals, and change what belongs to a process.
    pool: 'forks',
    // Files share their processes: no test changes what belongs to a process without changing it back.
    isolate: false,
    // More than the two cores that there are at least: tests of whole processes mostly wait.
    maxWorkers: 3,
    // Tests that run side by side mostly wait, until the locks of a killed process have run out. `command-host.ts` keeps as
    // many processes for their commands.
    maxConcurrency: 6,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // A test that asserts nothing cannot fail.
    expect: { requireAssertions: true },
  },
});
