/** One run of a job for one row: its entry in the send journal, and its end in the ledger. */
import { randomUUID } from 'node:crypto';
import type { Job } from 'bullmq';
import type { InterimOutcome } from '../../ledger/rows/stories.ts';
import type { ClaimArguments } from '../../ledger/service/files.ts';
import type { Effect, Step } from '../../ledger/states.ts';
import {
  callMsOf,
  type FinishReply,
  type RowRef,
  type StartVerdict,
  type StepEnd,
} from '../../ledger/transitions/steps.ts';
import type { QueueName } from '../../queues/queues.ts';
import type { ProcessorContext } from './context.ts';
import { identityOf } from './job.ts';
import type { StepFailure } from './outcome.ts';
import type { RowsRun } from './report.ts';

export interface StartWish {
  /** The journalled call that the step is about to make. */
  readonly effect?: Effect | undefined;
  /** The upload that the step is about to make. */
  readonly claim?: ClaimArguments | undefined;
}

export class StepRun implements RowsRun {
  readonly job: Job;
  readonly lock: string;
  readonly queue: QueueName;
  readonly step: Step;
  readonly ref: RowRef;
  readonly account: string;
  readonly #context: ProcessorContext;
  #entry: { readonly effect: Effect; readonly token: string } | undefined;

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

  get rows(): readonly RowRef[] {
    return [this.ref];
  }

  get place(): { readonly row: number } {
    return { row: this.ref.row + 1 };
  }

  get isJournalled(): boolean {
    return this.#entry !== undefined;
  }

  /**
   * Asks the ledger whether the step may begin. With an `effect`, this writes `sending` to the send journal: the call must
   * follow at once, and its outcome must be finished or reported.
   * @param creatorId the row's creator, whose breaker may be open.
   */
  async start(creatorId: string, { effect, claim }: StartWish = {}): Promise<StartVerdict> {
    const token = effect && randomUUID();
    const { ref, account } = this;
    const jobId = identityOf(this.job);
    this.#entry = effect && token ? { effect, token } : undefined;
    try {
      const { steps } = this.#context.ledger;
      const callMs = effect && callMsOf(this.#context.settings.api.timeout);
      const verdict = await steps.start({ ...ref, jobId, account, creatorId, effect, token, callMs, claim });
      // Redis answered late after an outage. Another attempt found our entry and gave the call up as unknown.
      if (verdict.kind === 'ended' && verdict.state === 'review') await this.clearJournal();
      if (verdict.kind !== 'go') this.#entry = undefined;
      if (verdict.kind === 'again') await this.#context.queues.wakeAdmission(ref.campaign);
      return verdict;
    } catch (error) {
      // The reply was lost, so the entry may exist, or may not be on disk. Nothing was sent: remove the entry.
      await this.clearJournal();
      throw error;
    }
  }

  /** Writes the end of the step, and wakes the admission if there is room now. */
  async finish(end: StepEnd): Promise<FinishReply> {
    const { ref, step } = this;
    const jobId = identityOf(this.job);
    const reply = await this.#context.ledger.steps.finish({ ...ref, step, jobId, ...this.#entry, end });
    this.#entry = undefined;
    if (reply === 'wake') await this.#context.queues.wakeAdmission(ref.campaign);
    return reply;
  }

  async clearJournal(): Promise<void> {
    if (this.#entry) await this.finish({ verdict: 'cleared' });
  }

  async tell(
    outcome: InterimOutcome,
    { code, message }: Pick<StepFailure, 'code' | 'message'>,
  ): Promise<void> {
    const attempt = { step: this.step, outcome, message: `${code}: ${message}` };
    await this.#context.ledger.stories.tell(this.campaign, [this.ref], attempt);
  }

  async endRows(
    verdict: 'failed' | 'review' | 'cut-off',
    failure: StepFailure,
    fields: readonly (readonly [string, string])[] = [],
  ): Promise<void> {
    await this.finish({ verdict, error: { step: this.step, ...failure, at: this.#context.now() }, fields });
  }
}
