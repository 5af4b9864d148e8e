/** One page of the rows of a campaign, with what happened to each. */
import type { Campaign } from '../../ledger/campaigns.ts';
import type { PostedResult } from '../../ledger/results.ts';
import type { RowError, RowState } from '../../ledger/states.ts';
import { createImportedRowReader } from '../../manifest/imported-sheet.ts';
import { createKeyReader } from '../../manifest/key.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { findCampaign } from '../find.ts';
import { rememberPlace } from '../repair/find-row.ts';
import { shownCounts, shownState } from '../shown-states.ts';
import { findRows, type RowFilter } from './find.ts';

export interface ListedRow {
  /** Position in the campaign, from 0. */
  readonly position: number;
  readonly key: string;
  /** As shown to people: a waiting row of a campaign that is being cancelled counts as cancelled. */
  readonly state: RowState;
  /** What the planner wrote. */
  readonly creator: string;
  readonly caption: string;
  readonly product: string;
  /** Unix epoch, milliseconds. */
  readonly scheduledAt: number | undefined;
  readonly error: RowError | undefined;
  readonly result: PostedResult | undefined;
  /** When its state last changed, as far as that is known. Unix epoch, milliseconds. */
  readonly changedAt: number | undefined;
}

export interface RowPage {
  readonly campaign: Campaign;
  readonly rows: readonly ListedRow[];
  /** Number of rows that match; undefined where it would take reading all of them. */
  readonly total: number | undefined;
  /** Where the next page begins; undefined at the end. */
  readonly next: number | undefined;
}

export interface RowPageOptions {
  readonly filter?: RowFilter;
  /** Position to begin at, from an earlier page; default: the first row, or the last if descending. */
  readonly from?: number | undefined;
  /** At most 500; default 50. */
  readonly limit?: number;
  readonly descending?: boolean;
}

const mostRows = 500;

/**
 * Lists rows that match a filter, in the order of the sheet. A search in texts looks at 20,000 rows at a time: it may find none
 * and still have a next page.
 * @throws {UseCaseError} `campaign_not_found`.
 */
export async function listRows(
  runtime: Pick<Runtime, 'ledger'>,
  id: string,
  { filter = {}, from, limit = 50, descending = false }: RowPageOptions = {},
): Promise<RowPage> {
  const { ledger } = runtime;
  const campaign = await findCampaign(runtime, id);
  const last = Math.max(0, campaign.rows - 1);
  const found = await findRows(ledger, campaign, {
    filter,
    from: Math.min(Math.max(0, from ?? (descending ? last : 0)), last),
    limit: Math.min(limit, mostRows),
    descending,
  });
  return {
    campaign,
    rows: await describeRows(runtime, campaign, found.rows),
    total: totalOf(campaign, filter),
    next: found.next,
  };
}

function totalOf(campaign: Campaign, { state, ...rest }: RowFilter): number | undefined {
  if (Object.values(rest).some((value) => value !== undefined)) return undefined;
  return state === undefined ? campaign.rows : shownCounts(campaign)[state];
}

/** What pages show of these rows. */
export async function describeRows(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaign: Campaign,
  positions: readonly number[],
): Promise<readonly ListedRow[]> {
  const reader = createImportedRowReader(campaign);
  const keys = createKeyReader(reader);
  const { creator, caption, product_id, product_title } = reader.header.indexes;
  const [outcomes, times] = await Promise.all([
    ledger.rows.outcomesOf(campaign.id, positions),
    ledger.changed.timesOf(campaign.id, positions),
  ]);
  return Promise.all(
    positions.map(async (position, index) => {
      const { cells = [], number = position + 1 } = (await ledger.store.find(campaign, position)) ?? {};
      const cell = (column: number) => (column < 0 ? '' : (cells[column] ?? '').trim());
      const read = reader.read(cells, number);
      const outcome = outcomes[index];
      const key = keys.read(cells, number);
      rememberPlace(campaign, key, position);
      return {
        ...{ position, key },
        state: shownState(campaign, outcome?.state ?? 'waiting'),
        creator: cell(creator),
        caption: cell(caption),
        product: cell(product_title) || cell(product_id),
        scheduledAt: 'row' in read ? read.row.schedule?.at : undefined,
        error: outcome?.error,
        result: outcome?.result,
        changedAt: times[index] ?? outcome?.error?.at ?? outcome?.result?.at,
      };
    }),
  );
}
