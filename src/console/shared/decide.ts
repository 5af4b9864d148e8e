/** What guests of a client link decide. They are told nothing of what went wrong inside. */
import { longestReason } from '../../app/approvals/approve.ts';
import { addComment, longestComment } from '../../app/approvals/comments.ts';
import { findCampaign } from '../../app/campaigns/find.ts';
import { approvalOperations } from '../../app/operations/approvals.ts';
import { actorOf } from '../../app/operations/operation.ts';
import type { Tools } from '../../app/operations/tools.ts';
import type { Share } from '../../ledger/access/shares.ts';
import { presentable } from '../../manifest/presentable.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { decideIn } from '../pages/approvals/decide.ts';
import { namedIn } from '../pages/approvals/posts.ts';
import type { Notice } from '../request.ts';

/** Longest name of a guest, in characters. */
export const longestName = 60;

interface Guest {
  readonly share: Share;
  /** As typed; may be empty. */
  readonly name: string;
  /** Network address. */
  readonly from: string;
  readonly left: AbortSignal;
}

export function guestName(form: URLSearchParams): string {
  return presentable((form.get('name') ?? '').slice(0, longestName)).trim();
}

/** Any guest may, under a name. */
export async function commentAsGuest(
  tools: Tools,
  { share, name, from, left }: Guest,
  form: URLSearchParams,
): Promise<Notice> {
  const [post] = namedIn(form);
  if (name === '') return nameless;
  const text = (form.get(`comment-${post?.position}`) ?? '').trim().slice(0, longestComment);
  if (text === '') return { state: 'warning', text: 'Type your comment first.' };
  if (post === undefined || post.campaign !== share.campaign) return unsaid;
  const { runtime } = tools;
  const key = await runtime.ledger.rowKeys.of(await findCampaign(runtime, share.campaign), post.position);
  try {
    await addComment(runtime, { campaign: share.campaign, key }, { by: name, text, isGuest: true });
  } catch (error) {
    if (error instanceof UseCaseError) return unsaid;
    throw error;
  }
  const person = { name: `${name} (client link)`, isAnybody: false };
  const actor = actorOf({ ...tools, person, source: { from, by: `client link ${share.id}` }, left });
  await actor.record(approvalOperations.addComment, { id: share.campaign, key }, {});
  return { state: 'done', text: 'Your comment stands with the post. Thank you.' };
}

export async function decideAsGuest(
  tools: Tools,
  { share, name, from, left }: Guest,
  what: 'approve' | 'reject',
  form: URLSearchParams,
): Promise<Notice> {
  const [post] = namedIn(form);
  if (name === '') return nameless;
  // The link is of one campaign, whatever the form says.
  if (post === undefined || post.campaign !== share.campaign) return changed;
  const reason = (form.get(`reason-${post.position}`) ?? '').trim().slice(0, longestReason);
  if (what === 'reject' && reason === '')
    return { state: 'warning', text: 'What is wrong with it? Type the reason.' };
  const person = { name: `${name} (client link)`, isAnybody: false };
  const actor = actorOf({ ...tools, person, source: { from, by: `client link ${share.id}` }, left });
  const [outcome] = await decideIn(actor, share.campaign, [post], what === 'reject' ? reason : undefined);
  if (!outcome?.state) return changed;
  return { state: 'done', text: `${what === 'approve' ? 'Approved' : 'Rejected'}. Thank you.` };
}

const nameless: Notice = { state: 'warning', text: 'Who are you? Type your name first.' };
const unsaid: Notice = {
  state: 'warning',
  text: 'The comment was not kept.',
  more: 'There are many already.',
};
const undecided = 'Nothing was decided.';
const changed: Notice = {
  state: 'warning',
  text: undecided,
  more: 'The post has changed since you looked. Look at it again.',
};
export const tooManyChanges: Notice = {
  state: 'warning',
  text: undecided,
  more: 'Too many at once. Try again in a minute.',
};
