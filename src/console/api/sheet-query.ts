/** Query parameters that say how to read an uploaded sheet. */
import { z } from 'zod';
import type { ReadingOptions } from '../../campaigns/import/check.ts';
import { Zones } from '../../manifest/cells/zone.ts';
import { ColumnMapError, createColumnMap } from '../../manifest/headers/column-map.ts';
import { parseDelimiter } from '../../sheets/csv/delimiter.ts';
import { encodings, parseEncoding } from '../../sheets/text/encoding.ts';
import { HttpProblem } from '../http/problem.ts';
import { flag, text } from './fields.ts';

const mostHeaders = 200;

export const reading = {
  delimiter: z.enum([',', ';', '|', 'tab']).optional().describe('Separator of CSV; default: detected.'),
  encoding: z.enum(encodings).optional().describe('Encoding of CSV and JSON; default: detected.'),
  sheet: text.optional().describe('Sheet of a workbook; default: the first visible one.'),
  map: z
    .array(text)
    .max(mostHeaders)
    .optional()
    .describe('`Their header=our_column`, for headers with other names.'),
  timezone: text.optional().describe('IANA zone of times without one; default: the zone of the settings.'),
  allowUnknownColumns: flag.default(false),
};

/** Those of sheets whose columns have fixed names. */
export const fileReading = { delimiter: reading.delimiter, encoding: reading.encoding, sheet: reading.sheet };

type Reading = z.output<z.ZodObject<typeof reading>>;

/** @throws {HttpProblem} `request_invalid` for a mapping or zone that cannot be used. */
export function readingOf(query: Reading): ReadingOptions {
  const { map, timezone, allowUnknownColumns } = query;
  return {
    sheet: { ...fileReadingOf(query), map: map && columnMapOf(map) },
    timezone: timezone === undefined ? undefined : zoneOf(timezone),
    allowUnknownColumns,
  };
}

export function fileReadingOf({ delimiter, encoding, sheet }: z.output<z.ZodObject<typeof fileReading>>) {
  return {
    sheet,
    delimiter: delimiter === undefined ? undefined : parseDelimiter(delimiter),
    encoding: encoding === undefined ? undefined : parseEncoding(encoding),
  };
}

/** @throws {HttpProblem} `request_invalid`. */
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

function invalid(field: string, problem: string, cure: string): HttpProblem {
  return new HttpProblem(422, 'request_invalid', problem, {
    cure,
    errors: [{ in: 'query', field, problem }],
  });
}
