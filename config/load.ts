/** Reads the settings file and the environment, once, into one frozen value. The only reader of `process.env` beside the CLI. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { describeFileError } from '../src/files/file-error.ts';
import { type Settings, settingsSchema } from './schema.ts';

/** A wrong setting: the message names the field, its value and what is allowed. Exit code 2. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly cure: string | undefined;

  constructor(message: string, options: { cure?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.cure = options.cure;
  }
}

/** What the environment says. Secrets live here and nowhere else; this value is never logged. */
export interface Environment {
  readonly apiUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly redisUrl: string | undefined;
  /** Absolute path of the folder for the private Redis, spooled media and logs. */
  readonly dataDir: string;
  readonly consoleHost: string;
  readonly consolePort: number;
  readonly consolePassword: string | undefined;
  readonly logLevel: string;
  readonly configFile: string | undefined;
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/**
 * Reads the environment variables of the runner. `NAME_FILE` names a file that holds the secret.
 * @throws {SettingsError} naming the variable that is wrong.
 */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const port = env.CONSOLE_PORT ? Number(env.CONSOLE_PORT) : 3000;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new SettingsError(`CONSOLE_PORT is "${env.CONSOLE_PORT}": it must be a port from 0 to 65535`);
  }
  const logLevel = env.LOG_LEVEL || 'info';
  if (!logLevels.includes(logLevel)) {
    throw new SettingsError(`LOG_LEVEL is "${logLevel}": it must be one of ${logLevels.join(', ')}`);
  }
  return Object.freeze({
    apiUrl: serviceUrl(env.CREATOR_API_URL),
    apiKey: apiKey(secret(env, 'CREATOR_API_KEY')),
    redisUrl: env.REDIS_URL || undefined,
    dataDir: resolve(env.DATA_DIR || '.data'),
    consoleHost: env.CONSOLE_HOST || '127.0.0.1',
    consolePort: port,
    consolePassword: secret(env, 'CONSOLE_PASSWORD'),
    logLevel,
    configFile: env.CAMPAIGNS_CONFIG || undefined,
  });
}

/**
 * Reads and checks a settings file; without one, the defaults.
 * @throws {SettingsError} with one line for every wrong field.
 */
export function loadSettings(file: string | undefined): Settings {
  if (file === undefined) return deepFreeze(settingsSchema.parse({}));
  return checkSettings(parseSettings(readSettingsFile(file), file), `settings file ${file}`);
}

function readSettingsFile(file: string): string {
  try {
    // Some editors begin a text in UTF-8 with a byte order mark.
    return readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    throw new SettingsError(`settings file ${file}: ${describeFileError(error)}`, {
      cure: 'Name the file with --config or CAMPAIGNS_CONFIG; the folder config/ has one to begin with.',
      cause: error,
    });
  }
}

function parseSettings(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SettingsError(`settings file ${file} is not JSON: ${(error as Error).message}`, {
      cure: 'Mend it at that place: look for a quote, comma or bracket that is missing or too many.',
      cause: error,
    });
  }
}

/** Checks settings that are at hand as a plain value. @throws {SettingsError} as `loadSettings`. */
export function checkSettings(content: unknown, source = 'settings'): Settings {
  const result = settingsSchema.safeParse(content);
  if (result.success) return deepFreeze(result.data);
  const lines = result.error.issues.map((issue) => `  ${describeIssue(issue, content)}`);
  throw new SettingsError(`${source}:\n${lines.join('\n')}`);
}

function describeIssue(issue: z.core.$ZodIssue, content: unknown): string {
  const field = issue.path.join('.') || '(the whole file)';
  if (issue.code === 'unrecognized_keys') {
    const prefix = issue.path.length > 0 ? `${issue.path.join('.')}.` : '';
    return issue.keys.map((key) => `${prefix}${key}: there is no such setting`).join('\n  ');
  }
  const value = issue.path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key],
    content,
  );
  return `${field}: ${JSON.stringify(value) ?? 'missing'}: ${issue.message}`;
}

function secret(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  if (!file) return env[name] || undefined;
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    throw new SettingsError(`${name}_FILE is ${file}: ${describeFileError(error)}`, { cause: error });
  }
}

function serviceUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw new SettingsError('CREATOR_API_URL must be an http or https URL without user, query or fragment');
  }
  return url.href.replace(/\/+$/, '');
}

/** A key with a line break or a character outside ASCII could not be sent as a header; say so before any call does. */
function apiKey(key: string | undefined): string | undefined {
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw new SettingsError(
      'CREATOR_API_KEY has a space, a line break or a character that a header cannot carry',
    );
  }
  return key;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
