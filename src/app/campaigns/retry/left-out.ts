/** Rows that a retry leaves out, and why. */

import { z } from 'zod';
import { type Campaign, campaignState } from '../../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { type RowState, rowStates } from '../../../ledger/states.ts';
import { commandsField, type Hint, hint, hintsField } from '../../../manifest/problems/hint.ts';
import type { CampaignView } from '../../../processors/runner/campaign-view.ts';
import { authorizationExpiredCode } from '../../../service/contract/creators.ts';
import { type Document, rowState } from '../../runtime/documents.ts';
import { shownCounts } from '../find.ts';
import { decidableOf, failedKindsSchema } from '../repair.ts';

/** The result of a retry; in a dry run, the result that it would have. */
export const retrySchema = z.strictObject({
  id: z.string(),
  /** Failed rows that match, including those of creators on hold. */
  matched: z.int(),
  /** Rows sent back to waiting; none in a dry run. */
  rows: z.int(),
  /** Those of them that had a post: they wait for 10 seconds first, and `decide ID ROW --undo` takes the retry of one back. */
  held: z.int(),
  /** Rows that returned to `posted` without being sent again, because their failed post turned out to be published. */
  posted: z.int(),
  /** The effect of the retry; only in a dry run. */
  plan: z
    .strictObject({
      /** Per operation: at most this many uploads (files that the service has are not sent again), at least this many polls. */
      calls: z.record(z.string(), z.int()),
      /** Images and videos that would be generated: only missing ones. */
      aiOutputs: z.int(),
      /** Those of them whose rows paid for a generation before. */
      paidBefore: z.int(),
    })
    .nullable(),
  /** Rows that are not retried, by reason. */
  leftOut: z.array(
    z.strictObject({
      state: rowState,
      rows: z.int(),
      why: z.string(),
      /** Set for rows of a creator who must authorize again. */
      creator: z.string().optional(),
      /** Set for matching rows whose failed post could not be looked up again. */
      unread: z.literal(true).optional(),
      /** Set for matching rows that somebody else changed meanwhile. */
      changed: z.literal(true).optional(),
      /** What to do about them; for rows in review, commands that decide about the first ones. */
      commands: commandsField,
      hints: hintsField,
    }),
  ),
  /** State of the campaign afterwards. In a paused campaign, the rows wait until it is resumed. */
  state: campaignState,
  kinds: failedKindsSchema.optional(),
  dryRun: z.boolean(),
});

export type LeftOut = Document<typeof retrySchema>['leftOut'][number];

const reasons: Readonly<Record<RowState, string>> = {
  waiting: 'starts without a retry',
  running: 'under way',
  ready: 'posted when its time comes',
  posted: 'nothing to retry',
  failed: 'not selected',
  review: 'must be decided first, because the outcome is unknown',
  cancelled: 'cancelled',
};

/** Commands are shown for this many rows in review. */
const shown = 2;

/**
 * @param retried `named`: the rows that were chosen, if any; `counts`: their states before the retry, else those of all rows;
 * `matched`: how many failed rows match.
 * @returns rows that do not match: of the chosen rows, or else of all rows of the campaign.
 */
export async function leftOutOf(
  ledger: Ledger,
  campaign: Campaign,
  retried: {
    readonly named: ReadonlySet<number> | undefined;
    readonly counts: Campaign['counts'];
    readonly matched: number;
  },
): Promise<readonly LeftOut[]> {
  const { named, matched } = retried;
  const counts = shownCounts({ state: campaign.state, counts: retried.counts });
  const left = { ...counts, failed: Math.max(0, counts.failed - matched) };
  const review = left.review > 0 ? await decisions(ledger, campaign, named) : [];
  return rowStates
    .filter((state) => left[state] > 0)
    .map((state) => ({
      state,
      rows: left[state],
      why:
        state === 'waiting' && campaign.state === 'paused'
          ? 'wait until the campaign is resumed'
          : reasons[state],
      commands: state === 'review' ? review : [],
    }));
}

/** @param rows number of rows, by the reason why their posts could not be looked up again. */
export function unreadPosts(rows: ReadonlyMap<string, number>): readonly LeftOut[] {
  return [...rows].map(([why, count]) => ({
    state: 'failed',
    rows: count,
    unread: true,
    why: `the post was not published, and must be looked up again before another one is created, but ${why}`,
    commands: [],
  }));
}

/** @param rows number of rows that failed before Redis lost records, and are in review now. */
export function failedBeforeLoss(campaign: string, rows: number): readonly LeftOut[] {
  if (rows === 0) return [];
  const why = 'failed before Redis lost records: may have been posted since, so a person decides';
  return [{ state: 'review', rows, why, commands: [hint('writeSheet', { campaign, only: 'review' })] }];
}

/** @param rows number of rows that changed between the look at them and the retry. */
export function changedRows(rows: number): readonly LeftOut[] {
  if (rows === 0) return [];
  return [{ state: 'failed', rows, changed: true, why: 'changed since', commands: [] }];
}

export async function countStates(
  ledger: Ledger,
  { id }: Campaign,
  rows: readonly number[],
): Promise<Record<RowState, number>> {
  const statuses = await ledger.rows.statusesOf(id, rows);
  const counts = rowStates.map((state) => [
    state,
    statuses.filter((status) => status?.state === state).length,
  ]);
  return Object.fromEntries(counts) as Record<RowState, number>;
}

async function decisions(
  ledger: Ledger,
  campaign: Campaign,
  named: ReadonlySet<number> | undefined,
): Promise<readonly Hint[]> {
  const { id } = campaign;
  const inReview = await ledger.rows.inState(id, 'review');
  const rows = inReview.filter((row) => named === undefined || named.has(row)).slice(0, shown);
  const errors = await ledger.rows.errors(id, rows);
  const hints = rows.map(async (row, index) => {
    const error = errors[index];
    if (error === undefined) return [];
    const key = await ledger.rowKeys.of(campaign, row);
    return [hint('chooseDecision', { campaign: id, key, about: decidableOf(error) })];
  });
  return (await Promise.all(hints)).flat();
}

export class CreatorsOnHold {
  readonly #ledger: Ledger;
  readonly #view: CampaignView;
  /** As written in the sheet. */
  readonly #names: ReadonlySet<string>;
  /** Rows left out so far, by creator; `others` failed for another reason than the authorization. */
  readonly #rows = new Map<string, { all: number; others: number }>();

  private constructor(ledger: Ledger, view: CampaignView, names: ReadonlySet<string>) {
    this.#ledger = ledger;
    this.#view = view;
    this.#names = names;
  }

  /** @param released creator to treat as authorized again, as written in the sheet. */
  static async of(
    ledger: Ledger,
    view: CampaignView,
    { id }: Campaign,
    released?: string,
  ): Promise<CreatorsOnHold> {
    const [creators, breakers] = await Promise.all([
      ledger.campaigns.creators(id),
      ledger.creators.openBreakers(),
    ]);
    const free = released === undefined ? undefined : creators.get(released)?.creatorId;
    const names = [...creators].flatMap(([name, { creatorId }]) =>
      breakers.has(creatorId) && creatorId !== free ? [name] : [],
    );
    return new CreatorsOnHold(ledger, view, new Set(names));
  }

  /** @returns the rows of all other creators. Counts the rest. */
  async leaveOut(rows: readonly number[]): Promise<readonly number[]> {
    if (this.#names.size === 0) return rows;
    const errors = await this.#ledger.rows.errors(this.#view.campaign.id, rows);
    const left: number[] = [];
    for (const [index, row] of rows.entries()) {
      const creator = (await this.#view.readableRow(row))?.creator;
      if (creator === undefined || !this.#names.has(creator)) left.push(row);
      else this.#count(creator, errors[index]?.code);
    }
    return left;
  }

  #count(creator: string, code: string | undefined): void {
    const rows = this.#rows.get(creator) ?? { all: 0, others: 0 };
    rows.all += 1;
    if (code !== String(authorizationExpiredCode)) rows.others += 1;
    this.#rows.set(creator, rows);
  }

  finish(): readonly LeftOut[] {
    const { id: campaign } = this.#view.campaign;
    return [...this.#rows].map(([creator, { all, others }]) => ({
      state: 'failed',
      rows: all,
      why: `${creator} is on hold until the creator authorizes again`,
      creator,
      commands: [
        hint('resumeCreator', { campaign, creator }),
        ...(others > 0 ? [hint('retry', { campaign, creator })] : []),
      ],
    }));
  }
}
