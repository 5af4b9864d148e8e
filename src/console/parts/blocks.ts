/** What pages are built of: sections, tables, tabs, points and notices; and the stream of their live parts. */

import type { Comment } from '../../ledger/rows/histories.ts';
import { plural } from '../../manifest/wording.ts';
import { type Html, html, words } from '../html.ts';
import type { LiveParts } from '../live.ts';
import type { Notice, PageRequest, Stream } from '../request.ts';
import { moment } from './numbers.ts';
import { icon, iconOf, type ShownState } from './state.ts';

/** @param id of the heading. @param note stands beside it. @param part id of the section, if it is a live part. */
export function section(
  { id, title, note = '', part }: Heading & { readonly part?: string },
  body: Html | readonly Html[] | string,
): Html {
  return html`<section${part && html` id="${part}"`} aria-labelledby="${id}"><div class="section"><h2 id="${id}">${title}</h2>${note === '' ? '' : html`<p>${note}</p>`}</div>${body}</section>`;
}

interface Heading {
  readonly id: string;
  readonly title: Html | string;
  readonly note?: Html | string;
}

/** A person, as one letter. */
export function face(name: string): Html {
  return html`<span class="face" aria-hidden="true">${[...name][0]?.toUpperCase()}</span>`;
}

/** The heading of a column of numbers. */
export function n(title: Html | string): Html {
  return html`<th scope="col" class="n">${title}</th>`;
}

interface Table {
  /** Id of the heading that names it. */
  readonly of: string;
  /** Titles, or whole cells, such as those of `n`. */
  readonly heads: readonly (Html | string)[];
  readonly lines: readonly Html[];
  readonly className?: string;
  /** Id of the part, if it is live. */
  readonly part?: string;
  /** Whether its first column stays in sight. */
  readonly isPinned?: true;
}

/** A table that scrolls sideways on small screens, also by keys. */
export function table({ of, heads, lines, className, part, isPinned }: Table): Html {
  const cells = heads.map((head) => (typeof head === 'string' ? html`<th scope="col">${head}</th>` : head));
  const kind = className && html` class="${className}"`;
  return html`<div${part && html` id="${part}"`} class="${isPinned ? 'scroller pinned' : 'scroller'}" role="group" aria-labelledby="${of}" tabindex="0"><table${kind}><thead><tr>${cells}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

/** Where a page is. @param above path and name of each page above it. */
export function crumbs(
  { link }: PageRequest,
  above: readonly (readonly [path: string, name: Html | string])[],
  name: Html | string,
): Html {
  return html`<nav class="crumbs" aria-label="Where you are">${above.map(([path, text]) => html`<a href="${link(path)}">${text}</a> / `)}${name}</nav>`;
}

/** What comes second, under three dots. @param of whose it is, for screen readers. */
export function dotsMenu(of: string, entries: readonly (Html | string | false)[]): Html {
  return html`<details class="menu"><summary class="button bare" aria-label="More for ${of}">${icon('more')}</summary><ul>${entries.map((entry) => entry !== '' && entry !== false && html`<li>${entry}</li>`)}</ul></details>`;
}

export interface Point {
  readonly state: ShownState;
  readonly what: Html | string;
  readonly more?: Html | string | undefined;
}

export function point({ state, what, more }: Point): Html {
  return html`<li data-state="${state}">${icon(iconOf(state))}<div>${what}${more === undefined ? '' : html` <small>${more}</small>`}</div></li>`;
}

/** @param action one form or link at most. */
export function notice(
  { state, text, more }: Notice,
  action: Html | string | false | undefined = '',
  className = 'notice',
): Html {
  const role = state === 'failed' ? 'alert' : 'status';
  return html`<div class="${className}" data-state="${state}" role="${role}">
    <p>${icon(iconOf(state))}<span><b>${words(text)}</b>${more === undefined ? '' : html` <small>${words(more)}</small>`}</span></p>
    ${action}
  </div>`;
}

/** Stands in for an empty list. @param lead what belongs here, or the filter that nothing matches. */
export function empty(lead: Html | string, rest: Html | string = ''): Html {
  return html`<div class="empty">${filmStrip}<div><p>${lead}</p>${rest}</div></div>`;
}

/** Where to go from a page that has nothing to do. */
export function allCampaigns(link: PageRequest['link']): Html {
  return html`<p class="actions"><a class="button" href="${link('/campaigns')}">All campaigns</a></p>`;
}

/** Four posts that are not there yet. */
const filmStrip = html`<svg viewBox="0 0 100 64" width="125" height="80" fill="var(--card)" stroke="var(--line-2)" aria-hidden="true">${[0, 1, 2, 3].map((each) => html`<rect x="${each * 19 + 2}" y="${each % 2 === 0 ? 6 : 2}" width="34" height="54" rx="5"/>`)}<path d="m70 22 12 7-12 7z" fill="var(--ink-3)" stroke="none"/></svg>`;

/** No tab that closes ends what others watch too. */
const watched = new AbortController().signal;

interface LiveStream {
  readonly key: string;
  /** Forms carry the token of their session: only tabs of one session share it. */
  readonly hasForms?: boolean;
}

/** A live view that all tabs share which show the same, in the same zone and role. @param read gets the request at the present time. */
export function liveStream(
  request: PageRequest,
  { key, hasForms = false }: LiveStream,
  read: (at: PageRequest) => Promise<LiveParts>,
): Stream {
  const { runtime, zone, person, streamCsrf: csrf } = request;
  return {
    kind: 'stream',
    view: {
      key: `${key} ${zone} ${person.role}${hasForms ? ` ${csrf}` : ''}`,
      read: () => read({ ...request, csrf, now: runtime.now(), left: watched }),
    },
  };
}

/** The newest comments in sight; more of them, or longer ones, would push away what follows. */
const commentsShown = 3;
/** In UTF-16 units. */
const longestShown = 280;
const startShown = 120;

/** Comments on a post, the oldest first. @param most that are in sight; the others are folded. */
export function commentLines(
  comments: readonly Comment[],
  zone: string,
  now: number,
  most = commentsShown,
): Html {
  const line = ({ by, at, text, isGuest }: Comment) =>
    html`<li><b>${words(by)}</b>${isGuest && ' (client)'} <time>${moment(at, zone, now)}</time>${commentText(text)}</li>`;
  const list = (some: readonly Comment[]) => html`<ol class="comments">${some.map(line)}</ol>`;
  const earlier = comments.slice(0, -most);
  const fold = html`<details><summary>${plural(earlier.length, 'earlier comment')}</summary>${list(earlier)}</details>`;
  return html`${earlier.length > 0 && fold}${list(comments.slice(-most))}`;
}

function commentText(text: string): Html {
  const whole = html`<p>${words(text)}</p>`;
  if (text.length <= longestShown) return whole;
  return html`<details><summary>${words(text.slice(0, startShown))}…</summary>${whole}</details>`;
}

/** Tells a person who comments who reads it. @param isOpen whether a client link opens the campaign now. */
export function readersNote(isOpen: boolean): string {
  return isOpen ? 'Clients with a link see comments.' : 'Clients who get a link later see comments, too.';
}
