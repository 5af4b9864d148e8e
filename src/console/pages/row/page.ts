/** `/campaigns/ID/rows/KEY`: the planned post with its media, its history, and what can be done now. */
import { findCampaign } from '../../../campaigns/find.ts';
import { type MediaColumn, openRowMedium, type ShownMedium } from '../../../campaigns/rows/media.ts';
import { type ReadRow, readRow, type ShownRow, showRow } from '../../../campaigns/rows/show-row.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { describeSize } from '../../../manifest/presentable.ts';
import { capitalized, describeAge } from '../../../runtime/wording.ts';
import { type Html, html, words } from '../../html.ts';
import type { LiveParts } from '../../live/hub.ts';
import { rowPath } from '../../parts/address.ts';
import { crumbs, liveStream, section } from '../../parts/blocks.ts';
import { inZoneOf, moment, number } from '../../parts/numbers.ts';
import { icon, stateBadge, stateOfRow, wordOf } from '../../parts/state.ts';
import type { Answer, Page, PageRequest, Route, ShownFile, Stream } from '../../request.ts';
import { askPicker, pickerPicture } from '../pickers.ts';
import { askEdit, closedEdit, editSection, readPicking, saveEdit, type Typed } from './edit.ts';
import { decideSection, retryRoutes, rowNow } from './now.ts';
import { timeline } from './timeline.ts';

const page = '/campaigns/:id/rows/:key';

export const rowRoutes: readonly Route[] = [
  { method: 'get', path: page, role: 'viewer', handle: (request) => showRowPage(request) },
  { method: 'get', path: `${page}/events`, role: 'viewer', handle: streamRowPage },
  { method: 'get', path: `${page}/media/:column/:index`, role: 'viewer', handle: showMedium },
  {
    method: 'get',
    path: `${page}/pick/:what`,
    role: 'operator',
    handle: async (request) => askPicker(await readPicking(request)),
  },
  {
    method: 'get',
    path: `${page}/pictures/:product`,
    role: 'operator',
    handle: async (request) => pickerPicture(await readPicking(request), request.params.product ?? ''),
  },
  ...retryRoutes,
  { method: 'post', path: `${page}/edit`, role: 'operator', handle: edit(askEdit) },
  { method: 'post', path: `${page}/save`, role: 'operator', handle: edit(saveEdit) },
];

/** If texts have problems, the page of the row comes back with them. */
function edit(by: typeof askEdit) {
  return async (request: PageRequest): Promise<Answer> => {
    const answer = await by(request);
    return 'kind' in answer ? answer : showRowPage(request, answer);
  };
}

/** @param typed texts of a refused form, to show again. */
async function showRowPage(asked: PageRequest, typed?: Typed): Promise<Page> {
  const { id = '', key = '' } = asked.params;
  const read = await readRow(asked.runtime, id, key);
  const { campaign, row } = read;
  const request = inZoneOf(asked, campaign);
  const live = await liveParts(request, campaign, row);
  const happened = section(
    { id: 'happened', title: 'History', note: 'Newest first' },
    html`${live['row-timeline']}${jobs(request, read)}`,
  );
  const planned = html`${writtenSection(read)}${mediaSection(request, read)}`;
  const way = [
    ['/campaigns', 'Campaigns'],
    [`/campaigns/${id}`, words(campaign.name)],
  ] as const;
  const isOpen = row.state === 'failed' || row.state === 'waiting';
  return {
    kind: 'page',
    title: titleOf(row),
    section: '/campaigns',
    zone: request.zone,
    status: typed === undefined ? 200 : typed.refused === undefined ? 422 : 409,
    stream: rowPath(id, key, '/events'),
    main: html`
      ${crumbs(request, way, words(key))}
      ${head(request, read, live)}
      ${live['row-now']}
      ${await decideSection(request, read)}
      ${isOpen ? html`<div class="two">${editSection(request, read, typed)}<div>${happened}${planned}</div></div>` : html`<div class="two">${happened}<div>${planned}${editSection(request, read, typed)}</div></div>`}`,
  };
}

function streamRowPage(request: PageRequest): Stream {
  const { runtime, params } = request;
  const { id = '', key = '' } = params;
  return liveStream(request, `row ${id} ${key}`, async (at) => {
    const [campaign, row] = await Promise.all([findCampaign(runtime, id), showRow(runtime, id, key)]);
    return liveParts(at, campaign, row);
  });
}

async function liveParts(request: PageRequest, campaign: Campaign, row: ShownRow): Promise<LiveParts> {
  const { id } = campaign;
  const undoable = await request.runtime.ledger.decisions.decidedAt(id, row.position);
  const closed = closedEdit(campaign, row);
  const { now, zone } = request;
  const [shown, word] = stateOfRow(
    row,
    row.scheduledAt === undefined ? '' : moment(row.scheduledAt, zone, now),
  );
  return {
    'row-title': html`<h1 id="row-title" data-title="${titleOf(row)}">${words(row.key)} ${stateBadge(shown, capitalized(word), 'tag')}</h1>`,
    'row-now': rowNow(request, id, row, undoable),
    'row-timeline': html`<div id="row-timeline">${timeline(request, row)}</div>`,
    // The form of an editable row is not updated: somebody may be typing into it.
    ...(closed === undefined ? {} : { 'row-edit': closed }),
  };
}

function titleOf({ key, state, delivery }: ShownRow): string {
  return `${key}, ${wordOf(delivery ?? state)}`;
}

function head(request: PageRequest, { campaign, row, line, cells, beside }: ReadRow, live: LiveParts): Html {
  const { link, zone, now } = request;
  const { state, revision, error, result } = row;
  const at = error?.at ?? result?.at;
  const creator = cells.find(({ column }) => column === 'creator')?.text ?? '';
  const kind = state === 'failed' || state === 'review' ? ` ${wordOf(state)}` : '';
  const to = (key: string | undefined, label: string) =>
    key === undefined ? '' : html`<a class="button" href="${link(rowPath(campaign.id, key))}">${label}</a>`;
  return html`<div class="head">
    <div>
      ${live['row-title']}
      <p class="about">${words(creator)} · line ${number(line)} of the sheet · revision ${revision + 1}${at === undefined ? '' : ` · ${state === 'posted' ? 'accepted' : wordOf(state)} since ${moment(at, zone, now)}${state === 'review' ? `, ${describeAge(Math.max(0, now - at))}` : ''}`}</p>
    </div>
    <nav class="actions" aria-label="Rows">${to(beside.before, 'Previous')} ${to(beside.after, `Next${kind}`)}</nav>
  </div>`;
}

function jobs({ link }: PageRequest, { jobs: found }: ReadRow): Html {
  if (found.length === 0) return html`<p class="note">The row has no job in the queues now.</p>`;
  return html`<p class="note">In Bull Board: ${found.map(
    ({ queue, id }, index) =>
      html`${index > 0 ? ', ' : ''}<a href="${link(`/board/queue/${queue}/${encodeURIComponent(id)}`)}">its ${queue} job</a>`,
  )}</p>`;
}

type Roles = Readonly<Record<MediaColumn, string>>;

const roles: Roles = {
  media: 'Media',
  cover: 'Cover',
  ai_references: 'Reference',
};

export async function showMedium({ runtime, params }: PageRequest): Promise<ShownFile> {
  const { id = '', key = '', column = '', index = '' } = params;
  return { kind: 'file', ...(await openRowMedium(runtime, id, key, { column, index: Number(index) })) };
}

export function mediaSection(request: PageRequest, { campaign, row, media }: ReadRow): Html | string {
  if (media.length === 0 && row.assets.length === 0) return '';
  const generated = row.assets.map(
    (url, index) =>
      html`<li><div>${outside(url)}<br><small><b>Generated</b>, output ${index + 1}</small></div></li>`,
  );
  const isAhead = row.state === 'waiting' || row.state === 'running';
  const given = media.map((medium) =>
    item(
      request,
      rowPath(campaign.id, row.key),
      medium,
      isAhead ? { ...roles, media: 'Will be posted' } : roles,
    ),
  );
  return html`<section aria-labelledby="assets">
    <div class="section"><h2 id="assets">Media</h2></div>
    <ul class="beside">${generated}${given}</ul>
  </section>`;
}

function item(request: PageRequest, page: string, medium: ShownMedium, roles: Roles): Html {
  const { column, index, source, kind, contentType, bytes, fault } = medium;
  switch (kind) {
    case 'address':
      return html`<li><div>${outside(source)}<br><small>${roles[column]}</small></div></li>`;
    case 'fault':
      return html`<li><p class="missing">${icon('gone')} ${words(source)}<br><small>${fault}</small></p></li>`;
    case 'file': {
      const path = request.link(`${page}/media/${column}/${index}`);
      return html`<li>${picture(path, contentType ?? '', `${roles[column]}, ${index + 1}`)}
        <small><b>${roles[column]}</b><br>${words(source)}<br>${describeSize(bytes ?? 0)}</small></li>`;
    }
  }
}

function picture(path: string, contentType: string, label: string): Html {
  return contentType.startsWith('video/')
    ? html`<video src="${path}" controls preload="metadata" width="90" height="160" aria-label="${label}"></video>`
    : html`<a href="${path}"><img src="${path}" alt="${label}" width="90" height="160" loading="lazy"></a>`;
}

/** A link to another server. The query is left out of the text, because it may contain a signature. */
export function outside(url: string): Html {
  const shown = url.split(/[?#]/)[0] ?? url;
  return /^https?:\/\//i.test(url)
    ? html`<a href="${url}" rel="noreferrer noopener" target="_blank">${words(shown)}</a>`
    : html`${words(shown)}`;
}

export function writtenSection({ cells }: ReadRow): Html {
  const filled = cells.filter(({ text }) => text.trim() !== '');
  return html`<section aria-labelledby="written">
    <div class="section"><h2 id="written">What was planned</h2></div>
    <dl class="facts">
      ${filled.map(
        ({ name, column, text }) =>
          html`<dt>${words(column === null ? name.replace(/^[_#] ?/, '') : name)}</dt><dd>${words(text)}${column === null ? ' (a note)' : ''}</dd>`,
      )}
    </dl>
  </section>`;
}
