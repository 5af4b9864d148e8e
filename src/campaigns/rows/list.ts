/** One page of the rows of a campaign, with what happened to each. */
import { type Campaign, isUnderWay } from '../../ledger/campaigns/campaigns.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { PostedResult } from '../../ledger/rows/results.ts';
import type { RowError, RowState } from '../../ledger/states.ts';
import { textOfCell } from '../../manifest/cells/formula.ts';
import { createKeyReader } from '../../manifest/cells/key.ts';
import { createImportedRowReader } from '../../manifest/imported-sheet.ts';
import type { Row } from '../../manifest/row.ts';
import type { Step } from '../../manifest/steps.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { FewEndedBadly } from '../causes/few-ended-badly.ts';
import { findCampaign } from '../find.ts';
import { needsOfRow } from '../progress/row-needs.ts';
import { stepOf } from '../progress/step-counts.ts';
import { shownCounts, shownState } from '../shown-states.ts';
import { readAhead } from './ahead.ts';
import type { RowFilter } from './candidates.ts';
import { type RowFacts, readFacts } from './facts.ts';
import { findRows, type RowSearch } from './find.ts';

export interface ListedRow {
  /** Position in the campaign, from 0. */
  readonly position: number;
  readonly key: string;
  /** As shown to people: a waiting row of a campaign that is being cancelled counts as cancelled. */
  readonly state: RowState;
  /** Step at which the row runs or stopped; undefined for other rows. */
  readonly step: Step | undefined;
  /** As the planner wrote it. */
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
  /** Number of matching rows; undefined if it would take reading all rows. */
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
  readonly shared?: SharedReading | undefined;
}

/** The campaign and its rows that ended badly, if the page reads them anyway. */
export interface SharedReading {
  readonly campaign: Promise<Campaign>;
  readonly endedBadly: Promise<FewEndedBadly>;
}

const mostRows = 500;

/**
 * Lists rows that match a filter, in the order of the sheet. A search in texts looks at 20,000 rows at a time: it may find none
 * and still have a next page.
 * @throws {UseCaseError} `campaign_not_found`.
 */
export async function listRows(
  search: RowSearch,
  id: string,
  { filter = {}, from, limit: asked = 50, descending = false, shared }: RowPageOptions = {},
): Promise<RowPage> {
  const limit = Math.min(asked, mostRows);
  const begin = { from: descending ? undefined : (from ?? 0), limit };
  const [campaign, ahead] = await Promise.all([
    shared?.campaign ?? findCampaign(search, id),
    readAhead(search.ledger, id, filter, begin, shared?.endedBadly),
  ]);
  const last = Math.max(0, campaign.rows - 1);
  const found = await findRows(search, campaign, {
    filter,
    limit,
    descending,
    ahead,
    from: Math.min(Math.max(0, from ?? (descending ? last : 0)), last),
  });
  return {
    campaign,
    rows: await describeRows(search, campaign, found.rows, ahead.facts),
    total: totalOf(campaign, filter),
    next: found.next,
  };
}

function totalOf(campaign: Campaign, { state, ...rest }: RowFilter): number | undefined {
  if (Object.values(rest).some((value) => value !== undefined)) return undefined;
  return state === undefined ? campaign.rows : shownCounts(campaign)[state];
}

/** @returns a function that tells the step of a running row; undefined for the others. */
async function stepsOfRunning(ledger: Ledger, campaign: Campaign, running: readonly number[]) {
  if (running.length === 0 || !isUnderWay(campaign)) return () => undefined;
  const [records, groups] = await Promise.all([
    ledger.rows.progressOf(campaign.id, running),
    ledger.admission.groups(campaign.id),
  ]);
  const inGroups = new Set([...groups.values()].flatMap(({ rows }) => rows.map(({ row }) => row)));
  const progress = new Map(running.map((row, index) => [row, records[index]]));
  return (position: number, row: Row): Step | undefined => {
    const own = progress.get(position);
    return own && stepOf(needsOfRow(row), own, inGroups.has(position));
  };
}

/** Describes rows for pages. @param ahead facts that were read before; used only if they include all the rows. */
export async function describeRows(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaign: Campaign,
  positions: readonly number[],
  ahead?: ReadonlyMap<number, RowFacts>,
): Promise<readonly ListedRow[]> {
  const reader = createImportedRowReader(campaign);
  const keys = createKeyReader(reader);
  const { creator, caption, product_id, product_title } = reader.header.indexes;
  const isKnown = positions.every((position) => ahead?.has(position));
  const [facts, stored] = await Promise.all([
    (isKnown && ahead) || readFacts(ledger, campaign.id, positions),
    Promise.all(positions.map((position) => ledger.store.find(campaign, position))),
  ]);
  const steps = await stepsOfRunning(
    ledger,
    campaign,
    positions.filter((position) => facts.get(position)?.outcome?.state === 'running'),
  );
  return positions.map((position, index) => {
    const { cells = [], number = position + 1 } = stored[index] ?? {};
    const cell = (column: number) => textOfCell(cells, column);
    const row = reader.read(cells, number);
    const { outcome, changedAt } = facts.get(position) ?? {};
    const key = keys.read(cells, number);
    ledger.places.remember(campaign, key, position);
    return {
      position,
      key,
      state: shownState(campaign, outcome?.state ?? 'waiting'),
      step: outcome?.error?.step ?? ('row' in row ? steps(position, row.row) : undefined),
      creator: cell(creator),
      caption: cell(caption),
      product: cell(product_title) || cell(product_id),
      scheduledAt: 'row' in row ? row.row.schedule?.at : undefined,
      error: outcome?.error,
      result: outcome?.result,
      changedAt: changedAt ?? outcome?.error?.at ?? outcome?.result?.at,
    };
  });
}
