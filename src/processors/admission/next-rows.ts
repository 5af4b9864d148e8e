/** The rows that an admission considers: those that were sent back, then those behind the cursor. */
import type { Campaign } from '../../ledger/campaigns.ts';
import { chunkSize } from '../../ledger/keys.ts';
import { emptyRowProgress, type RowProgress } from '../../ledger/row-progress.ts';
import type { Row } from '../../manifest/row.ts';
import { type CampaignView, UnreadableRowError } from '../frame/campaign-view.ts';
import type { ProcessorContext } from '../frame/context.ts';
import { chooseRows } from './showcase-groups.ts';

/** A waiting row with what the plan needs of it. */
export interface Candidate {
  readonly row: number;
  readonly revision: number;
  readonly progress: RowProgress;
  /** Undefined for a row that cannot be read; its post job says so. */
  readonly spec: Row | undefined;
  /** Its creator, where it wants a product in the showcase. */
  readonly showcaseOf: string | undefined;
}

export interface NextRows {
  readonly candidates: readonly Candidate[];
  /** Where the cursor stands once these candidates are admitted: all rows before it have been. */
  readonly cursorAfter: (admitted: readonly Candidate[]) => number;
}

/** @param room how many there may be. */
export async function nextRows(
  context: ProcessorContext,
  view: CampaignView,
  campaign: Campaign,
  room: number,
): Promise<NextRows> {
  const again = await rowsToRedo(context, view, room);
  const waiting = await rowsBehindCursor(context, view, campaign, room - again.length);
  const chosen = chooseRows(waiting.rows, room - again.length);
  const cursorAfter = (admitted: readonly Candidate[]) => {
    const taken = new Set(admitted.map(({ row }) => row));
    return waiting.rows.find(({ row }) => !taken.has(row))?.row ?? waiting.end;
  };
  return { candidates: [...again, ...chosen], cursorAfter };
}

async function rowsToRedo(
  context: ProcessorContext,
  view: CampaignView,
  room: number,
): Promise<readonly Candidate[]> {
  const { id } = view.campaign;
  const { admission, rows } = context.ledger;
  const candidates: Candidate[] = [];
  for (const row of await admission.rowsToRedo(id, room)) {
    const [status] = await rows.statuses(id, row, 1);
    if (status?.state !== 'waiting') continue;
    candidates.push(await candidate(view, row, status.revision, await rows.progress(id, row)));
  }
  return candidates;
}

/** Waiting rows as far ahead as the window is wide, so that there is something to choose from. */
async function rowsBehindCursor(
  context: ProcessorContext,
  view: CampaignView,
  campaign: Campaign,
  room: number,
): Promise<{ readonly rows: readonly Candidate[]; readonly end: number }> {
  const candidates: Candidate[] = [];
  const wanted = room === 0 ? 0 : Math.max(room, Math.min(campaign.window, lookAhead));
  let end = campaign.cursor;
  while (end < campaign.rows && candidates.length < wanted) {
    const statuses = await context.ledger.rows.statuses(campaign.id, end, chunkSize);
    for (const { state, revision } of statuses) {
      // A waiting row in another revision is among those that were sent back.
      if (state === 'waiting' && revision === 0)
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
  row: number,
  revision: number,
  progress: RowProgress,
): Promise<Candidate> {
  const spec = await readRow(view, row);
  return { row, revision, progress, spec, showcaseOf: spec?.showcase ? spec.creator : undefined };
}

async function readRow(view: CampaignView, row: number): Promise<Row | undefined> {
  try {
    return await view.row(row);
  } catch (error) {
    if (error instanceof UnreadableRowError) return undefined;
    throw error;
  }
}
