/** How far a campaign is, what it waits for, and who works on it: read from Redis, so that it is the same on every machine. */
import type { BudgetedOperation } from '../../api/contract/operations.ts';
import { type Campaign, isUnderWay } from '../../ledger/campaigns.ts';
import type { Presence, WorkerPresence } from '../../ledger/presence.ts';
import type { ServiceReach, UnreachableService } from '../../ledger/service-reach.ts';
import { type Step, steps } from '../../ledger/states.ts';
import type { BudgetBook, BudgetStatus } from '../../queues/budget-book.ts';
import type { QueueName, Queues } from '../../queues/queues.ts';
import { type Pace, PaceWindow } from './pace.ts';

/** Of a step: `done` and `failed` count the campaign's own; the others are jobs of the queue, which all campaigns share. */
export interface StepProgress {
  readonly done: number;
  readonly active: number;
  readonly waiting: number;
  /** Jobs that come back at a time of their own. */
  readonly delayed: number;
  /** Rows that failed or are in review at this step; about right where there are very many. */
  readonly failed: number;
}

type QueueLoad = Pick<StepProgress, 'active' | 'waiting' | 'delayed'>;

/** A budget that calls have to wait for. */
export interface Hold {
  readonly operation: string;
  /** Calls a second that it allows at present. */
  readonly perSecond: number;
  /** Milliseconds until its pause after a 429 is over; 0 where there is none. */
  readonly pausedMs: number;
  /** It is worth less than it was set to, because of 429s. */
  readonly isThrottled: boolean;
}

export interface CampaignProgress {
  readonly campaign: Campaign;
  /** Rows of it are, or may be, at work. */
  readonly isUnderWay: boolean;
  /** Rows that have ended. */
  readonly ended: number;
  readonly steps: Readonly<Record<Step, StepProgress>>;
  /** Undefined while too little was seen of it. */
  readonly pace: Pace | undefined;
  readonly heldBackBy: readonly Hold[];
  readonly unreachable: readonly UnreachableService[];
  /** Queues that somebody has paused on Bull Board: their jobs wait, those of all campaigns. */
  readonly pausedQueues: readonly QueueName[];
  /** Those that are alive, and those that went silent of late. */
  readonly workers: readonly WorkerPresence[];
}

export interface ProgressTools {
  readonly queues: Queues;
  readonly presence: Presence;
  /** Of an account of the service. */
  readonly budgetsOf: (account: string) => BudgetBook;
  readonly reachOf: (account: string) => ServiceReach;
  /** Rows of a campaign that failed or are in review, by the step that they ended at. */
  readonly endedBadlyOf: (campaign: Campaign) => Promise<Readonly<Record<Step, number>>>;
  /** Milliseconds of a steady clock. */
  readonly now?: () => number;
}

/** The operations that rows wait for. */
const awaited = [
  'createCreatorPost',
  'createFileUpload',
  'confirmUpload',
  'uploadCover',
  'addSocialShowcaseProducts',
  'createAiGenerationSchedule',
  'listAiTasksByScheduleId',
] as const satisfies readonly BudgetedOperation[];

/** A call that waited this long ago says that calls wait at present. */
const shortOfLateMs = 5000;
/** A queue that is parked for its budget asks again after so long. */
const shortWhileParkedMs = 35_000;
/** Budgets, workers and the line to the service are looked at so often only: the counts change more quickly. */
const surroundingsEveryMs = 1000;

type Surroundings = Pick<CampaignProgress, 'unreachable' | 'pausedQueues' | 'workers'> & {
  readonly budgets: readonly BudgetStatus[];
};

/** What `endedBadlyOf` told of a campaign. */
interface EndedBadly {
  readonly at: number;
  /** Rows that there were then. */
  readonly rows: number;
  readonly bySteps: Readonly<Record<Step, number>>;
}

/** Reads the progress of campaigns again and again, and sees their pace by it. */
export class ProgressReader {
  readonly #tools: ProgressTools;
  readonly #now: () => number;
  readonly #windows = new Map<string, PaceWindow>();
  /** By account. */
  readonly #surroundings = new Map<string, { readonly at: number; readonly seen: Surroundings }>();

  /** By campaign. */
  readonly #endedBadly = new Map<string, EndedBadly>();

  constructor(tools: ProgressTools) {
    this.#tools = tools;
    this.#now = tools.now ?? (() => performance.now());
  }

  /** @param campaign as it is now. */
  async read(campaign: Campaign): Promise<CampaignProgress> {
    const [loads, endedBadly, { budgets, ...surroundings }] = await Promise.all([
      readLoads(this.#tools.queues),
      this.#countEndedBadly(campaign),
      this.#look(campaign.account),
    ]);
    const ended = endedRows(campaign);
    const post = budgets.find(({ operation }) => operation === 'createCreatorPost');
    const window = this.#window(campaign.id);
    window.add(this.#now(), ended);
    return {
      campaign,
      isUnderWay: isUnderWay(campaign),
      ended,
      steps: mapSteps((step) => ({
        done: campaign.done[step],
        ...loads[step],
        failed: endedBadly[step],
      })),
      pace: window.pace(campaign.rows - ended - campaign.asleep, post && allowedPerSecond(post)),
      heldBackBy: budgets.filter(isHeldBack).map(holdOf),
      ...surroundings,
    };
  }

  #window(id: string): PaceWindow {
    const known = this.#windows.get(id);
    if (known) return known;
    const window = new PaceWindow();
    this.#windows.set(id, window);
    return window;
  }

  /** Read anew only when there are more or fewer, and while the campaign is under way not at every look. */
  async #countEndedBadly(campaign: Campaign): Promise<Readonly<Record<Step, number>>> {
    const now = this.#now();
    const rows = campaign.counts.failed + campaign.counts.review;
    const last = this.#endedBadly.get(campaign.id);
    const isRecent = last !== undefined && now - last.at < surroundingsEveryMs && isUnderWay(campaign);
    if (last && (rows === last.rows || isRecent)) return last.bySteps;
    const bySteps = await this.#tools.endedBadlyOf(campaign);
    this.#endedBadly.set(campaign.id, { at: now, rows, bySteps });
    return bySteps;
  }

  async #look(account: string): Promise<Surroundings> {
    const now = this.#now();
    const last = this.#surroundings.get(account);
    if (last && now - last.at < surroundingsEveryMs) return last.seen;
    const { budgetsOf, presence, queues, reachOf } = this.#tools;
    const [budgets, workers, unreachable, pausedQueues] = await Promise.all([
      budgetsOf(account).read(awaited),
      presence.workers(),
      reachOf(account).unreachable(),
      queues.paused(),
    ]);
    const seen = { budgets, workers, unreachable, pausedQueues };
    this.#surroundings.set(account, { at: now, seen });
    return seen;
  }
}

/** Rows of a campaign that have ended, one way or another. */
export function endedRows({ counts }: Campaign): number {
  return counts.posted + counts.failed + counts.review + counts.cancelled;
}

async function readLoads(queues: Queues): Promise<Readonly<Record<Step, QueueLoad>>> {
  const loads = await Promise.all(
    steps.map((step) => queues.queue(step).getJobCounts('waiting', 'active', 'delayed', 'prioritized')),
  );
  return mapSteps((step) => {
    const counts = loads[steps.indexOf(step)] ?? {};
    return {
      active: counts.active ?? 0,
      waiting: (counts.waiting ?? 0) + (counts.prioritized ?? 0),
      delayed: counts.delayed ?? 0,
    };
  });
}

function mapSteps<T>(at: (step: Step) => T): Record<Step, T> {
  return Object.fromEntries(steps.map((step) => [step, at(step)])) as Record<Step, T>;
}

function isHeldBack({ pausedMs, waitMs, shortMsAgo = Number.POSITIVE_INFINITY }: BudgetStatus): boolean {
  if (pausedMs > 0 || shortMsAgo < shortOfLateMs) return true;
  return waitMs > 0 && shortMsAgo < shortWhileParkedMs;
}

function holdOf(status: BudgetStatus): Hold {
  const { operation, pausedMs, share } = status;
  return { operation, perSecond: allowedPerSecond(status), pausedMs, isThrottled: share < 1 };
}

function allowedPerSecond({ budget, share }: BudgetStatus): number {
  return budget.perSecond * share;
}
