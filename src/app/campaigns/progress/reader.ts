/**
 * Progress of a campaign, the rate limits that it waits for, and its workers. Read from Redis, so that every machine sees the same.
 */

import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type Campaign, isUnderWay } from '../../../ledger/campaigns/campaign.ts';
import { remembered } from '../../../ledger/remembered.ts';
import type { UnreachableService } from '../../../ledger/service/service-reach.ts';
import { ofSteps, type Step, stepFacts, steps } from '../../../manifest/steps.ts';
import type { QueueName } from '../../../queues/queues.ts';
import type { RateLimitStatus } from '../../../queues/rate-limit-book.ts';
import { rowOfJobId } from '../../../queues/row-jobs.ts';
import { readCounts, readNextJobs } from '../../../queues/waiting-jobs.ts';
import { operationsFor } from '../../../service/contract/operations.ts';
import { type Document, stepName } from '../../runtime/documents.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Schedules } from '../calendar/schedule.ts';
import { KnownCauses } from '../causes.ts';
import { type DueRows, findDue } from '../post-status.ts';
import { queueName, readWorkers, type SeenWorkers, unreachableSchema, workersSchema } from '../queues.ts';
import { type Pace, PaceWindow, readThroughput, type Throughput } from './pace.ts';
import { RowNeeds } from './row-needs.ts';
import { type Figures, readFigures } from './step-counts.ts';

/** `done` and `failed` count this campaign; the others count jobs of the queue, which all campaigns share. */
const stepProgress = z.strictObject({
  done: z.int(),
  active: z.int(),
  waiting: z.int(),
  /** Jobs scheduled for a later time. */
  delayed: z.int(),
  /** Rows that failed or are in review at this step; an estimate when there are very many. */
  failed: z.int(),
});

export const progressSchema = z
  .strictObject({
    ended: z.int(),
    asleep: z.int(),
    steps: z.record(stepName, stepProgress),
    rowsPerMinute: z.number().nullable(),
    remainingMs: z.strictObject({ least: z.number(), most: z.number().nullable() }).nullable(),
    heldBackBy: z.array(
      z.strictObject({
        operation: z.string(),
        /** Calls per second allowed at present. */
        perSecond: z.number(),
        /** Milliseconds until its pause after a 429 is over; 0 for none. */
        pausedMs: z.number(),
        /** Whether it is reduced after a 429. */
        isThrottled: z.boolean(),
      }),
    ),
    unreachable: z.array(unreachableSchema),
    pausedQueues: z.array(queueName),
    ...workersSchema.shape,
    /** Why the campaign does not go on, in words. */
    notes: z.array(z.string()),
  })
  .meta({ id: 'Progress' });

export type StepProgress = Document<typeof progressSchema>['steps'][Step];

/** A rate limit that calls must wait for. */
export type Hold = Document<typeof progressSchema>['heldBackBy'][number];

/** How long a campaign may take, and what holds it back. */
export type ProgressSummary = Omit<CampaignProgress, 'steps'>;

/** Posts of other campaigns go first, because they share a rate limit. */
export interface Turn {
  /** The campaigns that go first, the one with the most posts first. */
  readonly behind: readonly Campaign[];
  /** Milliseconds until its next post: if no more posts overtake it, and if all that the others have left do. */
  readonly least: number;
  readonly most: number;
}

/** How far a campaign is, what holds it, and when it will end. */
export interface CampaignProgress extends SeenWorkers {
  readonly campaign: Campaign;
  /** Whether its rows may be running. */
  readonly isUnderWay: boolean;
  readonly ended: number;
  readonly steps: Readonly<Record<Step, StepProgress>>;
  /** Undefined while there are too few samples. */
  readonly pace: Pace | undefined;
  readonly rateLimits: readonly RateLimitStatus[];
  readonly heldBackBy: readonly Hold[];
  readonly unreachable: readonly UnreachableService[];
  readonly pausedQueues: readonly QueueName[];
  /** Undefined while its own posts are sent. */
  readonly turn: Turn | undefined;
  readonly due: DueRows;
}

const awaited = operationsFor(steps.toReversed().flatMap((step) => stepFacts[step].units));

/** Calls count as waiting if one waited within this time, or within the time of two calls at the rate limit. */
const shortOfLateMs = 5000;
/** At most: a snoozed queue tries again after about this time. */
const shortWhileSnoozedMs = 35_000;
/** How often rate limits, workers and the reach of the service are read; counts change faster and are read more often. */
const surroundingsEveryMs = 1000;

/** A past minute does not change; there is only a new one each minute. */
const throughputEveryMs = 5000;
/** How often the figures of a large campaign are read, because it takes the states of all rows. */
const figuresEveryMs = 2000;
/** A campaign of fewer rows is read whenever one has changed. */
const manyRows = 20_000;

interface Surroundings
  extends Pick<CampaignProgress, 'rateLimits' | 'unreachable' | 'pausedQueues' | keyof SeenWorkers> {
  /** Campaigns of the posts that wait for their rate limit, in the order in which they are sent. */
  readonly line: readonly string[];
}

/** Waiting posts that are looked at: those of a few campaigns. */
const longestLine = 3000;
/** A shorter wait is no turn: the posts of several campaigns are mixed then. */
const shortestTurnMs = 30_000;
const mostBefore = 3;

/** Reads the progress of campaigns repeatedly, and derives their pace. */
export class ProgressReader {
  readonly #runtime: Pick<Runtime, 'ledger' | 'queues' | 'rateLimits' | 'settings' | 'redis' | 'now'>;
  readonly #redis: Redis;
  readonly #now: () => number;
  readonly #windows = new LRUCache<string, PaceWindow>({ max: 500 });
  readonly causes: KnownCauses;
  readonly schedules: Schedules;
  readonly #throughputs = new LRUCache<string, Promise<Throughput>>({ max: 200, ttl: throughputEveryMs });
  readonly #figures = new LRUCache<string, Promise<Figures>>({ max: 200, ttl: figuresEveryMs });
  readonly needs: RowNeeds;
  readonly #surroundings: LRUCache<string, Promise<Surroundings>>;

  /** @param now milliseconds of a steady clock. */
  constructor(
    runtime: Pick<Runtime, 'ledger' | 'queues' | 'rateLimits' | 'settings' | 'redis' | 'now'>,
    now = () => performance.now(),
  ) {
    this.#runtime = runtime;
    this.#redis = runtime.redis.connect('progress');
    this.#now = now;
    const perf = { now };
    this.#surroundings = new LRUCache({ max: 1, ttl: surroundingsEveryMs, ttlResolution: 0, perf });
    this.needs = new RowNeeds(runtime.ledger);
    this.schedules = new Schedules(runtime.ledger);
    this.causes = new KnownCauses(runtime.ledger, now);
    runtime.ledger.journal.onReplaced(() => {
      for (const cache of [this.#windows, this.#throughputs, this.#figures]) cache.clear();
      this.causes.forget();
    });
  }

  /** Notes how many rows of a campaign have ended by now. */
  note(id: string, ended: number): void {
    this.#window(id).add(this.#now(), ended);
  }

  /** @param campaign as it is now. */
  async read(campaign: Campaign): Promise<CampaignProgress> {
    const [loads, causes, summary] = await Promise.all([
      Promise.all(steps.map((step) => this.#runtime.queues.queue(step))).then(readCounts),
      this.causes.of(campaign),
      this.summary(campaign),
    ]);
    return {
      ...summary,
      steps: ofSteps((step) => ({
        done: campaign.done[step],
        ...(loads[steps.indexOf(step)] ?? { active: 0, waiting: 0, delayed: 0 }),
        failed: causes.reduce((rows, cause) => rows + (cause.step === step ? cause.rows : 0), 0),
      })),
    };
  }

  /** Rows posted by minute; a few seconds old at most. */
  throughput(campaign: Campaign): Promise<Throughput> {
    return remembered(this.#throughputs, `${campaign.store} ${campaign.state}`, () =>
      readThroughput(this.#runtime, campaign),
    );
  }

  /** By state and step, of one moment; some seconds old for large campaigns. No steps until a large sheet is read. */
  async figures(campaign: Campaign): Promise<Pick<Figures, 'counts'> & Partial<Figures>> {
    const needs = await this.needs.of(campaign);
    if (needs === undefined) return { counts: campaign.counts };
    const changes = campaign.rows < manyRows ? Object.values(campaign.counts).join() : '';
    return remembered(this.#figures, `${campaign.state} ${campaign.sheetVersion} ${changes}`, () =>
      readFigures(this.#runtime.ledger, campaign, needs),
    );
  }

  /** As `read`, without the steps: cheap enough for a list. */
  async summary(campaign: Campaign): Promise<ProgressSummary> {
    const { line, ...surroundings } = await remembered(this.#surroundings, 'all', () =>
      this.#readSurroundings(),
    );
    const { rateLimits } = surroundings;
    const ended = endedRows(campaign);
    const post = rateLimits.find(({ operation }) => operation === 'createCreatorPost');
    const window = this.#window(campaign.id);
    const due = await findDue(this.#runtime, campaign);
    // Ready rows go on some other day.
    const worked = ended + campaign.counts.ready;
    window.add(this.#now(), worked);
    return {
      campaign,
      isUnderWay: isUnderWay(campaign),
      ended,
      pace: window.pace(campaign.rows - worked - campaign.asleep, post && allowedPerSecond(post)),
      heldBackBy: rateLimits.filter(isHeldBack).map(holdOf),
      ...surroundings,
      due,
      turn: post && campaign.state === 'running' ? await this.#turnOf(campaign, line, post) : undefined,
    };
  }

  async #turnOf({ id }: Campaign, line: readonly string[], post: RateLimitStatus): Promise<Turn | undefined> {
    const at = line.indexOf(id);
    const before = new Map<string, number>();
    for (const other of line.slice(0, Math.max(0, at))) before.set(other, (before.get(other) ?? 0) + 1);
    const most = [...before].sort(([, one], [, other]) => other - one).slice(0, mostBefore);
    const found = await Promise.all(most.map(([other]) => this.#runtime.ledger.campaigns.find(other)));
    const behind = found.filter((other) => other !== undefined).filter(isUnderWay);
    const posts = behind.reduce((sum, { id: other }) => sum + (before.get(other) ?? 0), 0);
    const perSecond = allowedPerSecond(post);
    const least = (posts / perSecond) * 1000;
    if (least < shortestTurnMs) return undefined;
    const left = behind.reduce((sum, other) => sum + other.rows - endedRows(other) - other.counts.ready, 0);
    return { behind, least, most: Math.max(least, (left / perSecond) * 1000) };
  }

  #window(id: string): PaceWindow {
    const known = this.#windows.get(id);
    if (known) return known;
    const window = new PaceWindow();
    this.#windows.set(id, window);
    return window;
  }

  async #readSurroundings(): Promise<Surroundings> {
    const { ledger, queues, rateLimits: book } = this.#runtime;
    const [rateLimits, seen, unreachable, pausedQueues] = await Promise.all([
      book.read(awaited),
      readWorkers(this.#runtime),
      ledger.reach.unreachable(),
      queues.paused(),
    ]);
    const isPostHeld = rateLimits.some((each) => each.operation === 'createCreatorPost' && isHeldBack(each));
    const jobs = isPostHeld ? await readNextJobs(this.#redis, await queues.queue('post'), longestLine) : [];
    const line = jobs.map((job) => rowOfJobId(job)?.campaign ?? '');
    return { rateLimits, ...seen, unreachable, pausedQueues, line };
  }
}

function endedRows({ counts }: Campaign): number {
  return counts.posted + counts.failed + counts.review + counts.cancelled;
}

/** Whether calls wait for the rate limit, also between the looks of a slow one. */
export function isHeldBack(status: RateLimitStatus): boolean {
  const { pausedMs, waitMs, shortMsAgo = Number.POSITIVE_INFINITY } = status;
  if (pausedMs > 0) return true;
  const ofTwoCallsMs = 2000 / allowedPerSecond(status);
  const lately = waitMs > 0 ? shortWhileSnoozedMs : Math.max(shortOfLateMs, ofTwoCallsMs);
  return shortMsAgo < Math.min(lately, shortWhileSnoozedMs);
}

function holdOf(status: RateLimitStatus): Hold {
  const { operation, pausedMs, share } = status;
  return { operation, perSecond: allowedPerSecond(status), pausedMs, isThrottled: share < 1 };
}

function allowedPerSecond({ rateLimit, share }: RateLimitStatus): number {
  return rateLimit.perSecond * share;
}
