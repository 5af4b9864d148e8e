/** Campaigns as lists and pages show them: all, those that wait for a person, one with its causes. */
import { z } from 'zod';
import { type Campaign, isUnderWay } from '../../ledger/campaigns/campaign.ts';
import { type DeliveryCounts, noDeliveries } from '../../ledger/rows/results.ts';
import type { UnreachableService } from '../../ledger/service/service-reach.ts';
import type { QueueName } from '../../queues/queues.ts';
import { type Document, isoTime, isoTimeOrNull } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type Cause, causesOf } from './causes.ts';
import { type CampaignRef, campaignDocument, campaignSchema, findCampaign } from './find.ts';
import { readDeliveries, readDeliveriesOf } from './post-status.ts';
import type { Throughput } from './progress/pace.ts';
import type { ProgressReader, ProgressSummary } from './progress/reader.ts';
import {
  queueName,
  readWorkers,
  type SeenWorkers,
  unreachableDocument,
  unreachableSchema,
} from './queues.ts';
import { causeSchema } from './repair.ts';

export interface CampaignList extends SeenWorkers {
  /** Newest first. */
  readonly campaigns: readonly Campaign[];
  /** Keys in Redis of campaigns that cannot be read. */
  readonly unreadable: readonly string[];
  readonly pausedQueues: readonly QueueName[];
}

/** Machines whose calls get no answer; none while no campaign runs. */
export async function unreachableIn(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaigns: readonly Campaign[],
): Promise<readonly UnreachableService[]> {
  return campaigns.some(({ state }) => state === 'running') ? ledger.reach.unreachable() : [];
}

export async function listCampaigns(runtime: Pick<Runtime, 'ledger' | 'queues'>): Promise<CampaignList> {
  const [{ campaigns, unreadable }, seen, pausedQueues] = await Promise.all([
    runtime.ledger.campaigns.survey(),
    readWorkers(runtime),
    runtime.queues.paused(),
  ]);
  return { campaigns, unreadable: unreadable.map(({ key }) => key), ...seen, pausedQueues };
}

export interface CampaignOverview {
  readonly campaign: Campaign;
  readonly deliveries: DeliveryCounts;
  /** Undefined unless the campaign is under way. */
  readonly summary: ProgressSummary | undefined;
  /** Its posts over time; undefined unless the campaign is under way. */
  readonly throughput: Throughput | undefined;
  /** The cause with the most rows first; empty for a running campaign. */
  readonly causes: readonly Cause[];
}

export async function describeCampaigns(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  reader: ProgressReader,
  campaigns: readonly Campaign[],
): Promise<readonly CampaignOverview[]> {
  const deliveries = await readDeliveries(runtime, campaigns);
  return Promise.all(
    campaigns.map(async (campaign, index) => {
      const [summary, throughput, causes] = await Promise.all([
        isUnderWay(campaign) ? reader.summary(campaign) : undefined,
        isUnderWay(campaign) ? reader.throughput(campaign) : undefined,
        isUnderWay(campaign) ? [] : reader.causes.of(campaign),
      ]);
      return { campaign, deliveries: deliveries[index] ?? noDeliveries, summary, throughput, causes };
    }),
  );
}

/** How the service is used now, over all campaigns. */
export interface ServiceUsage {
  /** Posts in the last minute, and whether more have to wait; undefined if no campaign is under way. */
  readonly posts: { readonly perMinute: number; readonly isFull: boolean } | undefined;
  readonly acceptedToday: number;
  /** Accepted posts of the same campaigns that are not known to be published: their time is still to come, or passed unconfirmed. */
  readonly unpublished: number;
  /** Milliseconds until the last running campaign has ended; undefined if that is not known. */
  readonly doneIn: number | undefined;
}

/** Older campaigns add nothing to the posts of today. */
const campaignsOfToday = 50;

/** @param isToday whether a time, in milliseconds since 1970, belongs to the present day. */
export async function readServiceUsage(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  reader: ProgressReader,
  campaigns: readonly Campaign[],
  isToday: (at: number) => boolean,
): Promise<ServiceUsage> {
  const active = campaigns.filter(
    ({ state, endedAt, createdAt }) => state !== 'ended' || isToday(endedAt ?? createdAt),
  );
  const latest = active.slice(0, campaignsOfToday);
  const [summaries, throughputs, deliveries] = await Promise.all([
    Promise.all(active.filter(isUnderWay).map((campaign) => reader.summary(campaign))),
    Promise.all(latest.map((campaign) => reader.throughput(campaign))),
    readDeliveries(runtime, latest),
  ]);
  const acceptedToday = throughputs.reduce(
    (sum, { times, perMinute, partMinutes }) =>
      sum +
      perMinute.reduce((of, posts, at) => (isToday(Date.parse(times[at] ?? '')) ? of + posts : of), 0) *
        partMinutes,
    0,
  );
  const [summary] = summaries;
  const isOfPosts = ({ operation }: { readonly operation: string }) => operation === 'createCreatorPost';
  const limit = summary?.rateLimits.find(isOfPosts);
  const ends = summaries.map(({ pace, turn }) => (pace?.remaining.most ?? Number.NaN) + (turn?.most ?? 0));
  const last = Math.max(...ends);
  return {
    posts: limit && {
      // A burst may exceed the rate limit for a moment.
      perMinute: Math.min(limit.usedPerSecond, limit.rateLimit.perSecond * limit.share) * 60,
      isFull: summary?.heldBackBy.some(isOfPosts) ?? false,
    },
    acceptedToday: Math.round(acceptedToday),
    unpublished: deliveries.reduce((sum, { scheduled, unconfirmed }) => sum + scheduled + unconfirmed, 0),
    doneIn: Number.isFinite(last) ? last : undefined,
  };
}

/** Rows that stopped because their creator must authorize again. */
export interface StoppedCreators {
  readonly campaign: Campaign;
  /** The first few, as in the sheet. */
  readonly creators: readonly string[];
  readonly rows: number;
  /** Keys of some of them. */
  readonly examples: readonly string[];
}

const campaignName = { id: z.string(), name: z.string() };

export const waitingSchema = z.strictObject({
  inReview: z.array(z.strictObject({ ...campaignName, rows: z.int() })),
  /** Rows that are not sent before a person approves them. */
  unapproved: z.array(z.strictObject({ ...campaignName, rows: z.int() })),
  /** Rows whose AI outputs are beyond a limit (`spend`). */
  unpaid: z.array(z.strictObject({ ...campaignName, rows: z.int() })),
  /** Rows that stopped because their creator must authorize again. Creators are as in the sheet: the first few. */
  stopped: z.array(z.strictObject({ ...campaignName, creators: z.array(z.string()), rows: z.int() })),
  /** Campaigns at their canary first. */
  paused: z.array(z.strictObject({ ...campaignName, code: z.string(), message: z.string() })),
});

export interface Waiting {
  readonly inReview: readonly Campaign[];
  /** Campaigns with posts that wait for an approval. */
  readonly unapproved: readonly Campaign[];
  /** Campaigns with rows whose AI outputs are beyond a limit. */
  readonly unpaid: readonly Campaign[];
  readonly stopped: readonly StoppedCreators[];
  /** Paused ones; those at their canary first. */
  readonly paused: readonly Campaign[];
}

/** Campaigns whose causes are read; those of older ones are not. */
const campaignsLookedAt = 100;

/** Finds everything that waits for a person, over all campaigns. @param campaigns newest first. */
export async function whatWaits(reader: ProgressReader, campaigns: readonly Campaign[]): Promise<Waiting> {
  const failed = campaigns.filter(
    ({ counts, cancelledAt }) => counts.failed > 0 && cancelledAt === undefined,
  );
  const stopped: StoppedCreators[] = [];
  for (const campaign of failed.slice(0, campaignsLookedAt)) {
    const causes = (await reader.causes.of(campaign)).filter(({ repair }) => repair === 'authorize');
    if (causes.length === 0) continue;
    const rows = causes.reduce((sum, cause) => sum + cause.rows, 0);
    const creators = causes.flatMap(({ subjects }) => subjects);
    stopped.push({ campaign, creators, rows, examples: causes.flatMap(({ examples }) => examples) });
  }
  const paused = campaigns.filter(({ state }) => state === 'paused');
  return {
    inReview: campaigns.filter(({ counts }) => counts.review > 0),
    unapproved: campaigns.filter(({ unapproved }) => unapproved > 0),
    unpaid: campaigns.filter(({ unpaid }) => unpaid > 0),
    stopped,
    paused: [...paused.filter(isAtCanary), ...paused.filter((campaign) => !isAtCanary(campaign))],
  };
}

/** Whether the campaign is paused because its first rows have ended and a person should look at them. */
export function isAtCanary({ state, pauseReason }: Pick<Campaign, 'state' | 'pauseReason'>): boolean {
  return state === 'paused' && pauseReason?.code === 'canary';
}

export const shownCampaignSchema = z.strictObject({
  ...campaignSchema.shape,
  /** When the next ready row goes on; null without any. */
  readyAt: isoTime.nullable(),
  /** Accepted posts by what is known of them, and the first and last planned time to come. */
  deliveries: z.strictObject({
    live: z.int(),
    scheduled: z.int(),
    unconfirmed: z.int(),
    posted: z.int(),
    firstAt: isoTime.nullable(),
    lastAt: isoTime.nullable(),
  }),
  /** The one with the most rows first. */
  causes: z.array(causeSchema),
  /** Running rows that the rescuer finds without a live job again and again. */
  rowsWithoutJobs: z.int(),
  pausedQueues: z.array(queueName),
  unreachable: z.array(unreachableSchema),
});

export interface ShownCampaign
  extends Pick<Document<typeof shownCampaignSchema>, 'causes' | 'rowsWithoutJobs' | 'pausedQueues'> {
  readonly campaign: Campaign;
  /** When the next ready row goes on (Unix epoch, milliseconds). */
  readonly readyAt: number | undefined;
  readonly deliveries: DeliveryCounts;
  /** Machines whose calls get no answer from the service; none for a campaign that does not run. */
  readonly unreachable: readonly UnreachableService[];
  /** Whether its rows may be running. */
  readonly isUnderWay: boolean;
}

/** A campaign with its causes of failure, and what it waits for. @throws {UseCaseError} `campaign_not_found`. */
export async function showCampaign(
  runtime: Pick<Runtime, 'ledger' | 'queues' | 'settings' | 'now'>,
  ref: CampaignRef,
): Promise<ShownCampaign> {
  const campaign = await findCampaign(runtime, ref);
  const isRunning = campaign.state === 'running';
  const [readyAt, deliveries, causes, stranded, pausedQueues, unreachable] = await Promise.all([
    runtime.ledger.admission.readyAt(campaign.id),
    readDeliveriesOf(runtime, campaign),
    causesOf(runtime.ledger, campaign),
    runtime.ledger.stranded.lasting(),
    runtime.queues.paused(),
    isRunning ? runtime.ledger.reach.unreachable() : [],
  ]);
  const rowsWithoutJobs = stranded.get(campaign.id)?.rows ?? 0;
  const shown = { campaign, readyAt, deliveries, causes, rowsWithoutJobs, pausedQueues, unreachable };
  return { ...shown, isUnderWay: isUnderWay(campaign) };
}

export function waitingDocument(waiting: Waiting): Document<typeof waitingSchema> {
  const { inReview, unapproved, unpaid, stopped, paused } = waiting;
  return {
    inReview: inReview.map(({ id, name, counts }) => ({ id, name, rows: counts.review })),
    unapproved: unapproved.map(({ id, name, unapproved: rows }) => ({ id, name, rows })),
    unpaid: unpaid.map(({ id, name, unpaid: rows }) => ({ id, name, rows })),
    stopped: stopped.map(({ campaign: { id, name }, creators, rows }) => ({ id, name, creators, rows })),
    paused: paused.map(({ id, name, pauseReason }) => ({
      id,
      name,
      code: pauseReason?.code ?? 'paused',
      message: pauseReason?.message ?? '',
    })),
  };
}

export function shownCampaignDocument(found: ShownCampaign): Document<typeof shownCampaignSchema> {
  const { campaign, isUnderWay: _isUnderWay, readyAt, deliveries, unreachable, ...shown } = found;
  const { firstAt, lastAt, ...counts } = deliveries;
  return {
    ...campaignDocument(campaign),
    readyAt: isoTimeOrNull(readyAt),
    deliveries: { ...counts, firstAt: isoTimeOrNull(firstAt), lastAt: isoTimeOrNull(lastAt) },
    ...shown,
    unreachable: unreachable.map(unreachableDocument),
  };
}
