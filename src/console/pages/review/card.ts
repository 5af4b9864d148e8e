/** One row in review: the facts, the records that resemble it, and the choices. */
import { type Decidable, postedTwice } from '../../../campaigns/causes/commands.ts';
import type { ReviewItem } from '../../../campaigns/decisions/review-item.ts';
import { describeAge, describeDuration } from '../../../runtime/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { rowPath } from '../../parts/address.ts';
import { mayChange } from '../../parts/form.ts';
import { clockWithSeconds, count, moment, number } from '../../parts/numbers.ts';
import type { PageRequest } from '../../request.ts';
import { inZone, plainMessage } from '../campaign/causes.ts';
import { type ChoiceValue, choiceField, idField } from './second-look.ts';

export interface CardOptions {
  /** Earlier choices, by name of the field. */
  readonly chosen?: URLSearchParams | undefined;
  /** Whether the page shows only this row. */
  readonly alone?: boolean;
}

export function card(request: PageRequest, item: ReviewItem, options: CardOptions = {}): Html {
  const { campaign, key, creator } = item;
  const { link, now } = request;
  const waits = `waits ${describeAge(Math.max(0, now - item.inReviewSince))}`;
  return html`<li class="card doubt" id="doubt-${campaign}-${item.position}">
    <div class="section">
      <h2><a href="${link(rowPath(campaign, key))}"><code>${words(key)}</code></a> ${words(creator)}</h2>
      <p><a href="${link(`/campaigns/${campaign}`)}">${words(item.campaignName)}</a>, ${waits}</p>
    </div>
    ${facts(request, item)}
    ${choices(request, item, options)}
  </li>`;
}

/** The known facts, and the row beside the records. */
export function facts(request: PageRequest, item: ReviewItem): Html {
  const { error, sentAt, lookedAt, about, candidates } = item;
  const { zone, now } = request;
  const sent =
    sentAt === null ? '' : html`The ${about} was sent at ${clockWithSeconds(Date.parse(sentAt), zone)}. `;
  const looked = lookedAt === null ? '' : ` Last search: ${moment(Date.parse(lookedAt), zone, now)}.`;
  const found =
    candidates.length === 0
      ? ''
      : html` <b>${count(candidates.length, 'publishing record')} ${candidates.length === 1 ? 'looks' : 'look'} like it.</b>`;
  const note =
    candidates.length === 0 && error.note !== null ? html` ${words(inZone(request, error.note))}` : '';
  return html`<p>${sent}${words(plainMessage(error.message))}${found}${note}${candidates.length > 0 ? looked : ''}</p>
    ${candidates.length > 0 ? comparison(request, item) : alone(request, item)}`;
}

function alone(request: PageRequest, item: ReviewItem): Html {
  const { caption, product, scheduledAt, scheduleId, generated } = item;
  const { made, asked } = generated;
  return html`<div class="beside">${thumb(request, item)}<dl class="facts">
    <dt>Caption</dt><dd>${words(caption)}</dd>
    <dt>Product</dt><dd>${words(product)}</dd>
    <dt>Scheduled</dt><dd>${timeOf(request, scheduledAt)}</dd>
    ${scheduleId === null ? '' : html`<dt>Schedule</dt><dd><code>${words(scheduleId)}</code>, ${number(made)} of ${count(asked, 'output')}</dd>`}
  </dl></div>`;
}

/** The choice that the post or generation exists. */
export function existsText(about: Decidable): string {
  return about === 'post' ? 'Posted' : 'Generated';
}

/** The choice that it does not exist. */
export function absentText(about: Decidable): string {
  return about === 'post' ? 'Not posted' : 'Not generated';
}

/** The radio group. Nothing is preselected. */
export function choices(
  request: PageRequest,
  item: ReviewItem,
  { chosen, alone: isAlone }: CardOptions,
): Html {
  if (!mayChange(request)) return html`<p class="note">An operator can decide.</p>`;
  const name = choiceField(item);
  const before = chosen?.get(name) ?? '';
  const other: ChoiceValue = item.about === 'post' ? 'posted-other' : 'generated-other';
  const isTwice = item.error.code === postedTwice;
  const wait = Math.ceil(((item.underWayUntil ?? 0) - request.now) / 1000);
  const radio = (value: ChoiceValue) => {
    const isEarly = wait > 0 && (value === 'not-posted' || value === 'not-generated');
    const isChosen = value === before && (value !== '' || isAlone !== true);
    const id = value === other ? html` id="${name}"` : '';
    return html`<input type="radio"${value === '' ? '' : html` class="chosen"`}${id} name="${name}" value="${value}"${isChosen ? html` checked` : ''}${isEarly ? html` disabled` : ''}>`;
  };
  const simple = (value: ChoiceValue, what: Html | string, then: Html | string) =>
    html`<label class="choice">${radio(value)} <span>${what}<small>${then}</small></span></label>`;
  const there = item.about === 'post' ? posted(item, simple) : generated(item, simple);
  const id = item.about === 'post' ? 'Post id' : 'Schedule id';
  const needsId = !isTwice && (item.about === 'post' || item.scheduleId === null);
  return html`<fieldset class="choices"><legend class="hidden">${item.key}</legend>
    ${there}
    ${
      needsId
        ? html`<div class="choice">${radio(other)} <span><label for="${name}">${existsText(item.about)}${item.candidates.length > 0 ? ': another' : ''}</label><small>${id}: <input name="${idField(item)}" value="${chosen?.get(idField(item)) ?? ''}" autocomplete="off" aria-label="${id} of ${item.key}"></small></span></div>`
        : ''
    }
    ${isTwice ? '' : notThere(item, simple, wait)}
    ${isAlone === true ? '' : html`<label class="choice">${radio('')} <span>Not decided</span></label>`}
  </fieldset>`;
}

type Simple = (value: ChoiceValue, what: Html | string, then: Html | string) => Html;

function posted({ error, candidates }: ReviewItem, simple: Simple): readonly Html[] {
  return candidates.map(({ postId }, index) =>
    error.code === postedTwice
      ? simple(
          `posted ${postId}`,
          html`<code>${words(postId)}</code> stays`,
          'delete the other one in the app first',
        )
      : simple(
          `posted ${postId}`,
          `Posted: record ${index + 1}`,
          `becomes posted, as ${postId}. Sends nothing`,
        ),
  );
}

function generated({ scheduleId }: ReviewItem, simple: Simple): readonly Html[] {
  if (scheduleId === null) return [];
  return [simple(`generated ${scheduleId}`, existsText('generation'), 'gets its AI result again')];
}

/** @param wait seconds for which the call may still be under way. */
function notThere({ about, error, outputs }: ReviewItem, simple: Simple, wait: number): Html {
  const later =
    wait > 0
      ? html`. The request may still be running: can be chosen <span data-in="${wait}">in ${wait} s</span>`
      : '';
  if (about === 'generation') {
    const cost = `pays for ${count(Math.max(1, outputs), 'AI output')} again`;
    return simple('not-generated', absentText(about), html`${cost}${later}`);
  }
  const then = error.code === 'late' ? 'resumes, unless its time has passed' : 'resends the row: 1 call';
  return simple('not-posted', absentText(about), html`${then}${later}`);
}

/** Times that differ by less count as the same: services round schedules, at most to the minute. */
const roundingMs = 60_000;

function thumb({ link }: PageRequest, { campaign, key, medium }: ReviewItem): Html | string {
  if (medium?.kind !== 'file') return '';
  const path = link(rowPath(campaign, key, `/media/${medium.column}/${medium.index}`));
  return medium.contentType?.startsWith('video/')
    ? html`<video class="thumb" src="${path}" preload="metadata" width="36" height="64" muted aria-label="Media of ${key}"></video>`
    : html`<img class="thumb" src="${path}" alt="Media of ${key}" width="36" height="64" loading="lazy">`;
}

type Candidate = ReviewItem['candidates'][number];

/** Of a schedule. */
function timeOf({ zone, now }: PageRequest, time: string | null): string {
  return time === null ? 'at once' : moment(Date.parse(time), zone, now);
}

function comparison(request: PageRequest, item: ReviewItem): Html {
  const { candidates } = item;
  const scheduledMs = item.scheduledAt === null ? 0 : Date.parse(item.scheduledAt);
  const row = (name: string, own: Html | string, cell: (candidate: Candidate) => Html) =>
    html`<tr><th scope="row">${name}</th><td>${own}</td>${candidates.map(cell)}</tr>`;
  return html`<div class="scroller" role="group" aria-label="${item.key} beside the records" tabindex="0">
    <table class="compare">
      <thead><tr><td></td><th scope="col">This row</th>${candidates.map((_one, index) => html`<th scope="col">Record ${index + 1}</th>`)}</tr></thead>
      <tbody>
        ${row('Media', thumb(request, item), ({ hasFiles }) => (hasFiles ? same('same file') : untold()))}
        ${row('Caption', words(item.caption), ({ title, isSimilar }) =>
          title === null ? untold() : isSimilar ? differs(words(title)) : same(),
        )}
        ${row('Product', words(item.product), ({ productId }) =>
          productId === null
            ? untold()
            : productId === item.productId
              ? same()
              : differs(html`<code>${words(productId)}</code>`),
        )}
        ${row('Scheduled', timeOf(request, item.scheduledAt), ({ scheduledAt }) =>
          scheduledAt === null
            ? untold()
            : Math.abs(Date.parse(scheduledAt) - scheduledMs) <= roundingMs
              ? same()
              : differs(timeOf(request, scheduledAt)),
        )}
        ${row('Created', sent(request, item), (candidate) => created(request, item, candidate))}
        ${row('State', '', ({ status }) => (status === null ? untold() : html`<td>${words(status.toLowerCase())}</td>`))}
        ${row('Post id', html`<span class="none">unknown</span>`, ({ postId }) => html`<td><code>${words(postId)}</code></td>`)}
      </tbody>
    </table>
  </div>`;
}

function same(what = 'same'): Html {
  return html`<td class="same">${what}</td>`;
}

function differs(what: Html | string): Html {
  return html`<td><span class="differs">${what}</span></td>`;
}

function untold(): Html {
  return html`<td><span class="none">not told</span></td>`;
}

function sent({ zone }: PageRequest, { sentAt }: ReviewItem): string {
  return sentAt === null ? 'not known when' : `sent at ${clockWithSeconds(Date.parse(sentAt), zone)}`;
}

function created({ zone }: PageRequest, { sentAt }: ReviewItem, { createdAt }: Candidate): Html {
  if (createdAt === null) return untold();
  const at = clockWithSeconds(Date.parse(createdAt), zone);
  if (sentAt === null) return html`<td>${at}</td>`;
  const apartMs = Date.parse(createdAt) - Date.parse(sentAt);
  const apart = describeDuration(Math.abs(apartMs));
  return apartMs < 0 ? differs(`${at}, ${apart} before it was sent`) : html`<td>${at}, ${apart} after</td>`;
}
