/** Campaigns: list, show, pause, resume, cancel, delete. */
import { z } from 'zod';
import { cancelCampaign } from '../../../campaigns/cancel.ts';
import { deleteCampaign, requireDeletable } from '../../../campaigns/delete.ts';
import {
  campaignDocument,
  campaignSchema,
  campaignState,
  causeSchema,
} from '../../../campaigns/documents/campaign.ts';
import {
  cancelledSchema,
  deletedSchema,
  heldSchema,
  resumedCreatorSchema,
} from '../../../campaigns/documents/changes.ts';
import { shownCampaignDocument, shownCampaignSchema } from '../../../campaigns/documents/commands.ts';
import { throughputDocument, throughputSchema } from '../../../campaigns/documents/overview.ts';
import { progressDocument, progressSchema } from '../../../campaigns/documents/progress.ts';
import { findCampaign } from '../../../campaigns/find.ts';
import { listCampaigns, showCampaign } from '../../../campaigns/list.ts';
import { pauseCampaign, resumeCampaign } from '../../../campaigns/pause-resume.ts';
import { resumeCreator } from '../../../campaigns/retry/retry.ts';
import { matchCampaigns } from '../../../campaigns/search.ts';
import type { Campaign } from '../../../ledger/campaigns/campaigns.ts';
import { readCursor } from '../cursor.ts';
import { flag, next, paging, text } from '../fields.ts';
import { type Operation, operation } from '../operation.ts';

const ofOne = { tag: 'Campaigns', problems: ['campaign_not_found', 'campaign_unreadable'] } as const;

/** Place of a campaign in the list. */
type ListPlace = Pick<Campaign, 'createdAt' | 'id'>;

export const campaignOperations: readonly Operation[] = [
  operation({
    id: 'listCampaigns',
    method: 'get',
    path: '/campaigns',
    role: 'viewer',
    tag: 'Campaigns',
    summary: 'List campaigns, newest first',
    query: {
      ...paging,
      state: campaignState.optional(),
      text: text.optional().describe('The id, part of the name, or a creator as written in the sheet.'),
    },
    answer: z.strictObject({ campaigns: z.array(campaignSchema), next }),
    async handle({ runtime, query: { limit, cursor, state, text } }) {
      const [before, id = ''] = readCursor(cursor, [Number.POSITIVE_INFINITY, '']);
      const { campaigns } = await listCampaigns(runtime);
      const fitting = text === undefined ? campaigns : await matchCampaigns(runtime, campaigns, text);
      const rest = fitting.filter(
        (each) =>
          (state === undefined || each.state === state) && newestFirst(each, { createdAt: before, id }) > 0,
      );
      const page = rest.sort(newestFirst).slice(0, limit);
      const last = page.at(-1);
      return {
        body: {
          campaigns: page.map(campaignDocument),
          next: rest.length > limit && last ? `${last.createdAt}.${last.id}` : null,
        },
      };
    },
  }),
  operation({
    ...ofOne,
    id: 'showCampaign',
    method: 'get',
    path: '/campaigns/{id}',
    role: 'viewer',
    summary: 'Show a campaign, and why rows were not posted',
    answer: shownCampaignSchema,
    async handle({ runtime, params }) {
      return { body: shownCampaignDocument(await showCampaign(runtime, params.id ?? '')) };
    },
  }),
  operation({
    ...ofOne,
    id: 'listCauses',
    method: 'get',
    path: '/campaigns/{id}/causes',
    role: 'viewer',
    summary: 'List why rows failed or wait for a decision, the most common cause first',
    answer: z.strictObject({ causes: z.array(causeSchema) }),
    async handle({ runtime, params }) {
      const { causes } = await showCampaign(runtime, params.id ?? '');
      return { body: { causes } };
    },
  }),
  operation({
    ...ofOne,
    id: 'showProgress',
    method: 'get',
    path: '/campaigns/{id}/progress',
    role: 'viewer',
    summary: 'Show how far a campaign is, and what holds it back',
    answer: progressSchema,
    async handle({ runtime, params, progress }) {
      const campaign = await findCampaign(runtime, params.id ?? '');
      return { body: progressDocument(await progress.read(campaign)) };
    },
  }),
  operation({
    ...ofOne,
    id: 'showThroughput',
    method: 'get',
    path: '/campaigns/{id}/throughput',
    role: 'viewer',
    summary: 'Show rows posted per minute, the rate limit of posts, and when something held them back',
    answer: throughputSchema,
    async handle({ runtime, params, progress }) {
      const campaign = await findCampaign(runtime, params.id ?? '');
      return { body: throughputDocument(await progress.throughput(campaign)) };
    },
  }),
  operation({
    ...ofOne,
    id: 'pauseCampaign',
    method: 'post',
    path: '/campaigns/{id}/pause',
    role: 'operator',
    summary: 'Pause a campaign: calls under way finish, nothing more is sent',
    answer: heldSchema,
    async handle({ runtime, person, params: { id = '' } }) {
      return { body: { id, ...(await pauseCampaign(runtime, id, person.name)) } };
    },
  }),
  operation({
    ...ofOne,
    id: 'resumeCampaign',
    method: 'post',
    path: '/campaigns/{id}/resume',
    role: 'operator',
    summary: 'Resume a paused campaign',
    answer: heldSchema,
    async handle({ runtime, person, params: { id = '' } }) {
      return { body: { id, ...(await resumeCampaign(runtime, id, person.name)) } };
    },
  }),
  operation({
    id: 'resumeCreator',
    method: 'post',
    path: '/campaigns/{id}/creators/{creator}/resume',
    role: 'operator',
    tag: 'Campaigns',
    startsSomething: true,
    problems: [...ofOne.problems, 'creator_not_found'],
    summary: 'Retry the rows of a creator who has authorized again',
    answer: resumedCreatorSchema,
    async handle({ runtime, params: { id = '', creator = '' } }) {
      const resumed = await resumeCreator(runtime, await findCampaign(runtime, id), creator);
      return { body: { id, creator, ...resumed } };
    },
  }),
  operation({
    ...ofOne,
    id: 'cancelCampaign',
    method: 'post',
    path: '/campaigns/{id}/cancel',
    role: 'operator',
    summary: 'Cancel all rows of a campaign that are not posted yet; it cannot be undone',
    description:
      'An ended campaign is cancelled for its rows in review: a decision `not-posted` cancels them then.',
    answer: cancelledSchema,
    async handle({ runtime, params: { id = '' } }) {
      return { body: { id, ...(await cancelCampaign(runtime, id)) } };
    },
  }),
  operation({
    id: 'deleteCampaign',
    method: 'delete',
    path: '/campaigns/{id}',
    role: 'operator',
    tag: 'Campaigns',
    problems: [...ofOne.problems, 'campaign_unfinished', 'campaign_in_review'],
    summary: 'Delete an ended campaign and its results',
    description: 'Posts that the service has accepted stay there.',
    query: {
      force: flag
        .optional()
        .describe('Delete it even if rows are in review: what is known about them is lost.'),
    },
    answer: deletedSchema,
    async handle({ runtime, params: { id = '' }, query: { force = false } }) {
      requireDeletable(await findCampaign(runtime, id), { force });
      await deleteCampaign(runtime, id, { force });
      return { body: { id, deleted: true as const, exported: null } };
    },
  }),
];

/** Several may be made in the same millisecond. */
function newestFirst(one: ListPlace, other: ListPlace): number {
  if (one.createdAt !== other.createdAt) return one.createdAt > other.createdAt ? -1 : 1;
  if (one.id === other.id) return 0;
  return one.id > other.id ? -1 : 1;
}
