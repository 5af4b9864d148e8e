import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onceADay } from '../../src/redis/once-a-day.ts';
import { temporaryFolder } from '../support/folder.ts';

test('a warning is repeated only after a day, by whichever process', () => {
  const folder = temporaryFolder();
  const said: string[] = [];
  const start = () => onceADay(folder, (message) => said.push(message))('too old');
  start();
  start();
  expect(said).toEqual(['too old']);
  const yesterday = Date.now() / 1000 - 86_401;
  utimesSync(join(folder, 'redis-age-warning'), yesterday, yesterday);
  start();
  expect(said).toEqual(['too old', 'too old']);
});

test('where nothing can be remembered it is said each time', () => {
  const said: string[] = [];
  for (const _ of [1, 2]) onceADay('/nowhere', (message) => said.push(message))('too old');
  expect(said).toEqual(['too old', 'too old']);
});
