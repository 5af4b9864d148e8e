/** Budgets, queues and workers: what limits all campaigns. */
import { z } from 'zod';
import { defaultAccount } from '../../../../config/access.ts';
import { changeBudget, readBudgets, resetBudgets } from '../../../campaigns/budgets.ts';
import {
  budgetsDocument,
  budgetsSchema,
  queueDocument,
  queueSchema,
} from '../../../campaigns/documents/limits.ts';
import { redisRefuses, workerDocument, workerSchema } from '../../../campaigns/documents/progress.ts';
import { readWorkers } from '../../../campaigns/progress/workers.ts';
import { pauseQueue, readQueues, requireQueue, resumeQueue } from '../../../campaigns/queues.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { account } from '../fields.ts';
import { type Operation, operation } from '../operation.ts';

const ofAccount = { account: account.default(defaultAccount) };
const queues = z.strictObject({ queues: z.array(queueSchema) });

export const limitOperations: readonly Operation[] = [
  operation({
    id: 'showBudgets',
    method: 'get',
    path: '/budgets',
    role: 'viewer',
    tag: 'Limits',
    problems: ['account_unknown'],
    summary: 'Show the budgets: how often each operation of the service may be called',
    query: ofAccount,
    answer: budgetsSchema,
    handle: async ({ runtime, query }) => shownBudgets(runtime, query.account),
  }),
  operation({
    id: 'changeBudget',
    method: 'put',
    path: '/budgets/{operation}',
    role: 'operator',
    tag: 'Limits',
    problems: ['account_unknown', 'operation_unknown'],
    summary: 'Change a budget, for all processes, until it is reset',
    query: ofAccount,
    body: z.strictObject({
      perSecond: z.number().positive().max(1_000_000),
      burst: z
        .int()
        .min(1)
        .max(1_000_000)
        .optional()
        .describe('Most calls at once; default: the calls of one second.'),
    }),
    answer: budgetsSchema,
    async handle({ runtime, person, params: { operation = '' }, query, body }) {
      const { account } = query;
      await changeBudget(runtime, operation, body, { account, by: person.name });
      return shownBudgets(runtime, account);
    },
  }),
  operation({
    id: 'resetBudget',
    method: 'delete',
    path: '/budgets/{operation}',
    role: 'operator',
    tag: 'Limits',
    problems: ['account_unknown', 'operation_unknown'],
    summary: 'Reset a budget to the settings',
    query: ofAccount,
    answer: budgetsSchema,
    async handle({ runtime, person, params: { operation = '' }, query }) {
      const { account } = query;
      await resetBudgets(runtime, { operation, account, by: person.name });
      return shownBudgets(runtime, account);
    },
  }),
  operation({
    id: 'listQueues',
    method: 'get',
    path: '/queues',
    role: 'viewer',
    tag: 'Limits',
    summary: 'Show the jobs of each queue',
    answer: queues,
    handle: async ({ runtime }) => shownQueues(runtime),
  }),
  operation({
    id: 'pauseQueue',
    method: 'post',
    path: '/queues/{name}/pause',
    role: 'operator',
    tag: 'Limits',
    problems: ['queue_unknown'],
    summary: 'Pause a queue for all campaigns; running jobs finish',
    body: z.strictObject({ why: z.string().max(200).optional() }),
    answer: queues,
    async handle({ runtime, person, params: { name = '' }, body: { why } }) {
      await pauseQueue(runtime, requireQueue(name), { by: person.name, why });
      return shownQueues(runtime);
    },
  }),
  operation({
    id: 'resumeQueue',
    method: 'post',
    path: '/queues/{name}/resume',
    role: 'operator',
    tag: 'Limits',
    problems: ['queue_unknown'],
    summary: 'Resume a paused queue',
    answer: queues,
    async handle({ runtime, person, params: { name = '' } }) {
      await resumeQueue(runtime, requireQueue(name), { by: person.name });
      return shownQueues(runtime);
    },
  }),
  operation({
    id: 'listWorkers',
    method: 'get',
    path: '/workers',
    role: 'viewer',
    tag: 'Limits',
    summary: 'List workers: alive, and recently gone silent',
    answer: z.strictObject({ workers: z.array(workerSchema), redisRefuses }),
    async handle({ runtime }) {
      const { workers, redisRefuses: why = null } = await readWorkers(runtime);
      return { body: { workers: workers.map(workerDocument), redisRefuses: why } };
    },
  }),
];

async function shownBudgets(runtime: Runtime, account: string) {
  return { body: budgetsDocument(account, await readBudgets(runtime, { account })) };
}

async function shownQueues(runtime: Runtime) {
  return { body: { queues: (await readQueues(runtime)).map(queueDocument) } };
}
