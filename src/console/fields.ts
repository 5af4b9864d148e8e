/**
 * Reads the fields of forms and queries. They are counted before they are parsed: to look up or remove fields takes time by the square
 * of their number.
 */
import type { RequestHandler } from 'express';

/** Most fields of a query, and of a form whose route does not allow more. */
export const mostNames = 300;
/** Most fields that a route allows: a page of cells, and a row in a dialog. */
export const mostNamesOfAll = 3500;

/** @throws an error with `status` 413 if there are more fields than `most`. */
export function parseFields(text: string, most = mostNames): URLSearchParams {
  if (hasMoreNames(text, most)) throw tooMany(413, most);
  return new URLSearchParams(text);
}

/** Whether a form or query, as it was sent, has more fields than `most`. */
export function hasMoreNames(text: string, most: number): boolean {
  let names = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    names += 1;
    if (names > most) return true;
  }
  return false;
}

/** A form without some of its fields, as it was sent. The others are not decoded. */
export function withoutFields(text: string, names: readonly string[]): string {
  return text
    .split('&')
    .filter((field) => !names.includes(field.split('=', 1)[0] ?? ''))
    .join('&');
}

/** Refuses requests whose query has too many fields, before anything parses it. */
export function boundQuery(): RequestHandler {
  return ({ originalUrl }, _response, next) => {
    const at = originalUrl.indexOf('?');
    const isTooLong = at >= 0 && hasMoreNames(originalUrl.slice(at + 1), mostNames);
    next(isTooLong ? tooMany(414, mostNames) : undefined);
  };
}

function tooMany(status: number, most: number): Error {
  return Object.assign(new Error(`there are more than ${most} fields`), { status });
}
