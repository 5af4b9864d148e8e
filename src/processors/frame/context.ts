/** What every processor works with. It is wired once, in `src/runtime`, and passed in. */
import type { Logger } from 'pino';
import type { Settings } from '../../../config/schema.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { QueueName, Queues } from '../../queues/queues.ts';
import type { Uploads } from '../steps/uploads.ts';
import type { Accounts } from './accounts.ts';
import type { CampaignViews } from './campaign-view.ts';
import type { Outcome } from './outcome.ts';

export interface ProcessorContext {
  readonly ledger: Ledger;
  readonly queues: Queues;
  readonly accounts: Accounts;
  readonly views: CampaignViews;
  readonly uploads: Uploads;
  readonly settings: Settings;
  readonly now: () => number;
  readonly log: Logger;
  /** Called at the moments between which a crash matters; does nothing but in crash tests. */
  readonly failpoint: (name: Failpoint) => void;
  /** Is told of every run of a job; metrics stand on it. It must not throw. */
  readonly onJobFinished?: ((job: FinishedJob) => void) | undefined;
}

/** The moments around a call that must not be repeated blindly. */
export type Failpoint =
  | 'before-sending'
  | 'after-sending'
  | 'after-answer'
  | 'after-bookkeeping'
  | 'during-upload'
  | 'during-poll';

/** One run of a job, once it is over. */
export interface FinishedJob {
  /** Not there for jobs that act for all campaigns, and where the run was broken off before it knew. */
  readonly campaign?: string | undefined;
  /** The number of its row, from 1 as in a sheet. */
  readonly row?: number | undefined;
  /** For a group: the numbers of its rows. */
  readonly rows?: readonly number[] | undefined;
  /** A step of a row, or what the job of the queue `campaign` does: `admission`, `keeper`, `records`. */
  readonly step: string;
  readonly queue: QueueName;
  /** Its id. */
  readonly job: string;
  /** `error`: broken off without an outcome, such as by an outage of Redis. */
  readonly outcome: Outcome['kind'] | 'error';
  /** Of the failure, or of the reason that holds the campaign. */
  readonly code?: string | undefined;
  /** From 1. */
  readonly attempt: number;
  /**
   * Milliseconds from when it could run to its start, the work of its children included; undefined for a job that comes
   * again.
   */
  readonly waitMs?: number | undefined;
  /** Milliseconds. */
  readonly runMs: number;
}
