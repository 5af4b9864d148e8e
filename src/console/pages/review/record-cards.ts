/** A row in review, and the publishing records that resemble it, as cards side by side. */
import { mayDo } from '../../../app/access/roles.ts';
import { postedTwice } from '../../../app/campaigns/repair.ts';
import type { ReviewItem } from '../../../app/decisions/review-rows.ts';
import { describeDuration, plural, thousands } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { rowName, rowPath } from '../../parts/list.ts';
import { clockWithSeconds, moment } from '../../parts/numbers.ts';
import { type ShownPicture, thumbnail } from '../../parts/picture.ts';
import type { PageRequest } from '../../request.ts';
import { radio } from './second-look.ts';

export interface CardOptions {
  readonly picture: ShownPicture | undefined;
  /** Whether the page shows the row itself beside the case. */
  readonly isOnRowPage?: true;
}

type Candidate = ReviewItem['candidates'][number];
type Fact = readonly [name: string, value: Html | string];

export function recordCards(request: PageRequest, item: ReviewItem, options: CardOptions): Html | string {
  const { isOnRowPage = false } = options;
  const { candidates } = item;
  if (candidates.length === 0) return '';
  const cards = candidates.map((each, index) => recordCard(request, item, each, index, options));
  return html`<div class="records">${isOnRowPage ? '' : rowCard(request, item, options)}${cards}</div>`;
}

function rowCard(request: PageRequest, item: ReviewItem, { picture }: CardOptions): Html {
  const { campaign, about, key, caption, product, scheduledAt, sentAt } = item;
  return card(
    html`<b>This row</b> <a href="${request.link(rowPath(campaign, key))}">${rowName(item)}</a>`,
    thumbnail(request, picture, 'frame'),
    [
      ['Caption', words(caption)],
      ['Product', words(product)],
      ['Scheduled', timeOf(request, scheduledAt)],
      ...(item.scheduleId === null ? [] : [['Schedule', scheduleOf(item)] as const]),
      ['Sent', sentAt === null ? 'not known when' : clockWithSeconds(Date.parse(sentAt), request.zone)],
      ...(about === 'post' ? [['Post ID', html`<span class="none">unknown</span>`] as const] : []),
    ],
    '',
  );
}

function recordCard(
  request: PageRequest,
  item: ReviewItem,
  record: Candidate,
  index: number,
  { picture, isOnRowPage }: CardOptions,
): Html {
  const { title, isSimilar, productId, scheduledAt, status, postId, hasFiles } = record;
  const isThen =
    Math.abs(Date.parse(scheduledAt ?? '') - new Date(item.scheduledAt ?? 0).getTime()) <= roundingMs;
  const isTwice = item.error.code === postedTwice;
  const choice =
    mayDo(request, 'run') &&
    html`<label>${radio(item, `posted ${postId}`, index < 9 ? String(index + 1) : undefined)} <span>${isTwice ? html`Record ${index + 1} stays` : `Posted: record ${index + 1}`}<small>${isTwice ? 'delete the other one in the social app first' : 'nothing is sent'}</small></span></label>`;
  const facts: readonly Fact[] = [
    ['Media', hasFiles ? same('same file') : untold],
    ['Caption', beside(title, !isSimilar, words)],
    ['Product', beside(productId, productId === item.productId, (id) => html`<code>${words(id)}</code>`)],
    ['Scheduled', beside(scheduledAt, isThen, (at) => timeOf(request, at))],
    ['Created', created(request, item, record)],
    ...(status === null ? [] : [['State', words(status.toLowerCase())] as const]),
    ['Post ID', html`<code>${words(postId)}</code>`],
  ];
  return card(
    html`<b>Record ${index + 1}</b> <span>${apart(item, record)}</span>`,
    // The service gives no picture of a post: the one of the same file stands for it.
    isOnRowPage ? undefined : hasFiles ? thumbnail(request, picture, 'frame') : untold,
    facts,
    choice,
  );
}

function card(
  head: Html,
  frame: Html | undefined,
  facts: readonly Fact[],
  choice: Html | string | false,
): Html {
  return html`<div class="post">
    <header>${head}</header>
    ${frame === undefined ? '' : html`<div class="frame">${frame}</div>`}
    <dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    ${choice}
  </div>`;
}

/** Times that differ by less count as the same: services round schedules, at most to the minute. */
const roundingMs = 60_000;

/** A generation, and how much of it is there. */
export function scheduleOf({ scheduleId, generated: { made, asked } }: ReviewItem): Html {
  return html`<code>${words(scheduleId ?? '')}</code>, ${thousands(made)} of ${plural(asked, 'output')}`;
}

/** Of a schedule. */
export function timeOf({ zone, now }: PageRequest, time: string | null): string {
  return time === null ? 'right away' : moment(Date.parse(time), zone, now);
}

function same(what = 'same'): Html {
  return html`<span class="same">${what}</span>`;
}

function differs(what: Html | string): Html {
  return html`<span class="differs">${what}</span>`;
}

/** What a record has, as far as it is told; only a difference is spelled out. */
function beside(told: string | null, isSame: boolean, show: (told: string) => Html | string): Html {
  if (told === null) return untold;
  return isSame ? same() : differs(show(told));
}

const untold = html`<span class="none">not given</span>`;

/** `1 s after`: how long after the call the record was made. */
function apart({ sentAt }: ReviewItem, { createdAt }: Candidate): string {
  if (sentAt === null || createdAt === null) return '';
  const ms = Date.parse(createdAt) - Date.parse(sentAt);
  return `${describeDuration(Math.abs(ms))} ${ms < 0 ? 'before' : 'after'}`;
}

function created({ zone }: PageRequest, { sentAt }: ReviewItem, { createdAt }: Candidate): Html | string {
  if (createdAt === null) return untold;
  const at = clockWithSeconds(Date.parse(createdAt), zone);
  return sentAt !== null && createdAt < sentAt ? differs(`${at}, before it was sent`) : at;
}
