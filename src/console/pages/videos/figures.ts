/** Figures of the videos that match the filter: totals, gains by day, the videos that gained most, and sums by creator, product or campaign. */

import type { Mover } from '../../../app/videos/aggregate.ts';
import { titleOf } from '../../../app/videos/describe.ts';
import { leastPlays, type Overview, type OverviewGrouping } from '../../../app/videos/overview.ts';
import { capitalized, plural, thousands } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { n, section, table } from '../../parts/blocks.ts';
import { gain, plot, short, spark } from '../../parts/figures.ts';
import { dayAndMonth, dayOfMonth, isoDay, longDay } from '../../parts/numbers.ts';
import { type ShownPicture, thumbnail } from '../../parts/picture.ts';
import type { PageRequest } from '../../request.ts';
import {
  addressOf,
  type FigureName,
  figureNames,
  titleOfFigure,
  type VideosQuery,
  videoLink,
} from './table.ts';

/** The totals: what was gained in the span, which the first one names, and how many come with 100 views. @param chosen leads to the plot of each; undefined on paper. */
export function totalFigures(
  { totals, query }: Overview,
  chosen?: { readonly figure: FigureName; readonly address: (name: FigureName) => string },
): Html {
  const [plays = 0] = totals.counts;
  const gains = totals.growths[0] ?? [];
  // Of videos that are younger, the gains would repeat the totals.
  const isAll = totals.counts.every((total, each) => total === (gains[each] ?? 0));
  return html`<ul class="figures">${figureNames.map((name, each) => {
    const total = totals.counts[each] ?? 0;
    const gained = isAll ? '' : gain(gains[each] ?? 0);
    const span = `${isAll ? 'all ' : ''}in ${plural(query.span, 'day')}`;
    const more = each === 0 ? span : rateOf(total, plays);
    const between = each > 0 && gained !== '' && more !== '' ? ' · ' : ' ';
    const body = html`<span>${titleOfFigure(name)}</span><b title="${thousands(total)}">${short(total)}</b><small>${gained}${between}${more}</small>`;
    if (chosen === undefined) return html`<li>${body}</li>`;
    return html`<li><a href="${chosen.address(name)}"${name === chosen.figure && html` aria-current="true"`}>${body}</a></li>`;
  })}</ul>`;
}

/** `5.8 per 100 views`; few of them per million. */
export function rateOf(total: number, plays: number): string {
  if (plays === 0) return '';
  const rate = total / plays;
  return total > 0 && rate < 0.001
    ? `${thousands(Math.round(rate * 1e6))} per million views`
    : `${(rate * 100).toFixed(1)} per 100 views`;
}

/** A bar is hardly seen beside one that is so many times as high. */
const dwarfs = 100;

/** `Peak: 25.4 k on 9 March.`, the largest loss, and why the other bars of the plot cannot be seen. @param dateAt of a bar: `9 March`. */
export function extremesOf(
  title: string,
  values: readonly number[],
  dateAt: (index: number) => string,
  of: 'day' | 'week',
): string {
  const [most, least] = [Math.max(0, ...values), Math.min(0, ...values)];
  const onDate = (value: number) =>
    `${short(Math.abs(value))} ${of === 'day' ? 'on' : 'from'} ${dateAt(values.indexOf(value))}`;
  const peak = most > 0 ? `Peak: ${onDate(most)}.` : `No ${title.toLowerCase()} gained.`;
  const loss = least < 0 ? ` Largest loss: ${onDate(least)}, as the platform reported it.` : '';
  const largest = most >= -least ? most : least;
  const others = values.filter((value) => value !== 0 && value !== largest).map(Math.abs);
  const isAlone = others.length > 0 && Math.max(...others) * dwarfs < Math.abs(largest);
  const note = isAlone
    ? ` The other ${of}s are too small to see beside ${dateAt(values.indexOf(largest))}.`
    : '';
  return `${peak}${loss}${note}`;
}

/** Most days with a label of their own. */
const mostLabels = 15;

/** The totals, and the plot of the chosen one. */
export function gainedSection(
  request: PageRequest,
  { figure, query }: VideosQuery,
  overview: Overview,
): Html {
  const { zone, now } = request;
  const { totals, days } = overview;
  const { span } = query;
  const address = (name: FigureName) =>
    addressOf(request, { figure: name === 'plays' ? '' : name }, 'gained');
  const title = titleOfFigure(figure);
  const values = totals.daily[figureNames.indexOf(figure)] ?? [];
  const times = days.starts;
  const every = Math.ceil(span / mostLabels);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const dates =
    first === last
      ? longDay(last * 1000, zone)
      : `${longDay(first * 1000, zone)} to ${longDay(last * 1000, zone)}`;
  const peak = extremesOf(title, values, (index) => longDay((times[index] ?? last) * 1000, zone), 'day');
  const heading = `${title} gained a day`;
  const sentence = `${heading}, ${dates}. ${peak}`;
  return html`<section class="card" aria-labelledby="gained">
    ${totalFigures(overview, { figure, address })}
    <div class="section"><h2 id="gained">${heading}</h2></div>
    ${
      values.every((value) => value === 0)
        ? html`<p class="note">${peak}</p>`
        : plot({
            kind: 'columns',
            series: { label: title, times, values },
            labels: times.map((at, index) =>
              (times.length - 1 - index) % every !== 0
                ? ''
                : index < every || Number(dayOfMonth(at * 1000, zone)) <= every
                  ? dayAndMonth(at * 1000, zone, now)
                  : dayOfMonth(at * 1000, zone),
            ),
            sentence,
            zone,
            caption: peak,
          })
    }
    <details><summary>Figures day by day</summary>
    ${table({
      of: 'gained',
      heads: ['Day', ...figureNames.map((name) => n(titleOfFigure(name)))],
      lines: times.map(
        (at, day) =>
          html`<tr><th scope="row"><time datetime="${isoDay(at * 1000, zone)}">${longDay(at * 1000, zone)}</time></th>${figureNames.map((_name, each) => html`<td class="n">${thousands(totals.daily[each]?.[day] ?? 0)}</td>`)}</tr>`,
      ),
    })}</details>
  </section>`;
}

/** @param covers pictures of the videos, by id. @param on `paper`: with larger pictures, and with the videos that gained the most, which the table of the page begins with. */
export function moversSection(
  request: PageRequest,
  { movers, query }: Overview,
  covers: ReadonlyMap<string, ShownPicture>,
  on?: 'paper',
): Html | string {
  const list = (shown: typeof movers.most, figure: (mover: Mover) => Html, none: string) =>
    moverList(request, shown, { figure, none, picture: (id) => thumbnail(request, covers.get(id)) });
  const factor = ({ ratio = 0 }) =>
    html`<span class="${ratio > 1 ? 'up' : 'slows'}">× ${ratio < 100 ? ratio.toFixed(1) : short(Math.round(ratio))}</span>`;
  const span = plural(query.span, 'day');
  const compared = `compared with the previous ${query.span === 1 ? 'day' : span}, for videos with ${thousands(leastPlays)} views or more`;
  const fastest = section(
    { id: 'fastest', title: 'Grew faster', note: compared },
    list(movers.fastest, factor, 'No video grew faster than before.'),
  );
  const slowing = section({ id: 'slowing', title: 'Slowing' }, list(movers.slowing, factor, 'None.'));
  const isSlowing = movers.slowing.length > 0;
  const isChanged = movers.fastest.length > 0 || isSlowing;
  if (on === 'paper') {
    const most = section(
      { id: 'most', title: 'Gained the most', note: `views, ${span}` },
      list(movers.most, ({ growth }) => gain(growth), 'No video gained views.'),
    );
    if (!isChanged) return most;
    return html`<div class="halves">
      ${most}
      <div>${fastest}${isSlowing ? slowing : ''}</div>
    </div>`;
  }
  if (!isChanged) return '';
  return html`<div class="halves">${fastest}${slowing}</div>`;
}

function moverList(
  request: PageRequest,
  movers: readonly Mover[],
  {
    figure,
    none,
    picture,
  }: {
    readonly figure: (mover: Mover) => Html;
    readonly none: string;
    readonly picture: (id: string) => Html;
  },
): Html {
  if (movers.length === 0) return html`<p class="none">${none}</p>`;
  return html`<ol class="card lines movers">${movers.map((mover) => {
    const { video, figures } = mover;
    const { facts, meta } = video;
    const title = titleOf({
      label: facts.label ?? null,
      caption: meta.caption ?? null,
      video_url: facts.url,
    });
    return html`<li>${picture(video.id)}<div>${videoLink(request, video.id, title)}<small>${words(facts.creator ?? meta.author ?? '')}</small></div>${spark(figures.daily[0] ?? [])}<b>${figure(mover)}</b></li>`;
  })}</ol>`;
}

const groupsAtFirst = 20;
/** Most groups after "Show all". `campaigns videos report` has the rest. */
const mostGroups = 200;

export function groupsTable(
  request: PageRequest,
  { by, all }: { readonly by: OverviewGrouping; readonly all: boolean },
  { groups }: Overview,
  names: ReadonlyMap<string, string>,
): Html {
  const found = groups[by];
  const shown = found.slice(0, all ? mostGroups : groupsAtFirst);
  const sorted = html`<th scope="col" class="n" aria-sort="descending">Gained ↓</th>`;
  const others = figureNames.slice(1).map((name) => n(titleOfFigure(name)));
  return html`${table({
    of: 'list',
    className: 'middle titled videos',
    heads: [
      capitalized(by),
      n('Videos'),
      n('Views per video'),
      'Gained a day',
      n('Views'),
      sorted,
      ...others,
    ],
    lines: shown.map(
      ({ name, videos, counts: [plays = 0, ...counts], growths: [[gained = 0] = []], daily: [daily = []] }) =>
        html`<tr><th scope="row">${groupName(request, by, name, names)}</th><td class="n">${thousands(videos)}</td><td class="n">${short(plays / Math.max(1, videos))}</td><td>${spark(daily)}</td><td class="n"><b>${short(plays)}</b></td><td class="n">${gain(gained)}</td>${counts.map((each) => html`<td class="n">${short(each ?? 0)}</td>`)}</tr>`,
    ),
  })}
  ${rest(request, found.length, shown.length, all)}`;
}

function rest(request: PageRequest, found: number, shown: number, all: boolean): Html | string {
  if (found <= shown) return '';
  if (!all)
    return html`<p class="pager"><a href="${addressOf(request, { all: '1' }, 'list')}">Show all ${thousands(found)}</a></p>`;
  return html`<p class="pager">The first ${thousands(shown)} of ${thousands(found)}. All are in <code>campaigns videos report</code>.</p>`;
}

function groupName(
  request: PageRequest,
  by: OverviewGrouping,
  name: string,
  names: ReadonlyMap<string, string>,
): Html {
  if (name === '') return html`<span class="none">none</span>`;
  return html`<a href="${addressOf(request, { [by]: name, by: '', page: '' })}">${words(by === 'campaign' ? (names.get(name) ?? name) : name)}</a>`;
}
