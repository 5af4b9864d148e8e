/**
 * The envelope of every answer, and the building blocks of the contract's schemas.
 *
 * Requests are strict: an unknown field, or one that breaks a limit, is our own error and is never sent.
 * Answers are tolerant: unknown fields pass, `null` reads as missing, and only the fields that the runner needs are required.
 */
import { z } from 'zod';

/** Reads `null` as missing: the service may send either. */
export function nullable<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => value ?? undefined, schema.optional());
}

/**
 * For fields that the runner can do without, in the answer to a call that must not be repeated. A value of another type than
 * documented (such as an id beyond 2^53) reads as missing, so that it cannot turn a success into an unknown outcome.
 */
export function incidental<T extends z.ZodType>(schema: T) {
  return nullable(schema).catch(undefined);
}

/** A list in an answer. `null` reads as empty, and invalid entries are dropped: one odd entry must not hide the others. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.preprocess((value) => {
    if (value === null) return [];
    return Array.isArray(value) ? value.filter((entry) => item.safeParse(entry).success) : value;
  }, z.array(item));
}

/** An http or https URL. Data URLs, file paths and other schemes are refused. */
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/** A 64-bit database id: the service documents it as an integer. */
export const integerId = z.int().nonnegative();

/** Only `code` 0 with HTTP 2xx is a success. */
export const envelope = z.looseObject({
  code: z.int(),
  message: incidental(z.string()),
  data: z.unknown().optional(),
  timestamp: incidental(z.int()),
});

export type Envelope = z.infer<typeof envelope>;

/** The fields of a paged list that tell where it ends. */
export const pageInfo = {
  total: nullable(z.int()),
  pageNumber: nullable(z.int()),
  pageSize: nullable(z.int()),
  totalPages: nullable(z.int()),
};
