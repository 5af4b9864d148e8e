/** Rate limits, queues and workers: what limits all campaigns. */
import { z } from 'zod';
import { defaultAccount } from '../../../../config/access.ts';
import {
  queueDocument,
  queueSchema,
  rateLimitsDocument,
  rateLimitsSchema,
} from '../../../campaigns/documents/limits.ts';
import { redisRefuses, workerDocument, workerSchema } from '../../../campaigns/documents/progress.ts';
import { readWorkers } from '../../../campaigns/progress/reader.ts';
import { pauseQueue, readQueues, requireQueue, resumeQueue } from '../../../campaigns/queues.ts';
import { changeRateLimit, readRateLimits, resetRateLimits } from '../../../campaigns/rate-limits.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { account } from '../fields.ts';
import { type Operation, operation } from '../operation.ts';

const ofAccount = { account: account.default(defaultAccount) };
const queues = z.strictObject({ queues: z.array(queueSchema) });

export const limitOperations: readonly Operation[] = [
  operation({
    id: 'showRateLimits',
    method: 'get',
    path: '/rate-limits',
    role: 'viewer',
    tag: 'Limits',
    problems: ['account_unknown'],
    summary: 'Show the rate limits: how often each operation of the service may be called',
    query: ofAccount,
    answer: rateLimitsSchema,
    handle: async ({ runtime, query }) => shownRateLimits(runtime, query.account),
  }),
  operation({
    id: 'changeRateLimit',
    method: 'put',
    path: '/rate-limits/{operation}',
    role: 'operator',
    tag: 'Limits',
    problems: ['account_unknown', 'operation_unknown'],
    summary: 'Change a rate limit, for all processes, until it is reset',
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
    answer: rateLimitsSchema,
    async handle({ runtime, person, params: { operation = '' }, query, body }) {
      const { account } = query;
      await changeRateLimit(runtime, operation, body, { account, by: person.name });
      return shownRateLimits(runtime, account);
    },
  }),
  operation({
    id: 'resetRateLimit',
    method: 'delete',
    path: '/rate-limits/{operation}',
    role: 'operator',
    tag: 'Limits',
    problems: ['account_unknown', 'operation_unknown'],
    summary: 'Reset a rate limit to the settings',
    query: ofAccount,
    answer: rateLimitsSchema,
    async handle({ runtime, person, params: { operation = '' }, query }) {
      const { account } = query;
      await resetRateLimits(runtime, { operation, account, by: person.name });
      return shownRateLimits(runtime, account);
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

async function shownRateLimits(runtime: Runtime, account: string) {
  return { body: rateLimitsDocument(account, await readRateLimits(runtime, { account })) };
}

async function shownQueues(runtime: Runtime) {
  return { body: { queues: (await readQueues(runtime)).map(queueDocument) } };
}
