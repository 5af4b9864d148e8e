/** One row in review: what is known, and the choices. */

import type { Settings } from '../../../../config/schema.ts';
import { mayDo } from '../../../app/access/roles.ts';
import { canLook } from '../../../app/campaigns/publishing-records.ts';
import { type Decidable, postedTwice } from '../../../app/campaigns/repair.ts';
import type { ReviewItem } from '../../../app/decisions/review-rows.ts';
import { capitalized, plural } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { form, hiddenFields } from '../../parts/form.ts';
import { rowName, rowPath } from '../../parts/list.ts';
import { clockWithSeconds, moment } from '../../parts/numbers.ts';
import { icon } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { inZone, plainMessage, sentenceOf } from '../campaign/causes.ts';
import { type CardOptions, recordCards } from './record-cards.ts';
import { type ChoiceValue, choiceField, idField, radio } from './second-look.ts';

export interface CaseOptions extends CardOptions {
  /** Where the page comes back to; in the form. */
  readonly fields: Iterable<readonly [name: string, value: string]>;
  /** Label of the button that shows the effect of the decision. */
  readonly button: string;
  /** Stands beside the buttons. */
  readonly more?: Html | string;
}

export function reviewCase(request: PageRequest, item: ReviewItem, options: CaseOptions): Html {
  const { isOnRowPage = false, fields, button, more = '' } = options;
  const { campaign, position, about, candidates } = item;
  const asked = question(item);
  const records = recordCards(request, item, options);
  const row =
    isOnRowPage || candidates.length > 0
      ? ''
      : html`<p><a href="${request.link(rowPath(campaign, item.key))}">${rowName(item)}</a></p>`;
  const head = html`<div class="section"><h2 id="asked">${asked}</h2>${row}</div><p class="look">${whereToLook(request, item)} ${known(request, item)}</p>`;
  if (!mayDo(request, 'run')) {
    return html`<section class="case" aria-labelledby="asked">${head}${records}<p class="note after">An operator can decide.</p>${details(request, item)}</section>`;
  }
  // The list has one for all its rows.
  const look =
    isOnRowPage &&
    about === 'post' &&
    canLook(request.runtime) &&
    html`<button formaction="${request.link('/review/look')}">${icon('again')}Search publishing records now</button>`;
  const body = html`${hiddenFields([...fields, ['row', `${campaign}.${position}`]])}
    <fieldset aria-labelledby="asked">
      ${records}
      ${otherChoices(request, item)}
      <div class="bottom">
        ${more}${look}
        <button class="primary" hx-post="${request.link('/review')}" hx-target="#question" hx-swap="innerHTML">${button}</button>
      </div>
    </fieldset>`;
  return html`<section class="case" aria-labelledby="asked">${head}${form(request, { path: '/review', body })}${details(request, item)}</section>`;
}

/** Whether its time had passed before anything was sent. */
function wasNeverSent({ error, sentAt }: ReviewItem): boolean {
  return error.code === 'late' && sentAt === null;
}

function question(item: ReviewItem): string {
  const { about, error } = item;
  if (error.code === postedTwice) return 'Which post stays?';
  if (wasNeverSent(item)) return 'Its time has passed. Was it posted by hand?';
  return about === 'post' ? 'Was this posted?' : 'Was the media generated?';
}

/** What a person looks at before anything else, and why: a link if the settings know the profiles. */
function whereToLook(request: PageRequest, item: ReviewItem): Html | string {
  const { about, creator, scheduledAt } = item;
  if (wasNeverSent(item)) return 'Nothing was sent by the runner.';
  if (about !== 'post') return 'Look at the service’s dashboard, then say what you saw.';
  if (Date.parse(scheduledAt ?? '') > request.now)
    return html`Look at the service’s dashboard: ${words(creator)}’s profile cannot show the post yet, because its time has not come.`;
  const { profileUrl } = request.runtime.settings.creators;
  if (profileUrl === null)
    return html`Look at ${words(creator)}’s profile, or the service’s dashboard, then say what you saw.`;
  const address = profileUrl.replaceAll('{creator}', encodeURIComponent(creator));
  return html`<a class="button" href="${address}" target="_blank" rel="noreferrer noopener">Open ${words(creator)}’s profile</a> <small>then come back and say what you saw</small>`;
}

/** Code of a call that no answer came to. */
const noAnswer = 'outcome_unknown';

/** What is known of its call, and of the search for it. */
function known(request: PageRequest, { error, sentAt, lookedAt, candidates }: ReviewItem): Html {
  const { zone, now } = request;
  const many = candidates.length;
  const at = sentAt === null ? '' : `Sent at ${clockWithSeconds(Date.parse(sentAt), zone)}`;
  const isSilent = error.code === noAnswer;
  const what = isSilent ? (at === '' ? 'No answer came.' : '; no answer came.') : ` ${sentenceOf(error)}`;
  const sent = at === '' || isSilent ? at : `${at}.`;
  const looked = lookedAt === null ? '' : ` Last search: ${moment(Date.parse(lookedAt), zone, now)}.`;
  const found =
    many > 0
      ? html` <b>${plural(many, 'publishing record')} ${many === 1 ? 'looks' : 'look'} like it.</b>${looked}`
      : error.note !== null && html` ${words(inZone(request, error.note))}`;
  return html`<span class="sub">${sent}${words(what)}${found}</span>`;
}

/** What the service said, for whom that helps, and what would help here. */
function details({ runtime }: PageRequest, { about, error }: ReviewItem): Html {
  const hints = about === 'post' && [
    !canLook(runtime) &&
      'This runner cannot search the service’s list of posts. An operator can set up the search. ',
    runtime.settings.creators.profileUrl === null &&
      'There is no link to the creator’s profile. An operator can set it up.',
  ];
  return html`<details class="after"><summary>Details</summary><p class="note">${words(plainMessage(error.message))} <code>${error.code}</code></p>${hints && html`<p class="note">${hints}</p>`}</details>`;
}

/** The choices that the post or generation exists, and that it does not. */
const choices: Readonly<Record<Decidable, { readonly exists: string; readonly absent: string }>> = {
  post: { exists: 'Posted', absent: 'Not posted' },
  generation: { exists: 'Generated', absent: 'Not generated' },
};

/** The choices that are about no record. */
function otherChoices(request: PageRequest, item: ReviewItem): Html | string {
  const { about, key, scheduleId, candidates, error } = item;
  if (error.code === postedTwice) return '';
  const place = choiceField(item);
  const { exists } = choices[about];
  const known =
    about === 'generation' &&
    scheduleId !== null &&
    html`<label class="choice">${radio(item, `generated ${scheduleId}`, 'p')} <span>${exists}<small>the row resumes with its AI result</small></span></label>`;
  const id = about === 'post' ? 'post ID' : 'schedule ID';
  const other: ChoiceValue = about === 'post' ? 'posted-other' : 'generated-other';
  const named =
    (about === 'post' || scheduleId === null) &&
    html`<div class="choice">${radio(item, other, 'p', html` id="${place}"`)} <span><label for="${place}">${exists}${candidates.length > 0 ? ': another post' : ''}</label><small>${about === 'post' ? 'Enter its post ID; nothing will be sent.' : 'Enter its schedule ID; the row resumes with its AI result.'}</small></span><input name="${idField(item)}" placeholder="${capitalized(id)}" autocomplete="off" aria-label="${capitalized(id)} of ${key}"></div>`;
  return html`${known}${named}${notThere(request, item)}`;
}

function notThere({ now, runtime: { settings } }: PageRequest, item: ReviewItem): Html {
  const { about, error, outputs, creator, underWayUntil } = item;
  // Seconds for which the call may still be under way.
  const wait = Math.ceil(((underWayUntil ?? 0) - now) / 1000);
  const later =
    wait > 0 &&
    html` The request may still be running. You can choose this <span data-in="${wait}">in ${wait} s</span>.`;
  const then =
    about === 'generation'
      ? `pays for ${plural(Math.max(1, outputs), 'AI output')} again, even if the generation exists after all.`
      : error.code === 'late'
        ? lateThen(settings.post.late)
        : html`Resends the row: 1 call. If it was posted after all, this creates a duplicate, and followers of ${words(creator)} see both.`;
  const input = radio(
    item,
    about === 'post' ? 'not-posted' : 'not-generated',
    'n',
    wait > 0 ? html` disabled` : '',
  );
  return html`<label class="choice">${input} <span>${choices[about].absent}<small>${then}${later}</small></span></label>`;
}

/** What becomes of a row that is late and not posted. */
function lateThen(late: Settings['post']['late']): string {
  return late === 'now' ? 'posts the row right away.' : 'fails the row: give it a new time, then retry it.';
}
