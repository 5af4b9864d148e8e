/** Filters of a list, as chips: a link in each acts at once, and the address says what is chosen. They need no script. */
import { type Html, html, words } from '../html.ts';
import type { PageRequest } from '../request.ts';
import { hiddenFields } from './form.ts';
import { changedAddress } from './list.ts';
import { icon } from './state.ts';

export interface Filter {
  /** Its parameter in the address. */
  readonly name: string;
  readonly title: string;
  /** What is chosen; undefined for everything. */
  readonly value: string | undefined;
  /** Values and how they are called; undefined if any text can be asked for. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** Whether one value always holds, so that it can be changed but not taken off. */
  readonly isKept?: true;
}

interface Place {
  readonly path: string;
  /** `#` and the id of the list. */
  readonly hash?: string;
  /** Parameters that do not hold for another filter. Default: where the page of the list begins, and when it was loaded. */
  readonly drops?: readonly string[];
  /** Stands at the end of the line. */
  readonly more?: Html | string;
  /** A text to search for, if the list can be searched. */
  readonly search?: { readonly name: string; readonly text: string | undefined; readonly says: string };
}

type At = Pick<PageRequest, 'link' | 'query'>;

const ofPage = ['from', 'before', 'loaded'];

export function filterChips(at: At, place: Place, filters: readonly Filter[]): Html {
  const { search } = place;
  const field =
    search &&
    html`<form class="seek" role="search" action="${at.link(`${place.path}${place.hash ?? ''}`)}">
      ${others(at, place, search.name)}${icon('search')}<input type="search" name="${search.name}" value="${search.text ?? ''}" placeholder="${search.says}" aria-label="${search.says}">
    </form>`;
  return html`<div class="filters">${field ?? ''}${filters.map((filter) => chip(at, place, filter))}${place.more ?? ''}</div>`;
}

function chip(at: At, place: Place, filter: Filter): Html | string {
  const { name, title, value, options, isKept } = filter;
  const address = (to: string) => {
    const nowhere = Object.fromEntries((place.drops ?? ofPage).map((each) => [each, '']));
    return changedAddress(at, place.path, { ...nowhere, [name]: to }, place.hash);
  };
  const shown = options?.find(([each]) => each === value)?.[1] ?? value;
  if (value !== undefined && isKept !== true)
    return html`<a class="chip on" href="${address('')}" title="Show all again"><span class="hidden">Take off the filter </span>${title} <b>${words(shown ?? '')}</b>${icon('close')}</a>`;
  if (options?.length === 0) return '';
  const said = isKept === true ? html`${title} <b>${words(shown ?? '')}</b>` : html`${icon('plus')}${title}`;
  const list = options?.map(
    ([each, label]) =>
      html`<li><a href="${address(each)}"${each === value && html` aria-current="true"`}>${words(label)}</a></li>`,
  );
  return html`<details class="menu"><summary class="chip${isKept === true ? ' on' : ''}">${said}</summary><ul>${list ?? textField(at, place, filter)}</ul></details>`;
}

function textField(at: At, place: Place, { name, title }: Filter): Html {
  return html`<li><form action="${at.link(`${place.path}${place.hash ?? ''}`)}">${others(at, place, name)}<label>${title}<input name="${name}" required></label><button>Show</button></form></li>`;
}

/** What else is chosen, so that a form keeps it. */
function others({ query }: At, { drops = ofPage }: Place, name: string): readonly Html[] {
  return hiddenFields(
    [...query].filter(([each, value]) => value !== '' && each !== name && !drops.includes(each)),
  );
}
