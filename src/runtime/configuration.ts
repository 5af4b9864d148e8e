/** The configuration of a process: its environment and the settings file. */
import { resolve } from 'node:path';
import { type Environment, loadSettings, readEnvironment, SettingsError } from '../../config/load.ts';
import type { Settings } from '../../config/schema.ts';
import { ForeignFolderError, inspectOwnFolder } from '../fs/ownership.ts';
import { UseCaseError } from './use-case-error.ts';

/** What a process is told: its environment and its settings. */
export interface Configuration {
  readonly environment: Environment;
  readonly settings: Settings;
}

/**
 * Reads environment and settings.
 * @param file settings file; default: the one in `CAMPAIGNS_CONFIG`.
 * @throws {UseCaseError} `settings_invalid` with the fault; as `readDataDir`.
 */
export function readConfiguration(file?: string, env?: NodeJS.ProcessEnv): Configuration {
  return asUseCase(() => {
    const environment = readEnvironment(env);
    readDataDir(env);
    return { environment, settings: loadSettings(file ?? environment.configFile) };
  });
}

/**
 * Absolute path of the data directory. Works even if the rest of the environment is wrong.
 * @throws {UseCaseError} `settings_invalid` for a `.data` of another user, who may have put links there. A folder that
 *   `DATA_DIR` names was chosen by this user.
 */
export function readDataDir(env: NodeJS.ProcessEnv = process.env): string {
  if (env.DATA_DIR) return resolve(env.DATA_DIR);
  const path = resolve('.data');
  try {
    inspectOwnFolder(path);
    return path;
  } catch (error) {
    if (!(error instanceof ForeignFolderError)) throw error;
    throw new UseCaseError('settings_invalid', error.message, {
      cure: 'Set DATA_DIR to a folder of your own, or run the command in another folder.',
      cause: error,
    });
  }
}

/** Runs a reader of settings. @throws {UseCaseError} `settings_invalid` instead of a `SettingsError`. */
export function asUseCase<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new UseCaseError('settings_invalid', error.message, { cure: error.cure, cause: error });
  }
}
