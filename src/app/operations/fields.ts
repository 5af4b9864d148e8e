/** Parameters that several operations share: texts, pages of lists, how to read a sheet. Each has a bound, because they come from outside. */
import { z } from 'zod';
import { Zones } from '../../manifest/cells/zone.ts';
import { ColumnMapError, createColumnMap } from '../../manifest/headers/column-map.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { parseDelimiter } from '../../sheets/csv/delimiter.ts';
import { mostWorksheets, rowChoices } from '../../sheets/sheet.ts';
import { encodings, parseEncoding } from '../../sheets/text/encoding.ts';
import type { ReadingOptions } from '../campaigns/import/check.ts';
import { isPlace } from '../campaigns/rows/pages.ts';

/** Longest id, code, key or name, in characters. */
const longest = 500;

export const text = z.string().min(1).max(longest);

/** A query parameter: `true` or `false`. */
export const flag = z.stringbool({ truthy: ['true'], falsy: ['false'] });

/** A query parameter: a whole number, bounds included. */
export function integer(least: number, most: number) {
  return z.coerce.number().int().min(least).max(most);
}

/** Position of a row in its campaign, from 0. */
export const position = z.int().min(0).max(999_999_999);

/** Revision of a row, as the caller saw it. */
export const revision = z.int().min(0).max(255);

export const paging = {
  limit: integer(1, 500).default(50).describe('Entries per page.'),
  cursor: text.optional().describe('`next` of the previous page.'),
};

/** Where the next page of a list begins. */
export const next = z.string().nullable().describe('Cursor of the next page; null at the end.');

/** `number` or `number.id`. */
const form = /^(?<number>\d{1,16})(?:\.(?<id>[A-Za-z0-9_-]{1,40}))?$/;

/**
 * @param start where a list without a cursor begins.
 * @throws {UseCaseError} `request_invalid` for a text that is no cursor.
 */
export function readCursor(
  cursor: string | undefined,
  start: readonly [number: number, id: string],
): readonly [number: number, id: string] {
  if (cursor === undefined) return start;
  const { number, id = '' } = form.exec(cursor)?.groups ?? {};
  if (number !== undefined) return [Number(number), id];
  throw noCursor();
}

/** For lists of rows of several campaigns. @throws {UseCaseError} as `readCursor`. */
export function readPlace(cursor: string | undefined): string | undefined {
  if (cursor === undefined || isPlace(cursor)) return cursor;
  throw noCursor();
}

function noCursor(): UseCaseError {
  return new UseCaseError('request_invalid', 'the cursor is not valid for this list', {
    fix: 'Send `next` of the previous page, unchanged.',
    details: { errors: [{ in: 'query', field: 'cursor', problem: 'it is not a cursor' }] },
  });
}

const mostHeaders = 200;
/** Far more lines than a sheet has. */
const mostLines = 100_000_000;

export const reading = {
  delimiter: z.enum([',', ';', '|', 'tab']).optional().describe('Separator of CSV; default: detected.'),
  encoding: z.enum(encodings).optional().describe('Encoding of CSV and JSON; default: detected.'),
  sheet: z
    .array(text)
    .min(1)
    .max(mostWorksheets)
    .optional()
    .describe('Sheets of a workbook, read as one; default: the first visible one.'),
  headerLine: integer(1, mostLines).optional().describe('Header line; default: detected.'),
  map: z
    .array(text)
    .max(mostHeaders)
    .optional()
    .describe('`Their header=our_column`, for headers with other names.'),
  timezone: text.optional().describe('IANA zone of times without one; default: the zone of the settings.'),
  allowUnknownColumns: flag.default(false),
  ownStatus: z
    .enum(rowChoices)
    .optional()
    .describe(
      "Skip or post rows that the sheet's own status says are posted, cancelled, rejected, on hold or a draft. By default, such a row is a problem.",
    ),
  hidden: z
    .enum(rowChoices)
    .optional()
    .describe(
      'Skip or post rows that a workbook hides or strikes through. By default, such a row is a problem.',
    ),
  trustIds: flag
    .default(false)
    .describe('Take ids as they are, also those that end in zeros or look like those of other products.'),
};

const { delimiter, encoding, sheet, headerLine } = reading;
/** Those of sheets whose columns have fixed names. */
export const fileReading = { delimiter, encoding, sheet, headerLine };

type Reading = z.output<z.ZodObject<typeof reading>>;

/** @throws {UseCaseError} `request_invalid` for a mapping or zone that cannot be used. */
export function readingOf(query: Reading): ReadingOptions {
  const { map, timezone, allowUnknownColumns, hidden, ownStatus, trustIds } = query;
  return {
    sheet: { ...fileReadingOf(query), hidden, map: map && columnMapOf(map), ownStatus, trustIds },
    timezone: timezone === undefined ? undefined : zoneOf(timezone),
    allowUnknownColumns,
  };
}

export function fileReadingOf(reading: z.output<z.ZodObject<typeof fileReading>>) {
  const { delimiter, encoding, sheet, headerLine } = reading;
  return {
    sheets: sheet,
    headerLine,
    delimiter: delimiter === undefined ? undefined : parseDelimiter(delimiter),
    encoding: encoding === undefined ? undefined : parseEncoding(encoding),
  };
}

/** @throws {UseCaseError} `request_invalid`. */
export function zoneOf(name: string, field = 'timezone'): string {
  const zone = new Zones().find(name.trim());
  if (zone !== null) return zone.name;
  throw invalid(field, `there is no time zone ${name}`, 'Give an IANA name, such as Asia/Shanghai.');
}

function columnMapOf(pairs: readonly string[]) {
  try {
    // A header may contain `=`; a column name never does.
    return createColumnMap(
      pairs.map((pair) => [pair.slice(0, pair.lastIndexOf('=')), pair.slice(pair.lastIndexOf('=') + 1)]),
    );
  } catch (error) {
    if (!(error instanceof ColumnMapError)) throw error;
    throw invalid('map', error.message, 'Write it as `Their header=our_column`.');
  }
}

function invalid(field: string, problem: string, fix: string): UseCaseError {
  return new UseCaseError('request_invalid', problem, {
    fix,
    details: { errors: [{ in: 'query', field, problem }] },
  });
}

/** Changes of choices: those that are given, and null for one that is taken back. */
export function changesOf<T extends z.ZodRawShape>({ shape }: z.ZodObject<T>) {
  const fields = Object.entries(shape).map(([name, field]) => [name, (field as z.ZodType).nullish()]);
  return z.strictObject(Object.fromEntries(fields)).describe('null removes a choice.') as z.ZodObject<{
    [Name in keyof T]: z.ZodOptional<z.ZodNullable<T[Name]>>;
  }>;
}
