/** A person's decision about a row in review. */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import type { RowState } from '../../ledger/states.ts';
import { hint } from '../../manifest/problems/hint.ts';
import type { UseCaseError } from '../../runtime/use-case-error.ts';
import { type CampaignRef, findCampaign, findRow } from '../find.ts';
import { carryOut } from './carry-out.ts';
import {
  type DecideOptions,
  type DecisionFault,
  type DecisionRuntime,
  EarlyDecisionError,
  type KeyedDecision,
  refused,
} from './decision.ts';
import { findEarlierPostFaults } from './earlier-posts.ts';
import { findPostsOfOthers, findUnknownIds } from './look-up-ids.ts';
import { type ReviewRow, readLostRows, readReviewRows } from './review-rows.ts';
import { isAboutPost, type Verdict } from './verdict.ts';

/**
 * Decides about a row. Of several decisions or a late answer, only the first one counts. A row that goes on waits for ten seconds
 * first: see `undoDecision`. While the campaign is paused because Redis lost records, a post may also be named for a waiting or running row.
 * @param revision of the row that the person saw. Default: its current one.
 * @returns the row's state now.
 * @throws {UseCaseError} `row_not_found`; `decision_refused` when the row is not in review, the verdict is about something else, or
 *   the service does not know its id; `service_*` when the id cannot be looked up.
 */
export async function decideRow(
  runtime: DecisionRuntime,
  ref: CampaignRef,
  key: string,
  verdict: Verdict,
  { unchecked = false, revision }: DecideOptions & { readonly revision?: number | undefined } = {},
): Promise<RowState> {
  const { ledger } = runtime;
  const campaign = await findCampaign(runtime, ref);
  const row = await findRow(runtime, campaign, key);
  const [found] = [
    ...(await readReviewRows(ledger, campaign, [row])),
    ...(verdict.kind === 'posted' ? await readLostRows(ledger, campaign, [row]) : []),
  ];
  if (!found) throw notInReview(campaign.id, key, await stateOf(runtime, campaign, row));
  if (revision !== undefined && revision !== found.revision) throw sentAgain(key);
  if (isAboutPost(verdict) !== (found.about === 'post')) throw wrongForm(campaign.id, key, found);
  const decided = [{ row: found, key, verdict }];
  const fault = (await findFaults(runtime, campaign, decided, unchecked)).get(row);
  if (fault) throw refused(fault.message, fault.cure);
  const { states, early } = await carryOut(runtime, campaign, decided, { unchecked });
  const [state] = states.keys();
  if (state !== undefined) return state;
  if (early[0]) throw new EarlyDecisionError(key, early[0].from, runtime.now());
  // Somebody else may have given the post to another row since.
  const taken = (await findPostsOfOthers(ledger, campaign, decided)).get(row);
  if (taken) throw refused(taken.message, taken.cure);
  throw notInReview(campaign.id, key, await stateOf(runtime, campaign, row));
}

/**
 * Finds decisions that the ledger or the service contradicts. @returns faults by row.
 * @throws {UseCaseError} `service_*` when ids cannot be looked up.
 */
export async function findFaults(
  runtime: DecisionRuntime,
  campaign: Campaign,
  decided: readonly KeyedDecision[],
  unchecked: boolean,
): Promise<ReadonlyMap<number, DecisionFault>> {
  const faults = new Map(await findPostsOfOthers(runtime.ledger, campaign, decided));
  const rest = () => decided.filter(({ row }) => !faults.has(row.row));
  const had = await runtime.ledger.failedPosts.all(campaign.id);
  const earlier = await findEarlierPostFaults(runtime, campaign, rest(), had, unchecked);
  for (const [row, fault] of earlier) faults.set(row, fault);
  if (unchecked) return faults;
  const unknown = await findUnknownIds(runtime, campaign, rest());
  for (const [row, fault] of unknown) faults.set(row, fault);
  return faults;
}

async function stateOf({ ledger }: DecisionRuntime, { id }: Campaign, row: number): Promise<RowState> {
  const [status] = await ledger.rows.statusesOf(id, [row]);
  return status?.state ?? 'waiting';
}

export function notInReview(campaign: string, key: string, state: RowState): UseCaseError {
  if (state === 'failed') {
    return refused(`row ${key} has failed: only a row in review can be decided`, [
      hint('retry', { campaign, key }),
    ]);
  }
  return refused(
    `row ${key} is ${state}: only a row in review can be decided`,
    'Somebody else or a late answer may have decided it a moment ago.',
  );
}

function sentAgain(key: string): UseCaseError {
  return refused(
    `row ${key} was sent again since you saw it, and is in review once more`,
    'Look at it again, and check in the service.',
  );
}

export function wrongForm(campaign: string, key: string, { about }: ReviewRow): UseCaseError {
  return refused(`row ${key} needs a decision about its ${about}`, [
    hint('chooseDecision', { campaign, key, about }),
  ]);
}
