/** The least costs of retrying a cause, shown in advance. Does not ask the service. */
import { LRUCache } from 'lru-cache';
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { remembered } from '../../ledger/remembered.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Cause } from '../causes/causes.ts';
import { CreatorsOnHold } from './creators-on-hold.ts';
import { RetryTally } from './retry-plan.ts';

export interface RepairCost {
  /** Rows that would be sent again. */
  readonly rows: number;
  /** Fewest possible calls. */
  readonly calls: number;
  readonly aiOutputs: number;
  /** Rows that would be left out, and why. */
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

  /**
   * Costs of causes that a retry repairs, as if creators who must authorize again had done so. Empty if there are many failed
   * rows.
   */
  async of(
    runtime: CostRuntime,
    campaign: Campaign,
    causes: readonly Cause[],
  ): Promise<ReadonlyMap<Cause, RepairCost>> {
    const { counts, sheetVersion, cancelledAt } = campaign;
    const isCheap = counts.failed <= mostFailed && cancelledAt === undefined;
    const isRetried = ({ repair }: Cause) => repair === 'retry' || repair === 'authorize';
    const retried = isCheap ? causes.filter(isRetried) : [];
    const costs = await Promise.all(
      retried.map((cause) => {
        const key = `${sheetVersion} ${cause.step} ${cause.code} ${cause.rows}`;
        return remembered(this.#costs, key, () => readCost(runtime, campaign, cause));
      }),
    );
    return new Map(
      retried.flatMap((cause, index) => {
        const cost = costs[index];
        return cost ? [[cause, cost]] : [];
      }),
    );
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
  const { calls, aiOutputs } = tally.finish();
  return {
    rows: rows.length,
    calls: Object.values(calls).reduce((sum, many) => sum + many, 0),
    aiOutputs,
    leftOut: onHold.finish(),
  };
}
