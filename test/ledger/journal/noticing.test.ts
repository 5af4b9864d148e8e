import { expect, it, vi } from 'vitest';
import { createLedger, type Ledger } from '../../../src/ledger/ledger.ts';
import { defineScript } from '../../../src/platform/redis/script.ts';
import { acceptJournal, stepStart, testLedger } from '../../support/ledger.ts';
import { copyOf, flush } from '../../support/redis/copy.ts';

const facts = { host: 'hall', pid: 7, version: '1', queues: ['post'], since: 1 };

/** A running campaign of three rows in a ledger with an id, and another process on the same Redis. */
async function twoMachines() {
  const test = testLedger();
  await test.ledger.format.open();
  const campaign = await test.campaign(3);
  await test.admit(campaign, [0, 1, 2]);
  const other = createLedger({ redis: test.redis, prefix: test.prefix, now: () => test.clock.now });
  const pausedFor = async () => (await test.ledger.campaigns.find(campaign))?.pauseReason?.code;
  return { ...test, newCampaign: test.campaign, campaign, other, pausedFor };
}

async function post({ ledger }: { readonly ledger: Ledger }, campaign: string, row: number) {
  const token = `token-${row}`;
  const step = stepStart({ campaign, row, revision: 0 });
  return ledger.steps.start({ ...step, effect: 'post', token });
}

async function heartbeat({ presence }: Ledger): Promise<void> {
  const announcement = presence.announce(facts);
  await announcement.beat();
  await announcement.withdraw();
}

it('a machine that stayed up notices that an entry of another one is lost, and pauses what runs', async () => {
  const { ledger, other, redis, prefix, campaign, pausedFor } = await twoMachines();
  const putBack = await copyOf(redis, prefix);
  await post({ ledger: other }, campaign, 0);
  await heartbeat(ledger);
  await putBack();
  await heartbeat(ledger);
  expect(await pausedFor()).toBe('journal_behind');
});

it('no machine sends once one of them has noticed a loss, even if the campaign is resumed', async () => {
  const { ledger, other, redis, prefix, campaign, pausedFor } = await twoMachines();
  const putBack = await copyOf(redis, prefix);
  await post({ ledger }, campaign, 0);
  await putBack();
  await ledger.journal.check();
  await ledger.campaigns.resume(campaign);
  const { seen } = ledger.journal;
  expect(await post({ ledger: other }, campaign, 1)).toMatchObject({
    kind: 'behind',
    seen: { position: seen.position, at: seen.at },
  });
  await acceptJournal(ledger);
  expect(await pausedFor()).toBeUndefined();
  expect(await post({ ledger: other }, campaign, 1)).toMatchObject({ kind: 'go' });
});

it('a machine notices an emptied Redis even if the new ledger has more entries than it remembers', async () => {
  const test = await twoMachines();
  const { ledger, redis, prefix, campaign } = test;
  await post(test, campaign, 0);
  await flush(redis, prefix);
  const fresh = createLedger({ redis, prefix });
  await fresh.format.open();
  await redis.hset(`${prefix}:journal`, 'position', 5000);
  expect(await ledger.journal.check()).toMatchObject({ lost: true });
  await acceptJournal(fresh);
  expect(await ledger.journal.check()).toMatchObject({ lost: false });
});

it('a process remembers the position of the others from its first heartbeat on, not from a single look', async () => {
  const test = await twoMachines();
  await post(test, test.campaign, 0);
  await test.other.journal.check();
  expect(test.other.journal.seen.position).toBe(0);
  await heartbeat(test.other);
  expect(test.other.journal.seen).toEqual(test.ledger.journal.seen);
});

it('a heartbeat that was asked for before the last entry hides no loss', async () => {
  const test = await twoMachines();
  const { ledger, other, redis, prefix, campaign } = test;
  const putBack = await copyOf(redis, prefix);
  const asked = ledger.journal.seen;
  await post(test, campaign, 0);
  await putBack();
  await post({ ledger: other }, campaign, 1);
  await post({ ledger: other }, campaign, 2);
  // Its command waited for the connection, and was sent to the server that went back.
  const check = new URL('../../../src/ledger/lua/journal/check-journal.lua', import.meta.url);
  const reply = (await defineScript(redis, prefix, check)([0, 0, '', '', 0])) as string[];
  await ledger.journal.heartbeat(reply, asked);
  expect(await ledger.journal.check()).toMatchObject({ lost: true });
});

it('what is read from Redis is dropped once entries are missing, or the ledger is another one', async () => {
  const test = await twoMachines();
  const { ledger, redis, prefix, campaign } = test;
  await post(test, campaign, 0);
  await ledger.journal.check();
  let drops = 0;
  ledger.journal.onReplaced(() => {
    drops += 1;
  });
  await flush(redis, prefix);
  await ledger.journal.check();
  await ledger.journal.check();
  expect(drops).toBe(1);
});

it('tells how many rows were admitted in what is lost, as long as a process had it in sight', async () => {
  const test = await twoMachines();
  const { ledger, other, redis, prefix, campaign } = test;
  const putBack = await copyOf(redis, prefix);
  const more = await test.newCampaign(5);
  await test.admit(more, [0, 1]);
  await post(test, campaign, 0);
  await ledger.journal.check();
  await putBack();
  await ledger.journal.check();
  expect(await other.journal.loss()).toMatchObject({ admitted: 2, seen: { position: 1 } });
});

it('gives no id of a lost campaign again that a process remembers', async () => {
  const { ledger, redis, prefix, campaign, newCampaign, ...test } = await twoMachines();
  const putBack = await copyOf(redis, prefix);
  const lost = await newCampaign(1);
  await post({ ledger }, campaign, 0);
  await ledger.journal.check();
  await putBack();
  await test.other.journal.check();
  await ledger.journal.check();
  expect(await newCampaign(1)).not.toBe(lost);
});

it('does not tell how many rows were admitted if another process has seen later entries', async () => {
  const test = await twoMachines();
  const { ledger, other, redis, prefix, campaign } = test;
  const putBack = await copyOf(redis, prefix);
  await post(test, campaign, 0);
  await ledger.journal.check();
  await post({ ledger: other }, campaign, 1);
  await putBack();
  await ledger.journal.check();
  const now = performance.now();
  // It has been cut off for a while.
  vi.spyOn(performance, 'now').mockReturnValue(now + 61_000);
  await other.journal.check();
  vi.restoreAllMocks();
  expect(await other.journal.loss()).toMatchObject({ admitted: undefined, seen: { position: 2 } });
});
