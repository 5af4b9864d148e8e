/** What every processor works with. It is wired once, in `src/runtime`, and passed in. */
import type { Logger } from 'pino';
import type { Settings } from '../../../config/schema.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Queues } from '../../queues/queues.ts';
import type { Uploads } from '../steps/uploads.ts';
import type { Accounts } from './accounts.ts';
import type { CampaignViews } from './campaign-view.ts';

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
}

/** The moments around a call that must not be repeated blindly. */
export type Failpoint =
  | 'before-sending'
  | 'after-sending'
  | 'after-answer'
  | 'after-bookkeeping'
  | 'during-upload'
  | 'during-poll';

/** Waits for a budget longer than this park the queue instead of occupying a place in it. */
export const longestWaitMs = 2000;
