/** Warnings about rows, and about the sheet as a whole; and what guests of a client link say about its rows. */
import { mayDo } from '../../../../app/access/roles.ts';
import { listDraftComments } from '../../../../app/drafts/store/comments.ts';
import { isAnswered } from '../../../../app/drafts/suggestions/suggest.ts';
import type { ProblemGroup } from '../../../../app/drafts/view.ts';
import { type Fix, hintsOf } from '../../../../manifest/problems/hint.ts';
import { asSentence, plural, sentence } from '../../../../manifest/wording.ts';
import { fixOnDraft } from '../../../hints.ts';
import { type Html, html, words } from '../../../html.ts';
import { commentLines, section } from '../../../parts/blocks.ts';
import { questionLink } from '../../../parts/form.ts';
import { placeName } from '../../../parts/sheets.ts';
import { icon } from '../../../parts/state.ts';
import { action, draftPath, draftRowQuery, rowsMark, rowsPath, type ShownDraft } from './draft-view.ts';

const mostShown = 20;

/** The button that reads further worksheets, too, if a notice names some with the same headers. */
function readMore(shown: ShownDraft, fix: Fix): Html | string {
  const found = hintsOf(fix).find(({ action }) => action === 'readSheets');
  if (found?.action !== 'readSheets' || !mayDo(shown.request, 'edit')) return '';
  const { sheets, more } = found.params;
  const query = new URLSearchParams(sheets.map((name) => ['sheet', name] as [string, string]));
  return html` <button ${action(shown, `/reading?${query}`)}>Also read ${words(more.join(', '))}</button>`;
}

/** Leads to the rows that were skipped as no posts, and takes that back. */
function noPosts(shown: ShownDraft): Html {
  const { request, view } = shown;
  const all = html` <a href="${request.link(rowsPath(view.draft.id, 'left-out'))}">Show them</a>`;
  return mayDo(request, 'edit')
    ? html`${all} <button ${action(shown, '/no-posts')}>Check them, too</button>`
    : all;
}

/** What the sheet suggests for a warning; a row that may be a copy can be skipped. */
async function answers(shown: ShownDraft, group: ProblemGroup): Promise<Html | string> {
  const { request, view } = shown;
  if (!mayDo(request, 'edit')) return '';
  const query = new URLSearchParams({ group: group.id, band: rowsMark(group) });
  if (group.code === 'file_repeats')
    return html` <button ${action(shown, `/leave-out?${query}`)}>Skip ${plural(group.count, 'row')}</button>`;
  if (!isAnswered.has(group.code)) return '';
  const found = await request.drafts.suggestions(view.draft.id, group.id);
  return html`${found.map(({ id, label, evidence }) => html` <button ${action(shown, `/take?${query}`)} name="use" value="${id}" title="${evidence}">${words(label)}</button>`)}`;
}

export function warningsSection(shown: ShownDraft): Html {
  const { request, view, checked } = shown;
  const { warnings, warned } = checked;
  // A zone that can still be taken stands beside the choice.
  const notices = checked.notices.filter(({ code }) => code !== 'zone_told' || checked.timezone !== null);
  if (warnings.length + notices.length === 0) return html`<div id="draft-warnings"></div>`;
  const ofSheet = notices.map(
    ({ code, problem, fix }) =>
      html`<li data-state="warning">${icon('warning')}<div><b>${words(asSentence(problem))}</b><p>${words(sentence(fixOnDraft(fix)))}${readMore(shown, fix)}${code === 'no_posts' && noPosts(shown)}</p></div></li>`,
  );
  const isFirst = ({ code }: ProblemGroup) => code === 'file_replaced';
  const sorted = [...warnings.filter(isFirst), ...warnings.filter((group) => !isFirst(group))];
  const items = sorted.slice(0, mostShown).map((group) => {
    const { id, count: rows, problem, value, fix } = group;
    const path = request.link(rowsPath(view.draft.id, id));
    return html`<li data-state="warning">${icon('warning')}<div><b>${plural(rows, 'row')}: ${words(sentence(problem))}</b><p>${value && html`${words(value)}: `}${words(sentence(fixOnDraft(fix)))} <a href="${path}">Show them</a>${answers(shown, group)}</p></div></li>`;
  });
  const title = warned === 0 ? 'About the sheet' : `${plural(warned, 'row')} with warnings`;
  const isOpen = warnings.some(isFirst);
  const list = html`<ul class="points">${isOpen ? [items, ofSheet] : [ofSheet, items]}</ul>`;
  const note = isOpen ? '' : 'You can start without fixing them.';
  return section({ part: 'draft-warnings', id: 'warnings', title, note }, list);
}

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
  const note = 'Written by guests with a client link. Comments stay with their rows in the campaign.';
  return section({ id: 'comments', title: 'Latest comments', note }, await Promise.all(lines));
}

export async function rowComments({ request, view }: ShownDraft, row: number): Promise<Html | string> {
  const found = await listDraftComments(request.runtime, view.draft, { numbers: [row] });
  const comments = found.map(({ comment }) => comment);
  return comments.length > 0 ? commentLines(comments, request.zone, request.now) : '';
}
