/** Start and end of a showcase job, which works for a group of rows at once. */

import type { RowVersion } from '../../manifest/row.ts';
import type { ScriptArgument } from '../../platform/redis/script.ts';
import { type LedgerContext, LedgerPart } from '../ledger-part.ts';
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
  | { readonly kind: 'gone' }
  | { readonly kind: 'outdated' }
  /** Rows that this job failed resume in their next revision. */
  | { readonly kind: 'again' }
  /** The rows stay failed: only a command retries them. */
  | { readonly kind: 'ended' }
  /** The rows stay failed, because of their creator's breaker. */
  | { readonly kind: 'on-hold' }
  | { readonly kind: 'paused' };

interface ShowcaseEnd {
  readonly campaign: string;
  readonly sheetId?: string | undefined;
  readonly jobId: string;
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
    const args: ScriptArgument[] = [campaign, jobId, creatorId, this.clock, sheetId];
    for (const row of start.group.rows) args.push(row.row, row.revision);
    const [kind, ...rest] = await this.run<[string, ...(string | number)[]]>(
      'transitions/start-showcase',
      args,
    );
    switch (kind) {
      case 'go':
        return { kind, rows: new Set(rest.map(Number)) };
      case 'breaker':
        return {
          kind,
          reason: readBreaker(String(rest[0])),
          rows: new Set(rest.slice(1).map(Number)),
        };
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
