import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Outage } from '../../src/redis/outage.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('an outage is reported once, and its end after a while without failures', () => {
  const said: string[] = [];
  const outage = new Outage((message) => said.push(message), 'over');
  for (let strike = 0; strike < 5; strike++) {
    outage.strike(`begins ${strike}`);
    vi.advanceTimersByTime(5000);
  }
  expect(said).toEqual(['begins 0']);
  expect(outage.lasts).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(said).toEqual(['begins 0', 'over']);
  expect(outage.lasts).toBe(false);
  outage.strike('again');
  expect(said).toEqual(['begins 0', 'over', 'again']);
});

test('an outage that lasts is reported once a minute', () => {
  const said: string[] = [];
  const outage = new Outage((message) => said.push(message), 'over');
  for (let second = 0; second < 600; second++) {
    outage.strike('lasts');
    vi.advanceTimersByTime(1000);
  }
  expect(said).toEqual(Array(10).fill('lasts'));
});

test('a closed outage reports nothing', () => {
  const said: string[] = [];
  const outage = new Outage((message) => said.push(message), 'over');
  outage.strike('begins');
  outage.close();
  vi.advanceTimersByTime(60_000);
  expect(said).toEqual(['begins']);
});
