/** `/videos/ID`: the figures of one video, sample by sample. */

import { mayDo } from '../../../app/access/roles.ts';
import { titleOf } from '../../../app/videos/describe.ts';
import { showSchedule } from '../../../app/videos/schedule.ts';
import { spanLengths, spanOf } from '../../../app/videos/spans.ts';
import { type ComparedSample, type SpanOfVideo, showSpanOfVideo } from '../../../app/videos/watch-list.ts';
import { plural, thousands } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { crumbs, dotsMenu, n, notice, section, table } from '../../parts/blocks.ts';
import { questionLink } from '../../parts/form.ts';
import { moment } from '../../parts/numbers.ts';
import { type PreviewedPost, preview, type ShownPicture, thumbnail } from '../../parts/picture.ts';
import { icon } from '../../parts/state.ts';
import type { Page, PageRequest } from '../../request.ts';
import { fact } from '../row/media.ts';
import { coversOf } from './covers.ts';
import { campaignNames, figureNames, rowLink, titleOfFigure, videoBadge } from './table.ts';
import { leadSection, otherFigures } from './video-figures.ts';

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
  // An address is no title: it stands below.
  const title =
    video.label === null && !video.caption?.trim() && who !== null ? `Video of ${who}` : titleOf(video);
  const cover = (await coversOf(request, [video])).get(video.id);
  return {
    kind: 'page',
    title: who === null ? title : `${title}, ${who}`,
    main: html`
      ${crumbs(request, [['/videos', 'Videos']], words(who ?? video.id))}
      ${head(request, video, { title, names, cover })}
      ${trouble(request, video)}
      <div class="trio duo">
        ${preview(request, postOf(request, video, cover), await postFacts(request, video))}
        <div>
          ${leadSection(request, figures, span)}
          ${otherFigures(request, figures)}
          ${video.last_sampled_at !== null && samplesSection(request, figures)}
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
  const { id, cover_url: cover } = video;
  const { schedule } = await showSchedule(runtime);
  const next = schedule?.next === undefined ? 'not scheduled' : moment(schedule.next, zone, now);
  return html`<dl class="facts">
    ${cover !== null && isWeb(cover) && fact('Cover', html`<a href="${cover}" rel="noreferrer noopener" target="_blank">Open</a>`)}
    ${fact('Next update', next)}
    ${fact('Video', html`<code>${id}</code>`)}
  </dl>`;
}

/** Only web addresses become links: `javascript:` would run as a script. */
function isWeb(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

/** Whose it is, and how often it was updated; the preview says what was posted, and when. */
function head(
  request: PageRequest,
  video: Video,
  {
    title,
    names,
    cover,
  }: {
    readonly title: string;
    readonly names: ReadonlyMap<string, string>;
    readonly cover: ShownPicture | undefined;
  },
): Html {
  const { link, zone, now } = request;
  const { id, creator, author, campaign, samples, last_sampled_at, video_url } = video;
  const who = creator ?? author;
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
      : `${samples === 1 ? 'updated once' : `updated ${thousands(samples)} times, last`} ${moment(Date.parse(last_sampled_at), zone, now)}`;
  const facts = [
    who === null ? undefined : words(who),
    belongs.some(Boolean) ? joined(belongs, ' ') : undefined,
    read,
  ];
  return html`<div class="head">
    <div>
      ${thumbnail(request, cover, 'week')}
      <h1>${words(title)} ${videoBadge(video.state, 'tag')}</h1>
      <p class="about">${joined(facts, ' · ')}</p>
    </div>
    <div class="actions">
      ${isWeb(video_url) && html`<a class="button" href="${video_url}" rel="noreferrer noopener" target="_blank">Open the post</a>`}
      ${dotsMenu('this video', [
        html`<a href="${link(`/videos/${id}/export.xlsx`)}">Export all data</a>`,
        mayDo(request, 'run') && questionLink(request, `/videos/${id}/remove`, 'Remove…', 'danger'),
      ])}
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
    const text = `The service says that this video is gone: ${plural(gone.answers, 'answer')} since ${moment(Date.parse(gone.since), zone, now)}.`;
    return notice({ state: 'warning', text, more: `${again} The figures are from the last snapshot.` });
  }
  if (!failure) return '';
  const text = `The last update failed: ${failure.message}`;
  return notice({
    state: 'warning',
    text,
    more: failure.fix || 'The figures are from the last snapshot.',
  });
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
      note: left === 0 ? '' : `${thousands(left)} older ones are in the export`,
    },
    shown.length === 0 ? html`<p class="none">No snapshots in this period.</p>` : list,
  );
}

function sampleLine({ zone, now }: PageRequest, sample: ComparedSample): Html {
  const { at, counts, fell, isFirst, hasNewCaption } = sample;
  const falls = figureNames.flatMap((name, each) => {
    const by = fell[each];
    return by === undefined ? [] : [`${titleOfFigure(name).toLowerCase()} fell by ${thousands(by)}`];
  });
  const notes = [...falls, hasNewCaption && 'caption changed', isFirst && 'first snapshot'].filter(Boolean);
  return html`<tr><th scope="row">${moment(at * 1000, zone, now)}</th>${counts.map((value) => html`<td class="n">${value === undefined ? html`<span class="none">unknown</span>` : thousands(value)}</td>`)}<td>${falls.length > 0 ? icon('warning') : ''} ${notes.join(', ')}</td></tr>`;
}
