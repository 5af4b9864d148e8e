/** Posts that wait for an approval: list, approve, reject, take that back, and generate their media again. */
import { z } from 'zod';
import { readLead, termRule, writeLead } from '../../manifest/campaign-options.ts';
import { aboutCost } from '../../manifest/money.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { few, plural } from '../../manifest/wording.ts';
import { approvedSchema, decidePosts, longestReason } from '../approvals/approve.ts';
import { addComment, commentSchema, listComments, longestComment } from '../approvals/comments.ts';
import { renewedSchema, renewPost } from '../approvals/renew.ts';
import {
  listShares,
  longestLabel,
  makeShare,
  type NewShare,
  revokeShare,
  shareSchema,
  usualShareMs,
} from '../approvals/shares.ts';
import { allowSpending, showSpending, spendingSchema } from '../approvals/spending.ts';
import { listWaitingPosts, waitingPostSchema } from '../approvals/waiting-posts.ts';
import { integer, next, paging, position, readPlace, revision, text } from './fields.ts';
import { approvals } from './operation.ts';

/** Most posts in one request. */
const mostPosts = 200;
/** Rows that were chosen, as they were shown. */
function chosen<Seen extends z.ZodType>(seen: Seen) {
  return z.array(z.strictObject({ position, revision, seen })).min(1).max(mostPosts);
}
/** What a decision does, for the audit. */
const did = {
  approve: 'Approved',
  reject: 'Rejected',
  withdraw: 'Withdrew the approval of',
} as const;
const newShare = z.strictObject({
  approve: z.boolean().default(false).describe('Whether its guests may approve and reject.'),
  expires: z.string().default(writeLead(usualShareMs)).describe(`After ${termRule}.`),
  name: z.string().max(longestLabel).default('').describe('Whom the link is for.'),
});
const madeShare = z.strictObject({ link: shareSchema, path: z.string(), url: z.string().nullable() });

/** @throws {UseCaseError} `request_invalid`. */
function readShare({ approve, expires, name }: z.infer<typeof newShare>): NewShare {
  const forMs = readLead(expires);
  if (!forMs) throw new UseCaseError('request_invalid', `expires: write ${termRule}`);
  return { mayApprove: approve, label: name.trim(), forMs };
}

function madeOf(what: string, { id, mayApprove, expiresAt }: z.infer<typeof shareSchema>): string {
  return `Made the client link ${id} to ${what}${mayApprove ? ' (guests may approve)' : ''}, until ${expiresAt.slice(0, 10)}.`;
}

export const approvalOperations = {
  listApprovals: approvals.see('GET /approvals', {
    summary: 'List the posts that wait for an approval, as they will be posted',
    description:
      'Campaign by campaign, the nearest planned time first. With a filter, a page may be empty and still have a next page.',
    query: {
      limit: integer(1, 100).default(20).describe('Entries per page.'),
      cursor: paging.cursor,
      campaign: text.optional().describe('Id of the campaign.'),
      creator: text.optional().describe('As written in the sheet.'),
    },
    answer: z.strictObject({
      posts: z.array(waitingPostSchema),
      /** All posts that wait, with or without a filter. */
      total: z.int(),
      next,
    }),
    async handle({ runtime }, { limit, cursor, ...filter }) {
      const from = readPlace(cursor);
      const { items: posts, total, next = null } = await listWaitingPosts(runtime, { filter, from, limit });
      return { posts: posts.map(({ place: _place, ...post }) => post), total, next };
    },
  }),
  decideApprovals: approvals.approve('POST /campaigns/{id}/approvals', {
    summary: 'Approve or reject posts, or withdraw their approvals, if they are still as they were shown',
    startsSomething: true,
    problems: ['approval_refused'],
    description:
      'A post that has changed since is refused, with what changed, and does not stop the others. An approved post is sent at its time; a rejected post has failed. While an approved post is `ready`, `withdraw` makes it wait for another approval.',
    body: z.discriminatedUnion('decision', [
      z.strictObject({ decision: z.literal('approve'), posts: chosen(text) }),
      z.strictObject({
        decision: z.literal('reject'),
        reason: z.string().trim().min(1).max(longestReason).describe('What is wrong, shown with the row.'),
        posts: chosen(text.optional()),
      }),
      z.strictObject({ decision: z.literal('withdraw'), posts: chosen(text.optional()) }),
    ]),
    answer: approvedSchema,
    handle: ({ runtime, person }, { id, posts, ...verdict }) =>
      decidePosts(runtime, id, posts, { verdict, by: person.name }),
    audit({ id, decision }, { posts }) {
      const done = posts.filter(({ state }) => state !== null);
      if (done.length === 0) return undefined;
      return `${did[decision]} ${plural(done.length, 'post')} of ${id}: ${few(done.map(({ key }) => key))}.`;
    },
  }),
  showSpending: approvals.see('GET /campaigns/{id}/spending', {
    summary: 'Show the AI outputs of a campaign, and those that wait because they are beyond a limit',
    answer: spendingSchema,
    handle: ({ runtime }, { id }) => showSpending(runtime, id),
  }),
  allowSpending: approvals.run('POST /campaigns/{id}/spending', {
    summary: 'Allow the AI outputs that wait because they are beyond a limit (`spend`)',
    startsSomething: true,
    problems: ['approval_refused'],
    body: z.strictObject({
      outputs: z
        .int()
        .min(0)
        .describe('The number that `showSpending` gave. If it has changed since, no outputs are allowed.'),
    }),
    answer: spendingSchema,
    handle: ({ runtime, person }, { id, outputs }) =>
      allowSpending(runtime, id, { expect: outputs, by: person.name }),
    audit: ({ id }, { rows, outputs, cost }) =>
      rows === 0 ? undefined : `Allowed ${plural(outputs, 'AI output')} of ${id}${aboutCost(cost)}.`,
  }),
  listComments: approvals.see('GET /campaigns/{id}/rows/{key}/comments', {
    summary: 'List the comments on a row, the oldest first',
    answer: z.strictObject({ comments: z.array(commentSchema) }),
    async handle({ runtime }, { id, key }) {
      return { comments: [...(await listComments(runtime, { campaign: id, key }))] };
    },
  }),
  addComment: approvals.comment('POST /campaigns/{id}/rows/{key}/comments', {
    summary: 'Comment on a row',
    description: 'Clients with a link to the campaign see the comment.',
    startsSomething: true,
    problems: ['comment_refused'],
    body: z.strictObject({ text: z.string().min(1).max(longestComment) }),
    answer: z.strictObject({ comments: z.array(commentSchema) }),
    async handle({ runtime, person }, { id, key, text }) {
      const row = { campaign: id, key };
      await addComment(runtime, row, { by: person.name, text });
      return { comments: [...(await listComments(runtime, row))] };
    },
    audit: ({ id, key }) => `Commented on row ${key} of ${id}.`,
  }),
  renewPost: approvals.run('POST /campaigns/{id}/rows/{key}/renew', {
    summary: 'Make the media of a post again: another generation, which you pay for, or another upload',
    description: 'For a ready post, or for a rejected one with generated media.',
    startsSomething: true,
    problems: ['approval_refused'],
    body: z.strictObject({ revision }),
    answer: renewedSchema,
    handle: async ({ runtime, person }, { id, key, revision }) =>
      renewPost(runtime, { campaign: id, key, revision }, person.name),
    audit: ({ id, key }, { outputs }) =>
      outputs > 0
        ? `Generated row ${key} of ${id} again: ${plural(outputs, 'output')}.`
        : `Uploaded row ${key} of ${id} again.`,
  }),
  shareCampaign: approvals.manage('POST /campaigns/{id}/links', {
    summary: 'Make a client link; only this answer shows its address',
    statuses: [201],
    problems: ['links_full'],
    description:
      'Anyone with the address sees the posts of this campaign, until the link expires or is revoked.',
    body: newShare,
    answer: madeShare,
    handle: async ({ runtime, person }, { id, ...body }) =>
      makeShare(runtime, { campaign: id }, readShare(body), person.name),
    audit: ({ id }, { link }) => madeOf(id, link),
  }),
  shareDraft: approvals.manage('POST /drafts/{id}/links', {
    summary: 'Make a client link to a draft; only this answer shows its address',
    statuses: [201],
    problems: ['links_full', 'draft_refused', 'draft_changed'],
    description:
      'Anyone with the address sees the plan, and comments. Once the draft is started, the link shows its campaign.',
    body: newShare,
    answer: madeShare,
    handle: async ({ runtime, person }, { id, ...body }) =>
      makeShare(runtime, { draft: id }, readShare(body), person.name),
    audit: ({ id }, { link }) => madeOf(`draft ${id}`, link),
  }),
  listShares: approvals.manage('GET /links', {
    summary: 'List the client links, without their addresses',
    query: {
      campaign: text.optional().describe('Id of the campaign; default: all campaigns.'),
      draft: text.optional().describe('Id of the draft.'),
    },
    answer: z.strictObject({ links: z.array(shareSchema) }),
    handle: async ({ runtime }, of) => ({ links: [...(await listShares(runtime, of))] }),
  }),
  revokeShare: approvals.manage('DELETE /links/{link}', {
    summary: 'Revoke a client link',
    problems: ['link_not_found'],
    answer: shareSchema,
    handle: ({ runtime }, { link }) => revokeShare(runtime, link),
    audit: ({ link }, { campaign, draft }) =>
      `Revoked the client link ${link} to ${campaign ?? `draft ${draft}`}.`,
  }),
};
