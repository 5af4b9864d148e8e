/** `/videos/report`: the report for a client. Prints on one or two sheets of A4, and downloads as a workbook. */

import type { GroupFigures } from '../../../app/videos/aggregate.ts';
import {
  type ClientReport,
  datesOf,
  nameOfGroup,
  scopeOf,
  titleOfReport,
  writeClientReport,
} from '../../../app/videos/client-report.ts';
import { type Overview, overviewGroupings } from '../../../app/videos/overview.ts';
import { type DateSpan, dateOf, mostDays, readDates } from '../../../app/videos/spans.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { asSentence, capitalized, plural, sentence, thousands } from '../../../manifest/wording.ts';
import { sheetContentTypes } from '../../../sheets/write/format.ts';
import { fixOnPage } from '../../hints.ts';
import { type Html, html, words } from '../../html.ts';
import { crumbs, empty, n, notice, section, table } from '../../parts/blocks.ts';
import { gain, plot, short } from '../../parts/figures.ts';
import { filterChips, tabs, textIn } from '../../parts/list.ts';
import { dayAndMonth, moment } from '../../parts/numbers.ts';
import { icon } from '../../parts/state.ts';
import type { Download, Page, PageRequest } from '../../request.ts';
import { coveredOf, coversOf } from './covers.ts';
import { extremesOf, moversSection, totalFigures } from './figures.ts';
import { postsSection } from './report-posts.ts';
import { campaignChoices, campaignNames, figureNames, filtersOf, titleOfFigure } from './table.ts';

interface ReportQuery extends DateSpan {
  readonly by: ClientReport['by'];
  readonly filter: Readonly<Record<'campaign' | 'creator' | 'product', string | undefined>>;
  /** Texts of one's own. */
  readonly own: Readonly<Record<'title' | 'comment', string>>;
  /** Why the days that were asked for are not shown. */
  readonly refused: UseCaseError | undefined;
}

function readReportQuery({ query, zone, now }: PageRequest): ReportQuery {
  const given = { since: textIn(query, 'since'), until: textIn(query, 'until') };
  const filter = {
    campaign: textIn(query, 'campaign'),
    creator: textIn(query, 'creator'),
    product: textIn(query, 'product'),
  };
  const by = overviewGroupings.find((name) => name === query.get('by')) ?? 'creator';
  const own = {
    title: textIn(query, 'title')?.slice(0, longestTitle) ?? '',
    comment: textIn(query, 'comment')?.slice(0, longestComment) ?? '',
  };
  try {
    return { ...readDates(given, zone, now), by, filter, own, refused: undefined };
  } catch (error) {
    if (!(error instanceof UseCaseError)) throw error;
    return { ...readDates({}, zone, now), by, filter, own, refused: error };
  }
}

const longestTitle = 120;
/** In an address, with its other fields. */
const longestComment = 1000;

/** @throws {UseCaseError} `figures_busy`. */
async function readReport(
  { videos, runtime, zone, left }: PageRequest,
  { span, until, by, filter, own }: ReportQuery,
): Promise<ClientReport> {
  const [overview, names] = await Promise.all([
    videos.read({ span, until, zone, ...filter }, left),
    campaignNames(runtime),
  ]);
  return { overview, by, names, ...own };
}

/** @throws {UseCaseError} `figures_busy`. */
export async function showReport(request: PageRequest): Promise<Page> {
  const asked = readReportQuery(request);
  const report = await readReport(request, asked);
  return {
    kind: 'page',
    title: titleOfReport(report),
    status: asked.refused && 422,
    main: html`<article class="report">
      ${crumbs(request, [['/videos', 'Videos']], 'report')}
      ${choices(request, asked, report)}
      <div class="card">${head(request, report)}
      ${report.overview.order.size === 0 ? nothing(request) : await figures(request, report)}</div>
    </article>`,
  };
}

/** Of one's own title, without what file systems refuse. */
function fileNameOf(title: string): string {
  return title.replaceAll(/[/\\:*?"<>|]/g, ' ').trim() || 'Videos';
}

/** @throws {UseCaseError} `figures_busy`, `date_invalid`. */
export async function downloadReport(request: PageRequest): Promise<Download> {
  const asked = readReportQuery(request);
  if (asked.refused) throw asked.refused;
  const report = await readReport(request, asked);
  return {
    kind: 'download',
    fileName: `${fileNameOf(titleOfReport(report))}.xlsx`,
    contentType: sheetContentTypes.xlsx,
    write: (to) => writeClientReport(request.runtime, report, to),
  };
}

export function reportPath(
  since: string,
  until: string,
  { by, filter, own }: Pick<ReportQuery, 'by' | 'filter'> & Partial<Pick<ReportQuery, 'own'>>,
  ending = '',
): string {
  const texts = Object.fromEntries(Object.entries(own ?? {}).filter(([, text]) => text !== ''));
  return `/videos/report${ending}?${new URLSearchParams({ since, until, ...(by !== 'creator' && { by }), ...filtersOf(filter), ...texts })}`;
}

/** As a document begins. */
function head(request: PageRequest, report: ClientReport): Html {
  const { link, zone, now } = request;
  const { overview } = report;
  const read =
    overview.lastAt === undefined ? 'never updated' : `updated ${moment(overview.lastAt * 1000, zone, now)}`;
  const { logo } = request.runtime.settings.videos;
  const dates = report.title === '' ? '' : `${datesOf(overview)} · `;
  return html`<header>
      ${logo === null ? '' : html`<img class="logo" src="${link('/videos/report/logo')}" alt="">`}
      <h1>${words(titleOfReport(report))}</h1>
      <p class="about">${dates}${words(scopeOf(report) || 'All videos')} · ${plural(overview.order.size, 'video')} · ${read} · ${zone}</p>
      ${report.comment === '' ? '' : html`<p class="comment">${words(report.comment)}</p>`}
    </header>`;
}

function datesIn({ days: { starts, until }, at, query: { zone } }: Overview): readonly [string, string] {
  return [dateOf(starts[0] ?? 0, zone), dateOf(until ?? at / 1000, zone)];
}

function choices(request: PageRequest, asked: ReportQuery, { overview, names }: ClientReport): Html {
  const { link, query } = request;
  const { by, filter, own, refused } = asked;
  const [since, until] = refused ? [query.get('since'), query.get('until')] : datesIn(overview);
  const campaigns = campaignChoices(overview.list, names, filter.campaign);
  const groupings = overviewGroupings.map((each) => [each, capitalized(each)] as const);
  const why =
    refused &&
    notice({
      state: 'warning',
      text: asSentence(refused.message),
      more: `${sentence(fixOnPage(refused.fix))} The report below covers the last 30 days.`,
    });
  const [first, last] = datesIn(overview);
  const usual = spansOf(request);
  // At the end of a month of 30 days, two of them are the same.
  const shown = usual.find(([, from, to]) => from === first && to === last);
  const spans = usual.map(
    (span) => [span[0], link(reportPath(span[1], span[2], asked)), span === shown] as const,
  );
  const days = html`<label>From<input type="date" name="since" value="${since ?? ''}"></label><label>To<input type="date" name="until" value="${until ?? ''}"></label>`;
  const texts = html`<label>Title<input name="title" value="${own.title}" maxlength="${longestTitle}" placeholder="Videos, with the days"></label><label>Comment<input name="comment" value="${own.comment}" maxlength="${longestComment}"></label>`;
  const chips = filterChips(request, { path: '/videos/report' }, [
    {
      name: 'since',
      title: 'Days',
      value: refused ? undefined : datesOf(overview),
      fields: { body: days, names: ['since', 'until'] },
    },
    { name: 'by', title: 'By', value: by, options: groupings, isKept: true },
    { name: 'campaign', title: 'Campaign', value: filter.campaign, options: campaigns },
    { name: 'creator', title: 'Creator', value: filter.creator },
    { name: 'product', title: 'Product', value: filter.product },
    {
      name: 'title',
      title: 'Title and comment',
      value: own.title || own.comment || undefined,
      fields: { body: texts, names: ['title', 'comment'] },
    },
  ]);
  const excel = link(reportPath(first, last, asked, '.xlsx'));
  return html`${why ?? ''}<div class="section">${tabs('Days', spans)}
    <div class="actions"><a class="button" href="${excel}">${icon('down')}Excel</a> <button type="button" data-print hidden>Print…</button></div></div>${chips}`;
}

/** Usual spans: name, first and last date. */
function spansOf({ zone, now }: PageRequest): readonly (readonly [name: string, from: string, to: string])[] {
  const today = dateOf(now / 1000, zone);
  const ago = (days: number) => {
    const date = new Date(`${today}T00:00Z`);
    date.setUTCDate(date.getUTCDate() - days);
    return date.toISOString().slice(0, 10);
  };
  const dayOfMonth = Number(today.slice(8));
  const lastMonth = ago(dayOfMonth);
  return [
    ['7 days', ago(6), today],
    ['30 days', ago(29), today],
    ['90 days', ago(89), today],
    ['This month', `${today.slice(0, 8)}01`, today],
    ['Last month', `${lastMonth.slice(0, 8)}01`, lastMonth],
  ];
}

function nothing({ link }: PageRequest): Html {
  return empty(
    html`<b>No video matches.</b> Choose other days, up to ${thousands(mostDays)}, or remove a filter.`,
    html`<p class="actions"><a class="button" href="${link('/videos/report')}">Show all videos</a></p>`,
  );
}

async function figures(request: PageRequest, report: ClientReport): Promise<Html> {
  const { overview } = report;
  const { most, fastest, slowing } = overview.movers;
  const covers = await coversOf(
    request,
    [...most, ...fastest, ...slowing].map(({ video }) => coveredOf(video)),
  );
  return html`${gainedPlot(request, overview)}
    ${moversSection(request, overview, covers, 'paper')}
    ${groupsSection(report)}
    ${await postsSection(request, report)}`;
}

/** More columns would be too narrow on paper. */
const mostColumns = 62;
const mostLabels = 6;

/** The totals, and views gained by day; by week in a long span. */
function gainedPlot({ zone, now }: PageRequest, overview: Overview): Html {
  const { days, totals, query } = overview;
  const { span } = query;
  const size = span > mostColumns ? 7 : 1;
  const daily = totals.daily[0] ?? [];
  const many = Math.ceil(span / size);
  // The last week is whole.
  const firstOf = (bin: number) => Math.max(0, span - (many - bin) * size);
  const bins = Array.from({ length: many }, (_bin, bin) => ({
    at: days.starts[firstOf(bin)] ?? 0,
    value: daily.slice(firstOf(bin), span - (many - bin - 1) * size).reduce((sum, value) => sum + value, 0),
  }));
  const every = Math.ceil(many / mostLabels);
  const of = size === 1 ? 'day' : 'week';
  const values = bins.map(({ value }) => value);
  const dateAt = (bin: number) => dayAndMonth((bins[bin]?.at ?? 0) * 1000, zone, now);
  const peak = extremesOf('Views', values, dateAt, of);
  return html`<section class="card" aria-labelledby="gained">
    ${totalFigures(overview)}
    <div class="section"><h2 id="gained">Views gained a ${of}</h2></div>
    ${plot({
      kind: 'columns',
      series: { label: 'Views', times: bins.map(({ at }) => at), values },
      labels: bins.map(({ at }, index) =>
        (many - 1 - index) % every === 0 ? dayAndMonth(at * 1000, zone, now) : '',
      ),
      sentence: `Views gained a ${of}. ${peak}`,
      zone,
      caption: peak,
    })}
  </section>`;
}

/** As many as a sheet of paper has room for. */
const mostGroups = 25;

function groupsSection({ by, names, overview: { groups, totals } }: ClientReport): Html {
  const shown = groups[by].slice(0, mostGroups);
  const left = groups[by].length - shown.length;
  const [views, ...others] = figureNames.map((name) => n(titleOfFigure(name)));
  const list = table({
    of: 'by',
    isPinned: true,
    heads: [capitalized(by), n('Videos'), views ?? '', n('Gained ↓'), ...others, n('Engagement')],
    lines: [
      groupLine('All', totals),
      ...shown.map((group) => groupLine(nameOfGroup({ by, names }, group.name), group)),
    ],
  });
  const more = left > 0 ? html`<p class="note">${thousands(left)} more are in the Excel report.</p>` : '';
  const note = 'Engagement: likes, comments, shares and saves, divided by views';
  return section({ id: 'by', title: `By ${by}`, note }, html`${list}${more}`);
}

function groupLine(name: string, { videos, counts, growths, engagement }: GroupFigures): Html {
  const [views, ...others] = figureNames.map((_name, each) => counts[each]);
  const cell = (value: number | undefined) =>
    html`<td class="n">${value === undefined ? html`<span class="none">unknown</span>` : short(value)}</td>`;
  const share =
    engagement === undefined ? html`<span class="none">unknown</span>` : `${(engagement * 100).toFixed(1)}%`;
  return html`<tr><th scope="row">${words(name)}</th><td class="n">${thousands(videos)}</td>${cell(views)}<td class="n">${gain(growths[0]?.[0])}</td>${others.map(cell)}<td class="n">${share}</td></tr>`;
}
