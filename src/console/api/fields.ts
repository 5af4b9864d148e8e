/** Fields that several operations share. Each has a bound, because they come from outside. */
import { z } from 'zod';
import { defaultAccount } from '../../../config/access.ts';

/** Longest id, code, key or name, in characters. */
const longest = 500;

/** A short text. */
export const text = z.string().min(1).max(longest);

/** A query parameter: `true` or `false`. */
export const flag = z.stringbool({ truthy: ['true'], falsy: ['false'] });

/** A query parameter: a whole number, bounds included. */
export function integer(least: number, most: number) {
  return z.coerce.number().int().min(least).max(most);
}

export const account = text.describe(`Account of the service; default: \`${defaultAccount}\`.`);

/** Parameters of a list. */
export const paging = {
  limit: integer(1, 500).default(50).describe('Entries per page.'),
  cursor: text.optional().describe('`next` of the previous page.'),
};

/** Where the next page of a list begins. */
export const next = z.string().nullable().describe('Cursor of the next page; null at the end.');
