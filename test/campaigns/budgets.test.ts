import { expect, it, onTestFinished } from 'vitest';
import { checkSettings, readEnvironment } from '../../config/load.ts';
import { type BudgetRuntime, changeBudget, readBudgets } from '../../src/campaigns/budgets.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { Queues } from '../../src/queues/queues.ts';
import { redisNamespace } from '../support/redis/redis.ts';

const operation = 'createCreatorPost';

function openTools(): BudgetRuntime {
  const { redis, prefix } = redisNamespace();
  const queues = new Queues({ connection: redis, prefix, attempts: 1 });
  onTestFinished(() => queues.close());
  return {
    queues,
    ledger: createLedger({ redis, prefix }),
    redis: { connect: () => redis },
    environment: readEnvironment({}),
    settings: checkSettings({ budgets: { default: { rate: 5, per: '1s', burst: 5 } } }),
  };
}

async function budgetOf(runtime: BudgetRuntime) {
  return (await readBudgets(runtime)).find((shown) => shown.operation === operation)?.budget;
}

it('a budget that is lowered and raised again has a second of the new rate as its burst', async () => {
  const runtime = openTools();
  await changeBudget(runtime, operation, { perSecond: 0.5 });
  expect(await budgetOf(runtime)).toEqual({ perSecond: 0.5, burst: 1 });
  await changeBudget(runtime, operation, { perSecond: 20 });
  expect(await budgetOf(runtime)).toEqual({ perSecond: 20, burst: 20 });
});

it('a burst that is asked for is the one of the budget', async () => {
  const budget = { perSecond: 20, burst: 2 };
  expect(await changeBudget(openTools(), operation, budget)).toEqual(budget);
});

it('an operation that does not exist is refused, with the nearest name', async () => {
  await expect(changeBudget(openTools(), 'createCreatorPosts', { perSecond: 1 })).rejects.toMatchObject({
    code: 'operation_unknown',
    cure: `Did you mean ${operation}?`,
  });
});
