/** The calls that a retry would make, without those that the ledger knows as done. */
import { LRUCache } from 'lru-cache';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { remembered } from '../../../ledger/remembered.ts';
import { latestGeneration, outputsMissing, type RowProgress } from '../../../ledger/rows/row-progress.ts';
import type { Row } from '../../../manifest/row.ts';
import { planFlow } from '../../../processors/admission/flow-plan.ts';
import { missingProducts, packGroups } from '../../../processors/admission/showcase-groups.ts';
import type { CampaignView } from '../../../processors/runner/campaign-view.ts';
import { type CallUnit, callsFor } from '../../../service/contract/operations.ts';
import type { Document } from '../../runtime/documents.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Cause } from '../causes.ts';
import { CreatorsOnHold, type retrySchema } from './left-out.ts';

export type RetryPlan = NonNullable<Document<typeof retrySchema>['plan']>;

export interface PlannedRow {
  readonly row: number;
  readonly spec: Row;
  readonly progress: RowProgress;
}

/** Adds up the calls of rows, in parts, in constant memory. */
export class RetryTally {
  readonly #ledger: Ledger;
  readonly #view: CampaignView;
  readonly #counts: Record<CallUnit, number> = {
    addition: 0,
    generation: 0,
    poll: 0,
    file: 0,
    cover: 0,
    post: 0,
  };
  #aiOutputs = 0;
  /** Of these, outputs of rows that had a generation before. */
  #paidBefore = 0;

  constructor(ledger: Ledger, view: CampaignView) {
    this.#ledger = ledger;
    this.#view = view;
  }

  async add(rows: readonly number[]): Promise<void> {
    const records = await this.#ledger.rows.progressOf(this.#view.campaign.id, rows);
    const read: PlannedRow[] = [];
    for (const [index, row] of rows.entries()) {
      const spec = await this.#view.readableRow(row);
      const progress = records[index];
      if (spec && progress) read.push({ row, spec, progress });
    }
    await this.addRows(read);
  }

  /** As `add`, for rows that are not stored in the form in which they would be sent. */
  async addRows(rows: readonly PlannedRow[]): Promise<void> {
    const files = new Set<string>();
    for (const { spec, progress } of rows) this.#addFlow(spec, progress, files);
    this.#counts.file += files.size;
    const read = rows.map(({ row, spec }) => ({ row, revision: 0, spec }));
    const wishes = await missingProducts(this.#ledger, this.#view, read);
    this.#counts.addition += packGroups(wishes).length;
  }

  finish(): RetryPlan {
    const calls = Object.entries(callsFor(this.#counts)).filter(([, count]) => count > 0);
    return { calls: Object.fromEntries(calls), aiOutputs: this.#aiOutputs, paidBefore: this.#paidBefore };
  }

  /** @param files collects the sources to upload, each once. */
  #addFlow(spec: Row, progress: RowProgress, files: Set<string>): void {
    const { uploads, generation } = planFlow(spec, progress);
    for (const { of, i } of uploads) {
      const source = of === 'cover' && spec.cover?.kind === 'file' ? spec.cover.source : undefined;
      files.add(source ?? (of === 'asset' ? progress.assets[i] : spec.media[i]) ?? '');
      if (of === 'cover') this.#counts.cover += 1;
    }
    if (generation && spec.generation) {
      const missing = outputsMissing(progress, spec.generation);
      if (generation.create !== undefined) {
        this.#counts.generation += 1;
        this.#aiOutputs += missing;
        if (latestGeneration(progress) > 0) this.#paidBefore += missing;
      }
      this.#counts.poll += 1;
      for (const i of generation.references) files.add(spec.generation.references[i] ?? '');
      // Its assets will be uploaded once they exist.
      this.#counts.file += Math.max(0, spec.generation.count - progress.files.size);
    }
    this.#counts.post += 1;
  }
}

export interface RepairCost extends Pick<RetryPlan, 'aiOutputs' | 'paidBefore'> {
  readonly rows: number;
  /** Fewest possible calls. */
  readonly calls: number;
  readonly leftOut: readonly { readonly rows: number; readonly why: string }[];
}

type CostRuntime = Pick<Runtime, 'ledger' | 'views'>;

/**
 * With more failed rows, a page shows the costs only in the question before the retry, because all rows would have to be read.
 */
const mostFailed = 200;
const keptMs = 10_000;

export class RepairCosts {
  readonly #costs = new LRUCache<string, Promise<RepairCost | undefined>>({ max: 500, ttl: keptMs });

  /** As if creators who must authorize again had done so. Empty if there are many failed rows. */
  async of(
    runtime: CostRuntime,
    campaign: Campaign,
    causes: readonly Cause[],
  ): Promise<ReadonlyMap<Cause, RepairCost>> {
    const { counts, sheetVersion, cancelledAt } = campaign;
    const isCheap = counts.failed <= mostFailed && cancelledAt === undefined;
    const isRetried = ({ repair }: Cause) => repair === 'retry' || repair === 'authorize';
    const retried = isCheap ? causes.filter(isRetried) : [];
    const costs = new Map<Cause, RepairCost>();
    const read = async (cause: Cause) => {
      const key = `${sheetVersion} ${cause.step} ${cause.code} ${cause.rows}`;
      const cost = await remembered(this.#costs, key, () => readCost(runtime, campaign, cause));
      if (cost) costs.set(cause, cost);
    };
    await Promise.all(retried.map(read));
    return costs;
  }
}

async function readCost(
  { ledger, views }: CostRuntime,
  campaign: Campaign,
  { code, step, repair }: Cause,
): Promise<RepairCost | undefined> {
  const view = await views.open(campaign.id, campaign.sheetVersion);
  if (view === undefined) return undefined;
  const onHold = await CreatorsOnHold.of(ledger, view, campaign);
  const filter = { state: 'failed', error: code, step } as const;
  const matched = (await Array.fromAsync(ledger.query.all(campaign, filter))).flat();
  // Rows of creators who must authorize again are on hold until then.
  const rows = repair === 'authorize' ? matched : await onHold.leaveOut(matched);
  const tally = new RetryTally(ledger, view);
  await tally.add(rows);
  const { calls, aiOutputs, paidBefore } = tally.finish();
  return {
    rows: rows.length,
    calls: Object.values(calls).reduce((sum, many) => sum + many, 0),
    aiOutputs,
    paidBefore,
    leftOut: onHold.finish(),
  };
}
