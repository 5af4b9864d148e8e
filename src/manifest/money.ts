/** What AI outputs cost, by the prices of the settings. */
import { z } from 'zod';
import { plural } from './wording.ts';

export const costSchema = z.strictObject({
  amount: z.number(),
  currency: z.string(),
  /** Outputs of models without a price. */
  unpriced: z.int(),
});
export type Cost = Readonly<z.infer<typeof costSchema>>;

export interface Prices {
  readonly currency: string;
  /** Price of one output, by model. */
  readonly prices: Readonly<Partial<Record<string, number>>>;
}

/** @param outputs models, each with a number; one model may come several times. @returns null if no model has a price. */
export function costOfOutputs(
  outputs: Iterable<readonly [model: string, many: number]>,
  { currency, prices }: Prices,
): Cost | null {
  let amount = 0;
  let unpriced = 0;
  let priced = 0;
  for (const [model, many] of outputs) {
    const price = prices[model];
    if (price === undefined) unpriced += many;
    else {
      priced += many;
      // Whole ten-thousandths, so that sums of prices are exact.
      amount += Math.round(price * 10_000) * many;
    }
  }
  return priced === 0 ? null : { amount: amount / 10_000, currency, unpriced };
}

/** `12.00 USD`, `12.00 USD and 3 outputs without a price`. */
function describeCost({ amount, currency, unpriced }: Cost): string {
  // One output of a cheap model does not cost 0.00.
  const maximumFractionDigits = amount < 0.1 ? 4 : 2;
  const shown = amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits });
  const rest = unpriced === 0 ? '' : ` and ${plural(unpriced, 'output')} without a price`;
  return `${shown} ${currency}${rest}`;
}

/** `, about 12.00 USD`; empty where no price is known. */
export function aboutCost(cost: Cost | null): string {
  return cost === null ? '' : `, about ${describeCost(cost)}`;
}
