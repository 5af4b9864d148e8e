/** `/videos/ID`: the figures of one video, sample by sample. */

import { titleOf, withoutScheme } from '../../../app/videos/describe.ts';
import { showSchedule } from '../../../app/videos/schedule.ts';
import { spanLengths, spanOf } from '../../../app/videos/spans.ts';
import { type ComparedSample, type SpanOfVideo, showSpanOfVideo } from '../../../app/videos/watch-list.ts';
import { type Html, html, words } from '../../html.ts';
import { crumbs, n, notice, section, table } from '../../parts/blocks.ts';
import { gain, plot } from '../../parts/figures.ts';
import { mayChange, questionLink } from '../../parts/form.ts';
import { changedAddress, tabs } from '../../parts/list.ts';
import { count, dayAndMonth, moment, number } from '../../parts/numbers.ts';
import { type PreviewedPost, preview, type ShownPicture } from '../../parts/picture.ts';
import { icon } from '../../parts/state.ts';
import type { Page, PageRequest } from '../../request.ts';
import { coversOf } from './covers.ts';
import { rateOf } from './figures.ts';
import { campaignNames, figureNames, rowLink, titleOfFigure, videoBadge } from './table.ts';

/** @throws {UseCaseError} `video_not_found`. */
export async function showVideo(request: PageRequest): Promise<Page> {
  const { runtime, params, query, zone } = request;
  // The whole life of most videos.
  const span = spanOf(query.get('span') ?? String(spanLengths.at(-1)));
  const [figures, names] = await Promise.all([
    showSpanOfVideo(runtime, params.id ?? '', { span, zone }),
    campaignNames(runtime),
  ]);
  const { video } = figures;
  const who = video.creator ?? video.author;
  const title = titleOf(video);
  const cover = (await coversOf(request, [video])).get(video.id);
  return {
    kind: 'page',
    title: who === null ? title : `${title}, ${who}`,
    section: '/videos',
    main: html`
      ${crumbs(request, [['/videos', 'Videos']], words(who ?? video.id))}
      ${head(request, video, title, names)}
      ${trouble(request, video)}
      <div class="trio duo">
        ${preview(request, postOf(request, video, cover), await postFacts(request, video))}
        <div>
          ${leadSection(request, figures, span)}
          ${otherFigures(request, figures)}
          ${samplesSection(request, figures)}
        </div>
      </div>`,
  };
}

type Video = SpanOfVideo['video'];

function postOf({ zone, now }: PageRequest, video: Video, picture: ShownPicture | undefined): PreviewedPost {
  const { creator, author, caption, product_id, released_at } = video;
  return {
    picture,
    creator: creator ?? author ?? '',
    caption: caption ?? '',
    product: product_id === null ? '' : `Product ${product_id}`,
    when: released_at === null ? '' : moment(Date.parse(released_at), zone, now),
  };
}

async function postFacts({ runtime, zone, now }: PageRequest, video: Video): Promise<Html> {
  const { id } = video;
  const { schedule } = await showSchedule(runtime);
  const next = schedule?.next === undefined ? 'not scheduled' : moment(schedule.next, zone, now);
  return html`<dl class="facts">
    <dt>Video</dt><dd><code>${id}</code></dd>
    <dt>Next update</dt><dd>${next}</dd>
  </dl>`;
}

function head(request: PageRequest, video: Video, title: string, names: ReadonlyMap<string, string>): Html {
  const { link, zone, now } = request;
  const {
    id,
    video_url,
    creator,
    author,
    released_at,
    product_id,
    campaign,
    samples,
    last_sampled_at,
    cover_url,
  } = video;
  const who = creator ?? author;
  const facts = [
    who === null ? undefined : words(who),
    released_at === null ? undefined : `posted ${moment(Date.parse(released_at), zone, now)}`,
    product_id === null ? undefined : html`product ${words(product_id)}`,
  ];
  const row = rowLink(request, video, names);
  const of =
    campaign === null
      ? undefined
      : names.has(campaign)
        ? html`<a href="${link(`/campaigns/${campaign}`)}">${words(names.get(campaign) ?? campaign)}</a>`
        : words(campaign);
  const belongs = [
    row === '' ? undefined : html`row ${row}`,
    of && html`${row === '' ? 'campaign' : 'of'} ${of}`,
  ];
  const read =
    last_sampled_at === null
      ? 'never updated'
      : `${samples === 1 ? 'updated once' : `updated ${number(samples)} times, last`} ${moment(Date.parse(last_sampled_at), zone, now)}`;
  // Only web addresses become links: `javascript:` would run as a script.
  const isWeb = (url: string) => /^https?:\/\//i.test(url);
  const cover =
    cover_url !== null && isWeb(cover_url)
      ? html` · <a href="${cover_url}" rel="noreferrer noopener" target="_blank">Cover</a>`
      : '';
  return html`<div class="head">
    <div>
      <h1>${words(title)} ${videoBadge(video.state, 'tag')}</h1>
      <p class="about">${joined(facts, ' · ')}</p>
      <p class="about">${joined(belongs, ' ')}${belongs.some(Boolean) ? ' · ' : ''}${read}</p>
      <p class="about"><a href="${video_url}" rel="noreferrer noopener" target="_blank">${withoutScheme(video_url)}</a>${cover}</p>
    </div>
    <div class="actions">
      <a class="button" href="${link(`/videos/${id}/export.xlsx`)}">${icon('down')}Export all data</a>
      ${mayChange(request) ? questionLink(request, `/videos/${id}/remove`, 'Remove…', 'button danger') : ''}
    </div>
  </div>`;
}

function joined(parts: readonly (Html | string | undefined)[], between: string): Html {
  const known = parts.filter((part) => part !== undefined && part !== '');
  return html`${known.map((part, index) => html`${index === 0 ? '' : between}${part}`)}`;
}

/** Why the figures are older than last night. */
function trouble({ zone, now }: PageRequest, { failure, gone }: Video): Html | string {
  if (gone) {
    const again =
      gone.ask_again_at === null
        ? 'It will not be updated again. If it is back, add it again.'
        : `It will be updated again from ${moment(Date.parse(gone.ask_again_at), zone, now)} on.`;
    const text = `The service has said since ${moment(Date.parse(gone.since), zone, now)} that this video is gone: ${count(gone.answers, 'answer')}.`;
    return notice({ state: 'warning', text, more: `${again} The figures are from the last snapshot.` });
  }
  if (!failure) return '';
  const text = `The last update failed: ${failure.message}`;
  return notice({
    state: 'warning',
    text,
    more: failure.cure || 'The figures are from the last snapshot.',
  });
}

/** @param when `since yesterday`. */
function gained(value: number | undefined, when: string): Html {
  return value === undefined
    ? html`<span class="none">growth ${when} unknown</span>`
    : html`${gain(value, number)} ${when}`;
}

/** Most labels below a plot. */
const mostLabels = 7;

/** The views: their latest count, what was gained, and their plot. */
export function viewsSection(request: PageRequest, figures: SpanOfVideo): Html {
  const { growth, yesterday, days } = figures;
  const latest = latestOf(figures, 0);
  const inSpan = gained(growth[0], `in ${count(days.starts.length, 'day')}`);
  return html`<section aria-labelledby="plays">
    <div class="section"><h2 id="plays">Views ${latest === undefined ? 'unknown' : number(latest)}</h2><p>${gained(yesterday[0], 'since yesterday')}, ${inSpan}</p></div>
    ${viewsPlot(request, figures)}
    ${falls(request, figures, 0)}
  </section>`;
}

/** The other figures follow the views: how many come with 100 of them says more than a plot of each. */
function otherFigures(request: PageRequest, figures: SpanOfVideo): Html {
  const plays = latestOf(figures, 0) ?? 0;
  const others = [1, 2, 3, 4] as const;
  return html`<ul class="figures fours">${others.map((each) => {
    const latest = latestOf(figures, each);
    const total = latest === undefined ? html`<b>unknown</b>` : html`<b>${number(latest)}</b>`;
    return html`<li><span>${titleOfFigure(figureNames[each])}</span>${total}<span>${gained(figures.yesterday[each], 'since yesterday')}</span><small>${latest === undefined ? '' : rateOf(latest, plays)}</small></li>`;
  })}</ul>${others.map((each) => falls(request, figures, each))}`;
}

function latestOf(figures: SpanOfVideo, each: number): number | undefined {
  return pointsOf(figures, each).at(-1)?.value;
}

/** From its release on, the total; of an older video what it gained a day: beside the total, a span of days is a straight line. */
function viewsPlot(request: PageRequest, figures: SpanOfVideo): Html {
  const { zone, now } = request;
  const points = pointsOf(figures, 0);
  const { starts } = figures.days;
  if (points.length < 2)
    return html`<p class="none">Fewer than two snapshots in these ${count(starts.length, 'day')}.</p>`;
  const day = (at: number) => dayAndMonth(at * 1000, zone, now);
  if (figures.before === undefined) {
    const labels = timeLabels(points[0]?.at ?? 0, points.at(-1)?.at ?? 0).map(day);
    return plot({
      kind: 'line',
      series: {
        label: 'Views',
        times: points.map(({ at }) => at),
        values: points.map(({ value }) => value),
      },
      sentence: `Views from ${labels[0]} to ${labels.at(-1)}, now ${number(points.at(-1)?.value ?? 0)}`,
      labels,
      zone,
    });
  }
  const every = Math.ceil(starts.length / mostLabels);
  return plot({
    kind: 'columns',
    series: { label: 'Views gained a day', times: starts, values: gainsByDay(points, starts) },
    sentence: `Views gained a day from ${day(starts[0] ?? 0)} to ${day(starts.at(-1) ?? 0)}`,
    labels: starts.map((at, index) => ((starts.length - 1 - index) % every === 0 ? day(at) : '')),
    zone,
    caption: 'Views gained a day.',
  });
}

/** Null for a day without a snapshot. @param starts of the days. */
function gainsByDay(
  points: readonly { readonly at: number; readonly value: number }[],
  starts: readonly number[],
): readonly (number | null)[] {
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? Number.POSITIVE_INFINITY;
    const last = points.findLast(({ at }) => at < end);
    const before = points.findLast(({ at }) => at < start);
    return last === undefined || before === undefined || last.at < start ? null : last.value - before.value;
  });
}

function falls({ zone, now }: PageRequest, { samples }: SpanOfVideo, each: number): readonly Html[] {
  const fallen = samples.filter(({ fell }) => fell[each] !== undefined).slice(-3);
  return fallen.map(
    ({ at, fell }) =>
      html`<p class="note">${icon('warning')} ${dayAndMonth(at * 1000, zone, now)}: the count fell by ${number(fell[each] ?? 0)}. It is stored as the platform reported it.</p>`,
  );
}

function leadSection(request: PageRequest, figures: SpanOfVideo, span: number): Html {
  const { growth, yesterday, days } = figures;
  const latest = latestOf(figures, 0);
  const spans = spanLengths.map(
    (each) =>
      [
        count(each, 'day'),
        changedAddress(request, `/videos/${figures.video.id}`, { span: String(each) }),
        each === span,
      ] as const,
  );
  return html`<section aria-labelledby="plays">
    <div class="hero">
      <h2 class="figure" id="plays">${latest === undefined ? 'Unknown' : number(latest)}<small>views</small></h2>
      <p class="eta"><b>${yesterday[0] === undefined ? 'unknown' : gain(yesterday[0], number)}</b> since yesterday · ${gained(growth[0], `in ${count(days.starts.length, 'day')}`)}</p>
    </div>
    <div class="section"><p>${figures.before === undefined ? 'Total views' : 'Views gained a day'}</p>${tabs('Span', spans)}</div>
    ${viewsPlot(request, figures)}
    ${falls(request, figures, 0)}
  </section>`;
}

/** Points of the plot, from the last sample before the span. A video released within the span begins with 0. */
function pointsOf({ before, samples, days, video }: SpanOfVideo, each: number) {
  const released = video.released_at === null ? undefined : Date.parse(video.released_at) / 1000;
  const start = days.starts[0] ?? 0;
  const beginning = released !== undefined && released >= start ? [{ at: released, value: 0 }] : [];
  const known = [...(before ? [before] : []), ...samples].flatMap(({ at, counts }) => {
    const value = counts[each];
    return value === undefined ? [] : [{ at, value }];
  });
  return before ? known : [...beginning, ...known];
}

/** Evenly spaced times from first to last, each on a different day. */
function timeLabels(first: number, last: number): readonly number[] {
  const days = Math.max(1, Math.round((last - first) / 86_400));
  const steps = Math.min(days, mostLabels - 1);
  return Array.from({ length: steps + 1 }, (_label, index) => first + ((last - first) / steps) * index);
}

/** Most lines of the table. The export has all samples. */
const mostSamples = 100;

function samplesSection(request: PageRequest, { samples, before }: SpanOfVideo): Html {
  const all = [...(before ? [before] : []), ...samples].toReversed();
  const shown = all.slice(0, mostSamples);
  const left = all.length - shown.length;
  const list = table({
    of: 'samples',
    heads: ['Updated', ...figureNames.map((name) => n(titleOfFigure(name))), 'Note'],
    lines: shown.map((sample) => sampleLine(request, sample)),
  });
  return section(
    {
      id: 'samples',
      title: 'Snapshots',
      note: left === 0 ? '' : `${number(left)} older ones are in the export`,
    },
    shown.length === 0 ? html`<p class="none">No snapshots in this period.</p>` : list,
  );
}

function sampleLine({ zone, now }: PageRequest, sample: ComparedSample): Html {
  const { at, counts, fell, isFirst, hasNewCaption } = sample;
  const falls = figureNames.flatMap((name, each) => {
    const by = fell[each];
    return by === undefined ? [] : [`${titleOfFigure(name).toLowerCase()} fell by ${number(by)}`];
  });
  const notes = [...falls, hasNewCaption && 'caption changed', isFirst && 'first snapshot'].filter(Boolean);
  return html`<tr><th scope="row">${moment(at * 1000, zone, now)}</th>${counts.map((value) => html`<td class="n">${value === undefined ? html`<span class="none">unknown</span>` : number(value)}</td>`)}<td>${falls.length > 0 ? icon('warning') : ''} ${notes.join(', ')}</td></tr>`;
}
