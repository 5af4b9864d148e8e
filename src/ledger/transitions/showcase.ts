/** Start and end of a showcase job, which works for a group of rows at once. */

import type { RowVersion } from '../../manifest/row.ts';
import type { ScriptArgument } from '../../platform/redis/script.ts';
import { flatVersions, type LedgerContext, LedgerPart } from '../ledger-part.ts';
import {
  type BreakerReason,
  type CreatorLedger,
  readBreaker,
  type ShowcaseEntry,
} from '../service/creators.ts';
import type { RowError } from '../states.ts';
import type { ShowcaseGroup } from './admission.ts';
import type { FinishReply } from './steps.ts';

interface ShowcaseStart {
  readonly campaign: string;
  /** As in `ReadRow`. */
  readonly sheetId?: string | undefined;
  readonly jobId: string;
  readonly creatorId: string;
  readonly group: ShowcaseGroup;
}

export type ShowcaseVerdict =
  | { readonly kind: 'go'; readonly rows: ReadonlySet<number> }
  | { readonly kind: 'breaker'; readonly reason: BreakerReason; readonly rows: ReadonlySet<number> }
  /**
   * `again`: rows that this job failed resume in their next revision. `ended`: they stay failed, and only a command retries them.
   * `on-hold`: they stay failed, because of their creator's breaker.
   */
  | { readonly kind: 'gone' | 'outdated' | 'again' | 'ended' | 'on-hold' | 'paused' };

interface ShowcaseEnd extends Pick<ShowcaseStart, 'campaign' | 'sheetId' | 'jobId'> {
  readonly added: readonly ShowcaseEntry[];
  /** Rows whose products these are. */
  readonly ready: readonly RowVersion[];
  readonly failed: readonly (RowVersion & { readonly error: RowError })[];
}

export class ShowcaseLedger extends LedgerPart {
  readonly #creators: CreatorLedger;

  constructor(context: LedgerContext, creators: CreatorLedger) {
    super(context);
    this.#creators = creators;
  }

  async start(start: ShowcaseStart): Promise<ShowcaseVerdict> {
    const { campaign, jobId, creatorId, sheetId = '' } = start;
    const rows = flatVersions(start.group.rows);
    const args = [campaign, jobId, creatorId, this.clock, sheetId, ...rows];
    type Reply = [string, ...(string | number)[]];
    const [kind, ...rest] = await this.run<Reply>('transitions/start-showcase', args);
    switch (kind) {
      case 'go':
        return { kind, rows: new Set(rest.map(Number)) };
      case 'breaker': {
        const [reason, ...stopped] = rest;
        return { kind, reason: readBreaker(String(reason)), rows: new Set(stopped.map(Number)) };
      }
      case 'gone':
      case 'again':
      case 'on-hold':
      case 'outdated':
      case 'ended':
      case 'paused':
        return { kind };
      default:
        throw new TypeError(`start-showcase answered ${JSON.stringify(kind)}`);
    }
  }

  async finish(end: ShowcaseEnd): Promise<FinishReply> {
    const args: ScriptArgument[] = [end.campaign, this.clock, end.jobId, end.sheetId ?? ''];
    const products = end.added.flatMap((entry) => this.#creators.productRecords(entry));
    args.push(products.length);
    for (const { key, field, record } of products) args.push(key, field, record);
    for (const { row, revision } of end.ready) args.push(row, revision, '');
    for (const { row, revision, error } of end.failed) args.push(row, revision, JSON.stringify(error));
    return this.run('transitions/finish-showcase', args);
  }
}
