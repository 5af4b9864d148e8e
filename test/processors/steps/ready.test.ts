/** Posts that wait for their day: ready rows have no job, and go on when their time less their lead has come. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { updateCampaign } from '../../../src/app/campaigns/import/update.ts';
import { acceptJournal, readJournal } from '../../../src/app/campaigns/journal.ts';
import { editRow } from '../../../src/app/campaigns/rows/edit.ts';
import { cancelCampaign } from '../../../src/app/campaigns/steer.ts';
import type { ColumnName } from '../../../src/manifest/columns.ts';
import { rescue } from '../../../src/processors/rescue/rescuer.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { testLedger } from '../../support/ledger.ts';
import { copyOf } from '../../support/redis/copy.ts';
import { aiVideoRow, videoRow } from '../../support/sheets/rows.ts';
import { type Cells, writeSheet } from '../../support/sheets/sheet.ts';

const day = 86_400_000;
const hour = 3_600_000;

/** Two days before their time the posts go to the service. */
async function openReady(cells: Cells = {}) {
  // The planned time of a post is kept by the minute.
  const clock = { now: Math.floor(Date.now() / 60_000) * 60_000 };
  const at = clock.now + 10 * day;
  const runner = await openRunner({ now: () => clock.now });
  const row = videoRow('a', { scheduled_at: new Date(at).toISOString(), ...cells });
  const id = await runner.importOrUpdate([row, videoRow('b')], { lead: 2 * day });
  await runner.start();
  const counted = (counts: Readonly<Record<string, number>>) =>
    runner.until(
      async () => {
        const campaign = await runner.ledger.campaigns.find(id);
        return (
          Object.entries(counts).every(([state, rows]) => campaign?.counts[state as 'ready'] === rows) &&
          campaign
        );
      },
      `rows in these states: ${JSON.stringify(counts)}`,
    );
  const posts = () => runner.sandbox.calls('createCreatorPost').length;
  /** Of the first row, as it was imported. */
  const edit = async (column: ColumnName, text: string) => {
    const { runtime } = await openPages(runner);
    const cells = new Map([[column, text]]);
    await editRow(runtime, { campaign: id, key: 'a', revision: 0, cells }, { dryRun: false, by: 'anna' });
  };
  return { runner, id, at, clock, counted, posts, edit };
}

it('a row whose time is far has its file and no job; a row without a time is posted', async () => {
  const { runner, id, at, counted, posts } = await openReady();
  const campaign = await counted({ ready: 1, posted: 1 });
  expect(campaign).toMatchObject({ state: 'running', counts: { waiting: 0, running: 0 } });
  expect(posts()).toBe(1);
  expect(await runner.redis.hget(runner.ledger.keys.progress(id, 0), 'file:0')).toMatch(/./);
  expect(await runner.ledger.admission.readyAt(id)).toBe(at - 2 * day);
  expect(
    await (await runner.queues.queue('post')).getJobCountByTypes(
      'active',
      'waiting',
      'delayed',
      'waiting-children',
    ),
  ).toBe(0);
});

it('is posted once, with its time, when its day has come', async () => {
  const { runner, id, at, clock, counted, posts } = await openReady();
  await counted({ ready: 1, posted: 1 });
  clock.now = at - 2 * day - 1;
  await rescue(runner.context);
  await counted({ ready: 1 });
  clock.now += 1;
  await rescue(runner.context);
  expect(await runner.ended(id)).toMatchObject({ counts: { posted: 2, ready: 0 } });
  expect(posts()).toBe(2);
  const [result] = await runner.rows(id);
  expect(result?.result?.plannedAt).toBe(at);
  expect(runner.sandbox.calls('createFileUpload')).toHaveLength(2);
});

it.for([
  ['now', 'posted'],
  ['12h', 'ready'],
] as const)('its own lead counts: %s', async ([lead, state]) => {
  const { runner, id, counted } = await openReady({ lead });
  await counted({ waiting: 0, running: 0 });
  expect((await runner.rows(id))[0]?.state).toBe(state);
});

it('a row that missed its day is late', async () => {
  const { runner, id, at, clock, counted } = await openReady();
  await counted({ ready: 1, posted: 1 });
  clock.now = at + hour;
  await rescue(runner.context);
  await counted({ review: 1 });
  expect((await runner.rows(id))[0]?.error?.code).toBe('late');
});

it('of many rows that are due, no more wake than the window has room for, the nearest first', async () => {
  const clock = { now: Date.now() };
  const runner = await openRunner({
    now: () => clock.now,
    queues: ['campaign', 'showcase', 'upload', 'post'],
  });
  const rows = [5, 4, 3].map((days) =>
    videoRow(`d${days}`, { scheduled_at: new Date(clock.now + days * day).toISOString() }),
  );
  const id = await runner.importOrUpdate(rows, { lead: day, window: 2 });
  await runner.start();
  await runner.until(
    async () => (await runner.ledger.campaigns.find(id))?.counts.ready === 3,
    'three ready rows',
  );
  clock.now += 4.5 * day;
  expect(await runner.ledger.admission.wakeReady(id, 2)).toBe(2);
  expect((await runner.rows(id)).map(({ state }) => state)).toEqual(['ready', 'waiting', 'waiting']);
  // Row 2 is before row 1: its time is nearer.
  expect(await runner.ledger.admission.rowsToRedo(id, 2)).toEqual([2, 1]);
});

it('rows that are due at the same time wake in the order of the sheet', async () => {
  const { ledger, clock, campaign, admit } = testLedger();
  const id = await campaign(11);
  const rows = Array.from({ length: 11 }, (_row, index) => index);
  await admit(id, rows);
  for (const row of rows) {
    const end = { verdict: 'ready', gate: { name: 'ready', at: clock.now }, fields: [] } as const;
    await ledger.steps.finish({ campaign: id, row, revision: 0, step: 'post', jobId: 'job', end });
  }
  await ledger.admission.wakeReady(id, 11);
  expect(await ledger.admission.rowsToRedo(id, 11)).toEqual(rows);
});

it('a person changes its caption: it is ready again, without another upload', async () => {
  const { runner, id, at, clock, counted, edit } = await openReady();
  await counted({ ready: 1, posted: 1 });
  await edit('caption', 'Better');
  await runner.until(
    async () => (await runner.ledger.rows.statusesOf(id, [0]))[0]?.revision === 1,
    'the next revision',
  );
  await counted({ ready: 1 });
  clock.now = at - 2 * day;
  await rescue(runner.context);
  await runner.ended(id);
  const [, call] = runner.sandbox.calls('createCreatorPost');
  expect(JSON.stringify(call?.body)).toContain('Better');
  expect(runner.sandbox.calls('createFileUpload')).toHaveLength(2);
});

it('a person moves it to an earlier day, and it is posted then', async () => {
  const { runner, id, clock, counted, edit } = await openReady();
  await counted({ ready: 1, posted: 1 });
  const soon = new Date(clock.now + day).toISOString();
  await edit('scheduled_at', soon);
  expect(await runner.ended(id)).toMatchObject({ counts: { posted: 2 } });
});

it('is changed by the next version of the sheet', async () => {
  const { runner, id, at, clock, counted } = await openReady();
  await counted({ ready: 1, posted: 1 });
  const { runtime } = await openPages(runner);
  const path = join(runner.folder, 'v2.csv');
  const planned = new Date(at).toISOString();
  writeSheet(path, [videoRow('a', { scheduled_at: planned, caption: 'Next version' }), videoRow('b')]);
  const sheet = { file: path, path, name: 'v2', folder: runner.folder };
  const updated = await updateCampaign(runtime, id, sheet, { problemsFile: null });
  expect(updated).toMatchObject({ kind: 'updated', matches: { changed: { count: 1, keys: ['a'] } } });
  clock.now = at - 2 * day;
  await runner.queues.wakeAdmission(id);
  await runner.ended(id);
  expect(runner.sandbox.calls('createCreatorPost').map(({ body }) => body)).toMatchObject([
    { title: 'Caption b' },
    { title: 'Next version' },
  ]);
});

it('is cancelled with its campaign', async () => {
  const { runner, id, at, clock, counted, posts } = await openReady();
  await counted({ ready: 1, posted: 1 });
  expect(await cancelCampaign(runner.context, id)).toMatchObject({ cancelled: 1, state: 'ended' });
  clock.now = at;
  await rescue(runner.context);
  expect((await runner.rows(id))[0]?.state).toBe('cancelled');
  expect(posts()).toBe(1);
});

it('does not keep a paused campaign from its pause', async () => {
  const { runner, id, at, clock, counted, posts } = await openReady();
  await counted({ ready: 1, posted: 1 });
  await runner.ledger.campaigns.pause(id, { code: 'paused', message: 'by hand', hints: [] });
  clock.now = at - day;
  await rescue(runner.context);
  expect((await runner.rows(id))[0]?.state).toBe('ready');
  await runner.ledger.campaigns.resume(id);
  await rescue(runner.context);
  await runner.ended(id);
  expect(posts()).toBe(2);
});

it('its campaign does not count the days until then as time at work', async () => {
  const { runner, id, at, clock, counted } = await openReady();
  await counted({ ready: 1, posted: 1 });
  clock.now = at - 2 * day;
  await rescue(runner.context);
  const { workedMs = Number.NaN } = await runner.ended(id);
  expect(workedMs).toBeLessThan(day);
});

it('its canary goes at once, so that a person can look at the posts', async () => {
  const runner = await openRunner();
  const soon = { scheduled_at: new Date(Date.now() + 10 * day).toISOString() };
  const id = await runner.importOrUpdate([videoRow('a', soon), videoRow('b', soon)], {
    lead: 2 * day,
    canary: 1,
  });
  await runner.start();
  await runner.until(async () => (await runner.ledger.campaigns.find(id))?.state === 'paused', 'the canary');
  expect((await runner.rows(id)).map(({ state }) => state)).toEqual(['posted', 'waiting']);
  await runner.ledger.campaigns.resume(id);
  await runner.queues.wakeAdmission(id);
  await runner.until(
    async () => (await runner.ledger.campaigns.find(id))?.counts.ready === 1,
    'the other row',
  );
});

it('goes on when its day has come, also while long generations fill the window', async () => {
  const clock = { now: Math.floor(Date.now() / 60_000) * 60_000 };
  const runner = await openRunner({
    now: () => clock.now,
    queues: ['campaign', 'showcase', 'upload', 'post'],
  });
  const at = clock.now + 3 * day;
  const rows = [
    videoRow('a', { scheduled_at: new Date(at).toISOString() }),
    aiVideoRow('x'),
    aiVideoRow('y'),
  ];
  const id = await runner.importOrUpdate(rows, { lead: 2 * day, window: 2 });
  await runner.start();
  const counts = async () => (await runner.ledger.campaigns.find(id))?.counts;
  await runner.until(async () => {
    const { ready = 0, running = 0 } = (await counts()) ?? {};
    return ready === 1 && running === 2;
  }, 'a ready row, and a full window');
  clock.now = at - 2 * day;
  await rescue(runner.context);
  await runner.until(async () => (await counts())?.posted === 1, 'its post');
  expect(await counts()).toMatchObject({ running: 2 });
});

it('is not posted twice after Redis was put back to a copy of before', async () => {
  const { runner, id, at, clock, counted, posts } = await openReady();
  await counted({ ready: 1, posted: 1 });
  const { runtime } = await openPages(runner);
  await runner.ledger.journal.check();
  const goBack = await copyOf(runner.redis, runner.prefix);
  clock.now = at - 2 * day;
  await rescue(runner.context);
  await counted({ posted: 2 });
  await goBack();
  await runner.ledger.journal.check();
  runner.context.views.forget();
  await rescue(runner.context);
  await runner.until(async () => (await runner.ledger.campaigns.find(id))?.state === 'paused', 'the loss');
  await acceptJournal(runtime, await readJournal(runtime));
  expect((await runner.rows(id))[0]).toMatchObject({ state: 'review', error: { code: 'records_lost' } });
  await rescue(runner.context);
  expect(posts()).toBe(2);
});
