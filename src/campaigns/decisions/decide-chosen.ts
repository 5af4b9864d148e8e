/** Decisions about rows on a person's screen. Each counts only if its row has not changed since it was shown. */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import type { RowState } from '../../ledger/states.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { findCampaign } from '../find.ts';
import { carryOut, stateAfter } from './carry-out.ts';
import { findFaults, notInReview, wrongForm } from './decide-row.ts';
import {
  type DecidedRow,
  type DecideOptions,
  type DecisionFault,
  type DecisionRuntime,
  EarlyDecisionError,
  earlyUntil,
} from './decision.ts';
import { readReviewRows } from './review-rows.ts';
import { idOf, isAboutPost, isId, type Verdict } from './verdict.ts';

/** A decision as it comes from a form. */
export interface Choice {
  /** Id of the campaign. */
  readonly campaign: string;
  /** Position of the row in the campaign, from 0. */
  readonly position: number;
  /** Revision of the row as it was shown. */
  readonly revision: number;
  readonly verdict: Verdict;
}

export interface ChoiceOutcome {
  readonly choice: Choice;
  readonly key: string;
  readonly creator: string;
  /** `planned`: this would happen; `refused`: nothing was changed. */
  readonly end:
    | { readonly kind: 'planned' | 'decided'; readonly state: RowState }
    | { readonly kind: 'refused'; readonly fault: Pick<DecisionFault, 'message'> };
}

/**
 * Decides about each row by itself, atomically. A refused choice does not stop the others. Neither does a campaign that is gone,
 * or whose ids cannot be looked up.
 * @param options.dryRun changes nothing, and returns what would happen.
 */
export async function decideChosen(
  runtime: DecisionRuntime,
  choices: readonly Choice[],
  { dryRun, unchecked = false }: DecideOptions & { readonly dryRun: boolean },
): Promise<readonly ChoiceOutcome[]> {
  const outcomes: ChoiceOutcome[] = [];
  const ids = new Set<string>();
  for (const [id, some] of Map.groupBy(choices, ({ campaign }) => campaign)) {
    try {
      const campaign = await findCampaign(runtime, id);
      outcomes.push(...(await decideIn(runtime, campaign, some, { dryRun, unchecked, ids })));
    } catch (error) {
      if (!(error instanceof UseCaseError)) throw error;
      outcomes.push(...some.map((choice) => refusedFor(choice, error)));
    }
  }
  return outcomes;
}

function refusedFor(choice: Choice, { message }: UseCaseError): ChoiceOutcome {
  const key = `row ${choice.position + 1} of ${choice.campaign}`;
  return { choice, key, creator: '', end: { kind: 'refused', fault: { message } } };
}

interface Context {
  readonly dryRun: boolean;
  readonly unchecked: boolean;
  /** Ids of earlier choices. */
  readonly ids: Set<string>;
}

type Ready = DecidedRow & { readonly key: string; readonly choice: Choice };

async function decideIn(
  runtime: DecisionRuntime,
  campaign: Campaign,
  choices: readonly Choice[],
  { dryRun, unchecked, ids }: Context,
): Promise<readonly ChoiceOutcome[]> {
  const positions = choices.map(({ position }) => position).filter((row) => row < campaign.rows);
  const found = new Map(
    (await readReviewRows(runtime.ledger, campaign, positions)).map((row) => [row.row, row]),
  );
  const ready: Ready[] = [];
  const refused = new Map<Choice, { readonly key: string; readonly message: string }>();
  for (const choice of choices) {
    if (choice.position >= campaign.rows) continue;
    const key = await runtime.ledger.rowKeys.of(campaign, choice.position);
    const row = found.get(choice.position);
    const fault = await faultOf(runtime, campaign, { choice, key, row, ids });
    if (fault !== undefined) refused.set(choice, { key, message: fault });
    else if (row) ready.push({ row, key, choice, verdict: choice.verdict });
  }
  const faults = await findFaults(runtime, campaign, ready, unchecked);
  const view = await runtime.views.open(campaign.id, campaign.sheetVersion);
  const outcomes: ChoiceOutcome[] = [];
  for (const [choice, { key, message }] of refused) {
    const creator = (await view?.glance(choice.position))?.creator ?? '';
    outcomes.push({ choice, key, creator, end: { kind: 'refused', fault: { message } } });
  }
  for (const one of ready) {
    const creator = (await view?.glance(one.row.row))?.creator ?? '';
    const fault = faults.get(one.row.row);
    const end = fault
      ? ({ kind: 'refused', fault } as const)
      : await decideOne(runtime, campaign, one, { dryRun, unchecked });
    outcomes.push({ choice: one.choice, key: one.key, creator, end });
  }
  return outcomes.sort((first, second) => first.choice.position - second.choice.position);
}

async function decideOne(
  runtime: DecisionRuntime,
  campaign: Campaign,
  one: Ready,
  { dryRun, unchecked }: Pick<Context, 'dryRun' | 'unchecked'>,
): Promise<ChoiceOutcome['end']> {
  const until = earlyUntil(one, runtime.now());
  if (dryRun && until !== undefined)
    return { kind: 'refused', fault: new EarlyDecisionError(one.key, until, runtime.now()) };
  if (dryRun) return { kind: 'planned', state: await stateAfter(runtime, campaign, one) };
  const { states, early } = await carryOut(runtime, campaign, [one], { unchecked });
  const [state] = states.keys();
  if (state !== undefined) return { kind: 'decided', state };
  if (early[0])
    return { kind: 'refused', fault: new EarlyDecisionError(one.key, early[0].from, runtime.now()) };
  return { kind: 'refused', fault: { message: 'the row has changed meanwhile' } };
}

/** Why a choice cannot be made, as far as the ledger knows. Asks no service. */
async function faultOf(
  runtime: DecisionRuntime,
  campaign: Campaign,
  {
    choice: { position, revision, verdict },
    key,
    row,
    ids,
  }: {
    readonly choice: Choice;
    readonly key: string;
    readonly row: DecidedRow['row'] | undefined;
    readonly ids: Set<string>;
  },
): Promise<string | undefined> {
  if (row === undefined) {
    const [status] = await runtime.ledger.rows.statusesOf(campaign.id, [position]);
    return notInReview(campaign.id, key, status?.state ?? 'waiting').message;
  }
  if (row.revision !== revision) return `row ${key} has changed since it was shown`;
  if (isAboutPost(verdict) !== (row.about === 'post')) return wrongForm(campaign.id, key, row).message;
  const id = idOf(verdict);
  if (id === undefined) return undefined;
  if (id === '') return `no id was given for row ${key}`;
  if (!isId(id)) return `“${id}” is not an id`;
  const name = `${verdict.kind} ${id}`;
  if (ids.has(name)) return `another row has the same id ${id}: each row has its own`;
  ids.add(name);
  return undefined;
}
