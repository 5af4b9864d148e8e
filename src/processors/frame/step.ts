/**
 * The frame of every job that works for a row or a group of rows: find, read, act, report. Every error on the way becomes an
 * outcome, so that even a row that cannot be read comes to an end.
 */

import type { Processor } from 'bullmq';
import type { CreatorRef } from '../../ledger/campaigns/campaigns.ts';
import { hint } from '../../manifest/problems/hint.ts';
import type { QueueName } from '../../queues/queues.ts';
import { type Account, waitForAccount } from './accounts.ts';
import type { CampaignView } from './campaign-view.ts';
import { idempotent, outcomeOf, outcomeOfDefect, type RetryPolicy } from './classify.ts';
import type { ProcessorContext } from './context.ts';
import { type JobAtWork, jobProcessor } from './job.ts';
import { mendingCampaign } from './mending.ts';
import { done, type Outcome, type StepFailure } from './outcome.ts';
import { type RowsRun, report } from './report.ts';

interface OfCampaign {
  /** Campaign id. */
  readonly c: string;
}

interface OfCreator {
  /** As written in the manifest. */
  readonly creator: string;
}

/** The work of a job: its rows in the ledger, and a reader of their specification. */
interface Found<R extends RowsRun, T> {
  readonly view: CampaignView;
  readonly run: R;
  /** @throws {UnreadableRowError} */
  readonly read: () => Promise<T>;
}

/** Input of a step. */
export interface StepInput<P, R extends RowsRun, T> {
  readonly context: ProcessorContext;
  readonly payload: P;
  readonly run: R;
  readonly view: CampaignView;
  readonly account: Account;
  /** The row, or the group of rows. */
  readonly target: T;
  readonly creator: CreatorRef;
  readonly signal: AbortSignal | undefined;
}

/** One step. `P` is the payload of its jobs, `T` its target: a row or a group of rows, of one creator. */
export interface StepDefinition<P extends OfCampaign, R extends RowsRun, T extends OfCreator> {
  readonly queue: QueueName;
  readonly parse: (data: unknown) => P;
  /** Applies while the send journal has an entry of the run; otherwise `idempotent` applies. */
  readonly policy?: (context: ProcessorContext) => RetryPolicy;
  /** @returns undefined when the job's rows are gone, so that there is nothing to do. */
  readonly find: (context: ProcessorContext, payload: P, at: JobAtWork) => Promise<Found<R, T> | undefined>;
  /** Does the work. May throw errors of the service or of media. */
  readonly act: (input: StepInput<P, R, T>) => Promise<Outcome>;
}

/** Makes the processor of a step. */
export function stepProcessor<P extends OfCampaign, R extends RowsRun, T extends OfCreator>(
  context: ProcessorContext,
  definition: StepDefinition<P, R, T>,
): Processor {
  return jobProcessor(context, definition.queue, async (at) => {
    const payload = definition.parse(at.job.data);
    const work = async () => {
      const found = await mendingCampaign(context, payload.c, () => definition.find(context, payload, at));
      return found && { found, outcome: await perform(context, definition, found, payload, at.signal) };
    };
    let worked = await work();
    if (worked?.outcome.kind === 'outdated') {
      context.views.forget(payload.c);
      worked = await work();
    }
    if (!worked) return { outcome: done, campaign: payload.c };
    const { outcome } = worked;
    const { run } = worked.found;
    return { outcome, campaign: run.campaign, ...run.place, report: () => report(context, run, outcome) };
  });
}

async function perform<P extends OfCampaign, R extends RowsRun, T extends OfCreator>(
  context: ProcessorContext,
  definition: StepDefinition<P, R, T>,
  { view, run, read }: Found<R, T>,
  payload: P,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const account = context.accounts.find(run.account);
  if (!account) return waitForAccount(context.now());
  const fold = (work: () => Promise<Outcome>) => foldErrors(context, definition, run, work);
  return fold(async () => {
    const target = await read();
    const creator = view.creator(target.creator);
    const input = { context, payload, run, view, account, target, creator, signal };
    const outcome = await fold(() => definition.act(input));
    if (outcome.kind === 'refused' && outcome.isForbidden) {
      return (await refusedForEveryone(input, outcome.failure)) ?? outcome;
    }
    if (outcome.kind !== 'creator-expired') return outcome;
    await context.ledger.creators.openBreaker(run.account, creator.creatorId, outcome.failure.message);
    return { ...outcome, failure: { ...outcome.failure, subject: target.creator } };
  });
}

/** Fewer may each lack a permission of their own, one after the other in the sheet. */
const everyoneIs = 3;

/**
 * Counts a creator whose call was refused because a permission is missing.
 * @returns the pause of the campaign, if it was so for three creators in a row: then most likely the key is at fault, not the rows.
 */
export async function refusedForEveryone(
  { context, run, creator }: Pick<StepInput<never, RowsRun, never>, 'context' | 'run' | 'creator'>,
  { code, message }: Pick<StepFailure, 'code' | 'message'>,
): Promise<Outcome | undefined> {
  const { campaign, step } = run;
  const refused = await context.ledger.campaigns.countForbidden(campaign, step, creator.creatorId);
  if (refused < everyoneIs) return undefined;
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
    const outcome = outcomeOf(error, applied, run.subject) ?? outcomeOfDefect(error, applied);
    if (outcome === undefined) throw error;
    return outcome;
  }
}
