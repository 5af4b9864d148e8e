/** The demo's own folder: Redis, a copy of the manifest, settings and results, all new each time. */
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { quote } from '../../app/runtime/command-line.ts';
import { readDataDir, unusableFolder } from '../../app/runtime/configuration.ts';
import { packagePath } from '../../app/runtime/package.ts';
import { writeAtomically } from '../../platform/files/write-file.ts';
import { PrivateRedisError } from '../../platform/redis/errors.ts';
import { withDirectoryLock } from '../../platform/redis/private/place.ts';
import { stopPrivateRedis } from '../../platform/redis/private/server.ts';
import { CommandError } from '../exit.ts';

export const exampleFolder = packagePath('examples');

/** Default address of `campaigns sandbox`, used by the media URLs of the manifest. */
const usualSandbox = 'http://127.0.0.1:8787';

/** Written by the lock; marks a folder as a demo's. */
const lockFile = 'start.lock';

/** Names that a demo makes. A folder with other files is not emptied. */
const fileNames = [
  'campaign.csv',
  'campaign.results.csv',
  'settings.json',
  'env',
  'campaigns.log',
  'journal.json',
  'videos.csv',
];
/** Inner ones first. They hold only files, but pictures also have folders of files. */
const folderNames = ['redis/appendonlydir', 'redis', 'spool', 'import', 'pictures', 'sheets'];
/** What a killed demo leaves of a file that it was writing. */
const halfFile = /^\.[\w.-]+\.tmp$/;

/** Overrides `config/sandbox.json`: slow enough to watch, fast enough to wait for. */
const demoSettings = {
  rateLimits: {
    default: { rate: 20, per: '1s', burst: 5 },
    createAiGenerationSchedule: { rate: 5, per: '1s', burst: 2 },
    createCreatorPost: { rate: 4, per: '1s', burst: 4 },
    fetchPublicVideoData: { rate: 200, per: '1s', burst: 50 },
  },
};

/** What people make in the console of a demo: it stays, and the next demo takes another folder. */
const madeByPeople = ['drafts', 'media', 'incoming-sheets', 'aliases.json', 'columns.json'];

interface DemoFolder {
  readonly folder: string;
  /** An earlier demo's folder, with what people made in its console. */
  readonly kept: string | undefined;
}

/** The demo's folder in the data directory. In a shell that points at a demo, the data directory is that folder itself. */
export function demoFolder(): DemoFolder {
  const data = readDataDir();
  const usual = existsSync(join(data, lockFile)) ? data : join(data, 'demo');
  let folder = usual;
  for (let number = 2; madeByPeople.some((name) => existsSync(join(folder, name))); number += 1)
    folder = `${usual}-${number}`;
  return { folder, kept: folder === usual ? undefined : usual };
}

/**
 * Empties the demo's folder, locks it against a second demo, and does the work.
 * @throws {CommandError} if a demo runs in it, or if it holds other files.
 */
export async function withDemoFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw unusableFolder(folder, error);
  });
  const foreign = (await readdir(folder)).find((name) => !isOfDemo(name));
  if (foreign !== undefined) {
    throw new CommandError(`${folder} holds files that do not belong to a demo, such as ${foreign}`, {
      fix: 'Move them away, or set DATA_DIR to another folder: the demo empties its folder first.',
    });
  }
  let held = false;
  try {
    return await withDirectoryLock(folder, 0, async () => {
      held = true;
      // A killed demo leaves its Redis behind.
      await stopPrivateRedis(folder);
      for (const name of folderNames) {
        const found = await lstat(join(folder, name)).catch(() => undefined);
        if (found?.isDirectory()) await removeFolder(join(folder, name), name === 'pictures');
      }
      for (const name of await readdir(folder)) if (name !== lockFile) await rm(join(folder, name));
      return work();
    });
  } catch (error) {
    if (held || !(error instanceof PrivateRedisError)) throw error;
    const fix = 'End it with Ctrl-C, or set DATA_DIR to another folder.';
    throw new CommandError(`a demo is already running in ${folder}`, { fix, cause: error });
  }
}

function isOfDemo(name: string): boolean {
  return name === lockFile || fileNames.includes(name) || folderNames.includes(name) || halfFile.test(name);
}

/** Removes a folder and the files in it. @param isNested whether it has folders of files. @throws the error of the file system for other folders. */
async function removeFolder(path: string, isNested: boolean): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory() && isNested) await removeFolder(inner, false);
    else await rm(inner);
  }
  await rmdir(path);
}

export interface DemoFiles {
  readonly manifest: string;
  readonly results: string;
  /** A shell that sources it sees the demo in its `campaigns` commands. */
  readonly shell: string;
  /** The environment of the demo itself; nothing of the caller's. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Writes manifest, settings and environment for a sandbox. */
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
  await writeAtomically(manifest, [example.replaceAll(usualSandbox, sandbox.url)]);
  await writeAtomically(settings, [JSON.stringify(await settingsOfDemo(), null, 2)]);
  await writeAtomically(shell, [shellLines(variables)]);
  return { manifest, results: join(folder, 'campaign.results.csv'), shell, variables };
}

async function settingsOfDemo(): Promise<object> {
  const shipped: { api: object } = JSON.parse(await readFile(packagePath('config', 'sandbox.json'), 'utf8'));
  // With publishing records the runner would find the lost post, and leave nothing to decide.
  return { ...shipped, ...demoSettings, api: { ...shipped.api, listPosts: null } };
}

function shellLines(variables: Readonly<Record<string, string>>): string {
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${quote(value)}`);
  const path = `export PATH=${quote(packagePath('bin'))}:"$PATH"`;
  const unset = 'unset REDIS_URL REDIS_URL_FILE CAMPAIGNS_PREFIX CREATOR_API_KEY_FILE';
  return [unset, ...lines, path, ''].join('\n');
}
