/** Everything that takes part in a round: Redis, the service, workers, and the ways between them. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runHosted } from '../support/processes/command-host.ts';
import { listPostsSetting, quickSettings } from '../support/processes/scene.ts';
import { Ends } from './ends.ts';
import { RoundRedis } from './redis.ts';
import { Service } from './service.ts';
import type { Timeline } from './timeline.ts';
import { Worker } from './worker.ts';

export interface SiteOptions {
  readonly workers: number;
  /** Posts in a second. */
  readonly postRate: number;
  /** How long every answer of Redis takes at least, in milliseconds. */
  readonly redisDelayMs: number;
  /** How far off a wrong clock is, in milliseconds. */
  readonly clockShiftMs: number;
  /** Whether the runner may read the publishing records. */
  readonly hasRecords: boolean;
  /** Most time that a fault may outlast the healing of the others, in milliseconds. */
  readonly outlastsMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** On a busy machine, too. */
const commandWithinMs = 120_000;

export class Site {
  readonly folder: string;
  readonly timeline: Timeline;
  readonly redis: RoundRedis;
  readonly service: Service;
  readonly workers: readonly Worker[];
  readonly #env: Readonly<Record<string, string>>;
  readonly #options: SiteOptions;
  readonly #claimed = new Set<string>();
  /** Faults that found their part of the site free. */
  strikes = 0;
  readonly #healing = new AbortController();

  private constructor(
    parts: Pick<Site, 'folder' | 'timeline' | 'redis' | 'service' | 'workers'>,
    env: Readonly<Record<string, string>>,
    options: SiteOptions,
  ) {
    this.folder = parts.folder;
    this.timeline = parts.timeline;
    this.redis = parts.redis;
    this.service = parts.service;
    this.workers = parts.workers;
    this.#env = env;
    this.#options = options;
  }

  /** Opens a site whose workers do not run yet. It ends with `ends`; its folder stays. */
  static async open(ends: Ends, timeline: Timeline, options: SiteOptions): Promise<Site> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'campaigns-faults-')));
    const redis = await RoundRedis.start(folder, ends);
    const service = await Service.start(ends);
    const settings = join(folder, 'settings.json');
    writeFileSync(settings, JSON.stringify(settingsOf(options)));
    const shared = {
      CREATOR_API_KEY: service.apiKey,
      CAMPAIGNS_CONFIG: settings,
      CAMPAIGNS_HASTE: '3',
      LOG_LEVEL: 'debug',
    };
    const surroundings = {
      redisDelayMs: options.redisDelayMs,
      clockShiftMs: options.clockShiftMs,
      folder,
      ends,
      timeline,
      redisPort: redis.port,
      serviceUrl: service.url,
      env: shared,
    };
    const names = Array.from({ length: options.workers }, (_, index) => `worker ${index + 1}`);
    const workers = await Promise.all(names.map((name) => Worker.open(name, surroundings)));
    const home = join(folder, 'person');
    mkdirSync(home);
    const env = {
      ...shared,
      CREATOR_API_URL: service.url,
      REDIS_URL: `redis://127.0.0.1:${redis.port}`,
      DATA_DIR: home,
    };
    return new Site({ folder, timeline, redis, service, workers }, env, options);
  }

  /** Runs `campaigns ...args` to its end. @returns undefined if it did not end in time. */
  async run(args: readonly string[]): Promise<Finished | undefined> {
    await using command = new Ends();
    try {
      return await runHosted(command, { args, cwd: this.folder, env: this.#env }, commandWithinMs);
    } catch (error) {
      this.timeline.note(`campaigns ${args.join(' ')}: ${error instanceof Error ? error.message : error}`);
      return undefined;
    }
  }

  /** Takes a part of the site for one fault, until it is disposed of. @returns undefined if another fault has it. */
  claim(part: string): Disposable | undefined {
    if (this.#claimed.has(part) || this.isHealing) return undefined;
    this.#claimed.add(part);
    this.strikes += 1;
    return { [Symbol.dispose]: () => void this.#claimed.delete(part) };
  }

  /** Resolves after so many milliseconds, or as soon as all faults are to be healed. */
  async lasting(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#healing.signal }).catch(() => undefined);
  }

  /** Resolves when it has happened, or as soon as all faults are to be healed. */
  async waitFor(hasHappened: () => boolean): Promise<void> {
    while (!hasHappened() && !this.isHealing) await this.lasting(20);
  }

  /** As `lasting`, but may go on while the others are healed. */
  async outlasting(ms: number): Promise<void> {
    const { outlastsMs, signal } = this.#options;
    const end = performance.now() + ms;
    await this.lasting(ms);
    const left = Math.min(end - performance.now(), outlastsMs);
    await sleep(Math.max(0, left), undefined, { signal }).catch(() => undefined);
  }

  /** How far off a wrong clock is, in milliseconds. */
  get clockShiftMs(): number {
    return this.#options.clockShiftMs;
  }

  get isHealing(): boolean {
    return this.#healing.signal.aborted;
  }

  /** Asks all faults to end. */
  heal(): void {
    this.#healing.abort();
  }
}

function settingsOf({ postRate, hasRecords }: SiteOptions): object {
  return quickSettings({
    api: { timeout: '3s', listPosts: hasRecords ? listPostsSetting() : null },
    rateLimits: {
      default: { rate: 200, per: '1s', burst: 50 },
      createCreatorPost: { rate: postRate, per: '1s', burst: 10 },
    },
    retry: { attempts: 8, base: '100ms', cap: '1s' },
    records: { every: '5s', settle: '3s' },
  });
}
