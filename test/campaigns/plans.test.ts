import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Plans } from '../../src/campaigns/plans.ts';

/** A plan that is made once `end` is called. */
function slow() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const began: string[] = [];
  const make = (onRead: (rows: readonly unknown[]) => void) => {
    began.push('plan');
    onRead([1, 2, 3]);
    return promise;
  };
  return { make, began, end: resolve, fail: reject };
}

it('a slow plan goes on in the background, counts the rows read, and is handed out once', async () => {
  const plans = new Plans<string>({ waitMs: 1 });
  const { make, began, end } = slow();
  expect(await plans.look('a', make)).toEqual({ kind: 'reading', rows: 3 });
  expect(await plans.look('a', make)).toEqual({ kind: 'reading', rows: 3 });
  expect([plans.rowsRead('a'), plans.rowsRead('b')]).toEqual([3, undefined]);
  end('first');
  await expect.poll(() => plans.rowsRead('a')).toBeUndefined();
  expect(await plans.look('a', make)).toEqual({ kind: 'planned', plan: 'first' });
  expect(began).toHaveLength(1);
  expect(await plans.look('a', async () => 'second')).toEqual({ kind: 'planned', plan: 'second' });
});

it('a plan that failed says why, and the next look begins another', async () => {
  const plans = new Plans<string>({ waitMs: 1 });
  const { make, fail } = slow();
  await plans.look('a', make);
  fail(new Error('no such sheet'));
  await expect.poll(() => plans.rowsRead('a')).toBeUndefined();
  await expect(plans.look('a', make)).rejects.toThrow('no such sheet');
  expect(await plans.look('a', async () => 'plan')).toMatchObject({ plan: 'plan' });
});

it('an unclaimed plan is forgotten', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const plans = new Plans<string>({ waitMs: 1, keptMs: 60_000 });
  const { make, end } = slow();
  await plans.look('a', make);
  end('old');
  while (plans.rowsRead('a') !== undefined) await setImmediate();
  vi.advanceTimersByTime(60_000);
  expect(await plans.look('a', async () => 'new')).toMatchObject({ plan: 'new' });
});
