/**
 * The rows that an admission considers (first those sent back to waiting, then those after the cursor), and which of them enter the window
 * next.
 */

import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { chunkSize } from '../../ledger/keys.ts';
import { batches } from '../../ledger/ledger-part.ts';
import { emptyRowProgress, type RowProgress } from '../../ledger/rows/row-progress.ts';
import type { Row, RowIndex, RowVersion } from '../../manifest/row.ts';
import { maxProductsPerCall } from '../../service/contract/creators.ts';
import type { CampaignView } from '../runner/campaign-view.ts';
import type { ProcessorContext } from '../runner/context.ts';

/**
 * Chooses which waiting rows enter the window. They come in order, but a row that needs a showcase addition takes others of its
 * creator along, so that one call adds many products. The first row is always chosen, so none waits forever.
 * @param waiting in order; may be more than there is room for.
 * @returns the chosen rows, in order.
 */
function chooseRows<T extends Pick<WaitingRow, 'showcaseOf'>>(
  waiting: readonly T[],
  window: number,
): readonly T[] {
  if (waiting.length <= window) return waiting;
  const ofCreator = Map.groupBy(waiting, ({ showcaseOf }) => showcaseOf);
  const chosen = new Set<T>();
  for (const row of waiting) {
    if (chosen.size >= window) break;
    if (chosen.has(row)) continue;
    const together = row.showcaseOf === undefined ? [row] : (ofCreator.get(row.showcaseOf) ?? []);
    // `splice`: rows taken here are not taken again with the creator's next row.
    for (const each of together.splice(0, Math.min(maxProductsPerCall, window - chosen.size)))
      chosen.add(each);
  }
  return waiting.filter((row) => chosen.has(row));
}

/** Defers rows that share a file with an earlier row, so that it is uploaded once, if `enough` rows are left for the workers. */
export function deferRepeats<T>(
  rows: readonly T[],
  filesOf: (row: T) => readonly string[],
  enough: number,
): readonly T[] {
  const needed = new Set<string>();
  const firsts = rows.filter((row) => {
    const files = filesOf(row);
    if (files.some((file) => needed.has(file))) return false;
    for (const file of files) needed.add(file);
    return true;
  });
  return firsts.length >= enough ? firsts : rows;
}

export interface WaitingRow extends RowVersion {
  readonly progress: RowProgress;
  /** Undefined for a row that cannot be read; its post job reports that. */
  readonly spec: Row | undefined;
  /** Its creator, if a product must be added to the showcase. */
  readonly showcaseOf: string | undefined;
}

interface NextRows {
  readonly candidates: readonly WaitingRow[];
  /** The rows after the cursor: the candidates among them, and those that wait for a later admission. */
  readonly waiting: readonly WaitingRow[];
  /** The cursor once these candidates are admitted: all rows before it have been admitted. */
  readonly cursorAfter: (admitted: readonly WaitingRow[]) => number;
}

/** @param window how many rows may be admitted. */
export async function nextRows(
  context: ProcessorContext,
  view: CampaignView,
  campaign: Campaign,
  window: number,
): Promise<NextRows> {
  const { canaryWindow = Number.POSITIVE_INFINITY, canaryOf } = campaign;
  const redone = await rowsToRedo(context, view, window);
  const except = new Set(redone.map(({ row }) => row));
  const afterCursor = (room: number, within: number) =>
    rowsAfterCursor(context, view, campaign, { window: room, within, except });
  // No later row may go before those of the canary: chosen ones, the first of those sent back, or the first ones of the sheet.
  const isOfFirst = canaryWindow < Number.POSITIVE_INFINITY && canaryOf === undefined;
  const again = isOfFirst ? firstOf(redone, (await afterCursor(window, canaryWindow)).rows, window) : redone;
  const waiting = await afterCursor(window - again.length, canaryWindow - again.length);
  const chosen = chooseRows(waiting.rows.slice(0, Math.max(window, campaign.window)), window - again.length);
  const cursorAfter = (admitted: readonly WaitingRow[]) => {
    const taken = new Set(admitted.map(({ row }) => row));
    return waiting.rows.find(({ row }) => !taken.has(row))?.row ?? waiting.end;
  };
  return { candidates: [...again, ...chosen], waiting: waiting.rows, cursorAfter };
}

/** Keeps those of `rows` that are among the first `most` of `rows` and `others` in the sheet. */
function firstOf(
  rows: readonly WaitingRow[],
  others: readonly WaitingRow[],
  most: number,
): readonly WaitingRow[] {
  const inOrder = [...rows, ...others].sort((one, other) => one.row - other.row);
  const first = new Set(inOrder.slice(0, most));
  return rows.filter((row) => first.has(row));
}

async function rowsToRedo(
  context: ProcessorContext,
  view: CampaignView,
  window: number,
): Promise<readonly WaitingRow[]> {
  const { id } = view.campaign;
  const { admission, rows } = context.ledger;
  const numbers = await admission.rowsToRedo(id, window);
  const [statuses, records] = await Promise.all([rows.statusesOf(id, numbers), rows.progressOf(id, numbers)]);
  const waiting = numbers.flatMap((row, index) => {
    const [status, progress] = [statuses[index], records[index]];
    return status?.state === 'waiting' && progress ? [{ row, revision: status.revision, progress }] : [];
  });
  const candidates: WaitingRow[] = [];
  for (const some of batches(waiting, readAtOnce))
    candidates.push(
      ...(await Promise.all(some.map((each) => candidate(view, each.row, each.revision, each.progress)))),
    );
  return candidates;
}

/** Due rows may be far apart in the sheet: each then takes a part of it from Redis. */
const readAtOnce = 20;

/** @param limits.window rows that may be admitted. @param limits.within most rows to choose from. @param limits.except candidates already. */
async function rowsAfterCursor(
  context: ProcessorContext,
  view: CampaignView,
  campaign: Campaign,
  limits: { readonly window: number; readonly within: number; readonly except: ReadonlySet<number> },
): Promise<{ readonly rows: readonly WaitingRow[]; readonly end: number }> {
  const { window, within, except } = limits;
  const candidates: WaitingRow[] = [];
  const wanted = window === 0 ? 0 : Math.max(window, Math.min(lookAhead, within));
  let end = campaign.cursor;
  while (end < campaign.rows && candidates.length < wanted) {
    const statuses = await context.ledger.rows.statuses(campaign.id, end, chunkSize);
    for (const { state, revision } of statuses) {
      // A waiting row in a later revision is among those sent back.
      if (state === 'waiting' && revision === 0 && !except.has(end))
        candidates.push(await candidate(view, end, 0, emptyRowProgress));
      end += 1;
      if (candidates.length === wanted) break;
    }
  }
  return { rows: candidates, end };
}

const lookAhead = 1000;

async function candidate(
  view: CampaignView,
  row: RowIndex,
  revision: number,
  progress: RowProgress,
): Promise<WaitingRow> {
  const spec = await view.readableRow(row);
  return { row, revision, progress, spec, showcaseOf: spec?.showcase ? spec.creator : undefined };
}
