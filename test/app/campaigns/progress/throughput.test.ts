import { expect, it } from 'vitest';
import { joinHeld, readThroughput } from '../../../../src/app/campaigns/progress/pace.ts';
import { isoTimeOf } from '../../../../src/app/runtime/documents.ts';
import type { Campaign } from '../../../../src/ledger/campaigns/campaign.ts';
import { ServiceReach } from '../../../../src/ledger/service/service-reach.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';
import { asIf } from '../../../support/ledger.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

const minuteMs = 60_000;
const start = Date.UTC(2027, 2, 9, 7, 0);

/** A campaign whose clock stands still, and the time that it tells. */
async function open(at = start) {
  const clock = { now: at };
  const runner = await openRunner({ now: () => clock.now });
  const id = await runner.importOrUpdate([videoRow('a'), videoRow('b')]);
  const { runtime } = await openPages(runner);
  const find = async () => (await runner.ledger.campaigns.find(id)) as Campaign;
  return { clock, runner, id, find, read: async () => readThroughput(runtime, await find()) };
}

it('counts the rows that are posted in a minute, each once', async () => {
  const { runner, id, read } = await open();
  await runner.start();
  await runner.ended(id);
  expect(await runner.ledger.throughput.minutes(id)).toEqual([{ minute: start / minuteMs, posted: 2 }]);
  expect(await read()).toMatchObject({
    times: [isoTimeOf(start)],
    perMinute: [2],
    rateLimit: 120_000,
    held: [],
  });
});

it('a minute of an earlier day gives way to that of today', async () => {
  const { runner, id } = await open();
  const yesterday = start / minuteMs - 1440;
  await asIf(runner).postedIn(id, [[yesterday, 7]]);
  await runner.start();
  await runner.ended(id);
  expect(await runner.ledger.throughput.minutes(id)).toEqual([{ minute: start / minuteMs, posted: 2 }]);
});

it('keeps when a campaign was paused, why, and when it went on', async () => {
  const { runner, id, clock, read } = await open();
  const pause = (code: string) => runner.ledger.campaigns.pause(id, { code, message: '' });
  await pause('paused');
  clock.now += minuteMs;
  await runner.ledger.campaigns.resume(id);
  clock.now += minuteMs;
  await pause('key_refused');
  await pause('paused');
  expect((await read()).held).toEqual([
    { from: isoTimeOf(start), to: isoTimeOf(start + minuteMs), why: { kind: 'paused', code: 'paused' } },
    { from: isoTimeOf(start + 2 * minuteMs), to: null, why: { kind: 'paused', code: 'key_refused' } },
  ]);
});

it('shows a long time in fewer parts, as averages, without the minute that is not over', async () => {
  const { runner, id, clock, read } = await open();
  clock.now += 480 * minuteMs;
  const minute = start / minuteMs;
  await asIf(runner).postedIn(id, [
    [minute, 3],
    [minute + 1, 5],
    [minute + 480, 9],
  ]);
  const { times, perMinute, partMinutes } = await read();
  expect(partMinutes).toBe(2);
  expect(times).toHaveLength(240);
  expect(perMinute.slice(0, 2)).toEqual([4, 0]);
  expect(perMinute.at(-1)).toBe(0);
});

it('keeps the times in which the service answered 429, or not at all', async () => {
  // The pauses of rate limits are by the clock of Redis.
  const { runner, clock, read } = await open(Date.now());
  const { rateLimits, redis, ledger } = runner;
  await rateLimits.throttled('createCreatorPost', 2000);
  const reach = new ServiceReach({
    redis,
    keys: ledger.keys,
    host: 'hall',
    now: () => clock.now,
  });
  const from = clock.now;
  reach.failed('refused');
  clock.now += 8000;
  reach.answered();
  const held = await runner.until(async () => {
    const times = (await read()).held;
    return times.length === 2 && times;
  }, 'the silence to be kept');
  const [throttled, silent] = held.toSorted((one, other) => other.why.kind.localeCompare(one.why.kind));
  expect(throttled).toMatchObject({ why: { kind: 'throttled', operation: 'createCreatorPost' } });
  expect(silent).toEqual({ from: isoTimeOf(from), to: isoTimeOf(from + 8000), why: { kind: 'silent' } });
});

it('joins what held a campaign for one reason at one time, whoever noted it', () => {
  const silent = { kind: 'silent' as const };
  const throttled = { kind: 'throttled' as const, operation: 'createCreatorPost' as const };
  const at = (minutes: number) => start + minutes * minuteMs;
  expect(
    joinHeld([
      { from: at(3), to: undefined, why: silent },
      { from: at(0), to: at(2.5), why: silent },
      { from: at(1), to: at(2), why: throttled },
      { from: at(9), to: at(10), why: throttled },
      { from: at(1), to: at(2), why: silent },
    ]),
  ).toEqual([
    { from: at(0), to: undefined, why: silent },
    { from: at(1), to: at(2), why: throttled },
    { from: at(9), to: at(10), why: throttled },
  ]);
});
