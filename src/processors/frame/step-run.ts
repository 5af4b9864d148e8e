/** One run of a job of a row's step: its row, its entry in the send journal, and its end in the ledger. */
import { randomBytes } from 'node:crypto';
import type { Job } from 'bullmq';
import type { ClaimArguments } from '../../ledger/files.ts';
import type { Step } from '../../ledger/states.ts';
import type { Effect, RowRef, StartVerdict, StepEnd } from '../../ledger/steps.ts';
import type { QueueName } from '../../queues/queues.ts';
import type { ProcessorContext } from './context.ts';
import type { StepFailure } from './outcome.ts';
import type { JobRun } from './report.ts';

/** Tokens of this process: a random part of its own, and a counter. */
const processToken = randomBytes(9).toString('base64url');
let tokens = 0;

/** No two runs of a processor, in whatever process, have the same. */
export function newToken(): string {
  tokens += 1;
  return `${processToken}.${tokens.toString(36)}`;
}

export class StepRun implements JobRun {
  readonly job: Job;
  readonly lock: string;
  readonly queue: QueueName;
  readonly step: Step;
  readonly ref: RowRef;
  readonly account: string;
  /** As the manifest writes the creator; empty until the row has been read, like its id. */
  creator = '';
  creatorId = '';
  readonly #context: ProcessorContext;
  #journal: { readonly effect: Effect; readonly token: string } | undefined;

  constructor(
    context: ProcessorContext,
    run: Pick<StepRun, 'job' | 'lock' | 'queue' | 'step' | 'ref' | 'account'>,
  ) {
    this.#context = context;
    this.job = run.job;
    this.lock = run.lock;
    this.queue = run.queue;
    this.step = run.step;
    this.ref = run.ref;
    this.account = run.account;
  }

  get campaign(): string {
    return this.ref.campaign;
  }

  /**
   * The job as the ledger knows it. A job that somebody runs again may take back the row that it failed; one that was taken
   * over from a killed worker, which perhaps had failed the row already, may not: BullMQ counts how often that happened.
   */
  get #name(): string {
    const { id = '', stalledCounter } = this.job;
    return stalledCounter === 0 ? id : `${id}~${stalledCounter}`;
  }

  /**
   * Asks the ledger whether the step may act. With an `effect`, the send journal holds `sending` from here on: the call has
   * to follow at once, and its outcome has to be finished or settled.
   */
  async start(effect?: Effect, claim?: ClaimArguments): Promise<StartVerdict> {
    const token = effect && newToken();
    const { ref, account, creatorId } = this;
    const jobId = this.#name;
    this.#journal = effect && token ? { effect, token } : undefined;
    try {
      const { steps } = this.#context.ledger;
      const verdict = await steps.start({ ...ref, jobId, account, creatorId, effect, token, claim });
      // An answer that was late for an outage: somebody found our entry meanwhile, and gave the call up as unknown.
      if (verdict.kind === 'ended' && verdict.state === 'review') await this.clearJournal();
      if (verdict.kind !== 'go') this.#journal = undefined;
      return verdict;
    } catch (error) {
      // The entry may stand although its answer was lost, or it may not be on disk. Nothing has been sent: it is taken back.
      await this.clearJournal();
      throw error;
    }
  }

  /** Writes what came of the step, and wakes the admission where that made room. @returns false when the row is not ours any more. */
  async finish(end: StepEnd): Promise<boolean> {
    const { ref, step } = this;
    const jobId = this.#name;
    const reply = await this.#context.ledger.steps.finish({ ...ref, step, jobId, ...this.#journal, end });
    this.#journal = undefined;
    if (reply === 'wake') await this.#context.queues.wakeAdmission(ref.campaign);
    return reply !== 'stale';
  }

  async clearJournal(): Promise<void> {
    if (this.#journal) await this.finish({ verdict: 'cleared' });
  }

  async endRows(
    verdict: 'failed' | 'review',
    failure: StepFailure,
    fields: readonly (readonly [string, string])[] = [],
  ): Promise<void> {
    await this.finish({ verdict, error: { step: this.step, ...failure, at: this.#context.now() }, fields });
  }

  async openBreaker(message: string): Promise<void> {
    await this.#context.ledger.creators.openBreaker(this.account, this.creatorId, message);
  }
}
