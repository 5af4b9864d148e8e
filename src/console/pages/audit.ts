/** `/audit`: who changed what, when, from where. For operators only, because it shows names and network addresses. */

import { type AuditPage, exportAudit, readAudit } from '../../app/access/audit.ts';
import type { AuditEntry } from '../../ledger/access/audit.ts';
import { sheetContentTypes } from '../../sheets/write/format.ts';
import { type Html, html, words } from '../html.ts';
import { empty, table } from '../parts/blocks.ts';
import { changedAddress, cursorPager, noMatch, readBefore } from '../parts/list.ts';
import { clockWithSeconds, count, day, number } from '../parts/numbers.ts';
import { icon } from '../parts/state.ts';
import type { Download, Page, PageRequest, Route } from '../request.ts';

export const auditRoutes: readonly Route[] = [
  { method: 'get', path: '/audit', role: 'operator', handle: showAudit },
  { method: 'get', path: '/audit.:format', role: 'operator', handle: download },
];

async function showAudit(request: PageRequest): Promise<Page> {
  const { runtime, query, link } = request;
  const from = query.get('from') ?? undefined;
  const page = await readAudit(runtime, from);
  const files = html`<div class="actions">
    <a class="button" href="${link('/audit.csv')}">${icon('down')} CSV</a>
    <a class="button" href="${link('/audit.jsonl')}">${icon('down')} JSON Lines</a>
  </div>`;
  return {
    kind: 'page',
    title: 'Audit',
    section: '/audit',
    main: html`
      <div class="head"><h1 id="audit">Audit</h1>${page.total === 0 ? '' : files}</div>
      ${page.entries.length === 0 ? nothing(request, from) : list(request, page, from)}`,
  };
}

function nothing({ link }: PageRequest, from: string | undefined): Html {
  if (from === undefined) {
    return empty(html`<b>No changes yet.</b> Changes in the console and by commands appear here.`);
  }
  return noMatch('There are no older changes.', '', [link('/audit'), 'Show the newest']);
}

function list(
  request: PageRequest,
  { entries, next, total, kept }: AuditPage,
  from: string | undefined,
): Html {
  const isFirst = from === undefined;
  const stretch = { before: readBefore(request.query, isFirst), many: entries.length, total };
  const address = (place: Record<string, string>) => changedAddress(request, '/audit', place);
  const lines = entries.map((entry) => line(request, entry));
  return html`<section class="card" aria-labelledby="audit">
    ${table({ of: 'audit', className: 'stacked', heads: ['When', 'Who', 'What', 'By', 'From'], lines })}
    <p class="note">${count(total, 'change')}, newest first. Times are in ${request.zone}. At most ${number(kept)} are kept; the oldest are dropped.</p>
    ${cursorPager(stretch, { isFirst, next, labels: ['Newest', 'Older'] }, address)}
  </section>`;
}

function line({ zone, now, link }: PageRequest, { at, who, from, what, by }: AuditEntry): Html {
  const campaign = /^\/campaigns\/(c\d{1,15})(?:\/|$)/.exec(by)?.[1];
  const shown = campaign === undefined ? by : html`<a href="${link(`/campaigns/${campaign}`)}">${by}</a>`;
  return html`<tr>
    <td>${day(at, zone, now)}, ${clockWithSeconds(at, zone)}</td>
    <td>${words(who)}</td>
    <td>${words(what)}</td>
    <td data-head="By">${shown}</td>
    <td data-head="From">${from}</td>
  </tr>`;
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
