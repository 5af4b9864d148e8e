/** A step of one row: finds the row, and asks the ledger whether the step may begin. */

import { journalBehind } from '../../ledger/journal/journal-behind.ts';
import type { Step } from '../../ledger/states.ts';
import type { StartVerdict } from '../../ledger/transitions/steps.ts';
import type { Row } from '../../manifest/row.ts';
import type { RowPayload } from '../../queues/row-jobs.ts';
import { lookAgain } from '../records/look-again.ts';
import { breakerFailure, done, type Outcome, onlyByCommand, stillOnHold } from './outcome.ts';
import { pausedMs } from './report.ts';
import type { StepDefinition, StepInput } from './step.ts';
import { type StartWish, StepRun } from './step-run.ts';

/** Input of a step of one row; `target` is the row. */
export type RowInput<P extends RowPayload> = StepInput<P, StepRun, Row>;

type RowStep<P extends RowPayload> = StepDefinition<P, StepRun, Row>;

/** Completes the definition of a step that works on one row. */
export function rowStep<P extends RowPayload>(
  definition: Omit<RowStep<P>, 'find'> & { readonly step: Step },
): RowStep<P> {
  const { step, queue } = definition;
  return {
    ...definition,
    async find(context, payload, { job, lock }) {
      const { c: campaign, r: row, v: revision } = payload;
      const view = await context.views.openFor(campaign, [{ row, revision }]);
      if (!view) return undefined;
      const { account, sheetId } = view.campaign;
      const ref = { campaign, row, revision, sheetId };
      const run = new StepRun(context, { job, lock, queue, step, ref, account });
      return { view, run, read: () => view.row(row) };
    },
  };
}

/** Progress of the row, or the outcome of a step that may not begin. */
export type Opened =
  | ({ readonly ok: true } & Pick<
      Extract<StartVerdict, { readonly kind: 'go' }>,
      'progress' | 'claim' | 'isTooLate'
    >)
  | { readonly ok: false; readonly outcome: Outcome };

/** Starts a step; see `StepRun.start`. */
export async function openStep(input: RowInput<RowPayload>, wish?: StartWish): Promise<Opened> {
  const verdict = await input.run.start(input.creator.creatorId, wish);
  if (verdict.kind === 'go') return { ok: true, ...verdict };
  if (verdict.kind === 'look') {
    const { context, view, account, run } = input;
    return { ok: false, outcome: await lookAgain({ context, view, account, ref: run.ref }, verdict) };
  }
  return { ok: false, outcome: outcomeOfVerdict(input, verdict) };
}

function outcomeOfVerdict(
  { context, run: { campaign }, target: { creator } }: RowInput<RowPayload>,
  verdict: Exclude<StartVerdict, { readonly kind: 'go' | 'look' }>,
): Outcome {
  switch (verdict.kind) {
    case 'known':
    case 'gone':
    case 'again':
      return done;
    case 'outdated':
      return { kind: 'outdated' };
    case 'paused':
      return { kind: 'again', at: context.now() + pausedMs };
    case 'ended':
      if (verdict.state === 'failed') return onlyByCommand(campaign);
      if (verdict.state !== 'review') return done;
      return { kind: 'row-ended', message: 'The row is in review. See its error, then decide about it.' };
    case 'behind':
      return { kind: 'hold', reason: journalBehind(verdict) };
    case 'breaker':
      return { kind: 'refused', failure: breakerFailure(verdict.reason.message, creator) };
    case 'on-hold':
      return stillOnHold(campaign, creator);
    case 'unknown':
      return {
        kind: 'row-ended',
        message: 'outcome_unknown: an earlier attempt may have sent the call, so the row is in review.',
      };
  }
}
