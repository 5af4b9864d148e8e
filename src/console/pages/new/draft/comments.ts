/** What guests of a client link say about the rows of a draft. */
import { listDraftComments } from '../../../../app/drafts/store/comments.ts';
import { type Html, html } from '../../../html.ts';
import { commentLines, section } from '../../../parts/blocks.ts';
import { questionLink } from '../../../parts/form.ts';
import { placeName } from '../../../parts/sheets.ts';
import { draftPath, draftRowQuery, type ShownDraft } from './draft-view.ts';

/** All comments on a row are on its own page. */
const mostLatest = 50;

export async function commentsSection({
  request,
  view: { draft },
  asked,
}: ShownDraft): Promise<Html | string> {
  const comments = await listDraftComments(request.runtime, draft, { latest: mostLatest });
  if (comments.length === 0) return '';
  const path = (row: number) => draftPath(draft.id, `/rows/${row}${draftRowQuery(asked)}`);
  const rows = Map.groupBy(comments.toReversed(), (each) => each.number);
  const lines = [...rows].map(async ([number, found]) => {
    const [row] = (await request.drafts.window(draft.id, 'all', number - 1, 1)).rows;
    const link = row && questionLink(request, path(number), placeName(row), '');
    const of = found.toReversed().map(({ comment }) => comment);
    return html`<h3>${link ?? ''}</h3>${commentLines(of, request.zone, request.now)}`;
  });
  const note = 'By guests of a client link. They stay with their rows in the campaign.';
  return section({ id: 'comments', title: 'Latest comments', note }, await Promise.all(lines));
}

export async function rowComments({ request, view }: ShownDraft, row: number): Promise<Html | string> {
  const found = await listDraftComments(request.runtime, view.draft, { numbers: [row] });
  const comments = found.map(({ comment }) => comment);
  return comments.length > 0 ? commentLines(comments, request.zone, request.now) : '';
}
