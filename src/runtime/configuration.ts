/** The configuration of a process: its environment and the settings file. */
import { resolve } from 'node:path';
import { type Environment, loadSettings, readEnvironment, SettingsError } from '../../config/load.ts';
import type { Settings } from '../../config/schema.ts';
import { UseCaseError } from './use-case-error.ts';

export interface Configuration {
  readonly environment: Environment;
  readonly settings: Settings;
}

/**
 * Reads environment and settings.
 * @param file settings file; default: the one in `CAMPAIGNS_CONFIG`.
 * @throws {UseCaseError} `settings_invalid`, which names what is wrong.
 */
export function readConfiguration(file?: string, env?: NodeJS.ProcessEnv): Configuration {
  return asUseCase(() => {
    const environment = readEnvironment(env);
    return { environment, settings: loadSettings(file ?? environment.configFile) };
  });
}

/** Absolute path of the data directory. Works even if the rest of the environment is wrong. */
export function readDataDir(env: NodeJS.ProcessEnv = process.env): string {
  return resolve(env.DATA_DIR || '.data');
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
