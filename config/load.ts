/** Reads the settings file and the environment once, into frozen values. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { describeFileError } from '../src/platform/files/disk.ts';
import { withoutTrailingSlashes } from '../src/service/contract/uri.ts';
import { readBase, readOrigin, readProxies } from './console.ts';
import { decodeSecret } from './notify.ts';
import { type ProxySettings, readProxyVariables } from './proxies.ts';
import { type Settings, settingsSchema } from './schema.ts';

/** An invalid setting. The message names the field, its value and what is allowed. Exit code 2. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly fix: string | undefined;

  constructor(message: string, options: { fix?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.fix = options.fix;
  }
}

/** The environment variables. They hold secrets, so this value is never logged. */
export interface Environment {
  readonly apiUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly redisUrl: string | undefined;
  /** Name that all keys in Redis begin with, in braces; undefined: the usual one. */
  readonly redisPrefix: string | undefined;
  /** Absolute path of the folder for the private Redis, spooled media and logs. */
  readonly dataDir: string;
  readonly consoleHost: string;
  readonly consolePort: number;
  /** Origin that browsers see, behind a reverse proxy. */
  readonly consoleOrigin: string | undefined;
  /** Path that the console is served on; empty for the root. */
  readonly consoleBase: string;
  /** Addresses and CIDR ranges of reverse proxies whose `X-Forwarded-*` count. */
  readonly consoleTrustedProxies: readonly string[];
  /** Password of the first operator. */
  readonly consoleAdminPassword: string | undefined;
  /** The proxies on the way to other machines. */
  readonly proxies: ProxySettings;
  readonly logLevel: string;
  readonly configFile: string | undefined;
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/**
 * Reads the environment variables of the runner. `NAME_FILE` names a file with the secret.
 * @throws {SettingsError} with the name of an invalid variable.
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
    apiKey: checkKey(secret(env, 'CREATOR_API_KEY'), 'CREATOR_API_KEY'),
    redisUrl: redisUrl(env),
    redisPrefix: checked(
      env,
      'CAMPAIGNS_PREFIX',
      readPrefix,
      'up to 32 letters, digits, - and _, with a letter or digit first',
    ),
    dataDir: resolve(env.DATA_DIR || '.data'),
    consoleHost: env.CONSOLE_HOST || '127.0.0.1',
    consolePort: port,
    consoleOrigin: checked(env, 'CONSOLE_ORIGIN', readOrigin, 'an origin such as https://console.example'),
    consoleBase: checked(env, 'CONSOLE_BASE', readBase, 'a path such as /tools/campaigns') ?? '',
    consoleTrustedProxies:
      checked(env, 'CONSOLE_TRUSTED_PROXIES', readProxies, 'addresses or CIDR ranges, separated by commas') ??
      [],
    consoleAdminPassword: env.CONSOLE_ADMIN_PASSWORD_FILE
      ? readSecret(env.CONSOLE_ADMIN_PASSWORD_FILE, 'CONSOLE_ADMIN_PASSWORD_FILE')
      : undefined,
    proxies: proxiesOf(env),
    logLevel,
    configFile: env.CAMPAIGNS_CONFIG || undefined,
  });
}

/** The name is part of patterns in access lists of Redis, so it has none of their characters. */
function readPrefix(text: string): string | undefined {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/.test(text) ? text : undefined;
}

/** @throws {SettingsError} that does not show the value: it may hold a password. */
function proxiesOf(env: NodeJS.ProcessEnv): ProxySettings {
  try {
    return readProxyVariables(env);
  } catch (error) {
    if (error instanceof RangeError) throw new SettingsError(error.message);
    throw error;
  }
}

/** @throws {SettingsError} if the variable is set and `read` does not know its value. */
function checked<T>(
  env: NodeJS.ProcessEnv,
  name: string,
  read: (text: string) => T | undefined,
  allowed: string,
): T | undefined {
  const text = env[name];
  if (!text) return undefined;
  const value = read(text);
  if (value === undefined) throw new SettingsError(`${name} is "${text}": it must be ${allowed}`);
  return value;
}

/**
 * Reads and checks a settings file; without a file, returns the defaults.
 * @throws {SettingsError} with one line for each invalid field.
 */
export function loadSettings(file: string | undefined): Settings {
  if (file === undefined) return deepFreeze(settingsSchema.parse({}, once));
  return checkSettings(parseSettings(readSettingsFile(file), file), `settings file ${file}`);
}

function readSettingsFile(file: string): string {
  try {
    // Some editors put a byte order mark first.
    return readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    throw new SettingsError(`settings file ${file}: ${describeFileError(error)}`, {
      fix: 'Name the file with --config or CAMPAIGNS_CONFIG. To start, copy config/production.example.json.',
      cause: error,
    });
  }
}

function parseSettings(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SettingsError(
      `settings file ${file} is not JSON: ${withoutContent((error as Error).message)}`,
      {
        fix: 'Correct that place: look for a missing or extra quote, comma or bracket.',
      },
    );
  }
}

/** Settings are parsed once: zod would compile a function for each of their schemas, in twice the time. */
const once = { jitless: true } as const;

/** Checks settings given as a plain value. @throws {SettingsError} as `loadSettings`. */
export function checkSettings(content: unknown, source = 'settings'): Settings {
  const result = settingsSchema.safeParse(content, once);
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
  if (issue.code === 'invalid_key') {
    return `${field}: the name ${issue.issues.map(({ message }) => message).join(', and ')}`;
  }
  const value = issue.path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key],
    content,
  );
  // A receiver's address may hold a token, and so may the whole file.
  const [section, , part = ''] = issue.path.map(String);
  const isNameOfEvent = section === 'notify' && part === 'events';
  const isSecret = ['notify', undefined].includes(section) && !isNameOfEvent;
  return `${field}: ${isSecret ? '' : `${JSON.stringify(value) ?? 'missing'}: `}${ruleOf(issue)}`;
}

/** What is allowed. Zod's own messages are for programmers; those of the schema stay. */
function ruleOf(issue: z.core.$ZodIssue): string {
  if (!/^(?:Invalid|Too)\b/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'invalid_type':
      return `must be of the type ${issue.expected}`;
    case 'too_small':
      return `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

/** The parser's message without its quote of the file, which may hold keys. */
function withoutContent(message: string): string {
  const end = ' is not valid JSON';
  const quote = message.search(/, (?:\.{3})?"/);
  return quote >= 0 && message.endsWith(end) ? `${message.slice(0, quote)}:${end}` : message;
}

function secret(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  return file ? readSecret(file, `${name}_FILE`) : env[name] || undefined;
}

/** An empty file must not start a private Redis, which would know nothing of what was posted. */
function redisUrl(env: NodeJS.ProcessEnv): string | undefined {
  const url = secret(env, 'REDIS_URL');
  if (url === undefined && env.REDIS_URL_FILE) {
    throw new SettingsError('REDIS_URL_FILE: the file that it names is empty', {
      fix: 'Put the address of Redis into it, such as redis://:PASSWORD@redis:6379.',
    });
  }
  return url;
}

function readSecret(file: string, source: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    // Not the error's own message: it quotes the path, which may be a key in the wrong place.
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENAMETOOLONG' ? 'this is too long for a path' : describeFileError(error);
    const shown = isPlainlyPath(file) ? `${file}: ` : '';
    throw new SettingsError(`${source}: ${shown}${reason}`, {
      fix: 'Name a file that this user may read and that holds only the secret.',
    });
  }
}

/** Whether a text can hardly be a secret. A relative path without `./` might be one. */
function isPlainlyPath(file: string): boolean {
  return /^(?:\.{1,2}|~)?\/[\w.-]+(?:\/[\w.-]+)+$/.test(file);
}

/**
 * Reads the secret that messages to a receiver are signed with.
 * @returns the bytes of the key; undefined if the entry names no file.
 * @throws {SettingsError} for a file that is missing or holds no secret. No message holds the secret.
 */
export function readNotifySecret(settings: Settings, index: number): Buffer | undefined {
  const { secretFile, format } = settings.notify[index] ?? {};
  if (secretFile === undefined) return undefined;
  const field = `notify.${index}.secretFile`;
  const text = readSecret(secretFile, field) ?? '';
  // Chats give a secret of their own, whose characters are the key.
  const secret = format === 'standard' ? decodeSecret(text) : Buffer.from(text);
  if (secret?.length) return secret;
  throw new SettingsError(
    `${field}: the file that it names holds no secret: base64, with or without whsec_ before it`,
    {
      fix: 'Make one, and give it to the receiver too:\nopenssl rand -base64 32',
    },
  );
}

/** @returns the URL without a slash at the end. @throws {SettingsError} that does not show it: it may hold a password. */
function serviceUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new SettingsError('CREATOR_API_URL must be an http or https URL without user, query or fragment');
  }
  return withoutTrailingSlashes(url.href);
}

/** Refuses a key that no header can carry, before any call does. */
function checkKey(key: string | undefined, source: string): string | undefined {
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw new SettingsError(
      `${source} has a space, a line break or another character that a header cannot carry`,
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
