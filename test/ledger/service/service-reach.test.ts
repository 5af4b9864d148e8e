import { expect, it } from 'vitest';
import { ServiceReach } from '../../../src/ledger/service/service-reach.ts';
import { testLedger } from '../../support/ledger.ts';

/** The line to the service as two machines know it. */
function twoMachines() {
  const { ledger, redis, clock } = testLedger();
  const reachOf = (host: string) =>
    new ServiceReach({ redis, keys: ledger.keys, host, now: () => clock.now });
  return { one: reachOf('one'), two: reachOf('two'), reachOf, clock };
}

it('every machine sees which machine gets no answer, and since when', async () => {
  const { one, two, clock } = twoMachines();
  const since = clock.now;
  one.failed('refused');
  clock.now += 5000;
  one.failed('timed out');
  expect(await two.unreachable()).toEqual([{ host: 'one', reason: 'timed out', since, at: clock.now }]);
});

it('the next answer ends it, on that machine only', async () => {
  const { one, two } = twoMachines();
  one.failed('refused');
  two.failed('refused');
  one.answered();
  expect((await one.unreachable()).map(({ host }) => host)).toEqual(['two']);
});

it('the first answer of another process of that machine ends it, too', async () => {
  const { one, reachOf } = twoMachines();
  one.failed('refused');
  reachOf('one').answered();
  expect(await one.unreachable()).toEqual([]);
});

it('a machine that has stopped trying is not shown', async () => {
  const { one, two, clock } = twoMachines();
  one.failed('refused');
  clock.now += 121_000;
  expect(await two.unreachable()).toEqual([]);
});

it('keeps a silence that lasted, once an answer ends it', async () => {
  const { one, two, clock } = twoMachines();
  const since = clock.now;
  one.failed('refused');
  clock.now += 6000;
  one.answered();
  clock.now += 1000;
  one.failed('refused');
  clock.now += 1000;
  one.answered();
  expect(await two.silences()).toEqual([{ from: since, to: since + 6000 }]);
});

it('an answer tells how far the clock of the machine is from that of the service', () => {
  const { one, clock } = twoMachines();
  one.answered('no time');
  expect(one.clockAheadMs).toBe(0);
  one.answered(new Date(clock.now - 3_600_000).toUTCString());
  expect(one.clockAheadMs).toBe(3_600_000);
});

it('excuses calls while it is silent; one that was sent for a quarter of an hour', () => {
  const { one, clock } = twoMachines();
  const excused = () => [one.covers(false), one.covers(true)];
  expect(excused()).toEqual([false, false]);
  one.failed('timed out');
  expect(excused()).toEqual([true, true]);
  clock.now += 15 * 60_000;
  expect(excused()).toEqual([true, false]);
  one.answered();
  expect(excused()).toEqual([false, false]);
});

it('lets one call ask at a time while it is silent', () => {
  const { one } = twoMachines();
  one.failed('timed out');
  const first = one.beginCall();
  expect(one.beginCall()).toBeUndefined();
  first?.[Symbol.dispose]();
  expect(one.beginCall()).toBeDefined();
});
