/** How far a campaign is, what it waits for, and who works on it: read from Redis, so that it is the same on every machine. */
import type { BudgetedOperation } from '../api/contract/operations.ts';
import type { Campaign } from '../ledger/campaigns.ts';
import type { Presence, WorkerPresence } from '../ledger/presence.ts';
import type { ServiceReach, UnreachableService } from '../ledger/service-reach.ts';
import { type Step, steps } from '../ledger/states.ts';
import type { BudgetBook, BudgetStatus } from '../queues/budget-book.ts';
import type { Queues } from '../queues/queues.ts';
import { type Pace, PaceWindow } from './pace.ts';

/** Of a step: `done` counts the campaign's own; the others are jobs of the queue, which all campaigns share. */
export interface StepProgress {
  readonly done: number;
  readonly active: number;
  readonly waiting: number;
  /** Jobs that come back at a time of their own. */
  readonly delayed: number;
  readonly failed: number;
}

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
  /** Rows that have ended. */
  readonly ended: number;
  readonly steps: Readonly<Record<Step, StepProgress>>;
  /** Undefined while too little was seen of it. */
  readonly pace: Pace | undefined;
  readonly heldBackBy: readonly Hold[];
  readonly unreachable: readonly UnreachableService[];
  /** Those that are alive, and those that went silent of late. */
  readonly workers: readonly WorkerPresence[];
}

export interface ProgressTools {
  readonly queues: Queues;
  readonly presence: Presence;
  /** Of an account of the service. */
  readonly budgetsOf: (account: string) => BudgetBook;
  readonly reachOf: (account: string) => ServiceReach;
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

type Surroundings = Pick<CampaignProgress, 'unreachable' | 'workers'> & {
  readonly budgets: readonly BudgetStatus[];
};

/** Reads the progress of campaigns again and again, and sees their pace by it. */
export class ProgressReader {
  readonly #tools: ProgressTools;
  readonly #now: () => number;
  readonly #windows = new Map<string, PaceWindow>();
  /** By account. */
  readonly #surroundings = new Map<string, { readonly at: number; readonly seen: Surroundings }>();

  constructor(tools: ProgressTools) {
    this.#tools = tools;
    this.#now = tools.now ?? (() => performance.now());
  }

  /** @param campaign as it is now. */
  async read(campaign: Campaign): Promise<CampaignProgress> {
    const [loads, { budgets, unreachable, workers }] = await Promise.all([
      readLoads(this.#tools.queues, campaign),
      this.#look(campaign.account),
    ]);
    const ended = endedRows(campaign);
    const post = budgets.find(({ operation }) => operation === 'createCreatorPost');
    const window = this.#window(campaign.id);
    window.add(this.#now(), ended);
    return {
      campaign,
      ended,
      steps: loads,
      pace: window.pace(campaign.rows - ended - campaign.asleep, post && allowedPerSecond(post)),
      heldBackBy: budgets.filter(isHeldBack).map(holdOf),
      unreachable,
      workers,
    };
  }

  #window(id: string): PaceWindow {
    const known = this.#windows.get(id);
    if (known) return known;
    const window = new PaceWindow();
    this.#windows.set(id, window);
    return window;
  }

  async #look(account: string): Promise<Surroundings> {
    const now = this.#now();
    const last = this.#surroundings.get(account);
    if (last && now - last.at < surroundingsEveryMs) return last.seen;
    const { budgetsOf, presence, reachOf } = this.#tools;
    const [budgets, workers, unreachable] = await Promise.all([
      budgetsOf(account).read(awaited),
      presence.workers(),
      reachOf(account).unreachable(),
    ]);
    const seen = { budgets, workers, unreachable };
    this.#surroundings.set(account, { at: now, seen });
    return seen;
  }
}

/** Rows of a campaign that have ended, one way or another. */
export function endedRows({ counts }: Campaign): number {
  return counts.posted + counts.failed + counts.review + counts.cancelled;
}

async function readLoads(queues: Queues, campaign: Campaign): Promise<CampaignProgress['steps']> {
  const loads = await Promise.all(
    steps.map(async (step) => {
      const counts = await queues
        .queue(step)
        .getJobCounts('waiting', 'active', 'delayed', 'prioritized', 'failed');
      const load: StepProgress = {
        done: campaign.done[step],
        active: counts.active ?? 0,
        waiting: (counts.waiting ?? 0) + (counts.prioritized ?? 0),
        delayed: counts.delayed ?? 0,
        failed: counts.failed ?? 0,
      };
      return [step, load] as const;
    }),
  );
  return Object.fromEntries(loads) as Record<Step, StepProgress>;
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
