/** The frame of every step of a row: open the row, ask the ledger, act, report. */
import type { Processor } from 'bullmq';
import type { ClaimArguments, UploadClaim } from '../../ledger/files.ts';
import { journalBehind } from '../../ledger/journal-behind.ts';
import type { RowProgress } from '../../ledger/row-progress.ts';
import type { Step } from '../../ledger/states.ts';
import type { Effect, StartVerdict } from '../../ledger/steps.ts';
import type { Row } from '../../manifest/row.ts';
import type { RowPayload } from '../../queues/jobs.ts';
import type { QueueName } from '../../queues/queues.ts';
import { type Account, waitForAccount } from './accounts.ts';
import type { CampaignView } from './campaign-view.ts';
import { idempotent, outcomeOf, outcomeOfDefect, type RetryPolicy } from './classify.ts';
import type { ProcessorContext } from './context.ts';
import { breakerFailure, done, type Outcome } from './outcome.ts';
import { report } from './report.ts';
import { StepRun } from './step-run.ts';

/** What a step acts on. */
export interface StepInput<P extends RowPayload> {
  readonly payload: P;
  readonly run: StepRun;
  readonly view: CampaignView;
  /** The account of the service that the campaign runs under. */
  readonly account: Account;
  readonly row: Row;
  readonly signal: AbortSignal | undefined;
}

/** One step: acts, and says what came of it. Errors of the service or of media may be thrown. */
export interface StepDefinition<P extends RowPayload> {
  readonly step: Step;
  readonly queue: QueueName;
  readonly parse: (data: unknown) => P;
  readonly policy?: (context: ProcessorContext) => RetryPolicy;
  readonly act: (context: ProcessorContext, input: StepInput<P>) => Promise<Outcome>;
}

/** Makes the processor of a step. It declares three parameters: BullMQ passes its signal only to those that do. */
export function stepProcessor<P extends RowPayload>(
  context: ProcessorContext,
  definition: StepDefinition<P>,
): Processor {
  return async (job, lock, signal) => {
    const payload = definition.parse(job.data);
    const view = await context.views.openFor(payload.c, [{ row: payload.r, revision: payload.v }]);
    if (!view) return;
    const { step, queue } = definition;
    const ref = { campaign: payload.c, row: payload.r, revision: payload.v };
    const run = new StepRun(context, {
      ...{ job, lock: lock ?? '', queue, step, ref },
      account: view.campaign.account,
    });
    const account = context.accounts.find(run.account);
    const outcome = account
      ? await attempt(context, definition, { payload, view, account, run, signal })
      : waitForAccount(context.now());
    await report(context, run, outcome);
  };
}

async function attempt<P extends RowPayload>(
  context: ProcessorContext,
  definition: StepDefinition<P>,
  input: Omit<StepInput<P>, 'row'>,
): Promise<Outcome> {
  try {
    const row = await input.view.row(input.payload.r);
    input.run.creator = row.creator;
    input.run.creatorId = input.view.creator(row.creator).creatorId;
    return await definition.act(context, { ...input, row });
  } catch (error) {
    const policy = definition.policy?.(context) ?? idempotent;
    const outcome = outcomeOf(error, policy) ?? outcomeOfDefect(error, policy);
    if (outcome === undefined) throw error;
    if (outcome.kind !== 'creator-expired') return outcome;
    return { ...outcome, failure: { ...outcome.failure, subject: input.run.creator } };
  }
}

/** What is known of a step's row, or what the step comes to because it may not act. */
export type Opened =
  | { readonly ok: true; readonly progress: RowProgress; readonly claim: UploadClaim | undefined }
  | { readonly ok: false; readonly outcome: Outcome };

/** Starts a step; see `StepRun.start`. */
export async function openStep(
  context: ProcessorContext,
  run: StepRun,
  effect?: Effect,
  claim?: ClaimArguments,
): Promise<Opened> {
  const verdict = await run.start(effect, claim);
  if (verdict.kind === 'go') return { ok: true, progress: verdict.progress, claim: verdict.claim };
  return { ok: false, outcome: outcomeOfVerdict(context, run, verdict) };
}

/** Jobs of a paused campaign look again after this long. */
export const pausedMs = 2000;

function outcomeOfVerdict(
  context: ProcessorContext,
  run: StepRun,
  verdict: Exclude<StartVerdict, { readonly kind: 'go' }>,
): Outcome {
  switch (verdict.kind) {
    case 'known':
    case 'gone':
      return done;
    case 'paused':
      return { kind: 'again', at: context.now() + pausedMs };
    case 'ended':
      if (verdict.state !== 'failed' && verdict.state !== 'review') return done;
      return {
        kind: 'row-ended',
        message: `The row is ${verdict.state}: see its error, then retry or report it.`,
      };
    case 'behind':
      return { kind: 'hold', reason: journalBehind(verdict) };
    case 'breaker':
      return {
        kind: 'refused',
        failure: { ...breakerFailure(verdict.reason.message), subject: run.creator },
      };
    case 'unknown':
      return {
        kind: 'row-ended',
        message: 'outcome_unknown: an earlier attempt may have sent the call; the row is in review.',
      };
  }
}
