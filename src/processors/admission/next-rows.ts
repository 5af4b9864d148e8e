/** The rows that an admission considers: first those sent back to waiting, then those after the cursor. */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { chunkSize } from '../../ledger/keys.ts';
import { emptyRowProgress, type RowProgress } from '../../ledger/rows/row-progress.ts';
import type { Row } from '../../manifest/row.ts';
import type { RowIndex, RowVersion } from '../../manifest/row-ref.ts';
import type { CampaignView } from '../runner/campaign-view.ts';
import type { ProcessorContext } from '../runner/context.ts';
import { chooseRows } from './showcase-groups.ts';

export interface WaitingRow extends RowVersion {
  readonly progress: RowProgress;
  /** Undefined for a row that cannot be read; its post job reports that. */
  readonly spec: Row | undefined;
  /** Its creator, if a product must be added to the showcase. */
  readonly showcaseOf: string | undefined;
}

export interface NextRows {
  readonly candidates: readonly WaitingRow[];
  /** The rows behind the cursor: the candidates among them, and those that wait for a later admission. */
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
  const again = await rowsToRedo(context, view, window);
  // No later row may go before those of the canary: the first ones of the sheet, or chosen ones, which are among `again`.
  const within = (campaign.canaryWindow ?? Number.POSITIVE_INFINITY) - again.length;
  const except = new Set(again.map(({ row }) => row));
  const rest = { window: window - again.length, within, except };
  const waiting = await rowsBehindCursor(context, view, campaign, rest);
  const chosen = chooseRows(waiting.rows.slice(0, Math.max(window, campaign.window)), window - again.length);
  const cursorAfter = (admitted: readonly WaitingRow[]) => {
    const taken = new Set(admitted.map(({ row }) => row));
    return waiting.rows.find(({ row }) => !taken.has(row))?.row ?? waiting.end;
  };
  return { candidates: [...again, ...chosen], waiting: waiting.rows, cursorAfter };
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
  const candidates: WaitingRow[] = [];
  for (const [index, row] of numbers.entries()) {
    const [status, progress] = [statuses[index], records[index]];
    if (status?.state !== 'waiting' || !progress) continue;
    candidates.push(await candidate(view, row, status.revision, progress));
  }
  return candidates;
}

/** @param among `room`: rows that may be admitted; `within`: most rows to choose from; `except`: candidates already. */
async function rowsBehindCursor(
  context: ProcessorContext,
  view: CampaignView,
  campaign: Campaign,
  {
    window,
    within,
    except,
  }: { readonly window: number; readonly within: number; readonly except: ReadonlySet<number> },
): Promise<{ readonly rows: readonly WaitingRow[]; readonly end: number }> {
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
