/** Finds several links or files in one item of a list: other programs separate them by commas, semicolons or line breaks. */
import { listSeparator } from '../columns.ts';
import type { Fault } from '../problems/problem.ts';
import { showValue } from '../problems/problem.ts';
import { mostListItems } from '../sheet-bounds.ts';

/** A link may hold another one: in its path, its query, or behind its scheme. */
const laterLink = /[^/=?#:]https?:\/\//i;
const linkStarts = /(?<![/=?#:])(?=https?:\/\/)/i;
const lineBreaks = /[\r\n]+/;
/** What other programs put between items, and around them. */
const betweenItems = ' \t\r\n\u00a0\u3000,;|，；、';

/** Whether a second link begins within the text, and not as a part of the first one. */
export function hasLaterLink(text: string): boolean {
  return laterLink.test(text);
}

/** The fault of an item that is several links, or has several lines; `null` for anything else. */
export function findSeparatorFault(text: string): Fault | null {
  const isOfLinks = hasLaterLink(text);
  if (!isOfLinks && !lineBreaks.test(text)) return null;
  const items = text
    .split(isOfLinks ? linkStarts : lineBreaks)
    .map(withoutSeparators)
    .filter((item) => item !== '');
  if (items.length < 2) return null;
  const isClear = items.length <= mostListItems && items.every(isOfLinks ? isLink : isFile);
  return separatorFault(items, isOfLinks ? 'links' : 'files', isClear);
}

/** @param isClear whether the items are what is meant. */
export function separatorFault(items: readonly string[], kind: 'links' | 'files', isClear: boolean) {
  const meant = items.join(listSeparator);
  return {
    code: 'media_separator',
    problem: `the cell names ${items.length} ${kind}, but does not separate them with ${listSeparator}`,
    fix: `Write ${listSeparator} between them${isClear ? `: ${showValue(meant)}` : '.'}`,
    ...(isClear ? { meant } : {}),
  };
}

function isLink(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

function isFile(text: string): boolean {
  return !text.includes(listSeparator) && !/\p{Cc}/u.test(text);
}

function withoutSeparators(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && betweenItems.includes(text.charAt(start))) start += 1;
  while (end > start && betweenItems.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
