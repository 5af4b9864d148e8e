/** The configuration of a process: its environment, the settings file, and switches of the environment that only tests set. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Environment, loadSettings, readEnvironment, SettingsError } from '../../../config/load.ts';
import type { Settings } from '../../../config/schema.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { describeFolderError } from '../../platform/files/disk.ts';
import { ForeignFolderError, inspectOwnFolder } from '../../platform/files/ownership.ts';
import type { Failpoint } from '../../processors/runner/context.ts';

export interface Configuration {
  readonly environment: Environment;
  readonly settings: Settings;
}

/** @param file default: that in `CAMPAIGNS_CONFIG`. @throws {UseCaseError} `settings_invalid`; as `readDataDir`. */
export function readConfiguration(file?: string, env?: NodeJS.ProcessEnv): Configuration {
  return asUseCase(() => {
    const environment = readEnvironment(env);
    readDataDir(env);
    return { environment, settings: loadSettings(file ?? environment.configFile) };
  });
}

/**
 * Absolute, whatever else is wrong. @throws {UseCaseError} `settings_invalid` for a file; for a `.data` of another user, who may have put
 * links there.
 */
export function readDataDir(env: NodeJS.ProcessEnv = process.env): string {
  if (env.DATA_DIR) return refuseFile(resolve(env.DATA_DIR));
  const path = resolve('.data');
  try {
    inspectOwnFolder(path);
    return path;
  } catch (error) {
    if (!(error instanceof ForeignFolderError)) throw error;
    throw new UseCaseError('settings_invalid', error.message, {
      fix: 'Set DATA_DIR to a folder of your own, or run the command in another folder.',
      cause: error,
    });
  }
}

function refuseFile(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new UseCaseError('settings_invalid', `DATA_DIR names a file: ${path}`, {
      fix: 'Set DATA_DIR to a folder.',
    });
  }
  return path;
}

/** @param folder that could not be made. */
export function unusableFolder(folder: string, error: unknown): UseCaseError {
  return new UseCaseError(
    'settings_invalid',
    `the folder ${folder} cannot be used: ${describeFolderError(error)}`,
    {
      fix: 'Set DATA_DIR to a folder that this user may write to.',
      cause: error,
    },
  );
}

export function asUseCase<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new UseCaseError('settings_invalid', error.message, { fix: error.fix, cause: error });
  }
}

/** `CAMPAIGNS_FAILPOINT=NAME[:N]` kills this process at a moment, the N-th time. `NAME:N:stop` stops it until SIGCONT. */
export function readFailpoint(): (name: Failpoint) => void {
  const [wanted, count = '1', what] = (process.env.CAMPAIGNS_FAILPOINT ?? '').split(':');
  if (!wanted) return () => undefined;
  let left = Number(count);
  return (name) => {
    if (name !== wanted || --left !== 0) return;
    process.kill(process.pid, what === 'stop' ? 'SIGSTOP' : 'SIGKILL');
  };
}

/**
 * Factor by which this process sooner takes over the work of a killed one, runs the rescuer, and gives up a Redis that refuses to
 * write: `CAMPAIGNS_HASTE=3` makes each three times as soon. Only for tests, which would otherwise wait. It is not a setting,
 * because a busy machine would lose the locks of its running jobs.
 */
export function readSpeedUp(text: string = process.env.CAMPAIGNS_HASTE ?? ''): number {
  return Math.max(1, Number(text) || 1);
}
