/** Converts zod schemas to the JSON Schemas of the OpenAPI document. */
import { z } from 'zod';
import { campaignSchema, causeSchema } from '../../campaigns/documents/campaign.ts';
import { queueSchema, rateLimitsSchema } from '../../campaigns/documents/limits.ts';
import { progressSchema, workerSchema } from '../../campaigns/documents/progress.ts';
import { reviewRowSchema } from '../../campaigns/documents/review.ts';
import { rowErrorSchema, rowSchema } from '../../campaigns/documents/row.ts';
import { listedRowSchema } from '../../campaigns/documents/rows.ts';
import { checkSchema } from '../../campaigns/documents/sheet.ts';
import { mediumSchema, writtenRowSchema } from '../../campaigns/documents/written.ts';
import { hintSchema } from '../../manifest/problems/hint.ts';
import { problemSchema as sheetProblemSchema } from '../../manifest/problems/problem.ts';
import { reportSchema, scrapeSchema, videoSchema } from '../../videos/documents.ts';
import { problemSchema } from './problem.ts';

export type Json = Record<string, unknown>;

/** Parts of answers that have a name in the document. */
const named: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [problemSchema, 'Problem'],
  [hintSchema, 'Hint'],
  [campaignSchema, 'Campaign'],
  [causeSchema, 'Cause'],
  [progressSchema, 'Progress'],
  [rowSchema, 'Row'],
  [listedRowSchema, 'ListedRow'],
  [rowErrorSchema, 'RowError'],
  [reviewRowSchema, 'ReviewRow'],
  [writtenRowSchema, 'WrittenRow'],
  [mediumSchema, 'Medium'],
  [checkSchema, 'Check'],
  [sheetProblemSchema, 'SheetProblem'],
  [videoSchema, 'Video'],
  [reportSchema, 'VideoReport'],
  [scrapeSchema, 'Scrape'],
  [rateLimitsSchema, 'RateLimits'],
  [queueSchema, 'Queue'],
  [workerSchema, 'Worker'],
]);

/** The named schemas. */
export function components(): Json {
  return Object.fromEntries(
    [...named].map(([schema, name]) => [name, schemaOf(schema as z.ZodType, 'output')]),
  );
}

/** A reference to a named schema; undefined for another. */
export function refOf(schema: unknown): Json | undefined {
  const name = named.get(schema);
  return name === undefined ? undefined : { $ref: `#/components/schemas/${name}` };
}

/** @param io `input`: as callers send it. `output`: as answers have it; later versions may add fields. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any' as const,
    override: ({ zodSchema, jsonSchema }) => {
      const reference = isSame(zodSchema, schema) ? undefined : refOf(zodSchema);
      if (reference) replace(jsonSchema, reference);
      else tidy(zodSchema, jsonSchema, io);
    },
  }) as Json;
  return rest;
}

/** Compares values whose types do not overlap. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other;
}

function replace(jsonSchema: Json, by: Json): void {
  for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
  Object.assign(jsonSchema, by);
}

const safeInteger = Number.MAX_SAFE_INTEGER;

/** Removes details of how the zod schemas are written. Lists the fields of a record that has fixed names. */
function tidy(zodSchema: z.core.$ZodTypes, jsonSchema: Json, io: 'input' | 'output'): void {
  const { required, propertyNames, additionalProperties } = jsonSchema;
  if (zodSchema._zod.def.type === 'bigint') jsonSchema.type = 'integer';
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.minimum === -safeInteger) delete jsonSchema.minimum;
  if (jsonSchema.maximum === safeInteger) delete jsonSchema.maximum;
  if (propertyNames !== undefined && Array.isArray(required)) {
    jsonSchema.properties = Object.fromEntries(required.map((name) => [name, additionalProperties]));
    delete jsonSchema.propertyNames;
    delete jsonSchema.additionalProperties;
  }
  if (io === 'output' && additionalProperties === false) delete jsonSchema.additionalProperties;
}
