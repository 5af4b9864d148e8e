/**
 * Runs every job that works for a row or a group of rows: find, read, act, report. Every error on the way becomes an
 * outcome, so that even a row that cannot be read comes to an end.
 */
import type { Processor } from 'bullmq';
import type { CreatorRef } from '../../ledger/campaigns/campaign.ts';
import { journalBehind } from '../../ledger/lost-rows.ts';
import type { ShowcaseVerdict } from '../../ledger/transitions/showcase.ts';
import type { StartVerdict } from '../../ledger/transitions/step-outcomes.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { type Row, type RowRef, rowNumber } from '../../manifest/row.ts';
import type { Step } from '../../manifest/steps.ts';
import { recheck } from '../publishing-records/recheck.ts';
import type { CampaignView } from './campaign-view.ts';
import type { ProcessorContext } from './context.ts';
import { jobProcessor, pauseIfDamaged, type RunningJob } from './job.ts';
import {
  breakerFailure,
  done,
  type Outcome,
  retryByCommand,
  type StepFailure,
  stillOnHold,
} from './outcome.ts';
import { pausedMs, report } from './report.ts';
import { idempotent, outcomeOf, type RetryPolicy } from './retry-policy.ts';
import { type RowsRun, type StartOptions, StepRun } from './runs.ts';

export interface OfCampaign {
  readonly campaign: string;
}

export interface OfCreator {
  /** As written in the manifest. */
  readonly creator: string;
}

/** The work of a job: its rows in the ledger, and a reader of their specification. */
interface JobRows<R extends RowsRun, T> {
  readonly view: CampaignView;
  readonly run: R;
  /** @throws {UnreadableRowError} */
  readonly read: () => Promise<T>;
}

export interface StepInput<P, R extends RowsRun, T> {
  readonly context: ProcessorContext;
  readonly payload: P;
  readonly run: R;
  readonly view: CampaignView;
  /** The row, or the group of rows. */
  readonly target: T;
  readonly creator: CreatorRef;
  readonly running: RunningJob;
}

/** One step. `P` is the payload of its jobs, `T` its target: a row or a group of rows, of one creator. */
export interface StepDefinition<P extends OfCampaign, R extends RowsRun, T extends OfCreator> {
  /** Its jobs are in the queue of this name. */
  readonly step: Step;
  readonly parse: (data: unknown) => P;
  /** Applies while the send journal has an entry of the run; otherwise `idempotent` applies. */
  readonly policy?: (context: ProcessorContext) => RetryPolicy;
  /** @returns undefined when the job's rows are gone, so that there is nothing to do. */
  readonly find: (
    context: ProcessorContext,
    payload: P,
    running: RunningJob,
  ) => Promise<JobRows<R, T> | undefined>;
  /** Does the work. May throw errors of the service or of media. */
  readonly act: (input: StepInput<P, R, T>) => Promise<Outcome>;
}

export function stepProcessor<P extends OfCampaign, R extends RowsRun, T extends OfCreator>(
  context: ProcessorContext,
  definition: StepDefinition<P, R, T>,
): Processor {
  return jobProcessor(context, definition.step, async (running) => {
    const payload = definition.parse(running.job.data);
    const work = async () => {
      const found = await pauseIfDamaged(context, payload.campaign, () =>
        definition.find(context, payload, running),
      );
      return found && { found, outcome: await perform(context, definition, found, payload, running) };
    };
    let worked = await work();
    if (worked?.outcome.kind === 'outdated') {
      context.views.forget(payload.campaign);
      worked = await work();
    }
    if (!worked) return { outcome: done, campaign: payload.campaign };
    const { outcome } = worked;
    const { run } = worked.found;
    return { outcome, campaign: run.campaign, ...run.place, report: () => report(context, run, outcome) };
  });
}

async function perform<P extends OfCampaign, R extends RowsRun, T extends OfCreator>(
  context: ProcessorContext,
  definition: StepDefinition<P, R, T>,
  { view, run, read }: JobRows<R, T>,
  payload: P,
  running: RunningJob,
): Promise<Outcome> {
  const fold = (work: () => Promise<Outcome>) => foldErrors(context, definition, run, work);
  return fold(async () => {
    const target = await read();
    const creator = view.creator(target.creator);
    const input = { context, payload, run, view, target, creator, running };
    const outcome = await fold(() => definition.act(input));
    if (outcome.kind === 'refused' && outcome.isForbidden) {
      return (await refusedForEveryone(input, outcome.failure)) ?? outcome;
    }
    if (outcome.kind !== 'creator-expired') return outcome;
    await context.ledger.creators.openBreaker(creator.creatorId, outcome.failure.message);
    return { ...outcome, failure: { ...outcome.failure, subject: target.creator } };
  });
}

/** Creators in a row that were refused before it counts as everyone: fewer may each lack a permission of their own. */
const forbiddenInARow = 3;

/** Counts a creator who lacks a permission. @returns the pause of the campaign after three in a row: then the key is at fault. */
export async function refusedForEveryone(
  { context, run, creator }: Pick<StepInput<never, RowsRun, never>, 'context' | 'run' | 'creator'>,
  { code, message }: Pick<StepFailure, 'code' | 'message'>,
): Promise<Outcome | undefined> {
  const { campaign, step } = run;
  const refused = await context.ledger.campaigns.countForbidden(campaign, step, creator.creatorId);
  if (refused < forbiddenInARow) return undefined;
  const reason = {
    code: 'refused_for_everyone',
    message: `The call was refused for ${refused} creators in a row, so it may be refused for everyone. ${message} Check the permissions of the API key and of the creators. Resume the campaign, then retry the rows that failed before.`,
    hints: [hint('retry', { campaign, error: code })],
  };
  return { kind: 'hold', reason };
}

async function foldErrors(
  context: ProcessorContext,
  { policy }: { readonly policy?: (context: ProcessorContext) => RetryPolicy },
  run: RowsRun,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    const applied = (run.isJournalled && policy?.(context)) || idempotent;
    const outcome = outcomeOf(error, applied, run.subject);
    if (outcome === undefined) throw error;
    return outcome;
  }
}

/** Input of a step of one row; `target` is the row. */
export type RowInput<P extends RowRef> = StepInput<P, StepRun, Row>;

type RowStep<P extends RowRef> = StepDefinition<P, StepRun, Row>;

/** Completes the definition of a step that works on one row. */
export function rowStep<P extends RowRef>(definition: Omit<RowStep<P>, 'find'>): RowStep<P> {
  const { step } = definition;
  return {
    ...definition,
    async find(context, payload, { job, lock }) {
      const { campaign, row, revision } = payload;
      const view = await context.views.openFor(campaign, [payload]);
      if (!view) return undefined;
      const { sheetId } = view.campaign;
      const ref = { campaign, row, revision, sheetId };
      const run = new StepRun(context, { job, lock, step, ref });
      return { view, run, read: () => view.row(row) };
    },
  };
}

/** Progress of the row, or the outcome of a step that may not begin. */
export type StartedStep =
  | ({ readonly ok: true } & Pick<
      Extract<StartVerdict, { readonly kind: 'go' }>,
      'progress' | 'claim' | 'isTooLate'
    >)
  | { readonly ok: false; readonly outcome: Outcome };

/** Starts a step; see `StepRun.start`. */
export async function startStep(input: RowInput<RowRef>, options?: StartOptions): Promise<StartedStep> {
  const verdict = await input.run.start(input.creator.creatorId, options);
  if (verdict.kind === 'go') return { ok: true, ...verdict };
  if (verdict.kind === 'recheck') {
    const { context, view, run } = input;
    return { ok: false, outcome: await recheck({ context, view, ref: run.ref }, verdict) };
  }
  if (verdict.kind === 'unpaid') {
    const at = input.target.schedule?.at ?? input.context.now();
    await input.run.finish({ verdict: 'ready', gate: { name: 'unpaid', at }, fields: [] });
    return { ok: false, outcome: done };
  }
  if (verdict.kind === 'same') return { ok: false, outcome: await samePost(input.context, verdict) };
  const of = { campaign: input.run.campaign, creator: input.target.creator };
  return { ok: false, outcome: outcomeOfVerdict(input.context, of, verdict) };
}

/** Another row has the post: nothing is sent. */
async function samePost(
  { ledger }: Pick<ProcessorContext, 'ledger'>,
  { campaign: id, row }: Extract<StartVerdict, { readonly kind: 'same' }>,
): Promise<Outcome> {
  const campaign = await ledger.campaigns.find(id).catch(() => undefined);
  const key = campaign && (await ledger.rowKeys.of(campaign, row).catch(() => undefined));
  const failure: StepFailure = {
    code: 'already_posted',
    message: `Not sent: row ${key ?? rowNumber(row)} of ${id} has the same post, with the same files, product, caption and time.`,
    subject: `${id} ${key ?? rowNumber(row)}`,
    fix: 'If one post is enough, leave the row. To post it again, edit the row and tick “Post it again”.',
  };
  return { kind: 'refused', failure };
}

export function outcomeOfVerdict(
  context: ProcessorContext,
  { campaign, creator }: { readonly campaign: string; readonly creator: string },
  verdict:
    | Exclude<StartVerdict, { readonly kind: 'go' | 'recheck' | 'same' | 'unpaid' }>
    | Exclude<ShowcaseVerdict, { readonly kind: 'go' }>,
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
      if (!('state' in verdict) || verdict.state === 'failed') return retryByCommand(campaign);
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
