/** What a manifest will ask of the service: calls of each operation, AI outputs, bytes, and the least time that the budgets allow. */

import type { Budget, Settings } from '../../../config/schema.ts';
import type { BudgetedOperation } from '../../api/contract/operations.ts';
import { maxProductsPerCall } from '../../api/contract/showcase.ts';
import { isUrl } from '../../manifest/media-source.ts';
import type { Row } from '../../manifest/row.ts';
import { DistinctCount } from '../check/distinct-count.ts';

export interface Plan {
  /** Rows without a problem: as many posts. */
  readonly rows: number;
  readonly videos: number;
  readonly photos: number;
  /** The fewest calls of each operation; polls in particular are more. Estimated where there are more than some ten thousand different files or products. */
  readonly calls: Readonly<Partial<Record<BudgetedOperation, number>>>;
  /** Images and videos to be generated, by model. */
  readonly aiOutputs: { readonly total: number; readonly byModel: Readonly<Record<string, number>> };
  /** Bytes of the media whose size is known, each counted once. */
  readonly bytes: number;
  /** No run can be quicker than this, in milliseconds: the time that the slowest operation's budget needs. */
  readonly shortestMs: number;
  /** The operation that decides it; `null` where every call fits into the bursts. */
  readonly decidedBy: BudgetedOperation | null;
  /** Rows whose time would pass before their turn, if all began now. */
  readonly missed: number;
}

/** Adds up the rows of a manifest; flat in their number. */
export class PlanTally {
  readonly #budgets: Settings['budgets'];
  #videos = 0;
  #photos = 0;
  #generations = 0;
  #links = 0;
  #bytes = 0;
  #outputs = 0;
  readonly #byModel = new Map<string, number>();
  readonly #files = new DistinctCount();
  readonly #coverFiles = new DistinctCount();
  readonly #anchors = new DistinctCount();
  /** How many products each creator's showcase gets. */
  readonly #productsByCreator = new Map<string, { products: number }>();

  #missed = 0;

  constructor(budgets: Settings['budgets']) {
    this.#budgets = budgets;
  }

  get outputs(): number {
    return this.#outputs;
  }

  /**
   * @param creator whatever tells creators apart.
   * @param bytesOf size of a medium of the row; 0 where it is not known.
   * @param outputs how many outputs of its generation are to be made.
   */
  add(
    row: Row,
    creator: string,
    bytesOf: (source: string) => number,
    outputs = row.generation?.count ?? 0,
  ): void {
    if (row.mediaType === 'VIDEO') this.#videos += 1;
    else this.#photos += 1;
    if (row.showcase) this.#addProduct(row, creator);
    for (const source of row.media) this.#addFile(source, bytesOf);
    for (const reference of row.generation?.references ?? []) {
      if (!isUrl(reference)) this.#addFile(reference, bytesOf);
    }
    if (row.generation !== undefined && outputs > 0) this.#addGeneration(row.generation.model, outputs);
    if (row.cover?.kind === 'file') {
      this.#addFile(row.cover.source, bytesOf);
      this.#coverFiles.add(row.cover.source);
    }
  }

  /** Milliseconds until the row that was added last can have its turn, if all began now. */
  leastMs(): number {
    const uploads = this.#files.size + this.#outputs;
    return Math.max(
      this.#leastMsOf('createCreatorPost', this.#videos + this.#photos),
      this.#leastMsOf('createFileUpload', uploads),
      this.#leastMsOf('confirmUpload', uploads),
      this.#leastMsOf('createAiGenerationSchedule', this.#generations),
    );
  }

  /** Counts the row that was added last as one that misses its time. */
  miss(): void {
    this.#missed += 1;
  }

  finish(): Plan {
    const calls = this.#calls();
    const { shortestMs, decidedBy } = this.#slowest(calls);
    return {
      rows: this.#videos + this.#photos,
      videos: this.#videos,
      photos: this.#photos,
      calls,
      aiOutputs: { total: this.#outputs, byModel: Object.fromEntries(this.#byModel) },
      bytes: this.#bytes,
      shortestMs,
      decidedBy,
      missed: this.#missed,
    };
  }

  #addProduct(row: Row, creator: string): void {
    const { link, id } = row.product;
    const anchors = this.#anchors.add(creator, link ?? id);
    if (anchors === 0) return;
    // A link is a call of its own; ids go together.
    if (link !== undefined) this.#links += anchors;
    else {
      const known = this.#productsByCreator.get(creator);
      if (known === undefined) this.#productsByCreator.set(creator, { products: anchors });
      else known.products += anchors;
    }
  }

  #addFile(source: string, bytesOf: (source: string) => number): void {
    const files = this.#files.add(source);
    if (files > 0) this.#bytes += files * bytesOf(source);
  }

  #addGeneration(model: string, outputs: number): void {
    this.#generations += 1;
    this.#outputs += outputs;
    this.#byModel.set(model, (this.#byModel.get(model) ?? 0) + outputs);
  }

  #calls(): Partial<Record<BudgetedOperation, number>> {
    const uploads = this.#files.size + this.#outputs;
    let showcase = this.#links;
    for (const { products } of this.#productsByCreator.values())
      showcase += Math.ceil(products / maxProductsPerCall);
    return {
      addSocialShowcaseProducts: showcase,
      createAiGenerationSchedule: this.#generations,
      listAiTasksByScheduleId: this.#generations,
      createFileUpload: uploads,
      confirmUpload: uploads,
      uploadCover: this.#coverFiles.size,
      createCreatorPost: this.#videos + this.#photos,
    };
  }

  #slowest(calls: Partial<Record<BudgetedOperation, number>>): Pick<Plan, 'shortestMs' | 'decidedBy'> {
    let shortestMs = 0;
    let decidedBy: BudgetedOperation | null = null;
    for (const [operation, count] of Object.entries(calls) as [BudgetedOperation, number][]) {
      const needed = this.#leastMsOf(operation, count);
      if (needed <= shortestMs) continue;
      shortestMs = needed;
      decidedBy = operation;
    }
    return { shortestMs, decidedBy };
  }

  #leastMsOf(operation: BudgetedOperation, count: number): number {
    const budget = this.#budgets[operation] ?? this.#budgets.default;
    return budget === undefined ? 0 : leastTime(count, budget);
  }
}

/** Milliseconds until the last of `count` calls may begin, with a full burst at the start. */
function leastTime(count: number, budget: Budget): number {
  return Math.ceil((Math.max(0, count - budget.burst) * budget.per) / budget.rate);
}
