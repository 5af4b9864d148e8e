/**
 * Addresses of pages, and the position of a page in its list. Lists that are read by an index do not number their rows, so the address
 * carries the number from page to page.
 */
import { type Html, html } from '../html.ts';
import type { PageRequest } from '../request.ts';
import { number } from './numbers.ts';

/** Path of a row's page within the console. @param rest such as `/retry`. */
export function rowPath(campaign: string, key: string, rest = ''): string {
  return `/campaigns/${encodeURIComponent(campaign)}/rows/${encodeURIComponent(key)}${rest}`;
}

/** Path of the page to resume a creator who has authorized again. */
export function creatorPath(campaign: string, creator: string): string {
  return `/campaigns/${campaign}/creators/${encodeURIComponent(creator)}/resume`;
}

/** Path of the rate limits of an account. */
export function rateLimitsPath(account: string): string {
  return `/queues?${new URLSearchParams({ account })}#rate-limits`;
}

/**
 * The address of a page with some parameters of its query changed; an empty value removes one.
 * @param place `#` and the id of a section.
 */
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

const longestText = 200;

/** A text of the address; undefined if it is empty. */
export function textIn(query: URLSearchParams, name: string): string | undefined {
  return query.get(name)?.trim().slice(0, longestText) || undefined;
}

/** The part of a list that a page shows. */
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
  const of = total === undefined || total < last ? '' : ` of ${number(total)}`;
  return `${number(before + 1)} to ${number(last)}${of}${noun === undefined ? '' : ` ${noun}`}`;
}

/** Reads the entries on earlier pages from the address. @param isFirst whether the address names no place in the list. */
export function readBefore(query: URLSearchParams, isFirst: boolean): number | undefined {
  if (isFirst) return 0;
  const said = query.get('before') ?? '';
  return /^\d{1,9}$/.test(said) ? Number(said) : undefined;
}

/** `before` of the next page; empty if the position of this page is unknown. */
export function beforeNext({ before, many }: Stretch): string {
  return before === undefined ? '' : String(before + many);
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
