/** Plans a manifest: calls of each operation, AI outputs, bytes, and the shortest time within the budgets. */

import type { Budget, Settings } from '../../../config/schema.ts';
import type { BudgetedOperation } from '../../api/contract/operations.ts';
import { maxProductsPerCall } from '../../api/contract/showcase.ts';
import { isUrl } from '../../manifest/cells/media-source.ts';
import { lacksAiLabel } from '../../manifest/cells/post-options.ts';
import type { Row } from '../../manifest/row.ts';
import { DistinctCount } from '../check/distinct-count.ts';

/** The calls of an operation. */
export interface PlannedCalls {
  /** Number of posts, AI outputs, generations, files, covers, or products. */
  readonly items: number;
  /** Milliseconds until the last of its calls may start, within its budget. */
  readonly leastMs: number;
  /** Its budget, in calls a second; `null`: no bound. */
  readonly perSecond: number | null;
}

/** What a sheet will take: calls of the service, AI outputs, and time. */
export interface Plan {
  /** Accepted rows, one post each. */
  readonly rows: number;
  readonly videos: number;
  readonly photos: number;
  /** Fewest possible calls of each operation; there will be more polls. An estimate beyond some ten thousand distinct files or products. */
  readonly calls: Readonly<Partial<Record<BudgetedOperation, number>>>;
  /** Of each operation with calls. */
  readonly steps: Readonly<Partial<Record<BudgetedOperation, PlannedCalls>>>;
  /** Images and videos to generate. */
  readonly aiOutputs: { readonly total: number; readonly byModel: Readonly<Record<string, number>> };
  /** Bytes of all media of known size, each medium counted once. */
  readonly bytes: number;
  /** Shortest possible run in milliseconds: the time of the slowest operation within its budget. */
  readonly shortestMs: number;
  /** The slowest operation; `null` if all calls fit into the bursts. */
  readonly decidedBy: BudgetedOperation | null;
  /** Rows whose time passes before their turn, if the run starts now. */
  readonly missed: number;
  /** Posts of generated photos, which the service takes no AI label for. */
  readonly unlabelled: number;
}

/** Adds up the rows of a manifest. Memory does not grow with the number of rows, only with the number of creators. */
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
  /** Products to add to each creator's showcase. */
  readonly #productsByCreator = new Map<string, number>();

  #products = 0;
  #missed = 0;
  #unlabelled = 0;

  constructor(budgets: Settings['budgets']) {
    this.#budgets = budgets;
  }

  get outputs(): number {
    return this.#outputs;
  }

  /**
   * @param creator must be the same for every spelling of the creator's name.
   * @param bytesOf size of a medium of the row; 0 if unknown.
   * @param outputs of its generation that are still to be made.
   */
  add(
    row: Row,
    creator: string,
    bytesOf: (source: string) => number,
    outputs = row.generation?.count ?? 0,
  ): void {
    if (row.mediaType === 'VIDEO') this.#videos += 1;
    else this.#photos += 1;
    if (lacksAiLabel(row)) this.#unlabelled += 1;
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

  /** Milliseconds until the turn of the last added row, if the run starts now. */
  leastMs(): number {
    const uploads = this.#files.size + this.#outputs;
    return Math.max(
      this.#leastMsOf('createCreatorPost', this.#videos + this.#photos),
      this.#leastMsOf('createFileUpload', uploads),
      this.#leastMsOf('confirmUpload', uploads),
      this.#leastMsOf('createAiGenerationSchedule', this.#generations),
    );
  }

  /** Counts the last added row as one that misses its time. */
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
      steps: this.#steps(calls),
      aiOutputs: { total: this.#outputs, byModel: Object.fromEntries(this.#byModel) },
      bytes: this.#bytes,
      shortestMs,
      decidedBy,
      missed: this.#missed,
      unlabelled: this.#unlabelled,
    };
  }

  #addProduct(row: Row, creator: string): void {
    const { link, id } = row.product;
    const anchors = this.#anchors.add(creator, link ?? id);
    if (anchors === 0) return;
    this.#products += anchors;
    // Each link needs its own call; ids share calls.
    if (link !== undefined) this.#links += anchors;
    else this.#productsByCreator.set(creator, (this.#productsByCreator.get(creator) ?? 0) + anchors);
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
    for (const products of this.#productsByCreator.values()) {
      showcase += Math.ceil(products / maxProductsPerCall);
    }
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

  #steps(calls: Plan['calls']): Plan['steps'] {
    const items: Plan['calls'] = {
      ...calls,
      addSocialShowcaseProducts: this.#products,
      createAiGenerationSchedule: this.#outputs,
    };
    const made = (Object.entries(calls) as [BudgetedOperation, number][]).filter(([, count]) => count > 0);
    return Object.fromEntries(
      made.map(([operation, count]): [BudgetedOperation, PlannedCalls] => {
        const budget = this.#budgets[operation] ?? this.#budgets.default;
        const perSecond = budget === undefined ? null : (budget.rate * 1000) / budget.per;
        const leastMs = this.#leastMsOf(operation, count);
        return [operation, { items: items[operation] ?? count, leastMs, perSecond }];
      }),
    );
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

/** Milliseconds until the last of `count` calls may start, with a full burst at the beginning. */
function leastTime(count: number, budget: Budget): number {
  return Math.ceil((Math.max(0, count - budget.burst) * budget.per) / budget.rate);
}
