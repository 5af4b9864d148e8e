/** What limits all campaigns (rate limits, queues, workers), and what the service knows; and the journal of what was sent to it. */
import { z } from 'zod';
import { defaultAccount } from '../../../../config/access.ts';
import { authSources } from '../../../api/contract/creators.ts';
import { commandSchemas } from '../../../campaigns/documents/commands.ts';
import {
  queueSchema,
  rateLimitsSchema,
  redisRefuses,
  workerDocument,
  workerSchema,
} from '../../../campaigns/documents/progress.ts';
import { acceptJournal, journalDocument, readJournal } from '../../../campaigns/journal.ts';
import { listCreators, listProducts, searchMusic } from '../../../campaigns/look-up.ts';
import { readWorkers } from '../../../campaigns/progress/reader.ts';
import {
  pauseQueue,
  queueDocument,
  readQueues,
  requireQueue,
  resumeQueue,
} from '../../../campaigns/queues.ts';
import {
  changeRateLimit,
  rateLimitsDocument,
  readRateLimits,
  resetRateLimits,
} from '../../../campaigns/rate-limits.ts';
import { refreshCampaign } from '../../../campaigns/records.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { limits, service } from '../operation.ts';
import { account, flag, text } from '../parameters.ts';

const ofAccount = { account: account.default(defaultAccount) };
const queues = z.strictObject({ queues: z.array(queueSchema) });

const unanswered = ['service_unreachable', 'service_failed'] as const;
const failures = [...unanswered, 'account_unknown', 'account_incomplete'] as const;
const mostNames = 100;

export const limitOperations = [
  limits.viewer('GET /rate-limits', 'showRateLimits', {
    summary: 'Show the rate limits: how often each operation of the service may be called',
    problems: ['account_unknown'],
    query: ofAccount,
    answer: rateLimitsSchema,
    handle: async ({ runtime, query }) => shownRateLimits(runtime, query.account),
  }),
  limits.operator('PUT /rate-limits/{operation}', 'changeRateLimit', {
    summary: 'Change a rate limit, for all processes, until it is reset',
    problems: ['account_unknown', 'operation_unknown'],
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
    async handle({ runtime, person, params: { operation }, query, body }) {
      const { account } = query;
      await changeRateLimit(runtime, operation, body, { account, by: person.name });
      return shownRateLimits(runtime, account);
    },
  }),
  limits.operator('DELETE /rate-limits/{operation}', 'resetRateLimit', {
    summary: 'Reset a rate limit to the settings',
    problems: ['account_unknown', 'operation_unknown'],
    query: ofAccount,
    answer: rateLimitsSchema,
    async handle({ runtime, person, params: { operation }, query }) {
      const { account } = query;
      await resetRateLimits(runtime, { operation, account, by: person.name });
      return shownRateLimits(runtime, account);
    },
  }),
  limits.viewer('GET /queues', 'listQueues', {
    summary: 'Show the jobs of each queue',
    answer: queues,
    handle: async ({ runtime }) => shownQueues(runtime),
  }),
  limits.operator('POST /queues/{name}/pause', 'pauseQueue', {
    summary: 'Pause a queue for all campaigns; running jobs finish',
    problems: ['queue_unknown'],
    body: z.strictObject({ why: z.string().max(200).optional() }),
    answer: queues,
    async handle({ runtime, person, params: { name }, body: { why } }) {
      await pauseQueue(runtime, requireQueue(name), { by: person.name, why });
      return shownQueues(runtime);
    },
  }),
  limits.operator('POST /queues/{name}/resume', 'resumeQueue', {
    summary: 'Resume a paused queue',
    problems: ['queue_unknown'],
    answer: queues,
    async handle({ runtime, person, params: { name } }) {
      await resumeQueue(runtime, requireQueue(name), { by: person.name });
      return shownQueues(runtime);
    },
  }),
  limits.viewer('GET /workers', 'listWorkers', {
    summary: 'List workers: alive, and recently gone silent',
    answer: z.strictObject({ workers: z.array(workerSchema), redisRefuses }),
    async handle({ runtime }) {
      const { workers, redisRefuses: why = null } = await readWorkers(runtime);
      return { workers: workers.map(workerDocument), redisRefuses: why };
    },
  }),
  service.viewer('GET /creators', 'listCreators', {
    summary: 'List authorized creators and what they may post',
    problems: failures,
    query: {
      account: account.optional(),
      valid: flag.optional().describe('Only creators with a valid authorization.'),
      photo: flag.optional().describe('Only creators who may post photos.'),
      username: z.array(text).max(mostNames).optional(),
      region: text.optional().describe('Region of the target shop.'),
      authSource: z.enum(authSources).optional(),
    },
    answer: commandSchemas.creators,
    async handle({ runtime, query: { account, photo, username, region, ...query } }) {
      const filter = { hasPhotoPermission: photo, usernames: username, selectionRegion: region, ...query };
      return { creators: await listCreators(runtime, filter, { account }) };
    },
  }),
  service.viewer('GET /creators/{creator}/products', 'listProducts', {
    summary: "List a creator's showcase products",
    problems: [...failures, 'creator_not_found', 'creator_ambiguous'],
    description: '`creator` is a username, a `creatorId` or an account id.',
    query: {
      account: account.optional(),
      title: text.optional().describe('Part of the title, in any case.'),
    },
    answer: commandSchemas.products,
    handle: async ({ runtime, params: { creator }, query }) => await listProducts(runtime, creator, query),
  }),
  service.viewer('GET /music', 'searchMusic', {
    summary: 'Search background music',
    problems: [...failures, 'service_not_configured'],
    query: { account: account.optional(), text },
    answer: commandSchemas.music,
    handle: async ({ runtime, query: { text, account } }) => ({
      music: await searchMusic(runtime, text, { account }),
    }),
  }),
  service.operator('POST /campaigns/{id}/refresh', 'refreshCampaign', {
    summary: 'Look up the posts of a campaign in the publishing records',
    startsSomething: true,
    problems: ['service_not_configured', ...unanswered],
    description:
      'The answer comes when all records have been read, at the rate of their rate limit. Nothing is resent.',
    answer: commandSchemas.refresh,
    handle: async ({ runtime, params: { id } }) => ({ id, ...(await refreshCampaign(runtime, id)) }),
  }),
  service.viewer('GET /journal', 'showJournal', {
    summary: 'Show whether Redis lost records of what was sent',
    answer: commandSchemas.journal,
    handle: async ({ runtime }) => journalDocument(await readJournal(runtime)),
  }),
  service.operator('POST /journal/accept', 'acceptJournal', {
    summary: 'Accept a loss of records, and resume the campaigns that were paused for it',
    description:
      'Rows that may have been sent in what is lost go to review first, so that none is posted twice: `review` counts them.',
    answer: commandSchemas.journal,
    async handle({ runtime }) {
      const found = await readJournal(runtime);
      return journalDocument(found, await acceptJournal(runtime, found));
    },
  }),
];

async function shownRateLimits(runtime: Runtime, account: string) {
  return rateLimitsDocument(account, await readRateLimits(runtime, { account }));
}

async function shownQueues(runtime: Runtime) {
  return { queues: (await readQueues(runtime)).map(queueDocument) };
}
