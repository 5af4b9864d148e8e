/** One run of a job, for one row or for a group of rows: its entry in the send journal, and its end in the ledger. */
import { randomUUID } from 'node:crypto';
import type { Job } from 'bullmq';
import type { InterimOutcome } from '../../ledger/rows/histories.ts';
import type { ShowcaseEntry } from '../../ledger/service/creators.ts';
import type { Effect } from '../../ledger/states.ts';
import type { GroupRow, ShowcaseGroup } from '../../ledger/transitions/admission.ts';
import type { StartVerdict, StepEnd } from '../../ledger/transitions/step-outcomes.ts';
import { callMsOf, type FinishReply, type StepStart } from '../../ledger/transitions/steps.ts';
import { type RowNumber, type RowRef, type RowVersion, rowNumber } from '../../manifest/row.ts';
import type { Step } from '../../manifest/steps.ts';
import type { FinishedJob, ProcessorContext } from './context.ts';
import { identityOf } from './job.ts';
import type { StepFailure } from './outcome.ts';

/** What the step is about to do: a journalled call, or an upload. */
export type StartOptions = Pick<StepStart, 'effect' | 'claim' | 'fileId' | 'same' | 'spends'>;

/** One run of a job that works for rows: what reporting needs to know. */
export abstract class RowsRun {
  protected readonly context: ProcessorContext;
  readonly job: Job;
  /** BullMQ's lock token of the job. */
  readonly lock: string;
  /** The step that its failures are recorded with: that of its queue, or `upload` while a post uploads its file first. */
  step: Step;

  constructor(context: ProcessorContext, { job, lock, step }: Pick<RowsRun, 'job' | 'lock' | 'step'>) {
    this.context = context;
    this.job = job;
    this.lock = lock;
    this.step = step;
  }

  abstract get campaign(): string;
  /** Its running rows, in their revisions. */
  abstract get rows(): readonly RowVersion[];
  abstract get place(): Pick<FinishedJob, 'row' | 'rows'>;

  /** Subject of its failures, if the error itself does not name one. */
  get subject(): string | undefined {
    return undefined;
  }

  /** Whether the send journal has an entry of this run: then its call may have taken effect. */
  get isJournalled(): boolean {
    return false;
  }

  /** Removes the journal entry of this run, if any, because the call had no effect. */
  async clearJournal(): Promise<void> {}

  /** Records an attempt that does not end its rows. */
  async recordAttempt(
    outcome: InterimOutcome,
    { code, message }: { readonly code: string; readonly message: string },
  ): Promise<void> {
    const attempt = { step: this.step, outcome, message: `${code}: ${message}` };
    await this.context.ledger.histories.record(this.campaign, this.rows, attempt);
  }

  abstract endRows(
    verdict: 'failed' | 'review' | 'cut-off',
    failure: StepFailure,
    fields?: readonly (readonly [string, string])[],
  ): Promise<void>;
}

export class StepRun extends RowsRun {
  readonly ref: RowRef;
  #entry: { readonly effect: Effect; readonly token: string } | undefined;

  constructor(context: ProcessorContext, run: Pick<StepRun, 'job' | 'lock' | 'step' | 'ref'>) {
    super(context, run);
    this.ref = run.ref;
  }

  override get campaign(): string {
    return this.ref.campaign;
  }

  override get rows(): readonly RowRef[] {
    return [this.ref];
  }

  override get place(): { readonly row: RowNumber } {
    return { row: rowNumber(this.ref.row) };
  }

  override get isJournalled(): boolean {
    return this.#entry !== undefined;
  }

  /**
   * Asks the ledger whether the step may begin. With an `effect`, this writes `sending` to the send journal: the call must
   * follow at once, and its outcome must be finished or reported.
   * @param creatorId the row's creator, whose breaker may be open.
   */
  async start(
    creatorId: string,
    { effect, claim, fileId, same, spends }: StartOptions = {},
  ): Promise<StartVerdict> {
    const token = effect && randomUUID();
    const { ref } = this;
    const jobId = identityOf(this.job);
    this.#entry = effect && token ? { effect, token } : undefined;
    try {
      const { steps } = this.context.ledger;
      const callMs = effect && callMsOf(this.context.settings.api.timeout);
      const call = { effect, token, callMs, fileId, same, spends };
      const verdict = await steps.start({ ...ref, jobId, creatorId, claim, ...call });
      // Redis answered late after an outage. Another attempt found our entry and gave the call up as unknown.
      if (verdict.kind === 'ended' && verdict.state === 'review') await this.clearJournal();
      if (verdict.kind !== 'go') this.#entry = undefined;
      if (verdict.kind === 'again') await this.context.queues.wakeAdmission(ref.campaign);
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
    const reply = await this.context.ledger.steps.finish({ ...ref, step, jobId, ...this.#entry, end });
    this.#entry = undefined;
    if (reply === 'wake') await this.context.queues.wakeAdmission(ref.campaign);
    return reply;
  }

  override async clearJournal(): Promise<void> {
    if (this.#entry) await this.finish({ verdict: 'cleared' });
  }

  override async endRows(
    verdict: 'failed' | 'review' | 'cut-off',
    failure: StepFailure,
    fields: readonly (readonly [string, string])[] = [],
  ): Promise<void> {
    await this.finish({ verdict, error: { step: this.step, ...failure, at: this.context.now() }, fields });
  }
}

/** One run of a showcase job, which works for all rows of its group at once. Adding to a showcase is idempotent: it needs no journal. */
export class GroupRun extends RowsRun {
  override readonly campaign: string;
  readonly sheetId: string;
  readonly #group: ShowcaseGroup;

  constructor(
    context: ProcessorContext,
    run: Pick<GroupRun, 'job' | 'lock' | 'step' | 'campaign' | 'sheetId'>,
    group: ShowcaseGroup,
  ) {
    super(context, run);
    this.campaign = run.campaign;
    this.sheetId = run.sheetId;
    this.#group = group;
  }

  override get place(): { readonly rows: readonly RowNumber[] } {
    return { rows: this.#group.rows.map(({ row }) => rowNumber(row)) };
  }

  override get rows(): readonly GroupRow[] {
    return this.#group.rows;
  }

  override get subject(): string {
    return this.#group.creator;
  }

  /** Writes which products are in the showcase now, whose rows they are (`ready`), and which rows failed because of theirs. */
  async finish(
    added: readonly ShowcaseEntry[],
    ready: readonly GroupRow[],
    failed: readonly { readonly row: GroupRow; readonly failure: StepFailure }[],
  ): Promise<void> {
    const { campaign, sheetId, context, step } = this;
    const at = context.now();
    const errors = failed.map(({ row: { row, revision }, failure }) => {
      return { row, revision, error: { step, ...failure, at } };
    });
    const place = { campaign, sheetId, jobId: identityOf(this.job) };
    const reply = await context.ledger.showcase.finish({ ...place, added, ready, failed: errors });
    if (reply === 'wake') await this.context.queues.wakeAdmission(this.campaign);
  }

  /** The whole group ends for one reason. Its record stays, so that a retry of the job can revive the rows. */
  override async endRows(_verdict: 'failed' | 'review' | 'cut-off', failure: StepFailure): Promise<void> {
    const failed = this.#group.rows.map((row) => ({ row, failure }));
    await this.finish([], [], failed);
  }
}
