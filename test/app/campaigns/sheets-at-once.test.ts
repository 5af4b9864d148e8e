import { expect, it } from 'vitest';
import { WorkLimit } from '../../../src/app/campaigns/sheets-at-once.ts';

it('work waits in order for its turn, and a wait ends when the work is no longer wanted', async () => {
  const turns = new WorkLimit(1);
  const steps: string[] = [];
  const wanted = new AbortController();
  const first = Promise.withResolvers<void>();
  const run = (name: string, signal: AbortSignal, until?: Promise<void>) =>
    turns.run(async () => {
      steps.push(name);
      await until;
    }, signal);
  const one = run('one', wanted.signal, first.promise);
  const unwanted = new AbortController();
  const two = run('two', unwanted.signal);
  const three = run('three', wanted.signal);
  unwanted.abort();
  await two;
  expect(steps).toEqual(['one']);
  first.resolve();
  await Promise.all([one, three]);
  expect(steps).toEqual(['one', 'three']);
  await run('four', wanted.signal);
  await run('five', AbortSignal.abort());
  expect(steps).toEqual(['one', 'three', 'four']);
});

it('a party with much work keeps others waiting for one of it only', async () => {
  const turns = new WorkLimit(1);
  const steps: string[] = [];
  const first = Promise.withResolvers<void>();
  const never = new AbortController().signal;
  const run = (name: string, who: string, until?: Promise<void>) =>
    turns.run(
      async () => {
        steps.push(name);
        await until;
      },
      never,
      who,
    );
  const all = [run('a1', 'a', first.promise), run('a2', 'a'), run('a3', 'a'), run('b1', 'b'), run('a4', 'a')];
  expect([turns.waitingOf('a'), turns.waitingOf('b'), turns.waitingOf('c')]).toEqual([3, 1, 0]);
  first.resolve();
  await Promise.all(all);
  expect(steps).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
  expect(turns.waitingOf('a')).toBe(0);
});
