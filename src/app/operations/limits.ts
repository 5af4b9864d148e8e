/** What limits all campaigns (rate limits, queues, workers), and what the service knows; and the journal of what was sent to it. */

import { z } from 'zod';
import { describeRate, plural } from '../../manifest/wording.ts';
import { authSources } from '../../service/contract/creators.ts';
import { acceptJournal, journalDocument, journalSchema, readJournal } from '../campaigns/journal.ts';
import {
  creatorsSchema,
  listCreators,
  listProducts,
  musicSchema,
  productsSchema,
  searchMusic,
} from '../campaigns/look-up.ts';
import { refreshCampaign, refreshSchema } from '../campaigns/publishing-records.ts';
import {
  queueDocument,
  queueSchema,
  readQueues,
  readWorkers,
  requireQueue,
  setQueuePaused,
  workersDocument,
  workersSchema,
} from '../campaigns/queues.ts';
import {
  changeRateLimit,
  rateLimitsDocument,
  rateLimitsSchema,
  readRateLimits,
  resetRateLimits,
} from '../campaigns/rate-limits.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { flag, text } from './fields.ts';
import { ifChanged, limits, service } from './operation.ts';

const queues = z.strictObject({ queues: z.array(queueSchema) });

const unanswered = ['service_unreachable', 'service_failed'] as const;
const failures = [...unanswered, 'service_not_configured'] as const;
const mostNames = 100;

export const limitOperations = {
  showRateLimits: limits.see('GET /rate-limits', {
    summary: 'Show the rate limits: how often each operation of the service may be called',
    answer: rateLimitsSchema,
    handle: async ({ runtime }) => shownRateLimits(runtime),
  }),
  changeRateLimit: limits.run('PUT /rate-limits/{operation}', {
    summary: 'Change a rate limit, for all processes, until it is reset',
    problems: ['operation_unknown'],
    body: z.strictObject({
      perSecond: z.number().positive().max(1_000_000),
      burst: z
        .int()
        .min(1)
        .max(1_000_000)
        .optional()
        .describe('Maximum number of calls in a burst; default: the calls of one second.'),
    }),
    answer: rateLimitsSchema,
    async handle({ runtime, person }, { operation, ...body }) {
      await changeRateLimit(runtime, operation, body, person.name);
      return shownRateLimits(runtime);
    },
    audit: ({ operation, perSecond }) =>
      `Changed the rate limit of ${operation} to ${describeRate(perSecond)}.`,
  }),
  resetRateLimit: limits.run('DELETE /rate-limits/{operation}', {
    summary: 'Reset a rate limit to the settings',
    problems: ['operation_unknown'],
    answer: rateLimitsSchema,
    async handle({ runtime, person }, { operation }) {
      const gone = await resetRateLimits(runtime, operation, person.name);
      return ifChanged(gone.length > 0, await shownRateLimits(runtime));
    },
    audit: ({ operation }) => `Reset the rate limit of ${operation} to the settings.`,
  }),
  listQueues: limits.see('GET /queues', {
    summary: 'Show the jobs of each queue',
    answer: queues,
    handle: async ({ runtime }) => shownQueues(runtime),
  }),
  pauseQueue: limits.run('POST /queues/{name}/pause', {
    summary: 'Pause a queue for all campaigns; running jobs finish',
    problems: ['queue_unknown'],
    body: z.strictObject({ why: z.string().max(200).optional() }),
    answer: queues,
    async handle({ runtime, person }, { name, why }) {
      const wasRunning = await setQueuePaused(runtime, requireQueue(name), true, { by: person.name, why });
      return ifChanged(wasRunning, await shownQueues(runtime));
    },
    audit: ({ name, why }) => `Paused the queue ${name}${why ? `, because ${why}` : ''}.`,
  }),
  resumeQueue: limits.run('POST /queues/{name}/resume', {
    summary: 'Resume a paused queue',
    problems: ['queue_unknown'],
    answer: queues,
    async handle({ runtime, person }, { name }) {
      const wasPaused = await setQueuePaused(runtime, requireQueue(name), false, { by: person.name });
      return ifChanged(wasPaused, await shownQueues(runtime));
    },
    audit: ({ name }) => `Resumed the queue ${name}.`,
  }),
  listWorkers: limits.see('GET /workers', {
    summary: 'List workers: alive, and recently gone silent',
    answer: workersSchema,
    handle: async ({ runtime }) => workersDocument(await readWorkers(runtime)),
  }),
  listCreators: service.see('GET /creators', {
    summary: 'List authorized creators and what they may post',
    problems: failures,
    query: {
      valid: flag.optional().describe('Only creators with a valid authorization.'),
      photo: flag.optional().describe('Only creators who may post photos.'),
      username: z.array(text).max(mostNames).optional(),
      region: text.optional().describe('Region of the target shop.'),
      authSource: z.enum(authSources).optional(),
    },
    answer: creatorsSchema,
    async handle({ runtime }, { photo, username, region, ...query }) {
      const filter = { hasPhotoPermission: photo, usernames: username, selectionRegion: region, ...query };
      return { creators: await listCreators(runtime, filter) };
    },
  }),
  listProducts: service.see('GET /creators/{creator}/products', {
    summary: "List a creator's showcase products",
    problems: [...failures, 'creator_not_found', 'creator_ambiguous'],
    description: '`creator` is a username, a `creatorId` or an account id.',
    query: { title: text.optional().describe('Part of the title, in any case.') },
    answer: productsSchema,
    handle: async ({ runtime }, { creator, ...query }) => await listProducts(runtime, creator, query),
  }),
  searchMusic: service.see('GET /music', {
    summary: 'Search background music',
    problems: failures,
    query: { text },
    answer: musicSchema,
    handle: async ({ runtime }, { text }) => ({ music: await searchMusic(runtime, text) }),
  }),
  refreshCampaign: service.run('POST /campaigns/{id}/refresh', {
    summary: 'Look up the posts of a campaign in the publishing records',
    startsSomething: true,
    problems: ['service_not_configured', ...unanswered],
    description:
      'The answer comes when all records have been read, within their rate limit. Nothing is resent.',
    answer: refreshSchema,
    handle: async ({ runtime }, { id }) => ({ id, ...(await refreshCampaign(runtime, id)) }),
    audit({ id }, { rows, posts }) {
      const decided = rows.filter(({ state }) => state !== 'review');
      const changed = posts.reduce((sum, { posts: count }) => sum + count, decided.length);
      return changed === 0
        ? undefined
        : `Updated ${plural(changed, 'row')} of ${id} from the publishing records.`;
    },
  }),
  showJournal: service.see('GET /journal', {
    summary: 'Show whether Redis lost records of what was sent',
    answer: journalSchema,
    handle: async ({ runtime }) => journalDocument(await readJournal(runtime)),
  }),
  acceptJournal: service.run('POST /journal/accept', {
    summary: 'Accept a loss of records, and resume the campaigns that were paused for it',
    description:
      'Rows whose calls may be among the lost records go to review first, so that none is posted twice: `review` counts them.',
    query: { dryRun: flag.default(false).describe('Only say what would go to review.') },
    answer: journalSchema,
    async handle({ runtime }, { dryRun }) {
      const found = await readJournal(runtime);
      return journalDocument(found, dryRun ? undefined : await acceptJournal(runtime, found));
    },
    audit: (_input, { review }) =>
      `Accepted the loss of send log records: ${plural(review, 'row')} went to review.`,
  }),
};

async function shownRateLimits(runtime: Runtime) {
  return rateLimitsDocument(await readRateLimits(runtime));
}

async function shownQueues(runtime: Runtime) {
  return { queues: (await readQueues(runtime)).map(queueDocument) };
}
