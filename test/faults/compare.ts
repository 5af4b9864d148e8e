/** What must hold after a round: the ledger, its queues and the service's own record agree. */
import type { Job, JobType, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Campaign } from '../../src/ledger/campaigns/campaign.ts';
import { readLead } from '../../src/manifest/campaign-options.ts';
import { type QueueName, type Queues, queueNames } from '../../src/queues/queues.ts';
import { disagreements } from '../support/agreement.ts';
import type { ResultRow, ResultSheet } from '../support/sheets/sheet.ts';
import type { ServiceRecord } from './service.ts';

/** Queues whose jobs work on rows. */
const rowQueues: readonly QueueName[] = ['showcase', 'generate', 'poll', 'upload', 'post'];

/** Everything that is wrong, as text. What is about a row begins with `row <key> `. */
export function compare(
  service: ServiceRecord,
  sheet: ResultSheet,
  campaign: Campaign | undefined,
): readonly string[] {
  return [
    ...disagreements(service, sheet, { generationsPerRow: Number.POSITIVE_INFINITY, mayLackFiles: true }),
    ...repeatedGenerations(service, sheet.rows),
    ...sheet.rows.filter(({ status }) => status === 'review').map(({ key }) => `row ${key} is in review`),
    ...wrongCounts(sheet.rows, campaign),
    ...tooEarly(service, sheet.rows),
  ];
}

/** A row may have several generations, each under its own number, of which the task ids are made. */
function repeatedGenerations(service: ServiceRecord, rows: readonly ResultRow[]): readonly string[] {
  const byTask = Map.groupBy(service.effects().generations, ({ taskIds }) => taskIds[0]);
  return [...byTask].flatMap(([task, [first, ...more]]) => {
    if (more.length === 0) return [];
    const row = rows.find((one) => one.ai_prompt === first?.request.params.prompt);
    return [`row ${row?.key} has ${more.length + 1} generations of the same number (task ${task})`];
  });
}

/** The clock of a process that takes jobs is right but for a minute. */
const toleratedMs = 61_000;

/** Posts that the service got before their day. */
function tooEarly(service: ServiceRecord, rows: readonly ResultRow[]): readonly string[] {
  const { posts } = service.effects();
  return rows.flatMap(({ key, caption, scheduled_at: at = '', lead = '' }) => {
    if (lead === '') return [];
    const from = Date.parse(at) - (readLead(lead) ?? 0) - toleratedMs;
    const early = posts.filter((post) => post.title === caption && post.at < from);
    return early.map((post) => `row ${key} was posted at ${new Date(post.at).toISOString()}, before its day`);
  });
}

function wrongCounts(rows: readonly ResultRow[], campaign: Campaign | undefined): readonly string[] {
  if (!campaign) return ['the campaign is gone'];
  const found = Map.groupBy(rows, ({ status }) => status);
  return Object.entries(campaign.counts).flatMap(([state, count]) => {
    const seen = found.get(state)?.length ?? 0;
    return seen === count ? [] : [`${count} rows are counted as ${state}, but ${seen} are`];
  });
}

async function describe(redis: Redis, queue: Queue, job: Job, state: JobType): Promise<string> {
  if (state !== 'delayed') return state;
  // BullMQ keeps the time in the upper bits of the score.
  const score = await redis.zscore(queue.toKey('delayed'), job.id ?? '');
  return `delayed until ${new Date(Math.floor(Number(score) / 0x1000)).toISOString()}`;
}

/** Jobs of rows that have all ended. */
export async function leftoverJobs(queues: Queues, redis: Redis): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of queueNames.filter((queue) => rowQueues.includes(queue))) {
    const queue = await queues.queue(name);
    for (const state of ['active', 'waiting', 'delayed', 'prioritized'] as const) {
      const jobs = await queue.getJobs([state]);
      for (const job of jobs)
        if (job) found.push(`job ${job.id} is left (${await describe(redis, queue, job, state)})`);
    }
  }
  return found;
}
