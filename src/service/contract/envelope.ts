/**
 * The envelope of every answer, and the building blocks of the contract's schemas.
 *
 * Requests are strict: an unknown field, or one that breaks a limit, is our own error and is never sent.
 * Answers are tolerant: unknown fields are left out, `null` reads as missing, and only the fields that the runner needs are required.
 */
import { z } from 'zod';
import { longestId, message } from './texts.ts';

/** Reads `null` as missing: the service may send either. */
export function nullable<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => value ?? undefined, schema.optional());
}

/** A value of another type than documented reads as missing: it must not turn a success into an unknown outcome, or hide an entry. */
export function incidental<T extends z.ZodType>(schema: T) {
  return nullable(schema).catch(undefined);
}

/** A page is asked for 1,000 entries at most; some services give all they have. Of more entries, 4 MB take a gigabyte and ten seconds to read. */
export const mostEntries = 10_000;

/** `null` reads as empty, and invalid entries are dropped. So an entry should need only what the runner needs: else `incidental`. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.preprocess((value, context) => {
    if (value === null) return [];
    if (!Array.isArray(value)) return value;
    return isWithin(mostEntries, value, context)
      ? value.filter((entry) => item.safeParse(entry).success)
      : z.NEVER;
  }, z.array(item));
}

/** A list whose entries are all needed: one that is longer, or has an invalid entry, is none. */
export function listUpTo<T extends z.ZodType>(most: number, item: T) {
  return z.preprocess(
    (value, context) => (Array.isArray(value) && !isWithin(most, value, context) ? z.NEVER : value),
    z.array(item),
  );
}

/** Checked before the entries, as each that is invalid costs time and memory. */
function isWithin(most: number, list: readonly unknown[], context: z.RefinementCtx): boolean {
  if (list.length <= most) return true;
  context.addIssue({ code: 'custom', message: `it has more than ${most} entries` });
  return false;
}

/** An http or https URL. Data URLs, file paths and other schemes are refused. */
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/** An id that is sent as an integer, however long. */
export const integerId = z.union([z.int().nonnegative(), z.bigint().nonnegative()]);

const digits = /^\d+$/;

/** An id that the service documents as an integer: a number up to 2^53, beyond it a text of its digits (`parseJson`). */
export type IntegerId = number | string;

/** Reads such an id in an answer. It has one form only, so that equal ids are equal. */
export const answeredId = z.preprocess(
  (value) => (typeof value === 'string' && digits.test(value) && isSafe(value) ? Number(value) : value),
  z.union([z.int().nonnegative(), z.string().max(longestId).regex(digits)]),
);

/** The integer to send for an id. @throws {SyntaxError} for a text that is no whole number. */
export function asInteger(id: IntegerId): number | bigint {
  if (typeof id === 'number') return id;
  return isSafe(id) ? Number(id) : BigInt(id);
}

function isSafe(number: string): boolean {
  return Number.isSafeInteger(Number(number));
}

/** Yes or no in an answer, which may come as a text or as 0 and 1. */
export const flag = z.preprocess((value) => {
  if (value === 'true' || value === 1) return true;
  return value === 'false' || value === 0 ? false : value;
}, z.boolean());

const wholeNumber = z.preprocess(
  (value) => (typeof value === 'string' && digits.test(value) ? Number(value) : value),
  z.int().nonnegative(),
);

/** A count that the runner can do without. */
export const incidentalCount = incidental(wholeNumber);

/** Only `code` 0 with HTTP 2xx is a success. Unknown fields stay: a setting may point at them. */
export const envelope = z.looseObject({
  code: z.int(),
  message: incidental(message),
  data: z.unknown().optional(),
  timestamp: incidental(z.int()),
});

export type Envelope = z.infer<typeof envelope>;

/** The fields of a paged list that tell where it ends. */
export const pageInfo = {
  total: incidentalCount,
  pageNumber: incidentalCount,
  pageSize: incidentalCount,
  totalPages: incidentalCount,
};
