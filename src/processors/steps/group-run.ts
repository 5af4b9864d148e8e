/** One run of a showcase job, which acts for all rows of its group at once. */
import type { Job } from 'bullmq';
import type { GroupRow, ShowcaseGroup } from '../../ledger/admission.ts';
import type { CreatorRef } from '../../ledger/campaigns.ts';
import { type ShowcasePayload, showcaseQueue } from '../../queues/showcase.ts';
import type { CampaignView } from '../frame/campaign-view.ts';
import type { ProcessorContext } from '../frame/context.ts';
import type { StepFailure } from '../frame/outcome.ts';
import type { JobRun } from '../frame/report.ts';

interface GroupRunFacts {
  readonly job: Job;
  readonly lock: string;
  readonly payload: ShowcasePayload;
  readonly view: CampaignView;
  readonly creator: CreatorRef;
  readonly group: ShowcaseGroup;
}

export class GroupRun implements JobRun {
  readonly queue = showcaseQueue;
  readonly #context: ProcessorContext;
  readonly #facts: GroupRunFacts;

  constructor(context: ProcessorContext, facts: GroupRunFacts) {
    this.#context = context;
    this.#facts = facts;
  }

  get job(): Job {
    return this.#facts.job;
  }

  get lock(): string {
    return this.#facts.lock;
  }

  get campaign(): string {
    return this.#facts.payload.c;
  }

  get account(): string {
    return this.#facts.view.campaign.account;
  }

  /** Writes which products are in the showcase now, and which rows failed for theirs. */
  async finish(
    added: readonly string[],
    failed: readonly { readonly row: GroupRow; readonly failure: StepFailure }[],
  ): Promise<void> {
    const at = this.#context.now();
    const { creatorId } = this.#facts.creator;
    const reply = await this.#context.ledger.showcase.finish({
      campaign: this.campaign,
      jobId: this.job.id ?? '',
      account: this.account,
      added: added.map((productId) => ({ creatorId, productId })),
      failed: failed.map(({ row, failure }) => ({
        row: row.row,
        revision: row.revision,
        error: { step: 'showcase' as const, ...failure, at },
      })),
    });
    if (reply === 'wake') await this.#context.queues.wakeAdmission(this.campaign);
  }

  /** Adding to a showcase is idempotent: the journal does not guard it. */
  async clearJournal(): Promise<void> {}

  /** The whole group ends for one reason. Its record stays, so that a retry of the job takes the rows back. */
  async endRows(_verdict: 'failed' | 'review', failure: StepFailure): Promise<void> {
    await this.finish(
      [],
      this.#facts.group.rows.map((row) => ({ row, failure })),
    );
  }

  async openBreaker(message: string): Promise<void> {
    await this.#context.ledger.creators.openBreaker(this.account, this.#facts.creator.creatorId, message);
  }
}
