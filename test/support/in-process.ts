/**
 * The runner in the test's own process, with its own namespace in Redis and a real sandbox. Everything ends with the test.
 *
 *     const runner = await openRunner();                     quick settings; no worker runs yet
 *     const id = await runner.importOrUpdate([videoRow('a')]);       checks and imports rows, writes their media, wakes the admission
 *     await runner.start();                                  the workers take jobs
 *     await runner.ended(id);                                no row waits or runs
 *     const [row] = await runner.rows(id);                   state, result and error of each row, in order
 *     await runner.jobFinished(({ step }) => step === 'post');    one run of a job, past or future (`FinishedJob`)
 *
 * Options: `settings` (sections of a settings file, merged over the quick ones), `sandbox`, `now` (a clock to set),
 * `queues` (only these have a worker), `speedUp`, `failpoint`, `patience` (for slow downloads), `log`, `relay` (changes answers of the sandbox). `importOrUpdate` takes `window`, `canary`, `stopAfter`, `lead`, `approve`, `again`.
 * It also has `sandbox` (faults, calls, effects), `ledger`, `queues`, `redis`, `client`, `rateLimits`, `folder`, `workers`, and
 * `context`. With `context` a test calls one processor without workers: `await rescue(runner.context)`. For the admission, use
 * `await runner.admit(id)`.
 * `until(look, what)` waits for changes without an event. `openRunner(options, test)` is for tests that run side by side.
 */
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';
import { checkSettings } from '../../config/load.ts';
import type { Campaign } from '../../src/ledger/campaigns/campaign.ts';
import { chunkSize } from '../../src/ledger/keys.ts';
import type { RowOutcome } from '../../src/ledger/rows/rows.ts';
import { admit } from '../../src/processors/admission/admit.ts';
import type { FinishedJob } from '../../src/processors/runner/context.ts';
import type { JobOutcome } from '../../src/processors/runner/outcome.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { waitUntil, withDeadline } from './events.ts';
import { temporaryFolder } from './folder.ts';
import { type Changes, httpRelay } from './http-relay.ts';
import { quickSettings, type SettingsSections } from './processes/scene.ts';
import { redisNamespace } from './redis/redis.ts';
import { testSandbox } from './sandbox.ts';
import { writeMedia } from './sheets/media.ts';
import { localFiles } from './sheets/rows.ts';
import { type Cells, writeSheet } from './sheets/sheet.ts';
import { type HandInOptions, type Wiring, type WiringOptions, wireRunner } from './wiring.ts';

export interface RunnerOptions
  extends Pick<WiringOptions, 'now' | 'log' | 'speedUp' | 'queues' | 'failpoint' | 'patience' | 'gone'> {
  readonly sandbox?: SandboxOptions;
  readonly settings?: SettingsSections;
  /** Puts a relay between runner and sandbox that changes answers. */
  readonly relay?: Changes;
  /** Port through which calls go to the sandbox instead, such as that of a proxy in front of `port`. */
  readonly through?: (port: number) => Promise<number>;
  /** Port of a Redis of its own, for tests that make it refuse; default: that of the run. */
  readonly redisPort?: number | undefined;
}

export interface TestRunner extends Omit<Wiring, 'importSheet' | 'close'> {
  readonly prefix: string;
  readonly folder: string;
  readonly sandbox: Sandbox;
  /** Imports rows as a campaign, writes their media, and wakes its admission. @returns its id. */
  importOrUpdate(rows: readonly Cells[], options?: HandInOptions): Promise<string>;
  /** As `importOrUpdate`, without an admission: no row runs before a test adds one. */
  importRows(rows: readonly Cells[], options?: HandInOptions): Promise<string>;
  /** Runs the admission of a campaign once, without a worker. */
  admit(id: string): Promise<JobOutcome>;
  /** Starts the workers; they stop with the test. */
  start(): Promise<void>;
  /** Waits until no row of a campaign waits or runs. */
  ended(id: string): Promise<Campaign>;
  /** Waits for a matching run of a job, past or future. */
  jobFinished(matches: (job: FinishedJob) => boolean): Promise<FinishedJob>;
  /** Waits until `look` sees something. */
  until<T>(look: () => T | Promise<T>, what: string): Promise<Exclude<T, undefined | false>>;
  /** State and result of each row, in order. */
  rows(id: string): Promise<readonly RowOutcome[]>;
}

/** The test that a runner ends with. */
type Owner = Pick<TestContext, 'onTestFinished'>;

export async function openRunner(
  { sandbox: given, settings = {}, relay, through, redisPort, ...options }: RunnerOptions = {},
  test: Owner = { onTestFinished },
): Promise<TestRunner> {
  const folder = temporaryFolder(test);
  const { connect, prefix } = redisNamespace(test);
  const sandbox = await testSandbox({ speed: 400, ...given });
  const url = new URL(relay ? (await httpRelay(sandbox.url, relay)).origin : sandbox.url);
  if (through) url.port = String(await through(Number(url.port)));
  const jobs = new FinishedJobs();
  const wiring = await wireRunner({
    ...options,
    onJobFinished: (job) => jobs.add(job),
    service: { url: url.origin, apiKey: sandbox.apiKey },
    connect: () => (redisPort === undefined ? connect() : connect({ path: '', port: redisPort })),
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

  async function importRows(rows: readonly Cells[], importOrUpdate?: HandInOptions): Promise<string> {
    imported += 1;
    writeMedia(folder, localFiles(rows));
    const path = join(folder, `posts-${imported}.csv`);
    writeSheet(path, rows);
    return wiring.importSheet(path, importOrUpdate);
  }

  return {
    ...wiring,
    prefix,
    folder,
    sandbox,
    importRows,
    async importOrUpdate(rows, importOrUpdate) {
      const id = await importRows(rows, importOrUpdate);
      await queues.wakeAdmission(id);
      return id;
    },
    admit: (id) => admit(wiring.context, id, { attemptsStarted: 1, attemptsMade: 0, stalledCounter: 0 }),
    async start() {
      isStarted = true;
      await workers.start();
    },
    ended: (id) =>
      waitUntil(async () => {
        const campaign = await ledger.campaigns.find(id);
        return campaign?.state === 'ended' && campaign;
      }, `campaign ${id} to end`),
    jobFinished: (matches) => jobs.find(matches),
    until: waitUntil,
    async rows(id) {
      const { rows = 0 } = (await ledger.campaigns.find(id)) ?? {};
      const chunks = Array.from({ length: Math.ceil(rows / chunkSize) }, (_, chunk) => chunk);
      return (await Promise.all(chunks.map((chunk) => ledger.rows.outcomes(id, chunk)))).flat();
    },
  };
}

/** The runs of jobs that the workers reported. */
class FinishedJobs {
  readonly #jobs: FinishedJob[] = [];
  readonly #watchers = new Set<(job: FinishedJob) => void>();

  add(job: FinishedJob): void {
    this.#jobs.push(job);
    for (const watch of this.#watchers) watch(job);
  }

  async find(matches: (job: FinishedJob) => boolean): Promise<FinishedJob> {
    const past = this.#jobs.find(matches);
    if (past) return past;
    const { promise, resolve } = Promise.withResolvers<FinishedJob>();
    const watch = (job: FinishedJob): void => {
      if (matches(job)) resolve(job);
    };
    this.#watchers.add(watch);
    return withDeadline(promise, 'a job to finish').finally(() => this.#watchers.delete(watch));
  }
}

/** Jobs still running at the end of a test are cut off after this long: a held call would never end. */
const stopMs = 500;
