import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  checkSettings,
  loadSettings,
  readEnvironment,
  readNotifySecret,
  SettingsError,
} from '../../config/load.ts';
import { temporaryFolder } from '../support/folder.ts';

test('a settings file that is not there, or is a folder, is told without the words of the system', () => {
  const folder = temporaryFolder();
  const missing = join(folder, 'settings.json');
  expect(() => loadSettings(missing)).toThrow(
    expect.objectContaining({
      name: 'SettingsError',
      message: `settings file ${missing}: there is no such file`,
      fix: 'Name the file with --config or CAMPAIGNS_CONFIG. To start, copy config/production.example.json.',
    }),
  );
  expect(() => loadSettings(folder)).toThrow(`settings file ${folder}: this is a folder; name a file`);
});

const root = join(import.meta.dirname, '../..');

test.each(['sandbox.json', 'production.example.json'])('config/%s is read', (name) => {
  expect(loadSettings(join(root, 'config', name)).api.confirmUpload).not.toBeNull();
});

test('the examples of settings.md are read', () => {
  const blocks = readFileSync(join(root, 'docs/settings.md'), 'utf8').matchAll(/(?:^ {4}.*\n)+/gm);
  const examples = Array.from(blocks, ([block]) => JSON.parse(`{${block.replaceAll('/v1/...', '/v1/x')}}`));
  expect(examples.map(Object.keys)).toEqual([['confirmUpload']]);
  const [{ confirmUpload }] = examples;
  expect(checkSettings({ api: { confirmUpload } }).api.confirmUpload).not.toBeNull();
});

test('a settings file that is not JSON is told with the place', () => {
  const file = join(temporaryFolder(), 'settings.json');
  writeFileSync(file, '{ "window": 10,, }');
  expect(() => loadSettings(file)).toThrow(/^settings file .* is not JSON: .*position 15/);
});

test('a prefix that access lists or clusters could read otherwise is refused', () => {
  expect(readEnvironment({ CAMPAIGNS_PREFIX: 'north-2' }).redisPrefix).toBe('north-2');
  for (const prefix of ['{a}', 'a*', 'a:b', '-a', 'a'.repeat(33)]) {
    expect(() => readEnvironment({ CAMPAIGNS_PREFIX: prefix })).toThrow(
      `CAMPAIGNS_PREFIX is "${prefix}": it must be up to 32 letters`,
    );
  }
});

test('a byte order mark is no part of the settings', () => {
  const file = join(temporaryFolder(), 'settings.json');
  writeFileSync(file, '\ufeff{ "window": 10 }');
  expect(loadSettings(file).window).toBe(10);
});

test('the address of Redis may stand in a file, which wins over REDIS_URL', () => {
  const file = join(temporaryFolder(), 'redis-url');
  writeFileSync(file, 'redis://:s3cret@redis:6379\n');
  const env = { REDIS_URL: 'redis://other:6379', REDIS_URL_FILE: file };
  expect(readEnvironment(env).redisUrl).toBe('redis://:s3cret@redis:6379');
});

test('an empty or missing file for the address of Redis starts no private one', () => {
  const folder = temporaryFolder();
  const empty = join(folder, 'empty');
  writeFileSync(empty, '\n');
  expect(() => readEnvironment({ REDIS_URL_FILE: empty })).toThrow(
    'REDIS_URL_FILE: the file that it names is empty',
  );
  expect(() => readEnvironment({ REDIS_URL_FILE: join(folder, 'none') })).toThrow('REDIS_URL_FILE: ');
});

test.each<readonly [object, string]>([
  [
    { rateLimits: { default: { rate: 1, per: '0s', burst: 1 } } },
    'rateLimits.default.per: "0s": must be longer than 0',
  ],
  [{ videos: { retention: '0d' } }, 'videos.retention: "0d": must be longer than 0'],
  [
    { videos: { retention: 400 } },
    'videos.retention: 400: must be a duration such as 500ms, 30s, 45m, 2h or 1d',
  ],
  [{ videos: { retention: '99999d' } }, 'videos.retention: "99999d": must be at most 36525d'],
  [{ api: { timeout: '60d' } }, 'api.timeout: "60d": must be at most 1d'],
  [{ api: { pageSize: 0 } }, 'api.pageSize: 0: must be at least 1'],
  [{ api: { pageSize: 1001 } }, 'api.pageSize: 1001: must be at most 1000'],
  [{ post: { on500: 'maybe' } }, 'post.on500: "maybe": must be retry or review'],
  [{ window: 'x' }, 'window: "x": must be of the type number'],
  ...[0, 1.5, '429', '599-500', '0-9', '500 - 599', '1-2-3', null].map((code): [object, string] => [
    { api: { codes: { retry: [599, code] } } },
    `api.codes.retry.1: ${JSON.stringify(code)}: must be a whole number other than 0, such as 40101, or a range such as "500-599"`,
  ]),
  [{ api: { codes: { busy: [1] } } }, 'api.codes.busy: there is no such setting'],
  [
    { api: { codes: { throttled: [7], retry: ['1-3', '5-9'] } } },
    'api.codes.retry.1: "5-9": is also in api.codes.throttled (7): a code may be in one list only',
  ],
  [{ api: { codes: { forbidden: [429] } } }, 'api.codes.forbidden.0: 429: is also in api.codes.throttled'],
  [
    { api: { codes: { forbidden: ['500-501'] } } },
    'api.codes.forbidden: ["500-501"]: is also a default of api.codes.retry (500-599): set that list, too, and omit the code there',
  ],
  [{ media: { maxBytes: 4 } }, 'media.maxBytes: 4: must be a size such as 512KB or 4GB'],
  [{ notify: [{ url: 'https://x', events: ['ended'] }] }, 'notify.0.events.0: "ended": '],
  // The service takes names of zones only.
  [{ timezone: '+08:00' }, 'timezone: "+08:00": must be an IANA time zone'],
])('%j is refused with field, value and rule', (settings, message) => {
  expect(() => checkSettings(settings)).toThrow(message);
});

test('without settings a 500 of a creating call is not sent again by itself', () => {
  const { post, generation } = loadSettings(undefined);
  expect([post.on500, generation.on500]).toEqual(['review', 'review']);
});

test('each meaning of a code has its own list, which replaces the usual one', () => {
  const codesOf = (codes: object) => checkSettings({ api: { codes } }).api.codes;
  const usual = {
    throttled: [429],
    keyRefused: [401],
    creatorExpired: [40101],
    forbidden: [403],
    retry: ['500-599'],
  };
  expect(codesOf({})).toEqual(usual);
  expect(codesOf({ throttled: [1, '10-20'], retry: [] })).toEqual({
    ...usual,
    throttled: [1, '10-20'],
    retry: [],
  });
});

test('failed posts are a part of the final ones', () => {
  const failedOf = (records: object) => checkSettings({ records }).records.failed;
  expect(failedOf({})).toEqual(['FAILED']);
  expect(failedOf({ final: ['DONE'] })).toEqual([]);
  expect(failedOf({ final: ['DONE', 'REJECTED'], failed: ['REJECTED'] })).toEqual(['REJECTED']);
  expect(() => failedOf({ failed: ['REJECTED'] })).toThrow(
    'records.failed.0: "REJECTED": must be one of records.final (PUBLISHED, FAILED)',
  );
});

describe('receivers of notifications', () => {
  const url = 'https://hooks.example.com/t0k3n';

  /** Reads the secret of a receiver whose file has this content. */
  function secretIn(content: string) {
    const secretFile = join(temporaryFolder(), 'secret');
    writeFileSync(secretFile, content);
    return () => readNotifySecret(checkSettings({ notify: [{ url, secretFile }] }), 0);
  }

  test('get all events, signed or not, at public addresses unless told otherwise', () => {
    const settings = checkSettings({ notify: [{ url }] });
    expect(settings.notify).toMatchObject([{ allowPrivateAddresses: [] }]);
    expect(settings.notify[0]?.events).toContain('campaign.ended');
    expect(readNotifySecret(settings, 0)).toBeUndefined();
  });

  test.each(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])(
    'sign with the bytes of their secret: %s',
    (content) => {
      expect(secretIn(content)()?.toString('base64')).toBe('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    },
  );

  test.each(['', 'whsec_', 'not base64!', 'whsec_whsec_'])(
    'refuse a file without a secret: %j',
    (content) => {
      expect(secretIn(content)).toThrow(
        expect.objectContaining({
          message: expect.stringMatching(/^notify\.0\.secretFile: .*holds no secret/),
        }),
      );
    },
  );

  test('are refused without a word of what their file holds', () => {
    expect(secretIn('s3cret of another form')).not.toThrow('s3cret');
  });

  test.each([
    [{ notify: [{ url: 'ftp://hooks.example.com/t0k3n' }] }, 'notify.0.url'],
    [{ notify: [{ url: 'https://me:t0k3n@hooks.example.com/' }] }, 'notify.0.url'],
    [{ notify: [{ url, events: ['campaign.begun'] }] }, 'notify.0.events.0'],
    [{ notify: [{ url, secret: 't0k3n' }] }, 'notify.0.secret: there is no such setting'],
    [{ notify: [{ url, allowPrivateAddresses: ['t0k3n'] }] }, 'notify.0.allowPrivateAddresses.0'],
    [{ notify: [{ url }, { url }] }, 'notify: names a URL twice'],
    [{ notify: [url] }, 'notify.0'],
  ])('are told wrong without their URL: %#', (settings, field) => {
    expect(() => checkSettings(settings)).toThrow(field);
    expect(() => checkSettings(settings)).not.toThrow('t0k3n');
  });
});

describe('the key of the service', () => {
  const key = 'canary-key-77';

  function errorOf(load: () => unknown): SettingsError {
    try {
      load();
    } catch (error) {
      if (error instanceof SettingsError) return error;
    }
    return expect.unreachable('it was allowed');
  }

  test('may come from a file', () => {
    const file = join(temporaryFolder(), 'key');
    writeFileSync(file, `${key}\n`);
    expect(readEnvironment({ CREATOR_API_KEY_FILE: file }).apiKey).toBe(key);
  });

  test('names its file when that is missing', () => {
    const { message, fix } = errorOf(() => readEnvironment({ CREATOR_API_KEY_FILE: '/nowhere/api-key' }));
    expect(message).toBe('CREATOR_API_KEY_FILE: /nowhere/api-key: there is no such file');
    expect(fix).toContain('Name a file');
  });

  test.each([
    ['stands in the place of a path', { CREATOR_API_KEY_FILE: key }],
    ['stands in the place of a path, and is too long for one', { CREATOR_API_KEY_FILE: key.repeat(300) }],
    ['cannot be sent in a header', { CREATOR_API_KEY: `${key} .` }],
    ['is the user of the URL', { CREATOR_API_URL: `https://${key}@example.com` }],
  ])('is not shown if it %s', (_what, environment) => {
    expect(errorOf(() => readEnvironment(environment)).message).not.toContain(key);
  });

  test('is not quoted from a settings file that cannot be read', () => {
    const file = join(temporaryFolder(), 'settings.json');
    writeFileSync(file, `{ "notify": [{ "url": "${key}" oops }] }`);
    expect(errorOf(() => loadSettings(file)).message).not.toContain(key);
    expect(errorOf(() => checkSettings([{ key }])).message).not.toContain(key);
  });
});
