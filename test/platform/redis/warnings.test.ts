import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Outage, onceADay } from '../../../src/platform/redis/warnings.ts';
import { temporaryFolder } from '../../support/folder.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function openOutage(overAfterMs?: number) {
  const said: string[] = [];
  const outage = new Outage((message) => said.push(message), { lasts: 'lasts', over: 'over' }, overAfterMs);
  onTestFinished(() => outage.close());
  return { said, outage };
}

test('an outage without an end of its own is over after a while without failures', () => {
  const { said, outage } = openOutage(12_000);
  for (let strike = 0; strike < 5; strike++) {
    outage.strike(`begins ${strike}`);
    vi.advanceTimersByTime(5000);
  }
  expect(said).toEqual(['begins 0']);
  expect(outage.lasts).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(said).toEqual(['begins 0', 'over (5 failures in 32 s)']);
  expect(outage.lasts).toBe(false);
  outage.strike('again');
  expect(said.at(-1)).toBe('again');
});

test('thousands of failures are a line when it begins, one a minute, and one when it ends', () => {
  const { said, outage } = openOutage();
  for (let strike = 0; strike < 15_000; strike++) {
    outage.strike('begins');
    vi.advanceTimersByTime(10);
  }
  outage.recovered();
  vi.advanceTimersByTime(1000);
  expect(said).toEqual([
    'begins',
    'lasts (6001 failures in 1 min 0 s)',
    'lasts (12001 failures in 2 min 0 s)',
    'over (15000 failures in 2 min 30 s)',
  ]);
});

test('a success between failures ends nothing', () => {
  const { said, outage } = openOutage();
  for (let strike = 0; strike < 100; strike++) {
    outage.strike('begins');
    outage.recovered();
    vi.advanceTimersByTime(500);
  }
  expect(said).toEqual(['begins']);
});

test('one that comes and goes every few seconds is told twice in half a minute at most', () => {
  const { said, outage } = openOutage();
  for (let second = 0; second < 600; second++) {
    if (second % 4 === 0) outage.strike('begins');
    else outage.recovered();
    vi.advanceTimersByTime(1000);
  }
  expect(said.length).toBeLessThan(15);
});

test('an end is not told while something else is out', () => {
  const said: string[] = [];
  let isOtherOut = false;
  const texts = { lasts: 'lasts', over: 'over', mayEnd: () => !isOtherOut };
  const outage = new Outage((message) => said.push(message), texts);
  onTestFinished(() => outage.close());
  outage.strike('begins');
  vi.advanceTimersByTime(5000);
  outage.recovered();
  isOtherOut = true;
  vi.advanceTimersByTime(60_000);
  expect(said).toEqual(['begins']);
  isOtherOut = false;
  vi.advanceTimersByTime(1000);
  expect(said).toEqual(['begins', 'over (1 failure in 5 s)']);
});

test('a closed outage reports nothing', () => {
  const { said, outage } = openOutage(12_000);
  outage.strike('begins');
  outage.close();
  outage.recovered();
  vi.advanceTimersByTime(60_000);
  expect(said).toEqual(['begins']);
});

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
