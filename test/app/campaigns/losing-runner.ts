/** A runner whose Redis goes back to a copy of before, and so loses records. */
import { expect } from 'vitest';
import { reconcileRows } from '../../../src/processors/publishing-records/reconcile.ts';
import { collect } from '../../support/collect.ts';
import { openRunner } from '../../support/in-process.ts';
import { listPostsSetting, type SettingsSections } from '../../support/processes/scene.ts';
import { copyOf } from '../../support/redis/copy.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import type { Cells } from '../../support/sheets/sheet.ts';

export const queues = ['campaign', 'showcase', 'upload', 'generate', 'poll', 'post'] as const;
export const searched = { api: { listPosts: listPostsSetting() }, records: { every: '1h', settle: '5m' } };
export const empty = { code: 0, message: 'ok', data: { list: [], totalPages: 1 } };
export const hour = 3_600_000;

/** A runner whose clock a test moves on, and what the tests do with a campaign of it. */
export async function openLosing(settings: SettingsSections = {}) {
  let ahead = 0;
  const runner = await openRunner({ settings, queues, now: () => Date.now() + ahead });
  const { ledger, context, client, rateLimits, sandbox } = runner;
  await ledger.format.open();
  const tools = { ...runner, ...context };
  const campaign = async (id: string) => (await ledger.campaigns.find(id)) ?? expect.fail('no campaign');
  const search = async (id: string) =>
    collect(reconcileRows({ ...tools, client, rateLimits }, await campaign(id), { all: true }));
  return {
    ...runner,
    tools,
    campaign,
    search,
    /** Time passes, but not for Redis and the service. */
    wait(ms: number) {
      ahead += ms;
    },
    /** A search that finds nothing, because the records lag. */
    async searchInVain(id: string) {
      sandbox.faults.add({ operation: 'listPosts', kind: 'status', status: 200, body: empty, times: 1 });
      return search(id);
    },
  };
}

/** Two rows posted; then the data of before comes back, and the workers that posted them have noticed. */
export async function restored(rows: readonly Cells[] = [videoRow('a'), videoRow('b')], settings = {}) {
  const losing = await openLosing(settings);
  const { ledger, redis, prefix, sandbox } = losing;
  const id = await losing.importRows(rows);
  const putBack = await copyOf(redis, prefix);
  await losing.start();
  await losing.queues.wakeAdmission(id);
  await losing.ended(id);
  await ledger.journal.check();
  await putBack();
  const sent = sandbox.effects();
  await ledger.journal.check();
  return {
    ...losing,
    id,
    sent,
    campaign: () => losing.campaign(id),
    search: () => losing.search(id),
    searchInVain: () => losing.searchInVain(id),
  };
}
