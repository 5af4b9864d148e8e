import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkSettings, loadSettings, readEnvironment } from '../../config/load.ts';
import { temporaryFolder } from '../support/folder.ts';

test('a settings file that is not there, or is a folder, is told without the words of the system', () => {
  const folder = temporaryFolder();
  const missing = join(folder, 'settings.json');
  expect(() => loadSettings(missing)).toThrow(
    expect.objectContaining({
      name: 'SettingsError',
      message: `settings file ${missing}: there is no such file`,
      cure: 'Name the file with --config or CAMPAIGNS_CONFIG. To start, copy config/production.example.json.',
    }),
  );
  expect(() => loadSettings(folder)).toThrow(`settings file ${folder}: this is a folder; name a file`);
});

test('a settings file that is not JSON is told with the place', () => {
  const file = join(temporaryFolder(), 'settings.json');
  writeFileSync(file, '{ "window": 10,, }');
  expect(() => loadSettings(file)).toThrow(/^settings file .* is not JSON: .*position 15/);
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

test('without settings a 500 of a creating call is not sent again by itself', () => {
  const { post, generation } = loadSettings(undefined);
  expect([post.on500, generation.on500]).toEqual(['review', 'review']);
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
