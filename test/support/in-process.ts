/**
 * The runner in the test's own process, on a part of Redis of its own and a real sandbox. Everything ends with the test.
 *
 *     const runner = await openRunner();                     settings that make everything quick; nothing works yet
 *     const id = await runner.handIn([videoRow('a')]);       checks and imports rows, writes the media that they name, wakes the admission
 *     await runner.start();                                  the workers take jobs
 *     await runner.ended(id);                                no row waits or runs any more
 *     const [row] = await runner.rows(id);                   state, result and error of each row, in order
 *
 * Options: `settings` (sections of a settings file, laid over the quick ones), `sandbox`, `now` (a clock to set),
 * `queues` (only these have a worker), `failpoint`, `log`. `handIn` takes `window`, `canary`, `stopAfter`, `again`.
 * Also there: `sandbox` (faults, calls, effects), `ledger`, `queues`, `redis`, `client`, `budgets`, `folder`, `workers`, and
 * `context`, with which a test calls one processor by itself, without workers: `await keep(runner.context)`.
 * `until(look, what)` waits for what no event tells. `openRunner(options, test)` is for tests that run side by side.
 */
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';
import { checkSettings } from '../../config/load.ts';
import type { Campaign } from '../../src/ledger/campaigns.ts';
import { chunkSize } from '../../src/ledger/keys.ts';
import type { RowOutcome } from '../../src/ledger/rows.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { waitUntil } from './events.ts';
import { temporaryFolder } from './folder.ts';
import { writeMedia } from './media.ts';
import { redisNamespace } from './redis.ts';
import { localFiles } from './rows.ts';
import { testSandbox } from './sandbox.ts';
import { quickSettings, type SettingsSections } from './scene.ts';
import { type Cells, writeSheet } from './sheet.ts';
import { type HandInOptions, type Wiring, type WiringOptions, wireRunner } from './wiring.ts';

export interface RunnerOptions extends Pick<WiringOptions, 'now' | 'log' | 'queues' | 'failpoint'> {
  readonly sandbox?: SandboxOptions;
  readonly settings?: SettingsSections;
}

export interface TestRunner extends Omit<Wiring, 'importSheet' | 'close'> {
  readonly prefix: string;
  readonly folder: string;
  readonly sandbox: Sandbox;
  /** Imports rows as a campaign, with the media that they name, and wakes its admission. @returns its id. */
  handIn(rows: readonly Cells[], options?: HandInOptions): Promise<string>;
  /** As `handIn`, without an admission: no row of the campaign runs before somebody adds one. */
  importRows(rows: readonly Cells[], options?: HandInOptions): Promise<string>;
  /** Starts the workers; they are stopped with the test. */
  start(): Promise<void>;
  /** Waits until no row of a campaign waits or runs any more. */
  ended(id: string): Promise<Campaign>;
  /** Waits until `look` sees something. */
  until<T>(look: () => T | Promise<T>, what: string): Promise<Exclude<T, undefined | false>>;
  /** What became of each row, in order. */
  rows(id: string): Promise<readonly RowOutcome[]>;
}

/** What a runner ends with. */
type Owner = Pick<TestContext, 'onTestFinished'>;

export async function openRunner(
  { sandbox: given, settings = {}, ...options }: RunnerOptions = {},
  test: Owner = { onTestFinished },
): Promise<TestRunner> {
  const folder = temporaryFolder(test);
  const { connect, prefix } = redisNamespace(test);
  const sandbox = await testSandbox({ speed: 400, ...given });
  const wiring = await wireRunner({
    ...options,
    service: { url: sandbox.url, apiKey: sandbox.apiKey },
    connect: () => connect(),
    prefix,
    folder,
    settings: checkSettings(quickSettings(settings)),
  });
  const { ledger, queues, workers } = wiring;
  let imported = 0;
  let isStarted = false;
  test.onTestFinished(async () => {
    if (isStarted) await workers.stop(stopMs);
    await wiring.close();
    await sandbox.close();
  });

  async function importRows(rows: readonly Cells[], handIn?: HandInOptions): Promise<string> {
    imported += 1;
    writeMedia(folder, localFiles(rows));
    const path = join(folder, `posts-${imported}.csv`);
    writeSheet(path, rows);
    return wiring.importSheet(path, handIn);
  }

  return {
    ...wiring,
    ...{ prefix, folder, sandbox, importRows },
    async handIn(rows, handIn) {
      const id = await importRows(rows, handIn);
      await queues.wakeAdmission(id);
      return id;
    },
    async start() {
      isStarted = true;
      await workers.start();
    },
    ended: (id) =>
      waitUntil(
        async () => {
          const campaign = await ledger.campaigns.find(id);
          return campaign?.state === 'ended' && campaign;
        },
        `campaign ${id} to end`,
        endsWithinMs,
      ),
    until: waitUntil,
    async rows(id) {
      const { rows = 0 } = (await ledger.campaigns.find(id)) ?? {};
      const chunks = Array.from({ length: Math.ceil(rows / chunkSize) }, (_, chunk) => chunk);
      return (await Promise.all(chunks.map((chunk) => ledger.rows.outcomes(id, chunk)))).flat();
    },
  };
}

/** Jobs at work at the end of a test are cut off after this long: a held call would never end. */
const stopMs = 500;
const endsWithinMs = 15_000;
