/** Decisions about single rows in review: one by its key, or those on a person's screen. Each counts only for the row as it was seen. */
import { z } from 'zod';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { RowState } from '../../ledger/states.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { type CampaignRef, findCampaign, findRow } from '../campaigns/find.ts';
import { type Document, rowState } from '../runtime/documents.ts';
import { type CarryOutOptions, carryOut } from './carry-out.ts';
import {
  type DecideOptions,
  type DecisionRuntime,
  decisionEarly,
  idOf,
  isAboutPost,
  isId,
  type KeyedDecision,
  refused,
  type Verdict,
  whereToLook,
} from './decision.ts';
import { findFaults, findPostsOfOthers } from './look-up-ids.ts';
import { type ReviewRow, readLostRows, readReviewRows } from './review-rows.ts';

export interface Choice {
  readonly campaign: string;
  /** Position of the row in the campaign, from 0. */
  readonly position: number;
  readonly revision: number;
  readonly verdict: Verdict;
}

/** A decision about one row; `undone` if it was taken back. */
export const decidedRowSchema = z.strictObject({
  id: z.string(),
  row: z.string(),
  state: rowState,
  undone: z.literal(true).optional(),
});

export const chosenSchema = z.strictObject({
  /** By campaign and position. Rows that do not exist are left out. */
  decisions: z.array(
    z.strictObject({
      campaign: z.string(),
      key: z.string(),
      position: z.int(),
      decision: z.enum(['posted', 'not-posted', 'generated', 'not-generated']),
      /** State of the row afterwards; null if the decision was refused. */
      state: rowState.nullable(),
      refused: z.string().nullable(),
    }),
  ),
  dryRun: z.boolean(),
});

/** `decided`: in a dry run, this would happen. `refused`: nothing was changed. */
type RowEnd =
  | { readonly kind: 'decided'; readonly state: RowState }
  | { readonly kind: 'refused'; readonly fault: UseCaseError };

export interface ChoiceOutcome {
  readonly choice: Choice;
  readonly key: string;
  /** `line 5`, of a row without a key of its own. */
  readonly place?: string | undefined;
  readonly creator: string;
  /** Unix epoch, milliseconds; undefined for at once. */
  readonly scheduledAt?: number | undefined;
  readonly end: RowEnd;
}

/**
 * Decides about a row. Of several decisions or a late answer, only the first one counts. A row that goes on waits for ten seconds
 * first: see `undoDecision`. While the campaign is paused because Redis lost records, a post may also be named for a waiting or running row.
 * @param revision of the row that the person saw. Default: its current one.
 * @throws {UseCaseError} `row_not_found`; `decision_refused` when the row is not in review, the verdict is about something else, or
 *   the service does not know its id; `service_*` when the id cannot be looked up.
 */
export async function decideRow(
  runtime: DecisionRuntime,
  ref: CampaignRef,
  key: string,
  verdict: Verdict,
  { revision, ...options }: DecideOptions & { readonly revision?: number | undefined } = {},
): Promise<RowState> {
  const campaign = await findCampaign(runtime, ref);
  const position = await findRow(runtime, campaign, key);
  const [decided] = await decideEach(runtime, campaign, [{ position, revision, verdict }], options);
  if (decided?.end.kind === 'decided') return decided.end.state;
  throw decided?.end.fault;
}

/** Each by itself: refused choices, and campaigns that are gone, stop no others. Rows that do not exist are left out. */
export async function decideChosen(
  runtime: DecisionRuntime,
  choices: readonly Choice[],
  options: CarryOutOptions,
): Promise<readonly ChoiceOutcome[]> {
  const outcomes: ChoiceOutcome[] = [];
  const ids = new Set<string>();
  for (const [id, some] of Map.groupBy(choices, ({ campaign }) => campaign)) {
    try {
      const campaign = await findCampaign(runtime, id);
      const known = some.filter(({ position }) => position < campaign.rows);
      const sorted = known.sort((choice, other) => choice.position - other.position);
      const decided = await decideEach(runtime, campaign, sorted, options, ids);
      const view = await runtime.views.open(campaign.id, campaign.sheetVersion);
      for (const { of: choice, key, end } of decided) {
        const row = await view?.uncachedRow(choice.position);
        const place = await runtime.ledger.rowKeys.placeOf(campaign, choice.position);
        outcomes.push({
          choice,
          key,
          place,
          creator: row?.creator ?? '',
          scheduledAt: row?.schedule?.at,
          end,
        });
      }
    } catch (error) {
      if (!(error instanceof UseCaseError)) throw error;
      const end = { kind: 'refused', fault: error } as const;
      const keyOf = (choice: Choice) => `row ${choice.position + 1} of ${choice.campaign}`;
      outcomes.push(...some.map((choice) => ({ choice, key: keyOf(choice), creator: '', end })));
    }
  }
  return outcomes;
}

type Proposal = Pick<Choice, 'position' | 'verdict'> & { readonly revision?: number | undefined };

/** @param ids that earlier proposals name. @returns what became of each, in their order. */
async function decideEach<P extends Proposal>(
  runtime: DecisionRuntime,
  campaign: Campaign,
  proposals: readonly P[],
  { unchecked = false, dryRun }: CarryOutOptions,
  ids = new Set<string>(),
): Promise<readonly { readonly of: P; readonly key: string; readonly end: RowEnd }[]> {
  const rows = await findReviewRows(runtime, campaign, proposals);
  const examine = async (of: P) => {
    const key = await runtime.ledger.rowKeys.of(campaign, of.position);
    const row = rows.get(of.position);
    if (!row) return { of, key, fault: await notInReview(runtime, campaign, key, of.position) };
    const fault = faultOf(campaign, key, row, of, ids);
    return fault ? { of, key, fault } : { of, key, one: { row, key, verdict: of.verdict } };
  };
  const examined: Awaited<ReturnType<typeof examine>>[] = [];
  for (const proposal of proposals) examined.push(await examine(proposal));
  const ready = examined.flatMap(({ one }) => one ?? []);
  const faults = await findFaults(runtime, campaign, ready, unchecked);
  const ends: { of: P; key: string; end: RowEnd }[] = [];
  for (const { of, key, one, fault } of examined) {
    const known = one ? faults.get(one.row.row) : fault;
    const end =
      one === undefined || known
        ? refusedBy(known)
        : await decideOne(runtime, campaign, one, { unchecked, dryRun });
    ends.push({ of, key, end });
  }
  return ends;
}

async function decideOne(
  runtime: DecisionRuntime,
  campaign: Campaign,
  one: KeyedDecision,
  options: CarryOutOptions,
): Promise<RowEnd> {
  const { key, row } = one;
  const [end] = await carryOut(runtime, campaign, [one], options);
  if (end?.kind === 'decided') return end;
  if (end?.kind === 'early') return refusedBy(decisionEarly(key, end.from, runtime.now()));
  // Somebody else may have given the post to another row since.
  const taken = (await findPostsOfOthers(runtime.ledger, campaign, [one])).get(row.row);
  if (taken) return refusedBy(taken);
  return refusedBy(await notInReview(runtime, campaign, key, row.row));
}

function refusedBy(fault = refused('nothing was decided', undefined)): RowEnd {
  return { kind: 'refused', fault };
}

/** The rows in review, by position; and lost rows whose posts are named. */
async function findReviewRows(
  { ledger }: DecisionRuntime,
  campaign: Campaign,
  proposals: readonly Proposal[],
): Promise<ReadonlyMap<number, ReviewRow>> {
  const posted = proposals.filter(({ verdict }) => verdict.decision === 'posted');
  const [inReview, lost] = await Promise.all([
    readReviewRows(
      ledger,
      campaign,
      proposals.map(({ position }) => position),
    ),
    readLostRows(
      ledger,
      campaign,
      posted.map(({ position }) => position),
    ),
  ]);
  return new Map([...inReview, ...lost].map((row) => [row.row, row]));
}

/** Why a decision cannot be made, as far as its row tells. */
function faultOf(
  { id: campaign }: Campaign,
  key: string,
  { about, ...row }: ReviewRow,
  { revision = row.revision, verdict }: Proposal,
  ids: Set<string>,
): UseCaseError | undefined {
  if (revision !== row.revision) {
    return refused(`row ${key} has changed since it was shown`, `Look at it again. ${whereToLook}, again.`);
  }
  if (isAboutPost(verdict) !== (about === 'post')) {
    return refused(`row ${key} needs a decision about its ${about}`, [
      hint('chooseDecision', { campaign, key, about }),
    ]);
  }
  const id = idOf(verdict);
  if (id === undefined) return undefined;
  if (id === '') return refused(`no id was given for row ${key}`, undefined);
  if (!isId(id))
    return refused(
      `“${id}” is not an id`,
      'An id is not a link, and has no spaces and no / : ? &. Copy it from the service.',
    );
  const name = `${verdict.decision} ${id}`;
  if (ids.has(name))
    return refused(`another row has the same id ${id}`, 'Check both ids: each row has its own.');
  ids.add(name);
  return undefined;
}

async function notInReview(
  { ledger }: DecisionRuntime,
  { id: campaign }: Campaign,
  key: string,
  row: number,
): Promise<UseCaseError> {
  const [{ state } = { state: 'waiting' }] = await ledger.rows.statusesOf(campaign, [row]);
  const [message, fix] =
    state === 'failed'
      ? [`row ${key} has failed`, [hint('retry', { campaign, key })]]
      : [`row ${key} is ${state}`, 'Another person or a late answer may have decided it a moment ago.'];
  return refused(`${message}: only rows in review can be decided`, fix);
}

export function chosenDocument(
  outcomes: readonly ChoiceOutcome[],
  dryRun: boolean,
): Document<typeof chosenSchema> {
  return {
    decisions: outcomes.map(({ choice: { campaign, position, verdict }, key, end }) => ({
      campaign,
      key,
      position,
      decision: verdict.decision,
      state: end.kind === 'refused' ? null : end.state,
      refused: end.kind === 'refused' ? end.fault.message : null,
    })),
    dryRun,
  };
}
