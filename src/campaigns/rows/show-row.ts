/** The story of one row: every attempt with its time, step, outcome and the service's message, and actions of people. */
import type { PostedResult } from '../../ledger/rows/results.ts';
import type { StoryEntry } from '../../ledger/rows/stories.ts';
import type { RowError, RowState } from '../../ledger/states.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type CampaignRef, findCampaign } from '../find.ts';
import { findRow, rowNotFound } from '../find-row.ts';
import { shownState } from '../shown-states.ts';

/** A row as `showRow` shows it. */
export interface ShownRow {
  readonly key: string;
  /** Position in the campaign, from 0. */
  readonly position: number;
  /** How often the row was changed or redone, modulo 256. */
  readonly revision: number;
  /** State as shown to people. */
  readonly state: RowState;
  readonly result: PostedResult | undefined;
  /** URLs of generated media. */
  readonly assets: readonly string[];
  /** Why it failed, or waits for a decision. */
  readonly error: RowError | undefined;
  /** The latest fifty entries, oldest first. For a row that succeeded at the first attempt, only its start and its post. */
  readonly story: readonly StoryEntry[];
}

/** One row with its story. @throws {UseCaseError} `campaign_not_found`, `row_not_found`. */
export async function showRow(
  runtime: Pick<Runtime, 'ledger'>,
  ref: CampaignRef,
  key: string,
): Promise<ShownRow> {
  const { ledger } = runtime;
  const campaign = await findCampaign(runtime, ref);
  const { id } = campaign;
  const row = await findRow(ledger, campaign, key);
  if (row === undefined) throw rowNotFound(id, key);
  const [outcome, story] = await Promise.all([ledger.rows.outcome(id, row), ledger.stories.read(id, row)]);
  if (outcome === undefined) throw rowNotFound(id, key);
  const { state, result, error } = outcome;
  return {
    key,
    position: row,
    revision: outcome.revision,
    assets: outcome.assets,
    state: shownState(campaign, state),
    result,
    error,
    story: story.length === 0 && result ? timesOf(result) : story,
  };
}

function timesOf({ at, tookSeconds, postId }: PostedResult): readonly StoryEntry[] {
  const posted = { at, step: 'post' as const, outcome: 'posted', message: postId, times: 1 };
  if (tookSeconds === undefined) return [posted];
  const begun = {
    at: at - tookSeconds * 1000,
    step: undefined,
    outcome: 'begun',
    message: undefined,
    times: 1,
  };
  return [begun, posted];
}
