/** Accounts of the settings: which are valid, where their keys come from, and that no message shows a key. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  checkSettings,
  loadSettings,
  readAccountKey,
  readEnvironment,
  SettingsError,
} from '../../../config/load.ts';
import { nameOfAccount, rateLimitsOf } from '../../../src/runtime/service/accounts.ts';
import { temporaryFolder } from '../../support/folder.ts';

const url = 'https://api.example.com';
const key = 'canary-key-77';

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return expect.unreachable('it was allowed');
}

function accounts(named: Record<string, unknown>) {
  return checkSettings({ accounts: named });
}

describe('the key of an account', () => {
  it('is in the settings, in a file or in the environment', () => {
    const keyFile = join(temporaryFolder(), 'key');
    writeFileSync(keyFile, `${key}\n`);
    const settings = accounts({ a: { url, key }, b: { url, keyFile }, c: { url, keyEnv: 'C_KEY' } });
    const keys = ['a', 'b', 'c'].map((name) => readAccountKey(settings, name, { C_KEY: key }));
    expect(keys).toEqual([key, key, key]);
  });

  it.for([
    ['a file that is not there', { keyFile: '/nowhere/key' }, 'accounts.a.keyFile'],
    ['a variable that is not set', { keyEnv: 'A_KEY' }, 'accounts.a.keyEnv: there is no key; the variable'],
  ] as const)('%s is named', ([, where, message]) => {
    const settings = accounts({ a: { url, ...where } });
    expect(refusal(() => readAccountKey(settings, 'a', {}))).toContain(message);
  });

  it.for([
    ['the name of a variable', { keyEnv: key }],
    ['the path of a file', { keyFile: key }],
    ['a path that is too long', { keyFile: key.repeat(300) }],
  ] as const)('that stands in the place of %s is not shown', ([, where]) => {
    const settings = accounts({ a: { url, ...where } });
    expect(refusal(() => readAccountKey(settings, 'a', {}))).not.toContain(key);
  });

  it('is refused, but not shown, if a header cannot carry it', () => {
    const settings = accounts({ a: { url, keyEnv: 'A_KEY' } });
    const message = refusal(() => readAccountKey(settings, 'a', { A_KEY: `${key}\n.` }));
    expect(message).toContain('a header cannot carry');
    expect(message).not.toContain(key);
  });
});

describe('a missing key file of the environment', () => {
  function errorOf(file: string): SettingsError {
    try {
      readEnvironment({ CREATOR_API_KEY_FILE: file });
    } catch (error) {
      if (error instanceof SettingsError) return error;
    }
    return expect.unreachable('it was allowed');
  }

  it('is named, with a cure', () => {
    const { message, cure } = errorOf('/nowhere/creator-api-key');
    expect(message).toBe('CREATOR_API_KEY_FILE: /nowhere/creator-api-key: there is no such file');
    expect(cure).toContain('Name a file');
  });

  it('is not named if it may be the key itself', () => {
    expect(errorOf(key).message).not.toContain(key);
  });
});

it('printed settings do not show the key', () => {
  const settings = accounts({ a: { url, key } });
  expect(JSON.stringify(settings) + inspect(settings, { depth: null })).not.toContain(key);
});

describe('an account is refused, and its key not shown,', () => {
  it.for<[string, string, Record<string, unknown>, string]>([
    ['without a key', 'a', { url }, 'exactly one of key, keyFile and keyEnv'],
    ['with two keys', 'a', { url, key, keyFile: '/x' }, 'exactly one of key, keyFile and keyEnv'],
    ['with a key that cannot be sent', 'a', { url, key: `${key} .` }, 'a header cannot carry'],
    [
      'with a field that there is not',
      'a',
      { url, key, kee: key },
      'accounts.a.kee: there is no such setting',
    ],
    ['with a URL that holds a user', 'a', { url: `https://${key}@example.com`, key }, 'accounts.a.url'],
    [
      'with rate limits without a default',
      'a',
      { url, key, rateLimits: {} },
      'accounts.a.rateLimits.default',
    ],
    ['under the name of the environment’s', 'default', { url, key }, 'CREATOR_API_URL'],
    ['under a name that no key in Redis could bear', 'a:b', { url, key }, 'must be a name'],
  ])('%s', ([, name, account, message]) => {
    const refused = refusal(() => accounts({ [name]: account }));
    expect(refused).toContain(message);
    expect(refused).not.toContain(key);
  });
});

it('a settings file that is not JSON is refused, but not quoted', () => {
  const file = join(temporaryFolder(), 'settings.json');
  writeFileSync(file, `{ "accounts": { "a": { "key": "${key}" oops } } }`);
  const message = refusal(() => loadSettings(file));
  expect(message).toContain(file);
  expect(message).not.toContain(key);
});

it('a settings file that is not an object is refused, but not shown', () => {
  expect(refusal(() => checkSettings([{ key }]))).not.toContain(key);
});

it.each(['toString', 'constructor', '__proto__'])('%s is no account unless the settings have it', (name) => {
  const environment = readEnvironment({});
  const unknown = { environment, settings: accounts({ a: { url, key } }) };
  expect(() => nameOfAccount(unknown, name)).toThrow(`there is no account "${name}" in the settings`);
  expect(rateLimitsOf(unknown.settings, name)).toBe(unknown.settings.rateLimits);
  expect(refusal(() => readAccountKey(unknown.settings, name))).toContain('there is no key');
});
