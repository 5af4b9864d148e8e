/** The shape of all checks, and those of this machine: Node, the data directory and its disk, the media root, and the limit of open files. */
import { constants } from 'node:fs';
import { access, mkdir, readFile, stat } from 'node:fs/promises';
import { findYearlyDoubt } from '../../manifest/cells/zone.ts';
import { thousands } from '../../manifest/wording.ts';
import { describeFolderError, type FreeBytes, freeBytesOf } from '../../platform/files/disk.ts';
import type { CommandDocument } from '../documents.ts';

const gigabyte = 1024 ** 3;
const leastFreeBytes = gigabyte / 10;
const fewFreeBytes = gigabyte;
/** Connections to the service, storages and Redis, and media files. */
const fewOpenFiles = 1024;

/** @param needed lowest version, such as `24.5`. */
export async function* examineNode(version: string, needed: string): Findings {
  const isOld = version.localeCompare(needed, 'en', { numeric: true }) < 0;
  yield isOld
    ? problem('node', `Node ${version} is too old`, `Use Node ${needed} or later.`)
    : ok('node', `Node ${version}`);
}

export async function* examineDataDir(dataDir: string, freeBytes: FreeBytes = freeBytesOf): Findings {
  const check = 'data-dir';
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK);
    const free = await freeBytes(dataDir);
    const text = `${dataDir}: ${(free / gigabyte).toFixed(1)} GB free`;
    const fix = 'Free some space, or set DATA_DIR to a folder on another disk.';
    if (free < leastFreeBytes) yield problem(check, text, fix);
    else yield free < fewFreeBytes ? warning(check, text, fix) : ok(check, text);
  } catch (error) {
    const text = `the data folder ${dataDir} cannot be used: ${describeFolderError(error)}`;
    yield problem(check, text, 'Set DATA_DIR to a folder that this user may write to.');
  }
}

/** Nothing for a zone that is surely meant. @param now Unix epoch, milliseconds. */
export async function* examineTimezone(timezone: string | null, now: number): Findings {
  const doubt = timezone === null ? null : findYearlyDoubt(timezone, now);
  if (doubt !== null) yield warning('timezone', `the setting timezone: ${doubt.problem}`, doubt.fix);
}

/** Nothing if the settings name no media root. */
export async function* examineMediaRoot(root: string | null): Findings {
  if (root === null) return;
  const found = await stat(root).catch(() => undefined);
  const fix = 'Mount it, or fix the setting media.root.';
  yield found?.isDirectory()
    ? ok('media-root', `media folder ${root}`)
    : problem('media-root', `the media folder ${root} does not exist`, fix);
}

/** Nothing if the system does not say. */
export async function* examineOpenFiles(limitsFile = '/proc/self/limits'): Findings {
  const limits = await readFile(limitsFile, 'utf8').catch(() => '');
  const most = /^Max open files\s+(\S+)/m.exec(limits)?.[1];
  if (most === undefined) return;
  const text = `only ${most} files and connections may be open at once`;
  yield most === 'unlimited' || Number(most) >= fewOpenFiles
    ? ok('open-files', `${Number(most) > 0 ? thousands(Number(most)) : most} open files allowed`)
    : warning('open-files', text, `Raise the limit:\n  ulimit -n ${fewOpenFiles}`);
}

export type Finding = CommandDocument<'doctor'>['findings'][number];

/** What a check has found. Every check is one of these. */
export type Findings = AsyncGenerator<Finding>;

export const ok = (check: string, text: string) => finding('ok', check, text);

export const warning = (check: string, text: string, fix: string) => finding('warning', check, text, fix);

export const problem = (check: string, text: string, fix?: string) => finding('problem', check, text, fix);

function finding(verdict: Finding['verdict'], check: string, text: string, fix?: string): Finding {
  return { check, verdict, text, fix };
}
