/** The head of `/videos`: number of videos, time of the figures, and buttons. */
import { html } from 'hono/html';
import type { Overview } from '../../../videos/overview.ts';
import type { Shown } from '../../../videos/overview-reader.ts';
import { daysOf } from '../../../videos/spans.ts';
import type { Html } from '../../html.ts';
import { mayChange } from '../../parts/form.ts';
import { icon } from '../../parts/icons.ts';
import { clockWithSeconds, count, isoDay, moment, number } from '../../parts/numbers/numbers.ts';
import { questionLink } from '../../parts/question.ts';
import type { PageRequest } from '../../request.ts';
import type { Asked } from './query.ts';
import { type Reading, scrapeWords } from './reading.ts';

export interface HeadOf {
  readonly shown: Shown;
  /** Videos on the list. */
  readonly size: number;
  readonly reading: Reading;
}

export function head(request: PageRequest, asked: Asked, { shown, size, reading }: HeadOf): Html {
  const { link, zone, runtime } = request;
  const { span, campaign } = asked;
  const { overview } = shown;
  const { starts } = daysOf(span, zone, runtime.now());
  const fields = new URLSearchParams({
    since: isoDay((starts[0] ?? 0) * 1000, zone),
    ...filtersOf(asked),
  });
  return html`<div class="head" id="videos-head">
    <div>
      <h1>Videos</h1>
      <p class="about">${number(size)} on the watch list${overview === undefined ? '' : asOf(request, shown, overview)}</p>
      ${readLine(request, reading)}
    </div>
    <div class="actions">
      ${mayChange(request) ? actions(request, campaign, overview) : ''}
      ${size === 0 ? '' : html`<a class="button" href="${link(`/videos/export.xlsx?${fields}`)}" title="Every sample of the last ${count(span, 'day')}">${icon('down')}Export</a>`}
    </div>
  </div>`;
}

/** The filters in the address of the page. */
function filtersOf({ campaign, creator, product, state }: Asked): Readonly<Record<string, string>> {
  const given = Object.entries({ campaign, creator, product, state });
  return Object.fromEntries(given.filter((field): field is [string, string] => field[1] !== undefined));
}

function asOf({ zone, now }: PageRequest, { isCurrent, isBusy }: Shown, { at }: Overview): Html {
  const when = isoDay(at, zone) === isoDay(now, zone) ? clockWithSeconds(at, zone) : moment(at, zone, now);
  const newer = isCurrent ? '' : isBusy ? ' · newer ones wait for others' : ' · newer ones are being read';
  return html` · figures as of ${when}${newer}`;
}

function actions(request: PageRequest, campaign: string | undefined, overview: Overview | undefined): Html {
  const only = campaign === undefined ? '' : `?${new URLSearchParams({ campaign })}`;
  const list = overview?.list;
  const calls = campaign === undefined ? list?.calls : (list?.callsByCampaign.get(campaign) ?? 0);
  const many = calls === undefined || list === undefined ? '' : `: ${count(calls, 'call')}`;
  return html`${calls === 0 ? '' : questionLink(request, `/videos/read${only}`, html`${icon('again')}Read now${many}…`)}
    ${questionLink(request, '/videos/import', html`${icon('plus')}Add videos…`)}`;
}

export function readLine(request: PageRequest, reading: Reading): Html {
  return html`<p class="about" id="videos-read">${scrapeWords(request, reading)}</p>`;
}
