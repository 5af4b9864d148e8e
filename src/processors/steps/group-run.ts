/** One run of a showcase job, which works for all rows of its group at once. */
import type { Job } from 'bullmq';
import type { InterimOutcome } from '../../ledger/rows/stories.ts';
import type { ShowcaseEntry } from '../../ledger/service/creators.ts';
import type { Step } from '../../ledger/states.ts';
import type { GroupRow, ShowcaseGroup } from '../../ledger/transitions/admission.ts';
import { showcaseQueue } from '../../queues/campaign-jobs.ts';
import type { ProcessorContext } from '../frame/context.ts';
import { identityOf } from '../frame/job.ts';
import type { StepFailure } from '../frame/outcome.ts';
import type { RowsRun } from '../frame/report.ts';

export class GroupRun implements RowsRun {
  readonly queue = showcaseQueue;
  readonly step: Step = 'showcase';
  readonly job: Job;
  readonly lock: string;
  readonly campaign: string;
  readonly sheetId: string;
  readonly account: string;
  readonly #context: ProcessorContext;
  readonly #group: ShowcaseGroup;

  constructor(
    context: ProcessorContext,
    run: Pick<GroupRun, 'job' | 'lock' | 'campaign' | 'sheetId' | 'account'> & {
      readonly group: ShowcaseGroup;
    },
  ) {
    this.#context = context;
    this.#group = run.group;
    this.job = run.job;
    this.lock = run.lock;
    this.campaign = run.campaign;
    this.sheetId = run.sheetId;
    this.account = run.account;
  }

  get place(): { readonly rows: readonly number[] } {
    return { rows: this.#group.rows.map(({ row }) => row + 1) };
  }

  get rows(): readonly GroupRow[] {
    return this.#group.rows;
  }

  get subject(): string {
    return this.#group.creator;
  }

  /** Writes which products are in the showcase now, whose rows they are (`ready`), and which rows failed because of theirs. */
  async finish(
    added: readonly ShowcaseEntry[],
    ready: readonly GroupRow[],
    failed: readonly { readonly row: GroupRow; readonly failure: StepFailure }[],
  ): Promise<void> {
    const at = this.#context.now();
    const reply = await this.#context.ledger.showcase.finish({
      campaign: this.campaign,
      sheetId: this.sheetId,
      jobId: identityOf(this.job),
      account: this.account,
      added,
      ready,
      failed: failed.map(({ row, failure }) => ({
        row: row.row,
        revision: row.revision,
        error: { step: this.step, ...failure, at },
      })),
    });
    if (reply === 'wake') await this.#context.queues.wakeAdmission(this.campaign);
  }

  /** Adding to a showcase is idempotent, so it needs no journal. */
  readonly isJournalled = false;
  async clearJournal(): Promise<void> {}

  async tell(
    outcome: InterimOutcome,
    { code, message }: Pick<StepFailure, 'code' | 'message'>,
  ): Promise<void> {
    const attempt = { step: this.step, outcome, message: `${code}: ${message}` };
    await this.#context.ledger.stories.tell(this.campaign, this.#group.rows, attempt);
  }

  /** The whole group ends for one reason. Its record stays, so that a retry of the job can revive the rows. */
  async endRows(_verdict: 'failed' | 'review' | 'cut-off', failure: StepFailure): Promise<void> {
    await this.finish(
      [],
      [],
      this.#group.rows.map((row) => ({ row, failure })),
    );
  }
}
