/** Comments on a row: those of users and of guests, and a field for another one. */
import { mayDo } from '../../../app/access/roles.ts';
import { longestComment } from '../../../app/approvals/comments.ts';
import { approvalOperations } from '../../../app/operations/approvals.ts';
import type { Comment } from '../../../ledger/rows/histories.ts';
import { type Html, html } from '../../html.ts';
import { commentLines } from '../../parts/blocks.ts';
import { done, form } from '../../parts/form.ts';
import { rowPath } from '../../parts/list.ts';
import type { PageRequest, Redirect, Route } from '../../request.ts';

export const commentRoutes: readonly Route[] = [
  { method: 'post', path: '/campaigns/:id/rows/:key/comments', right: 'comment', handle: add },
];

async function add({
  carryOut,
  params: { id = '', key = '' },
  form: fields,
}: PageRequest): Promise<Redirect> {
  await carryOut(approvalOperations.addComment, { id, key, text: fields.get('text') ?? '' });
  return done(`${rowPath(id, key)}#comments`, 'Your comment was added.');
}

/** A live part. */
export function commentList({ zone, now }: PageRequest, comments: readonly Comment[]): Html {
  return html`<div id="row-comments">${comments.length > 0 && commentLines(comments, zone, now)}</div>`;
}

/** @param list `commentList`. */
export function commentsSection(
  request: PageRequest,
  { id, key }: { readonly id: string; readonly key: string },
  list: Html,
): Html {
  const field = html`<p><label for="comment">Comment</label><small>Guests of a client link see it, too.</small><textarea id="comment" name="text" rows="2" maxlength="${longestComment}" required dir="auto"></textarea></p><p class="actions"><button>Comment</button></p>`;
  return html`<section aria-labelledby="comments">
    <div class="section"><h2 id="comments">Comments</h2></div>
    ${list}
    ${mayDo(request, 'comment') && form(request, { path: rowPath(id, key, '/comments'), body: field })}
  </section>`;
}
