import { expect, it } from 'vitest';
import { RedisClock } from '../../src/redis/clock.ts';

const noon = Date.UTC(2026, 5, 1, 12);
const hour = 3_600_000;

/** A machine: the clock on its wall, its steady clock, and the time of Redis. */
function machine({ wall = noon } = {}) {
  const at = { wall, steady: 5000, redis: noon };
  const clock = new RedisClock(
    () => at.wall,
    () => at.steady,
  );
  /** Time goes by for all of them. */
  function pass(ms: number) {
    at.wall += ms;
    at.steady += ms;
    at.redis += ms;
  }
  /** Asks Redis, whose answer takes a way of `thereMs` and `backMs`. */
  function ask(thereMs = 0, backMs = 0) {
    const askedAt = at.steady;
    pass(thereMs);
    const answer = at.redis;
    pass(backMs);
    clock.learn({ at: answer, askedAt, cameAt: at.steady });
  }
  return { at, clock, pass, ask };
}

it('before the first answer, the clock of the machine counts', () => {
  const { clock, pass } = machine();
  pass(1000);
  expect(clock.now()).toBe(noon + 1000);
  expect(clock.aheadMs).toBe(0);
  expect(clock.isSure).toBe(true);
});

it.each([
  ['ahead', hour],
  ['behind', -hour],
])('a jump to an hour %s moves it by nothing, and is noticed at once', (_side, ms) => {
  const { at, clock, ask, pass } = machine();
  ask();
  at.wall += ms;
  pass(2000);
  expect(clock.now()).toBe(noon + 2000);
  expect(clock.isSure).toBe(false);
  ask();
  expect(clock.aheadMs).toBe(ms);
  expect([clock.isSure, clock.isTolerable]).toEqual([true, false]);
  at.wall -= ms;
  expect(clock.isSure).toBe(false);
  ask();
  expect([clock.isSure, clock.isTolerable]).toEqual([true, true]);
});

it.each([
  [30_000, 0],
  [0, 30_000],
])('an answer that takes %i ms there and %i ms back is no jump', (there, back) => {
  const { at, clock, ask } = machine();
  ask();
  ask(there, back);
  expect(clock.now()).toBe(at.redis);
  expect(clock.isTolerable).toBe(true);
});

it('a slow first answer is made more exact by a quick one', () => {
  const { at, clock, ask } = machine({ wall: noon + 5000 });
  ask(2000, 4000);
  expect(Math.abs(clock.now() - at.redis)).toBeLessThanOrEqual(4000);
  ask(1, 1);
  expect(Math.abs(clock.now() - at.redis)).toBeLessThanOrEqual(3);
});

it('after the machine was suspended, it is unsure until Redis has answered', () => {
  const { at, clock, ask } = machine();
  ask();
  at.wall += 2 * hour;
  at.redis += 2 * hour;
  expect(clock.isSure).toBe(false);
  ask();
  expect(clock.now()).toBe(at.redis);
  expect([clock.isSure, clock.isTolerable]).toEqual([true, true]);
});

it('follows a clock of Redis that was put back', () => {
  const { at, clock, ask } = machine();
  ask();
  at.redis -= hour;
  ask();
  expect(Math.abs(clock.now() - at.redis)).toBeLessThanOrEqual(1);
  expect(clock.isTolerable).toBe(false);
});

it('tells whole milliseconds', () => {
  const clock = new RedisClock(
    () => noon,
    () => 0.75,
  );
  expect(clock.now()).toBe(noon);
});

it('remembers the last answer that showed it to be wrong', () => {
  const { at, clock, pass, ask } = machine();
  ask();
  expect(clock.lastWrong).toBeUndefined();
  at.wall += hour;
  ask();
  pass(1000);
  at.wall -= hour;
  ask();
  expect(clock.isTolerable).toBe(true);
  expect(clock.lastWrong).toEqual({ at: noon, aheadMs: hour });
});
