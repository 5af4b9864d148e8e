/**
 * The parts of a list: its filters, its tabs, its pager, what stands in its place if nothing matches, and addresses. Lists that are read
 * by a cursor do not number their entries, so the address carries the number from page to page.
 */
import { capitalized, plural, thousands } from '../../manifest/wording.ts';
import { type Html, html, words } from '../html.ts';
import type { PageRequest } from '../request.ts';
import { empty } from './blocks.ts';
import { hiddenFields } from './form.ts';
import { icon } from './state.ts';

interface NamedRow {
  readonly key: string;
  /** `line 5`, of a row without a key of its own. */
  readonly place?: string | undefined;
}

/** A row as planners know it: by its key, else by its line. */
export function rowName({ key, place }: NamedRow): Html {
  return place === undefined ? html`<code>${words(key)}</code>` : html`${words(place)}`;
}

/** The same at the beginning of a sentence. */
export function rowSubject({ key, place }: NamedRow): string {
  return place === undefined ? `Row ${key}` : capitalized(place);
}

/** Longest text of a search over campaigns and rows, in characters. */
export const longestSearch = 200;

/** Changes some parameters of its query; an empty value removes one. @param place `#` and the id of a section. */
export function changedAddress(
  { link, query }: Pick<PageRequest, 'link' | 'query'>,
  path: string,
  changes: Readonly<Record<string, string | undefined>>,
  place = '',
): string {
  const next = new URLSearchParams([...query].filter(([, value]) => value !== ''));
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return link(`${path}${next.size === 0 ? '' : `?${next}`}${place}`);
}

/** Links to other views of the same thing. @param views names, addresses, and whether it is the one that is shown. */
export function tabs(
  label: string,
  views: readonly (readonly [name: Html | string, address: string, isShown: boolean])[],
): Html {
  return html`<nav class="tabs" aria-label="${label}">${views.map(([name, address, isShown]) => html`<a href="${address}"${isShown && html` aria-current="page"`}>${name}</a>`)}</nav>`;
}

/** Stands in for a list in which nothing matches. @param asked what was asked for, in words. */
export function noMatch(what: string, asked: string, [address, label]: readonly [string, string]): Html {
  return empty(
    html`<b>${what}</b> ${words(asked)}`,
    html`<p class="actions"><a class="button" href="${address}">${label}</a></p>`,
  );
}

/** `Filter: state failed, creator anna.`; empty if nothing was asked for. */
export function describeFilter(filter: Readonly<Record<string, string | undefined>>): string {
  const asked = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${value}`],
  );
  return asked.length === 0 ? '' : `Filter: ${asked.join(', ')}.`;
}

export interface Stretch {
  /** Entries on earlier pages; undefined if unknown, for example if somebody shortened the address. */
  readonly before: number | undefined;
  /** Entries on this page. */
  readonly many: number;
  /** Entries of the list; undefined if counting them would mean reading all. */
  readonly total: number | undefined;
  /** Noun of its entries, if it is to be named. */
  readonly noun?: string | undefined;
}

/** `51 to 100 of 1,240`; empty if the page is empty or its position is unknown. */
export function range({ before, many, total, noun }: Stretch): string {
  if (before === undefined || many === 0) return '';
  const last = before + many;
  // Entries may leave the list between two pages.
  const of = total === undefined || total < last ? '' : ` of ${thousands(total)}`;
  return `${thousands(before + 1)} to ${thousands(last)}${of}${noun === undefined ? '' : ` ${noun}`}`;
}

/** Reads the entries on earlier pages from the address. @param isFirst whether the address names no place in the list. */
export function readBefore(query: URLSearchParams, isFirst: boolean): number | undefined {
  if (isFirst) return 0;
  const said = query.get('before') ?? '';
  return /^\d{1,9}$/.test(said) ? Number(said) : undefined;
}

/** The fields of the address that name the next page: where it begins, and how many entries come before it, if that is known. */
export function nextPlace({ before, many }: Stretch, next: string) {
  return { from: next, before: before === undefined ? '' : String(before + many) };
}

/** @param steps names of other pages, and their addresses if there are such pages; `false` shows a button that leads nowhere. @param lead stands in front, in place of the position. */
export function pager(
  label: string,
  stretch: Stretch,
  steps: readonly (readonly [name: string, address: string | false | undefined])[],
  lead: Html | string = '',
): Html {
  const buttons = steps.map(([name, address]) =>
    address === false
      ? html`<span class="button" aria-disabled="true">${name}</span> `
      : address && html`<a class="button" href="${address}">${name}</a> `,
  );
  const place = range(stretch);
  return lead === ''
    ? html`<nav class="pager" aria-label="${label}"><span>${place}</span> <span class="actions">${buttons}</span></nav>`
    : html`<nav class="pager" aria-label="${label}">${lead} <span class="actions">${place} ${buttons}</span></nav>`;
}

/** The pager of a list that is read by index; empty if it has one page. @param address of the page that begins at an index. */
export function indexPager(
  label: string,
  { from, each, total, noun }: Readonly<Record<'from' | 'each' | 'total', number>> & Pick<Stretch, 'noun'>,
  [back, next]: readonly [back: string, next: string],
  address: (from: number) => string,
): Html | string {
  if (total <= each) return '';
  return pager(label, { before: from, many: Math.min(each, total - from), total, noun }, [
    [back, from > 0 ? address(Math.max(0, from - each)) : undefined],
    [next, from + each < total ? address(from + each) : undefined],
  ]);
}

interface CursorPlace {
  readonly isFirst: boolean;
  /** Cursor of the next page. */
  readonly next: string | undefined;
  readonly labels?: readonly [first: string, next: string];
}

/** The pager of a list that is read by a cursor. @param address of the page with these fields. */
export function cursorPager(
  stretch: Stretch,
  { isFirst, next, labels = ['First page', 'Next rows'] }: CursorPlace,
  address: (fields: Readonly<Record<'from' | 'before', string>>) => string,
  lead: Html | string = '',
): Html {
  const steps = [
    [labels[0], isFirst ? undefined : address({ from: '', before: '' })],
    [labels[1], next && address(nextPlace(stretch, next))],
  ] as const;
  return pager('Pages', stretch, steps, lead);
}

/** The note that a list is out of date; empty while it is not. @param loaded entries when the page was loaded. @param now entries now. */
export function staleNote(id: string, noun: string, now: number, loaded: number): Html {
  const text =
    now > loaded
      ? `${plural(now - loaded, noun)} added since this page was loaded.`
      : `${plural(loaded - now, noun)} gone from the list since this page was loaded.`;
  return html`<span id="${id}">${now === loaded ? '' : text}</span>`;
}

/** Path of a row's page within the console. @param rest such as `/retry`. */
export function rowPath(campaign: string, key: string, rest = ''): string {
  return `/campaigns/${encodeURIComponent(campaign)}/rows/${encodeURIComponent(key)}${rest}`;
}

/** Path of the page to resume a creator who has authorized again. */
export function creatorPath(campaign: string, creator: string): string {
  return `/campaigns/${campaign}/creators/${encodeURIComponent(creator)}/resume`;
}

export const rateLimitsPath = '/queues#rate-limits';

const longestText = 200;

/** A text of the address; undefined if it is empty. */
export function textIn(query: URLSearchParams, name: string): string | undefined {
  return query.get(name)?.trim().slice(0, longestText) || undefined;
}

interface Filter {
  readonly name: string;
  readonly title: string;
  /** What is chosen; undefined for everything. */
  readonly value: string | undefined;
  /** Values and how they are called; undefined if any text can be asked for. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** Whether one value always holds, so that it can be changed but not taken off. */
  readonly isKept?: true;
  /** In place of one text; with their parameters. They can be changed, but not taken off. */
  readonly fields?: { readonly body: Html; readonly names: readonly string[] };
}

interface Place {
  readonly path: string;
  /** `#` and the id of the list. */
  readonly hash?: string;
  /** Parameters that do not hold for another filter. Default: where the page of the list begins, and when it was loaded. */
  readonly drops?: readonly string[];
  /** A text to search for, if the list can be searched. */
  readonly search?: { readonly name: string; readonly text: string | undefined; readonly says: string };
}

type At = Pick<PageRequest, 'link' | 'query'>;

const ofPage = ['from', 'before', 'loaded'];

/** As chips: a link in each acts at once, and the address says what is chosen. They need no script. */
export function filterChips(at: At, place: Place, filters: readonly Filter[]): Html {
  const { search } = place;
  const field =
    search &&
    html`<form class="seek" role="search" action="${at.link(`${place.path}${place.hash ?? ''}`)}">
      ${others(at, place, search.name)}${icon('search')}<input type="search" name="${search.name}" value="${search.text ?? ''}" placeholder="${search.says}" aria-label="${search.says}">
    </form>`;
  return html`<div class="filters">${field ?? ''}${filters.map((filter) => chip(at, place, filter))}</div>`;
}

function chip(at: At, place: Place, filter: Filter): Html | string {
  const { name, title, value, options, fields, isKept = fields && true } = filter;
  const address = (to: string) => {
    const nowhere = Object.fromEntries((place.drops ?? ofPage).map((each) => [each, '']));
    return changedAddress(at, place.path, { ...nowhere, [name]: to }, place.hash);
  };
  const shown = options?.find(([each]) => each === value)?.[1] ?? value;
  if (value !== undefined && isKept !== true)
    return html`<a class="chip on" href="${address('')}" title="Show all again"><span class="hidden">Remove the filter </span>${title} <b>${words(shown ?? '')}</b>${icon('close')}</a>`;
  if (options?.length === 0) return '';
  const isOn = value !== undefined;
  const said = isOn ? html`${title} <b>${words(shown ?? '')}</b>` : html`${icon('plus')}${title}`;
  const list = options?.map(
    ([each, label]) =>
      html`<li><a href="${address(each)}"${each === value && html` aria-current="true"`}>${words(label)}</a></li>`,
  );
  return html`<details class="menu"><summary class="chip${isOn ? ' on' : ''}">${said}</summary><ul>${list}${(fields ?? list === undefined) && fieldsOf(at, place, filter)}</ul></details>`;
}

function fieldsOf(at: At, place: Place, { name, title, fields }: Filter): Html {
  const { body, names } = fields ?? {
    body: html`<label>${title}<input name="${name}" required></label>`,
    names: [name],
  };
  return html`<li><form action="${at.link(`${place.path}${place.hash ?? ''}`)}">${others(at, place, ...names)}${body}<button>Show</button></form></li>`;
}

/** What else is chosen, so that a form keeps it. */
function others({ query }: At, { drops = ofPage }: Place, ...names: readonly string[]): readonly Html[] {
  return hiddenFields(
    [...query].filter(([each, value]) => value !== '' && !names.includes(each) && !drops.includes(each)),
  );
}
