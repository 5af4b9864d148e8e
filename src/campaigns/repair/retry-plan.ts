/** What doing rows again would ask of the service: what the ledger knows as done is not done again. */
import type { BudgetedOperation } from '../../api/contract/operations.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RowProgress } from '../../ledger/row-progress.ts';
import type { Row } from '../../manifest/row.ts';
import { planFlow } from '../../processors/admission/flow-plan.ts';
import { packGroups, type ShowcaseWish } from '../../processors/admission/showcase-groups.ts';
import type { CampaignView } from '../../processors/frame/campaign-view.ts';
import { readableRow } from './readable-row.ts';

export interface RetryPlan {
  /**
   * Calls of each operation. Of uploads it is the most there can be (a file that the service has is not sent again), of polls the
   * fewest.
   */
  readonly calls: Readonly<Partial<Record<BudgetedOperation, number>>>;
  /** Images and videos that would be generated anew: only those that are missing. */
  readonly aiOutputs: number;
}

/** Adds up rows, some at a time; flat in their number. */
export class RetryTally {
  readonly #ledger: Ledger;
  readonly #view: CampaignView;
  readonly #calls = new Map<BudgetedOperation, number>();
  #aiOutputs = 0;

  constructor(ledger: Ledger, view: CampaignView) {
    this.#ledger = ledger;
    this.#view = view;
  }

  async add(rows: readonly number[]): Promise<void> {
    const records = await this.#ledger.rows.progressOf(this.#view.campaign.id, rows);
    const wishes: ShowcaseWish[] = [];
    const files = new Set<string>();
    for (const [index, row] of rows.entries()) {
      const spec = await readableRow(this.#view, row);
      const progress = records[index];
      if (!spec || !progress) continue;
      this.#addFlow(spec, progress, files);
      const { id: productId, link } = spec.product;
      if (spec.showcase) wishes.push({ row, revision: 0, creator: spec.creator, productId, link });
    }
    this.#count('createFileUpload', files.size);
    this.#count('confirmUpload', files.size);
    this.#count('addSocialShowcaseProducts', packGroups(await this.#unknown(wishes)).length);
  }

  finish(): RetryPlan {
    return { calls: Object.fromEntries(this.#calls), aiOutputs: this.#aiOutputs };
  }

  /** @param files sources that are to be uploaded, each once. */
  #addFlow(spec: Row, progress: RowProgress, files: Set<string>): void {
    const { uploads, generation } = planFlow(spec, progress);
    for (const { of, i } of uploads) {
      const source = of === 'cover' && spec.cover?.kind === 'file' ? spec.cover.source : undefined;
      files.add(source ?? (of === 'asset' ? progress.assets[i] : spec.media[i]) ?? '');
      if (of === 'cover') this.#count('uploadCover', 1);
    }
    if (generation && spec.generation) {
      const missing = spec.generation.count - progress.assets.length;
      if (generation.create !== undefined) {
        this.#count('createAiGenerationSchedule', 1);
        this.#aiOutputs += missing;
      }
      this.#count('listAiTasksByScheduleId', 1);
      for (const i of generation.references) files.add(spec.generation.references[i] ?? '');
      // Its assets are uploaded once they are there.
      const assets = spec.generation.count - progress.files.size;
      this.#count('createFileUpload', assets);
      this.#count('confirmUpload', assets);
    }
    this.#count('createCreatorPost', 1);
  }

  async #unknown(wishes: readonly ShowcaseWish[]): Promise<readonly ShowcaseWish[]> {
    const view = this.#view;
    const known = await this.#ledger.creators.knowsProducts(
      view.campaign.account,
      wishes.map(({ creator, productId }) => ({ creatorId: view.creator(creator).creatorId, productId })),
    );
    return wishes.filter((_wish, index) => !known[index]);
  }

  #count(operation: BudgetedOperation, calls: number): void {
    if (calls > 0) this.#calls.set(operation, (this.#calls.get(operation) ?? 0) + calls);
  }
}
