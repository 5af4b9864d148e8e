/** `/audit`: who changed what, when, from where. For admins only, because it shows names and network addresses. */

import { type AuditFilter, type AuditPage, exportAudit, readAudit } from '../../app/access/audit.ts';
import { listDrafts } from '../../app/drafts/drafts.ts';
import { manifestName } from '../../importers/open/manifest-file.ts';
import type { AuditEntry, AuditList } from '../../ledger/access/audit.ts';
import { plural, thousands } from '../../manifest/wording.ts';
import { sheetContentTypes } from '../../sheets/write/format.ts';
import { type Html, html, words } from '../html.ts';
import { empty, face, section } from '../parts/blocks.ts';
import { changedAddress, cursorPager, filterChips, noMatch, readBefore } from '../parts/list.ts';
import { clockWithSeconds, day } from '../parts/numbers.ts';
import { icon } from '../parts/state.ts';
import type { Download, Page, PageRequest, Route } from '../request.ts';

export const auditRoutes: readonly Route[] = [
  { method: 'get', path: '/audit', right: 'manage', handle: showAudit },
  { method: 'get', path: '/audit.:format', right: 'manage', handle: download },
];

async function showAudit(request: PageRequest): Promise<Page> {
  const { runtime, query, link } = request;
  const from = query.get('from') ?? undefined;
  const [list] = kinds.find(([each]) => each === query.get('what')) ?? [];
  const filter = { who: query.get('who') || undefined, list };
  const page = await readAudit(runtime, from, undefined, filter);
  const files = html`<div class="actions">
    <a class="button" href="${link('/audit.csv')}">${icon('down')} CSV</a>
    <a class="button" href="${link('/audit.jsonl')}">${icon('down')} JSON Lines</a>
  </div>`;
  return {
    kind: 'page',
    title: 'Audit',
    main: html`
      <div class="head"><h1 id="audit">Audit</h1>${page.total === 0 ? '' : files}</div>
      ${page.total === 0 ? '' : chips(request, filter)}
      ${page.entries.length === 0 ? nothing(request, page) : await days(request, page, filter)}`,
  };
}

const kinds: readonly (readonly [AuditList, string])[] = [
  ['changes', 'Changes'],
  ['signIns', 'Sign-ins'],
  ['uploads', 'Uploads'],
];

function chips(request: PageRequest, { who, list }: AuditFilter): Html {
  return filterChips(request, { path: '/audit' }, [
    { name: 'who', title: 'Who', value: who },
    { name: 'what', title: 'What', value: list, options: kinds },
  ]);
}

function nothing({ link }: PageRequest, { total }: AuditPage): Html {
  if (total === 0) {
    return empty(html`<b>No changes yet.</b> Changes in the console and by commands appear here.`);
  }
  return noMatch('There are no such changes.', '', [link('/audit'), 'Show the newest']);
}

/** Name and page of a campaign or draft, by its id. */
type Named = ReadonlyMap<string, readonly [name: string, path: string]>;

/** Neither keys nor names of files that look like ids. */
const ids = /(?<!\brow |[/:,] ?)\b(c\d{1,15}|[0-9a-f]{16})\b(?!\.\w)/g;

/** Of the campaigns and drafts that are there still. */
async function namesIn({ runtime }: PageRequest, entries: readonly AuditEntry[]): Promise<Named> {
  const found = new Set(entries.flatMap(({ what }) => what.match(ids) ?? []));
  const [{ campaigns }, { drafts }] = await Promise.all([
    runtime.ledger.campaigns.survey(),
    listDrafts(runtime),
  ]);
  const isNamed = ({ id }: { readonly id: string }) => found.has(id);
  return new Map([
    ...campaigns.filter(isNamed).map(({ id, name }) => [id, [name, `/campaigns/${id}`]] as const),
    ...drafts.filter(isNamed).map(({ id, options, sheet }) => {
      const name = options.name ?? (sheet ? manifestName(sheet.name) : id);
      return [id, [name, `/campaigns/new/${id}`]] as const;
    }),
  ]);
}

function withNames({ link }: PageRequest, text: string, names: Named): Html {
  return html`${text.split(ids).map((part) => {
    const [name, path] = names.get(part) ?? [];
    return path === undefined
      ? words(part)
      : html`<a href="${link(path)}" title="${part}">${words(name ?? part)}</a>`;
  })}`;
}

/** The changes, day by day. */
async function days(
  request: PageRequest,
  { entries, next, total, kept }: AuditPage,
  { who, list }: AuditFilter,
): Promise<Html> {
  const names = await namesIn(request, entries);
  const { query, zone, now } = request;
  const isFirst = !query.get('from');
  const isWhole = who === undefined && list === undefined;
  const stretch = {
    before: readBefore(query, isFirst),
    many: entries.length,
    total: isWhole ? total : undefined,
  };
  const address = (place: Record<string, string>) => changedAddress(request, '/audit', place);
  const parts = [...Map.groupBy(entries, ({ at }) => day(at, zone, now))].map(([date, of], index) =>
    section(
      { id: `day-${index}`, title: date, note: plural(of.length, 'change') },
      html`<ul class="card lines">${likes(of).map((same) => line(request, same, names))}</ul>`,
    ),
  );
  const note = html`<span>${isWhole && html`${plural(total, 'change')}. `}Times are in ${zone}. At most ${thousands(kept)} are kept; the oldest are dropped.</span>`;
  return html`${parts}
    ${cursorPager(stretch, { isFirst, next, labels: ['Newest', 'Older'] }, address, note)}`;
}

/** Neighbors that one form has sent, such as the files of an upload, share a line. */
function likes(entries: readonly AuditEntry[]): readonly (readonly AuditEntry[])[] {
  const groups: AuditEntry[][] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    const isLike = (['who', 'from', 'by'] as const).every((field) => last?.[0]?.[field] === entry[field]);
    if (isLike) last?.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

function line(request: PageRequest, [first, ...others]: readonly AuditEntry[], names: Named): Html {
  if (first === undefined) return html``;
  const { zone } = request;
  const { at, who, from, what, by } = first;
  const more = html`<details><summary>${thousands(others.length)} more like this</summary><ul>${others.map((other) => html`<li>${clockWithSeconds(other.at, zone)} ${withNames(request, other.what, names)}</li>`)}</ul></details>`;
  return html`<li>${face(who)}
    <div>${withNames(request, what, names)}${others.length > 0 && more}<small><a href="${changedAddress(request, '/audit', { who, from: '', before: '' })}">${words(who)}</a> · ${from}<span class="opt"> · ${words(by)}</span></small></div>
    <small class="n">${clockWithSeconds(at, zone)}</small></li>`;
}

function download({ runtime, params }: PageRequest): Download {
  const format = params.format === 'jsonl' ? 'jsonl' : 'csv';
  return {
    kind: 'download',
    fileName: `audit.${format}`,
    contentType: sheetContentTypes[format],
    write: (to) => exportAudit(runtime, format, to),
  };
}
