/** `/videos/ID`: the figures of one video, sample by sample. */
import type { Amount } from '../../../ledger/videos/amount.ts';
import { titleOf, withoutScheme } from '../../../videos/describe.ts';
import { spanLengths, spanOf } from '../../../videos/spans.ts';
import { type ReadSample, type SpanOfVideo, showSpanOfVideo } from '../../../videos/watch-list.ts';
import { type Html, html, words } from '../../html.ts';
import { crumbs, n, notice, section, table } from '../../parts/blocks.ts';
import { gain, plot } from '../../parts/figures.ts';
import { mayChange, questionLink, select } from '../../parts/form.ts';
import { count, dayAndMonth, moment, number } from '../../parts/numbers.ts';
import { icon } from '../../parts/state.ts';
import type { Page, PageRequest } from '../../request.ts';
import { campaignNames, figureNames, rowLink, titleOfFigure, videoBadge } from './table.ts';

/** @throws {UseCaseError} `video_not_found`. */
export async function showVideo(request: PageRequest): Promise<Page> {
  const { runtime, params, query, zone, link } = request;
  const span = spanOf(query.get('span'));
  const [figures, names] = await Promise.all([
    showSpanOfVideo(runtime, params.id ?? '', { span, zone }),
    campaignNames(runtime),
  ]);
  const { video } = figures;
  const who = video.creator ?? video.author;
  const title = titleOf(video);
  const spans = spanLengths.map((days) => [String(days), count(days, 'day')] as const);
  return {
    kind: 'page',
    hasPlots: true,
    title: who === null ? title : `${who}, a video`,
    section: '/videos',
    main: html`
      ${crumbs(request, [['/videos', 'Videos']], words(who ?? video.id))}
      ${head(request, video, title, names)}
      ${trouble(request, video)}
      <form class="filters" action="${link(`/videos/${video.id}`)}">
        ${select('Growth over', 'span', spans, String(span))}<button>Show</button>
      </form>
      ${figureSection(request, figures, 0)}
      <div class="even two fours">${[1, 2, 3, 4].map((each) => figureSection(request, figures, each))}</div>
      ${samplesSection(request, figures)}`,
  };
}

type Video = SpanOfVideo['video'];

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
function gained(value: Amount | undefined, when: string): Html {
  return value === undefined
    ? html`<span class="none">growth ${when} unknown</span>`
    : html`${gain(value, number)} ${when}`;
}

/** Most labels below a plot. */
const mostLabels = 7;

/** One figure: its latest count, what was gained, and its plot. @param each index of the figure; 0 are the views. */
export function figureSection(request: PageRequest, figures: SpanOfVideo, each: number): Html {
  const { zone, now } = request;
  const { growth, yesterday, samples, days } = figures;
  const name = figureNames[each] ?? 'plays';
  const title = titleOfFigure(name);
  const isLead = each === 0;
  const points = pointsOf(figures, each);
  const latest = points.at(-1)?.value;
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const heading = html`${title} ${latest === undefined ? 'unknown' : number(latest)}`;
  const inSpan = html`, ${gained(growth[each], `in ${count(days.starts.length, 'day')}`)}`;
  const since = html`${gained(yesterday[each], 'since yesterday')}${isLead ? inSpan : ''}`;
  const labels = timeLabels(first, last).map((at) => dayAndMonth(at * 1000, zone, now));
  const shown =
    points.length < 2
      ? html`<p class="none">Fewer than two snapshots in these ${count(days.starts.length, 'day')}.</p>`
      : plot({
          kind: 'line',
          series: {
            label: title,
            times: points.map(({ at }) => at),
            values: points.map(({ value }) => Number(value)),
          },
          sentence: `${title} from ${labels[0]} to ${labels.at(-1)}, now ${number(latest ?? 0)}`,
          labels,
          zone,
          size: isLead ? undefined : 'low',
        });
  const fallen = samples.filter(({ fell }) => fell[each] !== undefined).slice(-3);
  return html`<section aria-labelledby="${name}">
    <div class="section">${isLead ? html`<h2 id="${name}">${heading}</h2>` : html`<h3 id="${name}">${heading}</h3>`}<p>${since}</p></div>
    ${shown}
    ${fallen.map(({ at, fell }) => html`<p class="note">${icon('warning')} ${dayAndMonth(at * 1000, zone, now)}: the count fell by ${number(fell[each] ?? 0)}. It is stored as the platform reported it.</p>`)}
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

function sampleLine({ zone, now }: PageRequest, sample: ReadSample): Html {
  const { at, counts, fell, isFirst, hasNewCaption } = sample;
  const falls = figureNames.flatMap((name, each) => {
    const by = fell[each];
    return by === undefined ? [] : [`${titleOfFigure(name).toLowerCase()} fell by ${number(by)}`];
  });
  const notes = [...falls, hasNewCaption && 'caption changed', isFirst && 'first snapshot'].filter(Boolean);
  return html`<tr><th scope="row">${moment(at * 1000, zone, now)}</th>${counts.map((value) => html`<td class="n">${value === undefined ? html`<span class="none">unknown</span>` : number(value)}</td>`)}<td>${falls.length > 0 ? icon('warning') : ''} ${notes.join(', ')}</td></tr>`;
}
