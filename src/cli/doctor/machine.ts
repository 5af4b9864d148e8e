/** Examines this machine: Node, the data directory and its disk, the media root, and the limit of open files. */
import { constants } from 'node:fs';
import { access, mkdir, readFile, stat } from 'node:fs/promises';
import type { CommandDocument } from '../../campaigns/documents/commands.ts';
import { type FreeBytes, freeBytesOf } from '../../fs/disk.ts';

const gigabyte = 1024 ** 3;
const leastFreeBytes = gigabyte / 10;
const fewFreeBytes = gigabyte;
/** Connections to the service, storages and Redis, and media files. */
const fewOpenFiles = 1024;

/** @param needed lowest version, such as `24.5`. */
export function examineNode(version: string, needed: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number);
  const isOld = major < neededMajor || (major === neededMajor && minor < neededMinor);
  if (!isOld) return ok('node', `Node ${version}`);
  return problem('node', `Node ${version} is too old`, `Use Node ${needed} or later.`);
}

export async function examineDataDir(dataDir: string, freeBytes: FreeBytes = freeBytesOf): Promise<Finding> {
  const check = 'data-dir';
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK);
    const free = await freeBytes(dataDir);
    const text = `${dataDir}: ${(free / gigabyte).toFixed(1)} GB free`;
    const cure = 'Free some space, or set DATA_DIR to a folder on another disk.';
    if (free < leastFreeBytes) return problem(check, text, cure);
    return free < fewFreeBytes ? warning(check, text, cure) : ok(check, text);
  } catch (error) {
    const { message } = error as Error;
    return problem(
      check,
      `the data directory is not usable: ${message}`,
      'Set DATA_DIR to a writable folder.',
    );
  }
}

/** @returns undefined if the settings name no media root. */
export async function examineMediaRoot(root: string | null): Promise<Finding | undefined> {
  if (root === null) return undefined;
  const found = await stat(root).catch(() => undefined);
  if (found?.isDirectory()) return ok('media-root', `media root ${root}`);
  const cure = 'Mount it, or correct the setting media.root.';
  return problem('media-root', `the media root ${root} does not exist`, cure);
}

/** @returns undefined if the system does not say. */
export async function examineOpenFiles(limitsFile = '/proc/self/limits'): Promise<Finding | undefined> {
  const limits = await readFile(limitsFile, 'utf8').catch(() => '');
  const text = /^Max open files\s+(\S+)/m.exec(limits)?.[1];
  if (text === undefined) return undefined;
  if (text === 'unlimited' || Number(text) >= fewOpenFiles)
    return ok('open-files', `${text} files may be open`);
  const cure = `Raise the limit:\n  ulimit -n ${fewOpenFiles}`;
  return warning('open-files', `only ${text} files and connections may be open at once`, cure);
}

export type Finding = CommandDocument<'doctor'>['findings'][number];

export const ok = (check: string, text: string) => finding('ok', check, text);

export const warning = (check: string, text: string, cure: string) => finding('warning', check, text, cure);

export const problem = (check: string, text: string, cure?: string) => finding('problem', check, text, cure);

function finding(verdict: Finding['verdict'], check: string, text: string, cure?: string): Finding {
  return { check, verdict, text, cure };
}
