/** A campaign whose rows are in review, in the test's own process. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import type { Campaign } from '../../../src/ledger/campaigns/campaign.ts';
import { reconcileRows } from '../../../src/processors/publishing-records/reconcile.ts';
import { collect } from '../../support/collect.ts';
import { openRunner, type TestRunner } from '../../support/in-process.ts';
import type { SettingsSections } from '../../support/processes/scene.ts';
import { aiVideoRow, videoRow } from '../../support/sheets/rows.ts';
import type { Cells } from '../../support/sheets/sheet.ts';

export interface ReviewCampaign extends TestRunner {
  readonly id: string;
  readonly clock: { ahead: number };
  campaign(): Promise<Campaign>;
  /** States of the rows, in the order of `rowsInReview`. */
  states(): Promise<readonly string[]>;
  /** Writes a sheet with these cells, header first. @returns where it is. */
  sheet(lines: readonly (readonly string[])[]): { readonly path: string; readonly file: string };
}

/** `a` and `b` of Anna and `c` of Ben were posted, but their answers were lost. So was the generation of `g`. `d` is posted. */
const rowsInReview = [
  videoRow('a'),
  videoRow('b'),
  videoRow('c', { creator: 'demo_ben' }),
  aiVideoRow('g', { creator: 'demo_ben' }),
  videoRow('d'),
];

/** @param more rows that are in review, too, because their answers were lost. */
export async function openReview(
  settings: SettingsSections = {},
  more: readonly Cells[] = [],
): Promise<ReviewCampaign> {
  const clock = { ahead: 0 };
  const queues = ['showcase', 'generate', 'poll', 'upload', 'post'] as const;
  const runner = await openRunner({ settings, queues, now: () => Date.now() + clock.ahead });
  const { faults } = runner.sandbox;
  for (const key of ['a', 'b', 'c', ...more.map(({ key: another = '' }) => another)]) {
    faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', match: { title: `Caption ${key}` } });
  }
  faults.add({ operation: 'createAiGenerationSchedule', kind: 'lost-answer' });
  const id = await runner.importRows([...rowsInReview, ...more]);
  await runner.admit(id);
  await runner.start();
  await runner.ended(id);
  return {
    ...runner,
    id,
    clock,
    async campaign() {
      const campaign = await runner.ledger.campaigns.find(id);
      if (!campaign) throw new Error('the campaign is missing');
      return campaign;
    },
    states: async () => (await runner.rows(id)).map(({ state }) => state),
    sheet(lines) {
      const file = 'decisions.csv';
      const path = join(runner.folder, file);
      writeFileSync(path, stringify(lines.map((cells) => [...cells])));
      return { path, file };
    },
  };
}

/** Looks for rows in records that have no posts. @param late so late that each should have appeared. */
export async function findNothing(
  review: ReviewCampaign,
  rows: readonly number[],
  late = true,
): Promise<void> {
  if (late) review.clock.ahead = 300_000;
  const body = { code: 0, message: 'ok', data: { list: [], totalPages: 1 } };
  review.sandbox.faults.add({ operation: 'listPosts', kind: 'status', status: 200, body, times: 'always' });
  const { context, client, rateLimits } = review;
  const tools = { ...context, client, rateLimits };
  await collect(reconcileRows(tools, await review.campaign(), { all: true, rows }));
}

/** Notes that the records have a post that looks like a row's. */
export async function findAlike({ ledger, id, clock }: ReviewCampaign, row: number): Promise<void> {
  const [status] = await ledger.rows.statusesOf(id, [row]);
  const [error] = await ledger.rows.errors(id, [row]);
  const [unknownCall] = await ledger.publishing.unknownCalls(id, [row]);
  if (!status || !error || !unknownCall) throw new Error(`row ${row} is not in doubt`);
  const candidates = [{ postId: '900', isSimilar: true, hasFiles: true }];
  const notedAt = Date.now() + clock.ahead;
  await ledger.publishing.recordNote({ campaign: id, row, revision: status.revision }, unknownCall, {
    ...error,
    candidates,
    notedAt,
  });
}

/** The post of a row in the sandbox. */
export function postOf({ sandbox }: TestRunner, key: string): string {
  const post = sandbox.effects().posts.find(({ title }) => title === `Caption ${key}`);
  if (!post) throw new Error(`there is no post of ${key}`);
  return post.postId;
}

export function scheduleIn({ sandbox }: TestRunner): string {
  return sandbox.effects().generations[0]?.scheduleId ?? '';
}
