/**
 * A scene for one end-to-end test: a folder, a sandbox, quick settings, and the command line, with a namespace in the Redis of the
 * run or with a private Redis. Everything ends with the test. Tests with scenes can run side by side.
 */
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, type TestContext } from 'vitest';
import { stopPrivateRedis } from '../../../src/platform/redis/private/server.ts';
import type { Sandbox, SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import { type RedisNamespace, redisNamespace } from '../redis/redis.ts';
import { testSandbox } from '../sandbox.ts';
import { writeMedia } from '../sheets/media.ts';
import { localFiles } from '../sheets/rows.ts';
import { type Cells, type ResultSheet, readSheet, writeSheet } from '../sheets/sheet.ts';
import { spawnNode, type TestProcess } from './child.ts';
import { runHosted } from './command-host.ts';

const program = new URL('../../../src/cli/main.ts', import.meta.url);
const shippedSettings = new URL('../../../config/sandbox.json', import.meta.url);

/** Sections of a settings file, merged over the quick settings. */
export type SettingsSections = Readonly<Record<string, unknown>>;

/** For calls that are held, and for busy machines, where the sandbox answers late: a call that is given up ends its row in review. */
export const patiently = { api: { timeout: '120s' } } as const;

/** Slow enough that a signal or an outage finds rows in every step. */
export const slowly = {
  ...patiently,
  rateLimits: {
    default: { rate: 200, per: '1s', burst: 20 },
    createCreatorPost: { rate: 15, per: '1s', burst: 5 },
  },
} as const;

/** For tests that wait for the locks of a killed process, or for the rescuer. */
export const spedUp = { env: { CAMPAIGNS_HASTE: '3' } } as const;

/** Environment of a command whose standard input is a pipe that claims to be a terminal. */
export const terminal = {
  NODE_OPTIONS: '--import=data:text/javascript,process.stdin.isTTY=process.stderr.isTTY=true',
} as const;

export interface SceneOptions {
  readonly sandbox?: SandboxOptions;
  readonly settings?: SettingsSections;
  /** `private`: the Redis that the runner itself starts and stops, which takes longer than most commands. */
  readonly redis?: 'shared' | 'private';
  /** More environment for every command. A Redis or a data folder of its own replaces that of the scene. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Scene {
  readonly folder: string;
  readonly dataDir: string;
  readonly sandbox: Sandbox;
  /** Its namespace in the Redis of the run; none with a private Redis. */
  readonly namespace: RedisNamespace | undefined;
  /** Writes a manifest into the folder, with the local media of its rows. @returns its file name. */
  manifest(rows: readonly Cells[], name?: string): string;
  /** Replaces the settings for later commands. */
  configure(settings: SettingsSections): void;
  /** Starts `campaigns ...args` in the folder. @param stdin `pipe`: `child.stdin` is its standard input. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>, stdin?: 'pipe'): TestProcess;
  /**
   * Runs it to its end, not in a process of its own: that is loaded once for many commands. A test that acts meanwhile need not
   * await it at once.
   */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Finished>;
  /** A results sheet in the folder. */
  results(name?: string): ResultSheet;
}

/** A scene ends with a test, or with all tests of a `describe`. */
type Owner = Pick<TestContext, 'onTestFinished'>;

/** Plays one scene for all cases of a `describe`: each examines another part of the result. */
export function playOnce<T>(play: (owner: Owner) => Promise<T>): () => T {
  let played: { readonly result: T } | undefined;
  beforeAll(async () => {
    const ends: Parameters<Owner['onTestFinished']>[0][] = [];
    const owner: Owner = { onTestFinished: (end) => void ends.unshift(end) };
    const end = async () => {
      for (const one of ends) await one({ task: {} } as TestContext);
    };
    try {
      played = { result: await play(owner) };
    } catch (error) {
      await end();
      throw error;
    }
    return end;
  });
  return () => {
    if (!played) throw new Error('the scene was not played');
    return played.result;
  };
}

export async function openScene(test: Owner, options: SceneOptions = {}): Promise<Scene> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'campaigns-test-')));
  const dataDir = join(folder, 'data');
  const sandbox = await testSandbox({ speed: 400, ...options.sandbox });
  test.onTestFinished(async ({ task }) => {
    await stopPrivateRedis(dataDir);
    await sandbox.close();
    if (task.result?.state === 'fail') process.stderr.write(`files of the failed test: ${folder}\n`);
    else await rm(folder, { recursive: true, force: true });
  });

  const namespace = options.redis === 'private' ? undefined : redisNamespace(test);
  const shared = namespace && {
    REDIS_URL: namespace.url,
    CAMPAIGNS_PREFIX: namespace.prefix.slice(1, -1),
  };

  const settingsFile = join(folder, 'settings.json');
  function configure(sections: SettingsSections): void {
    writeFileSync(settingsFile, JSON.stringify(quickSettings(sections)));
  }
  configure(options.settings ?? {});

  function environment(env: Readonly<Record<string, string>> = {}): Record<string, string> {
    const own = { ...options.env, ...env };
    return {
      CREATOR_API_URL: sandbox.url,
      CREATOR_API_KEY: sandbox.apiKey,
      DATA_DIR: dataDir,
      CAMPAIGNS_CONFIG: settingsFile,
      ...('REDIS_URL' in own || 'DATA_DIR' in own ? {} : shared),
      ...own,
    };
  }

  function start(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    stdin: 'ignore' | 'pipe' = 'ignore',
  ): TestProcess {
    return spawnNode(program, args, environment(env), { cwd: folder, test, stdin });
  }

  return {
    folder,
    dataDir,
    sandbox,
    namespace,
    manifest(rows, name = 'posts.csv') {
      writeMedia(folder, localFiles(rows));
      writeSheet(join(folder, name), rows);
      return name;
    },
    configure,
    start,
    run(args, env = {}) {
      // Options of Node hold for a process of its own only.
      const end =
        'NODE_OPTIONS' in env
          ? finished(start(args, env))
          : runHosted(test, { args, cwd: folder, env: environment(env) });
      // A test that has failed meanwhile no longer waits for it.
      end.catch(() => undefined);
      return end;
    },
    results: (name = 'posts.results.csv') => readSheet(join(folder, name)),
  };
}

/** Waits for an effect of a command; rejects with its output if it ends first. */
export async function meanwhile<T>(command: TestProcess | Promise<Finished>, event: Promise<T>): Promise<T> {
  const end = 'end' in command ? finished(command) : command;
  const ended = end.then(({ code, stderr }): never => {
    throw new Error(`the command ended (${code ?? 'killed'}):\n${stderr}`);
  });
  // It ends in any case.
  ended.catch(() => undefined);
  return Promise.race([event, ended]);
}

/** Waits for the end of a command in a process of its own. */
export async function finished(
  child: TestProcess,
  withinMs?: number,
): Promise<Finished & { readonly signal: NodeJS.Signals | null }> {
  const end = await child.end(withinMs);
  return { ...end, stdout: child.output.stdout.join('\n'), stderr: child.output.stderr.join('\n') };
}

/** The shipped settings of the sandbox, with waits short enough for a test. */
export function quickSettings(sections: SettingsSections): object {
  const shipped = readShipped();
  const settings: Record<string, unknown> = {
    ...shipped,
    // Rows in review stay there, unless a test is about the publishing records.
    api: { ...shipped.api, listPosts: null },
    generation: { poll: { first: '50ms', max: '200ms', deadline: '30s' } },
    retry: { attempts: 5, base: '20ms', cap: '200ms' },
    rateLimits: { default: { rate: 2000, per: '1s', burst: 2000 } },
  };
  for (const [name, section] of Object.entries(sections)) {
    const before = settings[name];
    settings[name] =
      isObject(before) && isObject(section) && name !== 'rateLimits' ? { ...before, ...section } : section;
  }
  return settings;
}

/** How to ask for the sandbox's publishing records. */
export function listPostsSetting(): object {
  return readShipped().api.listPosts;
}

function readShipped(): { readonly api: { readonly listPosts: object } } {
  return JSON.parse(readFileSync(shippedSettings, 'utf8'));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
