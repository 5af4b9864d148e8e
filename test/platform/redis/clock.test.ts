import { expect, it } from 'vitest';
import { RedisClock } from '../../../src/platform/redis/clock.ts';

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
  expect(clock.isTolerable).toBe(true);
});

it.each([
  ['ahead', hour],
  ['behind', -hour],
])('a jump to an hour %s moves it by nothing', (_side, ms) => {
  const { at, clock, ask, pass } = machine();
  ask();
  at.wall += ms;
  pass(2000);
  expect(clock.now()).toBe(noon + 2000);
  ask();
  expect(clock.aheadMs).toBe(ms);
  expect(clock.isTolerable).toBe(false);
  at.wall -= ms;
  ask();
  expect(clock.isTolerable).toBe(true);
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

it('after the machine was suspended, it follows the next answer of Redis', () => {
  const { at, clock, ask } = machine();
  ask();
  at.wall += 2 * hour;
  at.redis += 2 * hour;
  ask();
  expect(clock.now()).toBe(at.redis);
  expect(clock.isTolerable).toBe(true);
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
