import { expect, it, onTestFinished } from 'vitest';
import { changeBudget } from '../../src/campaigns/budgets.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { BudgetBook } from '../../src/queues/budget-book.ts';
import { Queues } from '../../src/queues/queues.ts';
import { redisNamespace } from '../support/redis/redis.ts';

const operation = 'createCreatorPost';

function openTools() {
  const { redis, prefix } = redisNamespace();
  const queues = new Queues({ connection: redis, prefix, attempts: 1 });
  onTestFinished(() => queues.close());
  const budgets = { default: { rate: 5, per: 1000, burst: 5 } };
  const changes = createLedger({ redis, prefix }).lastChanges;
  return { queues, changes, book: new BudgetBook({ redis, prefix, account: 'default', budgets }) };
}

it('a budget that is lowered and raised again has a second of the new rate as its burst', async () => {
  const tools = openTools();
  await changeBudget(tools, operation, { perSecond: 0.5 }, 'ops-1');
  expect((await tools.book.read([operation]))[0]?.budget).toEqual({ perSecond: 0.5, burst: 1 });
  await changeBudget(tools, operation, { perSecond: 20 }, 'ops-1');
  expect((await tools.book.read([operation]))[0]?.budget).toEqual({ perSecond: 20, burst: 20 });
});

it('a burst that is asked for is the one of the budget', async () => {
  const tools = openTools();
  const budget = { perSecond: 20, burst: 2 };
  expect(await changeBudget(tools, operation, budget, 'ops-1')).toEqual(budget);
});
