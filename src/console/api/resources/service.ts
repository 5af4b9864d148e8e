/** What the service knows: creators, products, music, publishing records; and the journal of what was sent to it. */
import { z } from 'zod';
import { authSources } from '../../../api/contract/creators.ts';
import { commandSchemas } from '../../../campaigns/documents/commands.ts';
import { acceptJournal, journalDocument, readJournal } from '../../../campaigns/journal.ts';
import { listCreators, listProducts, searchMusic } from '../../../campaigns/look-up.ts';
import { refreshCampaign } from '../../../campaigns/records.ts';
import { account, flag, text } from '../fields.ts';
import { type Operation, operation } from '../operation.ts';

const lookUp = { method: 'get', role: 'viewer', tag: 'Service' } as const;
const unanswered = ['service_unreachable', 'service_failed'] as const;
const failures = [...unanswered, 'account_unknown', 'account_incomplete'] as const;
const ofAccount = { account: account.optional() };
const mostNames = 100;

export const serviceOperations: readonly Operation[] = [
  operation({
    ...lookUp,
    id: 'listCreators',
    path: '/creators',
    problems: failures,
    summary: 'List authorized creators and what they may post',
    query: {
      ...ofAccount,
      valid: flag.optional().describe('Only creators with a valid authorization.'),
      photo: flag.optional().describe('Only creators who may post photos.'),
      username: z.array(text).max(mostNames).optional(),
      region: text.optional().describe('Region of the target shop.'),
      authSource: z.enum(authSources).optional(),
    },
    answer: commandSchemas.creators,
    async handle({ runtime, query: { account, photo, username, region, ...query } }) {
      const filter = { hasPhotoPermission: photo, usernames: username, selectionRegion: region, ...query };
      return { body: { creators: await listCreators(runtime, filter, { account }) } };
    },
  }),
  operation({
    ...lookUp,
    id: 'listProducts',
    path: '/creators/{creator}/products',
    problems: [...failures, 'creator_not_found', 'creator_ambiguous'],
    summary: "List a creator's showcase products",
    description: '`creator` is a username, a `creatorId` or an account id.',
    query: { ...ofAccount, title: text.optional().describe('Part of the title, in any case.') },
    answer: commandSchemas.products,
    handle: async ({ runtime, params: { creator = '' }, query }) => ({
      body: await listProducts(runtime, creator, query),
    }),
  }),
  operation({
    ...lookUp,
    id: 'searchMusic',
    path: '/music',
    problems: [...failures, 'service_not_configured'],
    summary: 'Search background music',
    query: { ...ofAccount, text },
    answer: commandSchemas.music,
    handle: async ({ runtime, query: { text, account } }) => ({
      body: { music: await searchMusic(runtime, text, { account }) },
    }),
  }),
  operation({
    id: 'refreshCampaign',
    method: 'post',
    path: '/campaigns/{id}/refresh',
    role: 'operator',
    tag: 'Service',
    startsSomething: true,
    problems: ['campaign_not_found', 'campaign_unreadable', 'service_not_configured', ...unanswered],
    summary: 'Look up the posts of a campaign in the publishing records',
    description:
      'The answer comes when all records have been read, at the rate of their rate limit. Nothing is sent again.',
    answer: commandSchemas.refresh,
    handle: async ({ runtime, params: { id = '' } }) => ({
      body: { id, ...(await refreshCampaign(runtime, id)) },
    }),
  }),
  operation({
    id: 'showJournal',
    method: 'get',
    path: '/journal',
    role: 'viewer',
    tag: 'Service',
    summary: 'Show whether Redis lost records of what was sent',
    answer: commandSchemas.journal,
    handle: async ({ runtime }) => ({ body: journalDocument(await readJournal(runtime)) }),
  }),
  operation({
    id: 'acceptJournal',
    method: 'post',
    path: '/journal/accept',
    role: 'operator',
    tag: 'Service',
    summary: 'Accept a loss of records, and resume the campaigns that were paused for it',
    description:
      'Rows that may have been sent in what is lost go to review first, so that none is posted twice: `review` counts them.',
    answer: commandSchemas.journal,
    async handle({ runtime }) {
      const found = await readJournal(runtime);
      return { body: journalDocument(found, await acceptJournal(runtime, found)) };
    },
  }),
];
