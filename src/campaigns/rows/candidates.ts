/** Rows that may match a filter, found without the sheet: by their states, or by the index of rows that ended badly. */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { letterOfState, type RowError, type RowState, rowStates } from '../../ledger/states.ts';
import type { Step } from '../../manifest/steps.ts';
import { allEndedBadly, type FewEndedBadly } from '../causes/few-ended-badly.ts';
import { shownState } from '../shown-states.ts';
import type { RowFacts } from './facts.ts';

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

/** Data about the rows of a page, read together with its campaign; see `readAhead`. */
export interface ReadAhead {
  readonly endedBadly?: FewEndedBadly;
  readonly stretch?: Stretch | undefined;
  /** By position. */
  readonly facts?: ReadonlyMap<number, RowFacts> | undefined;
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

/** How to find rows: by the index of rows that ended badly, by the states of all rows, or by reading all rows. */
export function wayOf({ state, code, step }: RowFilter): 'index' | 'states' | 'all' {
  if (state === undefined) return code === undefined && step === undefined ? 'all' : 'index';
  return state === 'failed' || state === 'review' ? 'index' : 'states';
}

/** Whether the filter needs the stored sheet. */
export function asksForTexts({ creator, text }: RowFilter): boolean {
  return creator !== undefined || text !== undefined;
}

/** Rows in the right state, in order, in parts. */
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
    yield* indexed(ledger, campaign, filter, place);
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

const indexAtOnce = 500;

interface Place {
  /** Position of the first row to look at; descending, of the last. */
  readonly from: number;
  readonly descending: boolean;
  /** Whether each part must be of one chunk, because the sheet is read by chunk. */
  readonly byChunk: boolean;
}

/** Rows that failed or are in review, from their indexes. */
async function* indexed(
  ledger: Ledger,
  { id, rows }: Campaign,
  filter: RowFilter,
  { from, descending, byChunk }: Place,
): AsyncGenerator<readonly number[]> {
  for (let next = from; next >= 0 && next < rows; ) {
    const place = { from: next, limit: indexAtOnce, descending };
    const found = await Promise.all(
      badStatesOf(filter).map((state) => ledger.rows.nextInState(id, state, place)),
    );
    const all = found.flat().sort((one, other) => (descending ? other - one : one - other));
    const some = all.slice(0, indexAtOnce);
    const last = some.at(-1);
    if (last === undefined) return;
    if (byChunk) yield* inChunks(some);
    else yield some;
    next = descending ? last - 1 : last + 1;
  }
}

function badStatesOf({ state }: RowFilter): readonly ('failed' | 'review')[] {
  return state === 'failed' || state === 'review' ? [state] : ['failed', 'review'];
}

function inChunks(rows: readonly number[]): Iterable<readonly number[]> {
  return Map.groupBy(rows, (row) => Math.floor(row / chunkSize)).values();
}

/** As `candidates`, of known rows that ended badly and have the right error. Undefined if not all of them are known. */
export function knownCandidates(
  campaign: Campaign,
  filter: RowFilter,
  { from, descending, byChunk }: Place,
  few: FewEndedBadly,
): Iterable<readonly number[]> | undefined {
  if (wayOf(filter) !== 'index') return undefined;
  const rows: number[] = [];
  for (const state of badStatesOf(filter)) {
    const all = allEndedBadly(campaign, state, few);
    if (all === undefined) return undefined;
    for (const { row, error } of all) {
      const isAfter = descending ? row <= from : row >= from;
      if (isAfter && hasRightError(filter, error)) rows.push(row);
    }
  }
  rows.sort((one, other) => (descending ? other - one : one - other));
  return byChunk ? inChunks(rows) : [rows];
}

/** Whether an error has the wanted code and step. */
export function hasRightError({ code, step }: RowFilter, error: RowError | undefined): boolean {
  if (code === undefined && step === undefined) return true;
  return error !== undefined && (code ?? error.code) === error.code && (step ?? error.step) === error.step;
}
