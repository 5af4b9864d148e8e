/** Sections of a page, and tables in them. */
import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { PageRequest } from '../request.ts';

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

/** Links to other views of the same thing. @param views names, addresses, and whether it is the one that is shown. */
export function tabs(
  label: string,
  views: readonly (readonly [name: string, address: string, isShown: boolean])[],
): Html {
  return html`<nav class="tabs" aria-label="${label}">${views.map(([name, address, isShown]) => html`<a href="${address}"${isShown && html` aria-current="page"`}>${name}</a>`)}</nav>`;
}

/** Where a page is. @param above path and name of each page above it. */
export function crumbs(
  { link }: PageRequest,
  above: readonly (readonly [path: string, name: Html | string])[],
  name: Html | string,
): Html {
  return html`<nav class="crumbs" aria-label="Where you are">${above.map(([path, text]) => html`<a href="${link(path)}">${text}</a> / `)}${name}</nav>`;
}
