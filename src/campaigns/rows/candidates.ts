/** Rows that may match a filter, from what Redis tells without the sheet: their states, or the index of rows that ended badly. */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RowFacts } from '../../ledger/rows/rows.ts';
import { letterOfState, type RowError, type RowState, rowStates, type Step } from '../../ledger/states.ts';
import { type FirstEndedBadly, firstRead } from '../repair/causes.ts';
import { shownState } from '../shown-states.ts';

/** A row must match every given field. */
export interface RowFilter {
  readonly state?: RowState | undefined;
  /** Step at which the row failed or got into review. */
  readonly step?: Step | undefined;
  /** Code of its error. */
  readonly code?: string | undefined;
  /** Creator, as written in the sheet. */
  readonly creator?: string | undefined;
  /** Part of the key, caption or product, in any case. */
  readonly text?: string | undefined;
}

/** States of `rowsAStretch` rows. */
interface Stretch {
  /** From 0, of the stretches of the campaign. */
  readonly number: number;
  readonly bytes: Buffer;
}

/** What is known of the rows of a page before its campaign is; see `readAhead`. */
export interface ReadAhead {
  /** The first rows that ended badly. */
  readonly endedBadly?: FirstEndedBadly | undefined;
  readonly stretch?: Stretch | undefined;
  /** By position. */
  readonly facts?: ReadonlyMap<number, RowFacts | undefined> | undefined;
}

/** First bytes of the states that may match. */
export function lettersOf(campaign: Campaign, { state, code, step }: RowFilter): ReadonlySet<number> {
  const endedBadly = code !== undefined || step !== undefined;
  const states = rowStates.filter((each) => {
    const shown = shownState(campaign, each);
    if (state !== undefined) return shown === state;
    return !endedBadly || shown === 'failed' || shown === 'review';
  });
  return new Set(states.map((each) => letterOfState(each).charCodeAt(0)));
}

/** How rows are found: by the index of those that ended badly, by the states of all, or one after the other. */
export function wayOf({ state, code, step }: RowFilter): 'index' | 'states' | 'all' {
  if (state === undefined) return code === undefined && step === undefined ? 'all' : 'index';
  return state === 'failed' || state === 'review' ? 'index' : 'states';
}

/** Rows in the right state, in order, in parts; from the index only those with the right error. */
export async function* candidates(
  ledger: Ledger,
  campaign: Campaign,
  filter: RowFilter,
  place: Place,
  ahead: ReadAhead = {},
): AsyncGenerator<readonly number[]> {
  const { from, descending } = place;
  const way = wayOf(filter);
  if (way === 'index') {
    yield* indexed(ledger, campaign, filter, place, ahead.endedBadly);
    return;
  }
  const letters = way === 'states' ? lettersOf(campaign, filter) : undefined;
  const chunks = Math.ceil(campaign.rows / chunkSize);
  const first = Math.floor(from / chunkSize);
  let { stretch } = ahead;
  for (let at = 0; at < chunks; at += 1) {
    const chunk = descending ? first - at : first + at;
    if (chunk < 0 || chunk >= chunks) return;
    const number = Math.floor((chunk * chunkSize) / rowsAStretch);
    if (letters && stretch?.number !== number) stretch = await readStretch(ledger, campaign.id, number);
    const begin = chunk * chunkSize;
    const end = Math.min(begin + chunkSize, campaign.rows);
    const part: number[] = [];
    for (let row = begin; row < end; row += 1) {
      if (descending ? row > from : row < from) continue;
      const letter = stretch?.bytes[(row - number * rowsAStretch) * 2] ?? 0;
      if (letters === undefined || letters.has(letter)) part.push(row);
    }
    if (part.length > 0) yield descending ? part.reverse() : part;
  }
}

/** Rows whose states are read at once. */
export const rowsAStretch = 40 * chunkSize;

export async function readStretch({ rows }: Ledger, id: string, number: number): Promise<Stretch> {
  return { number, bytes: await rows.stateBytes(id, number * rowsAStretch, rowsAStretch) };
}

interface Place {
  /** Position of the first row to look at; descending, of the last. */
  readonly from: number;
  readonly limit: number;
  readonly descending: boolean;
  /** Whether each part must be of one chunk, because the sheet is read by chunk. */
  readonly byChunk: boolean;
}

/** Rows that failed or are in review and have the right error, from their indexes. */
async function* indexed(
  { rows: ledger }: Ledger,
  { id, rows }: Campaign,
  filter: RowFilter,
  { from, limit, descending, byChunk }: Place,
  ahead: FirstEndedBadly | undefined,
): AsyncGenerator<readonly number[]> {
  const first = descending ? undefined : ahead;
  const isPicked = byChunk || filter.code !== undefined || filter.step !== undefined;
  // One more tells whether there is a next page.
  const atOnce = isPicked ? firstRead : Math.min(limit + 1, firstRead);
  const read = async (next: number): Promise<FirstEndedBadly> => {
    const place = { from: next, limit: atOnce, descending };
    const [failed, review] = await Promise.all([
      filter.state === 'review' ? [] : ledger.nextInState(id, 'failed', place),
      filter.state === 'failed' ? [] : ledger.nextInState(id, 'review', place),
    ]);
    return { failed, review };
  };
  for (let next = from; next >= 0 && next < rows; ) {
    const { failed, review } = next === 0 && first ? first : await read(next);
    const all = [...(filter.state === 'review' ? [] : failed), ...(filter.state === 'failed' ? [] : review)];
    all.sort((one, other) => (descending ? other.row - one.row : one.row - other.row));
    // Beyond these, rows in the other state may lie between.
    const some = all.slice(0, atOnce);
    const last = some.at(-1);
    if (last === undefined) return;
    const right = some.filter(({ error }) => hasRightError(filter, error)).map(({ row }) => row);
    if (byChunk) yield* Map.groupBy(right, (row) => Math.floor(row / chunkSize)).values();
    else if (right.length > 0) yield right;
    next = descending ? last.row - 1 : last.row + 1;
  }
}

export function hasRightError({ code, step }: RowFilter, error: RowError | undefined): boolean {
  if (code === undefined && step === undefined) return true;
  return error !== undefined && (code ?? error.code) === error.code && (step ?? error.step) === error.step;
}
