/** The context of all processors. `src/app/runtime` creates it once. */

import type { SemaphoreInterface } from 'async-mutex';
import type { Logger } from 'pino';
import type { Settings } from '../../../config/schema.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RowNumber } from '../../manifest/row.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { QueueName, Queues } from '../../queues/queues.ts';
import type { Receivers } from '../notify/receivers.ts';
import type { Uploads } from '../steps/uploads.ts';
import type { CampaignViews } from './campaign-view.ts';
import type { Outcome } from './outcome.ts';
import type { Service } from './service.ts';

export interface ProcessorContext {
  readonly ledger: Ledger;
  readonly queues: Queues;
  readonly service: Service;
  readonly views: CampaignViews;
  readonly uploads: Uploads;
  /** Whether the jobs of the queue `upload` are for this process: another one may have no media. */
  readonly takesUploads: boolean;
  /** Limits the calls of `createCreatorPost` under way at once. */
  readonly postCalls: SemaphoreInterface;
  readonly receivers: Receivers;
  readonly settings: Settings;
  readonly now: () => number;
  /** Learns the time of Redis. Undefined: a test or the demo sets `now`, and the clock of this machine is not checked. */
  readonly clock: RedisClock | undefined;
  readonly log: Logger;
  /** Called at the moments around which a crash matters. Does nothing except in crash tests. */
  readonly failpoint: (name: Failpoint) => void;
  /** Called after every run of a job, for metrics. Must not throw. */
  readonly onJobFinished?: ((job: FinishedJob) => void) | undefined;
}

/** The moments around a call that must not be repeated blindly, before a row becomes ready and after its gate has opened, and before an event leaves the outbox. */
export type Failpoint =
  | 'before-sending'
  | 'after-journal'
  | 'after-answer'
  | 'after-bookkeeping'
  | 'at-gate'
  | 'after-wake'
  | 'during-upload'
  | 'during-poll'
  | 'before-hand-out'
  | 'during-scrape';

export interface FinishedJob {
  /** Undefined for jobs that serve all campaigns, and for runs that failed before it was known. */
  readonly campaign?: string | undefined;
  readonly row?: RowNumber | undefined;
  /** Rows of a group. */
  readonly rows?: readonly RowNumber[] | undefined;
  /** A step of a row, or the name of a job in the queue `campaign`: `admission`, `rescuer`, `records`, `outbox`. */
  readonly step: string;
  readonly queue: QueueName;
  readonly job: string;
  /** `error`: the run ended without an outcome, for example by an outage of Redis. */
  readonly outcome: Outcome['kind'] | 'error';
  /** Code of the failure, or of the reason why the campaign was paused. */
  readonly code?: string | undefined;
  /** From 1. */
  readonly attempt: number;
  /** Milliseconds from when the job was due to its start, including the work of its children; undefined for a later run. */
  readonly waitMs?: number | undefined;
  /** Milliseconds. */
  readonly runMs: number;
}
