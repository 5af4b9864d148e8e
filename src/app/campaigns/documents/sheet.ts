/** A checked sheet: its problems, its plan, and how its rows match those of a campaign. */
import { z } from 'zod';
import type { CheckResult } from '../../../importers/check/check-sheet.ts';
import { matches, type SheetMatches } from '../../../importers/update/match-rows.ts';
import { problemFields, warningFields } from '../../../manifest/problems/problem.ts';
import { foundDocument } from '../../../manifest/problems/problem-log.ts';
import type { Document } from '../../runtime/documents.ts';

export const planSchema = z.strictObject({
  rows: z.int(),
  videos: z.int(),
  photos: z.int(),
  /** By operation. */
  calls: z.record(z.string(), z.number()),
  /** By operation with calls: number of items, least time, and rate limit in calls per second. */
  steps: z.record(
    z.string(),
    z.strictObject({ items: z.number(), leastMs: z.number(), perSecond: z.number().nullable() }),
  ),
  aiOutputs: z.strictObject({ total: z.int(), byModel: z.record(z.string(), z.int()) }),
  bytes: z.number(),
  shortestMs: z.number(),
  decidedBy: z.string().nullable(),
  missed: z.int(),
  unlabelled: z.int(),
});

/** An earlier import of the same bytes. Only in a check, and only if there is one. */
export const earlierSchema = z.strictObject({
  campaign: z.string(),
  state: z.enum(['running', 'paused', 'cancelling', 'ended', 'deleted']),
});

export const checkSchema = z
  .strictObject({
    /** The detected format; `null` if the file could not be opened. */
    format: z.looseObject({}).nullable(),
    /** Line of the headers; `null` for JSON, and if the file could not be opened. */
    headerLine: z.int().nullable(),
    rows: z.int(),
    earlier: earlierSchema.optional(),
    ...problemFields,
    ...warningFields,
    plan: planSchema,
  })
  .meta({ id: 'Check' });

const match = z.enum([...matches, 'edited']);

/** Number of rows of each kind, and the keys of the first twenty. */
export const matchesSchema = z.strictObject({
  matches: z.record(match, z.int()),
  matchedKeys: z.record(match, z.array(z.string())),
});

/** @param earlier an earlier import of the same sheet. */
export function checkDocument(
  check: CheckResult,
  earlier?: Document<typeof checkSchema>['earlier'],
): Document<typeof checkSchema> {
  return {
    format: check.format,
    headerLine: check.headerLine,
    rows: check.rows,
    ...(earlier && { earlier }),
    ...foundDocument(check, check.notices),
    plan: check.plan,
  };
}

export function matchesDocument(found: SheetMatches): Document<typeof matchesSchema> {
  const kinds = match.options;
  const of = <T>(read: (kind: keyof SheetMatches) => T) =>
    Object.fromEntries(kinds.map((kind) => [kind, read(kind)])) as Record<keyof SheetMatches, T>;
  return { matches: of((kind) => found[kind].count), matchedKeys: of((kind) => found[kind].keys) };
}
