/** The demo's own folder: its Redis, its copy of the manifest, its settings and its results, all new each time. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withDirectoryLock } from '../../redis/directory-lock.ts';
import { PrivateRedisError } from '../../redis/errors.ts';
import { stopPrivateRedis } from '../../redis/private-server.ts';
import { readDataDir } from '../../runtime/configuration.ts';
import { packagePath } from '../../runtime/package-facts.ts';
import { CommandError } from '../exit.ts';

export const exampleFolder = packagePath('examples');

/** Where `campaigns sandbox` listens unless told otherwise; the manifest names it in the URLs of media. */
const usualSandbox = 'http://127.0.0.1:8787';

/** Written by the lock; by it a folder is known as one of a demo's. */
const lockFile = 'start.lock';

/** What differs from the settings that are shipped for the sandbox: slow enough to be watched, quick enough to be waited for. */
const demoSettings = {
  budgets: {
    default: { rate: 20, per: '1s', burst: 5 },
    createAiGenerationSchedule: { rate: 5, per: '1s', burst: 2 },
    createCreatorPost: { rate: 4, per: '1s', burst: 4 },
  },
};

/** The demo's folder in the data directory; a shell that is pointed at a demo has its folder as the data directory. */
export function demoFolder(): string {
  const folder = readDataDir();
  return existsSync(join(folder, lockFile)) ? folder : join(folder, 'demo');
}

/**
 * Empties the demo's folder, holds it against a second demo, and does the work.
 * @throws {CommandError} when a demo is at work in it, or the folder is something else.
 */
export async function withDemoFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true });
  const found = await readdir(folder);
  if (found.length > 0 && !found.includes(lockFile)) {
    throw new CommandError(`${folder} holds files that are not of a demo`, {
      cure: 'Move them away, or name another folder in DATA_DIR: the demo empties its folder before it begins.',
    });
  }
  let held = false;
  try {
    return await withDirectoryLock(folder, 0, async () => {
      held = true;
      // One that was killed has left its Redis behind.
      await stopPrivateRedis(folder);
      for (const name of await readdir(folder)) {
        if (name !== lockFile) await rm(join(folder, name), { recursive: true, force: true });
      }
      return work();
    });
  } catch (error) {
    if (held || !(error instanceof PrivateRedisError)) throw error;
    throw new CommandError(`a demo is running already, in ${folder}`, {
      cure: 'End it with Ctrl-C, or give this one a folder of its own in DATA_DIR.',
      cause: error,
    });
  }
}

/** The files that a demo begins with. */
export interface DemoFiles {
  readonly manifest: string;
  readonly results: string;
  /** To be sourced by a shell: its `campaigns` commands then see the demo. */
  readonly shell: string;
  /** The environment that the demo itself works in; nothing of the caller's. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Writes manifest, settings and environment for a sandbox at that address. */
export async function layOut(
  folder: string,
  sandbox: { readonly url: string; readonly apiKey: string },
): Promise<DemoFiles> {
  const manifest = join(folder, 'campaign.csv');
  const settings = join(folder, 'settings.json');
  const shell = join(folder, 'env');
  const variables = {
    DATA_DIR: folder,
    CREATOR_API_URL: sandbox.url,
    CREATOR_API_KEY: sandbox.apiKey,
    CAMPAIGNS_CONFIG: settings,
  };
  const example = await readFile(join(exampleFolder, 'campaign.csv'), 'utf8');
  await writeFile(manifest, example.replaceAll(usualSandbox, sandbox.url));
  await writeFile(settings, JSON.stringify(await settingsOfDemo(), null, 2));
  await writeFile(shell, shellLines(variables));
  return { manifest, results: join(folder, 'campaign.results.csv'), shell, variables };
}

async function settingsOfDemo(): Promise<object> {
  const shipped: { api: object } = JSON.parse(await readFile(packagePath('config', 'sandbox.json'), 'utf8'));
  // With publishing records to look into, the lost answer would be found again, and there would be nothing to decide.
  return { ...shipped, ...demoSettings, api: { ...shipped.api, listPosts: null } };
}

function shellLines(variables: Readonly<Record<string, string>>): string {
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${quote(value)}`);
  const path = `export PATH=${quote(packagePath('bin'))}:"$PATH"`;
  return ['unset REDIS_URL CREATOR_API_KEY_FILE', ...lines, path, ''].join('\n');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
