import { describe, expect, it } from 'vitest';
import { createLedger } from '../../../src/ledger/ledger.ts';
import type { RowRef } from '../../../src/manifest/row.ts';
import { acceptJournal, stepStart, type TestLedger, testLedger } from '../../support/ledger.ts';

async function runningRows(test: TestLedger, count: number): Promise<readonly RowRef[]> {
  const campaign = await test.campaign(count);
  const rows = Array.from({ length: count }, (_, row) => row);
  await test.admit(campaign, rows);
  return rows.map((row) => ({ campaign, row, revision: 0 }));
}

function send(test: TestLedger, ref: RowRef, token = 'a') {
  return test.ledger.steps.start({ ...stepStart(ref), effect: 'post', token });
}

describe('the position of the send journal', () => {
  it('advances with every entry, and with nothing else', async () => {
    const test = testLedger();
    const [one, two, three] = await runningRows(test, 3);
    if (!one || !two || !three) throw new Error('no rows');
    await send(test, one);
    await test.ledger.steps.start(stepStart(three));
    await send(test, two);
    const found = { position: 2, at: test.clock.now };
    expect(test.ledger.journal.seen).toEqual({ ...found, token: 'a', ledger: '' });
    expect(await test.ledger.journal.check()).toEqual({ found, lost: false });
  });

  it('blocks sending when it is behind what was seen, and tells since when', async () => {
    const test = testLedger();
    const [one, two] = await runningRows(test, 2);
    if (!one || !two) throw new Error('no rows');
    await send(test, one);
    const { found } = await test.ledger.journal.check();
    const seen = { position: 7, at: test.clock.now + 5000, token: 'lost', ledger: '' };
    test.ledger.journal.see(seen);
    expect(await send(test, two)).toEqual({
      kind: 'behind',
      found,
      seen: { position: seen.position, at: seen.at },
    });
    expect(
      await test.redis.hget(test.ledger.keys.progress(two.campaign, two.row), 'journal:post'),
    ).toBeNull();
    // What is not journalled begins as soon as the campaign, now paused, is resumed.
    await test.ledger.campaigns.resume(two.campaign);
    expect(await test.ledger.steps.start(stepStart(two))).toMatchObject({ kind: 'go' });
  });

  it('is behind after a flush, also for rows of a campaign that is imported again', async () => {
    const test = testLedger();
    const [one] = await runningRows(test, 1);
    if (!one) throw new Error('no rows');
    await send(test, one);
    await test.redis.del(`${test.prefix}:journal`, `${test.prefix}:journal:recent`);
    const [again] = await runningRows(test, 1);
    if (!again) throw new Error('no rows');
    expect(await send(test, again)).toMatchObject({ kind: 'behind', found: { position: 0, at: 0 } });
  });

  it('is ahead of what was seen after somebody accepts it, even if that is ahead of the clock', async () => {
    const test = testLedger();
    const { journal } = test.ledger;
    journal.see({ position: 9e15, at: test.clock.now, token: 'lost', ledger: '' });
    expect(await journal.check()).toMatchObject({ lost: true });
    await acceptJournal(test.ledger);
    expect(await journal.check()).toMatchObject({ lost: false });
  });

  it('is ahead of all that any process has seen after each acceptance', async () => {
    const test = testLedger();
    const rows = await runningRows(test, 2);
    test.ledger.journal.see({ position: 1_000_000, at: test.clock.now, token: 'lost', ledger: '' });
    for (const row of rows) {
      await test.redis.del(`${test.prefix}:journal`, `${test.prefix}:journal:recent`);
      expect(await send(test, row)).toMatchObject({ kind: 'behind' });
      await acceptJournal(test.ledger);
      await test.ledger.campaigns.resume(row.campaign);
      expect(await send(test, row)).toMatchObject({ kind: 'go' });
    }
    expect(Number.isSafeInteger(test.ledger.journal.seen.position)).toBe(true);
    expect(await test.ledger.journal.check()).toMatchObject({ lost: false });
  });

  it('reveals lost entries by their tokens after it has grown past them', async () => {
    const test = testLedger();
    const [one, two, three, four] = await runningRows(test, 4);
    if (!one || !two || !three || !four) throw new Error('no rows');
    await send(test, one, 'kept');
    await send(test, two, 'lost');
    // The end is lost, and a process that has not seen it goes on.
    await test.redis.hset(`${test.prefix}:journal`, 'position', 1);
    const other = createLedger({ redis: test.redis, prefix: test.prefix, now: () => test.clock.now });
    for (const [ref, token] of [
      [two, 'b'],
      [three, 'c'],
    ] as const) {
      await test.redis.hdel(test.ledger.keys.progress(ref.campaign, ref.row), 'journal:post');
      expect(await other.steps.start({ ...stepStart(ref), effect: 'post', token })).toMatchObject({
        kind: 'go',
      });
    }
    expect((await test.ledger.journal.check()).found.position).toBe(3);
    await test.ledger.campaigns.resume(four.campaign);
    expect(await send(test, four, 'd')).toMatchObject({ kind: 'behind', seen: { position: 2 } });
    expect(await test.ledger.journal.check()).toMatchObject({ lost: true });
    expect(await other.journal.check()).toMatchObject({ lost: false });
  });
});
