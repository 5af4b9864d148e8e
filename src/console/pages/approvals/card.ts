/** A post that is looked at before it is sent: as large as it will look, its caption whole, and what can be done with it. */

import { noPicture } from '../../../app/campaigns/rows/pictures.ts';
import { shortened } from '../../../manifest/printable.ts';
import { describeAge } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { type PreviewedPost, postScreen, thumbnail } from '../../parts/picture.ts';
import type { PageRequest } from '../../request.ts';

export interface CardPost extends PreviewedPost {
  readonly isVideo: boolean;
  /** Paths of all its pictures or videos. */
  readonly media: readonly string[];
  /** `WaitingPost.details`. */
  readonly details: readonly string[];
}

interface CardParts {
  readonly id?: string;
  /** Stands above the post: its box, or its state. */
  readonly head: Html | string;
  /** Below its texts. */
  readonly facts?: Html | string;
  /** What opens, beside its details. */
  readonly folds?: Html | string;
  readonly actions: Html | string;
}

/** Longer captions are cut on the picture, as the app does, and stand whole below it. In UTF-16 units. */
const longestOver = 90;
/** The same in lines. */
const mostLines = 4;

export function postCard(
  at: Pick<PageRequest, 'link'>,
  post: CardPost,
  { id, head, facts = '', folds = '', actions }: CardParts,
): Html {
  const { caption, details } = post;
  const start = shortened(caption, longestOver).split('\n').slice(0, mostLines).join('\n');
  const isLong = start !== caption;
  const over = isLong && !start.endsWith('…') ? `${start}…` : start;
  return html`<li${id === undefined ? '' : html` id="${id}"`}>
    ${head}
    ${postScreen(at, { ...post, caption: over })}
    ${strip(at, post)}
    ${isLong && html`<details><summary>Whole caption</summary><p class="caption">${words(caption)}</p></details>`}
    ${facts}
    <div class="folds">${details.length > 0 && html`<details><summary>Details</summary><p class="note">${words(details.join(' · '))}</p></details>`}${folds}</div>
    ${actions === '' ? '' : html`<div class="actions">${actions}</div>`}
  </li>`;
}

/** A post whose time is about to pass is looked at first. */
const soonMs = 86_400_000;

/** How long there is to approve a post whose time comes within a day. @param at its time; undefined without one. @param onceLate what an approval does after that time. */
export function dueNote(at: number | undefined, now: number, onceLate: string): Html | string {
  if (at === undefined || at - now > soonMs) return '';
  const text =
    at <= now ? `Its time has passed. ${onceLate}`.trim() : `Its time comes in ${describeAge(at - now)}.`;
  return html`<p class="note due" data-state="review">${text}</p>`;
}

/** All pictures of a carousel in their order; each opens as it is. */
function strip(at: Pick<PageRequest, 'link'>, { media, isVideo }: CardPost): Html | string {
  if (media.length < 2) return '';
  const what = isVideo ? 'Video' : 'Picture';
  const one = (path: string, index: number) => {
    const picture = { ...noPicture, kind: 'ready', isVideo, path } as const;
    return html`<a href="${at.link(path)}" target="_blank" aria-label="${what} ${index + 1} of ${media.length}">${thumbnail(at, picture)}</a>`;
  };
  return html`<div class="film">${media.map(one)}</div>`;
}
