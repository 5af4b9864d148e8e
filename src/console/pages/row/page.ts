/** `/campaigns/ID/rows/KEY`: the planned post with its media, its history, and what can be done now. */

import { mayDo } from '../../../app/access/roles.ts';
import { longestComment } from '../../../app/approvals/comments.ts';
import { hasLink } from '../../../app/approvals/shares.ts';
import { findCampaign } from '../../../app/campaigns/find.ts';
import { findIgnored } from '../../../app/campaigns/results/ignored-edits.ts';
import { whyNotEditable } from '../../../app/campaigns/rows/edit.ts';
import { type ReadRow, readRow, type ShownRow, showRow } from '../../../app/campaigns/rows/show-row.ts';
import { approvalOperations } from '../../../app/operations/approvals.ts';
import { type SpanOfVideo, showSpanOfVideo } from '../../../app/videos/watch-list.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { Comment } from '../../../ledger/rows/histories.ts';
import { creatorIn } from '../../../manifest/cells/id.ts';
import { type ColumnName, labelOf } from '../../../manifest/columns.ts';
import { asSentence, capitalized } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { cellFormBytes } from '../../http/forms.ts';
import type { LiveParts } from '../../live.ts';
import { commentLines, crumbs, liveStream, notice, readersNote, section } from '../../parts/blocks.ts';
import { done, form } from '../../parts/form.ts';
import { rowPath } from '../../parts/list.ts';
import { inZoneOf, moment } from '../../parts/numbers.ts';
import { pickerRoutes } from '../../parts/pickers.ts';
import { preview, rowPictures, type ShownPicture } from '../../parts/picture.ts';
import { stateBadge, stateOfRow } from '../../parts/state.ts';
import type { Answer, Page, PageRequest, Redirect, Route, Stream } from '../../request.ts';
import { viewsSection as viewsOfVideo } from '../videos/video-figures.ts';
import { askEdit, bringFiles, readPicking, saveEdit } from './edit.ts';
import { closedEdit, editSection, isFolded, type RowFormInput } from './form.ts';
import { head, titleOf } from './head.ts';
import { fact, mediaFacts } from './media.ts';
import { cancelRoutes, decideSection, retryRoutes, rowNow } from './now.ts';
import { timeline } from './timeline.ts';

const page = '/campaigns/:id/rows/:key';
const cells = { method: 'post', right: 'run', mostBytes: cellFormBytes } as const;

export const rowRoutes: readonly Route[] = [
  { method: 'get', path: page, right: 'see', handle: (request) => showRowPage(request) },
  { method: 'get', path: `${page}/events`, right: 'see', handle: streamRowPage },
  ...pickerRoutes(page, '', 'run', readPicking),
  ...retryRoutes,
  ...cancelRoutes,
  { method: 'post', path: `${page}/comments`, right: 'comment', handle: addComment },
  { ...cells, path: `${page}/edit`, handle: edit(askEdit) },
  { ...cells, path: `${page}/save`, handle: edit(saveEdit) },
  { method: 'post', path: `${page}/files`, right: 'run', handle: bringFiles },
];

/** If texts have problems, the page of the row comes back with them. */
function edit(by: typeof askEdit) {
  return async (request: PageRequest): Promise<Answer> => {
    const answer = await by(request);
    return 'kind' in answer ? answer : showRowPage(request, answer);
  };
}

/** @param typed texts of a refused form, to show again. */
async function showRowPage(asked: PageRequest, typed?: RowFormInput): Promise<Page> {
  const { id = '', key = '' } = asked.params;
  const read = await readRow(asked.runtime, id, key);
  const { campaign, row } = read;
  const request = inZoneOf(asked, campaign);
  const live = await liveParts(request, campaign, row);
  const pictures = await rowPictures(request, campaign, [row]);
  const video = await videoOf(request, read);
  const happened = section(
    { id: 'happened', title: 'History', note: 'Newest first' },
    html`${live['row-timeline']}${jobs(request, read)}`,
  );
  const way = [
    ['/campaigns', 'Campaigns'],
    [`/campaigns/${id}`, words(campaign.name)],
  ] as const;
  const isForm =
    typed !== undefined || (whyNotEditable(campaign, row.state) === undefined && mayDo(request, 'run'));
  const isOpen = isForm && !isFolded(row, typed);
  const facts = [...plannedFacts(request, read, isOpen), ...mediaFacts(request, read)];
  const edit = await editSection(request, read, typed);
  // What can stay folded stands with the facts that it changes.
  const isBelow = !isOpen && facts.length > 0;
  const planned =
    facts.length === 0
      ? ''
      : section(
          { id: 'planned', title: 'Post' },
          html`<dl class="facts">${facts}</dl>${isBelow ? edit : ''}`,
        );
  return {
    kind: 'page',
    title: titleOf(row),
    zone: request.zone,
    status: typed === undefined ? 200 : typed.refused === undefined ? 422 : 409,
    stream: rowPath(id, key, '/events'),
    scripts: isForm ? ['review.js', 'asks.js', 'uploads.js'] : ['review.js'],
    main: html`
      ${crumbs(request, way, words(row.place ?? key))}
      ${head(request, read, live, video, pictures.get(row.position))}
      <div class="trio">
        ${preview(request, postOf(request, read, pictures.get(row.position)))}
        <div class="pane">
          ${live['row-now']}
          ${await ignoredEdit(request, read)}
          ${await decideSection(request, read)}
          ${isOpen ? [edit, viewsSection(request, read, video), planned] : [planned, viewsSection(request, read, video), isBelow ? '' : edit]}
          ${await commentsSection(request, { id, key }, live['row-comments'] ?? html``)}
        </div>
        ${happened}
      </div>`,
  };
}

function postOf(
  { zone, now }: PageRequest,
  { cells, caption, plannedAt, row }: ReadRow,
  picture: ShownPicture | undefined,
) {
  const text = (name: ColumnName) => cells.find(({ column }) => column === name)?.text.trim() ?? '';
  // When it was posted stands in its notice.
  const soon = row.result !== undefined ? '' : row.isUnapproved ? 'once approved' : 'right away';
  return {
    picture,
    creator: creatorIn(text('creator')),
    caption,
    product: text('product_title') || text('product_id'),
    when: plannedAt === undefined ? soon : moment(plannedAt, zone, now),
  };
}

function streamRowPage(request: PageRequest): Stream {
  const { runtime, params } = request;
  const { id = '', key = '' } = params;
  return liveStream(request, { key: `row ${id} ${key}`, hasForms: true }, async (at) => {
    const [campaign, row] = await Promise.all([findCampaign(runtime, id), showRow(runtime, id, key)]);
    return liveParts(at, campaign, row);
  });
}

async function liveParts(request: PageRequest, campaign: Campaign, row: ShownRow): Promise<LiveParts> {
  const { id } = campaign;
  const { ledger } = request.runtime;
  const [undoable, [comments = []]] = await Promise.all([
    ledger.decisions.decidedAt(id, row.position),
    ledger.comments.of(id, [row.position]),
  ]);
  const closed = closedEdit(campaign, row);
  const { now, zone } = request;
  const at = row.scheduledAt ?? row.readyUntil;
  const [shown, word] = stateOfRow(row, at === undefined ? '' : moment(at, zone, now));
  return {
    'row-title': html`<span id="row-title" data-title="${titleOf(row)}">${stateBadge(shown, capitalized(word), 'tag')}</span>`,
    'row-now': await rowNow(request, campaign, row, undoable),
    'row-comments': commentList(request, comments),
    'row-timeline': html`<div id="row-timeline">${timeline(request, row)}</div>`,
    // The form of an editable row is not updated: somebody may be typing into it.
    ...(closed === undefined ? {} : { 'row-edit': closed }),
  };
}

/** For operators. */
function jobs(request: PageRequest, { jobs: found }: ReadRow): Html | string {
  if (found.length === 0 || !mayDo(request, 'run')) return '';
  const { link } = request;
  return html`<details><summary>Details</summary><p class="note">In Bull Board: ${found.map(
    ({ queue, id }, index) =>
      html`${index > 0 ? ', ' : ''}<a href="${link(`/board/queue/${queue}/${encodeURIComponent(id)}`)}">its ${queue} job</a>`,
  )}</p></details>`;
}

/** The cells as planned, without what the head says. @param isOpen whether an open form has the columns of the row: then only those of the planner are left. */
function plannedFacts(
  { zone, now }: PageRequest,
  { cells, plannedAt, media }: ReadRow,
  isOpen: boolean,
): readonly Html[] {
  const isSaid = (column: string) =>
    isOpen ||
    column === 'key' ||
    column === 'creator' ||
    // Its time is told in its own zone.
    (column === 'scheduled_tz' && plannedAt !== undefined) ||
    media.some((each) => each.column === column);
  const shown = cells.filter(
    ({ column, text }) => text.trim() !== '' && (column === null || !isSaid(column)),
  );
  // Several columns may be parts of the caption, or media.
  const label = (column: string, name: string) =>
    shown.filter((other) => other.column === column).length > 1
      ? html`${labelOf(column)} (${words(name)})`
      : labelOf(column);
  return shown.map(({ name, column, text }) => {
    if (column === null) return noteFact(name.replace(/^[_#] ?/, ''), text);
    if (column === 'cover_timestamp_ms') return fact(label(column, name), html`${words(text)} ms`);
    if (column !== 'scheduled_at' || plannedAt === undefined) return fact(label(column, name), words(text));
    const time = html`<b>${moment(plannedAt, zone, now)}</b> in ${zone}`;
    const own = cells.find((cell) => cell.column === 'scheduled_tz')?.text.trim() ?? '';
    const isSame = own === zone;
    return fact(
      labelOf(column),
      html`${time}${!isSame && html`<br><small>${words(text)} ${words(own)} in the sheet</small>`}`,
    );
  });
}

/** A column of the planner, which nothing reads. Many name it so already. */
function noteFact(name: string, text: string): Html {
  const isNamed = /note/i.test(name);
  return fact(words(capitalized(name)), html`${words(text)}${!isNamed && ' (a note)'}`);
}

/** What the last update did not take over from the sheet. */
async function ignoredEdit({ runtime }: PageRequest, { campaign, row }: ReadRow): Promise<Html | string> {
  const { rows } = await findIgnored(runtime, campaign);
  const { cells = [], note = '' } = rows.find(({ key }) => key === row.key) ?? {};
  const texts = cells.map(
    ({ column, was, is }) => `${column}: ${quoted(is)} in the sheet, ${quoted(was)} here.`,
  );
  if (cells.length === 0 && note === '') return '';
  const text = cells.length === 1 ? 'The last update ignored an edit.' : 'The last update ignored edits.';
  return notice({
    state: 'warning',
    text,
    more: [...(note === '' ? [] : [asSentence(note)]), ...texts].join(' '),
  });
}

function quoted(text: string): string {
  return text === '' ? 'empty' : `“${text}”`;
}

/** The published video, if it is on the watch list. */
async function videoOf(
  { runtime, zone }: PageRequest,
  { campaign, row }: ReadRow,
): Promise<SpanOfVideo | undefined> {
  if (row.state !== 'posted') return undefined;
  const [video] = await runtime.ledger.videos.list.ofRows(campaign.id, [row.key]);
  return video === undefined ? undefined : showSpanOfVideo(runtime, video, { span: daysShown, zone });
}

/** The views of a published video, night by night. */
function viewsSection(
  request: PageRequest,
  { row }: ReadRow,
  figures: SpanOfVideo | undefined,
): Html | string {
  const { link } = request;
  if (row.state !== 'posted' || row.delivery === 'scheduled') return '';
  if (figures === undefined) {
    return section(
      { id: 'views', title: 'Views' },
      html`<p class="note">No figures yet: the post is not on the watch list. <a href="${link('/videos')}">All videos</a></p>`,
    );
  }
  const all = html`<p class="note after"><a href="${link(`/videos/${figures.video.id}`)}">All its figures</a></p>`;
  return viewsOfVideo(request, figures, all);
}

const daysShown = 30;

async function addComment({
  carryOut,
  params: { id = '', key = '' },
  form: fields,
}: PageRequest): Promise<Redirect> {
  await carryOut(approvalOperations.addComment, { id, key, text: fields.get('text') ?? '' });
  return done(`${rowPath(id, key)}#comments`, 'Your comment was added.');
}

/** A live part. */
function commentList({ zone, now }: PageRequest, comments: readonly Comment[]): Html {
  return html`<div id="row-comments">${comments.length > 0 && commentLines(comments, zone, now)}</div>`;
}

/** @param list `commentList`. */
async function commentsSection(
  request: PageRequest,
  { id, key }: { readonly id: string; readonly key: string },
  list: Html,
): Promise<Html> {
  const isOpen = mayDo(request, 'comment') && (await hasLink(request.runtime, id));
  const field = html`<p class="typed"><label class="hidden" for="comment">Comment</label><textarea id="comment" name="text" rows="1" placeholder="Write a comment" aria-describedby="comment-readers" maxlength="${longestComment}" required dir="auto"></textarea><button>Comment</button></p><small id="comment-readers">${readersNote(isOpen)}</small>`;
  return html`<section aria-labelledby="comments">
    <div class="section"><h2 id="comments">Comments</h2></div>
    ${list}
    ${mayDo(request, 'comment') && form(request, { path: rowPath(id, key, '/comments'), body: field })}
  </section>`;
}
