/** The template: an example manifest, and an explanation of its columns. */
import type { Writable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import { guardFormula } from '../../../manifest/cells/formula-guard.ts';
import { columns, requiredColumns, wholeExplanation } from '../../../manifest/columns.ts';
import { manifestSchema, type TemplateRow, templateRows } from '../../../manifest/template.ts';
import type { Delimiter } from '../../../sheets/csv/delimiter.ts';
import { sheetContentTypes } from '../../../sheets/write/format.ts';
import { encodeWorkbook } from '../../../sheets/write/xlsx-sheet.ts';
import type { Document } from '../../runtime/documents.ts';

export const templateFormats = ['csv', 'json', 'xlsx'] as const;
export type TemplateFormat = (typeof templateFormats)[number];
/** Formats with the explanation in a separate file; a workbook has a sheet for it. */
export type TextFormat = Exclude<TemplateFormat, 'xlsx'>;

export const explanationEndings: Readonly<Record<TextFormat, string>> = {
  csv: '.columns.csv',
  json: '.schema.json',
};

const byteOrderMark = '\ufeff';

export interface TemplateOptions {
  /** Name of the schema file that a JSON manifest refers to; undefined when it is not written to a file. */
  readonly schemaFile?: string | undefined;
  /** Of CSV; a comma unless given. */
  readonly delimiter?: Delimiter | undefined;
}

/** The explanation: for CSV, a table of the columns; for JSON, a JSON Schema that editors understand. */
export function makeTemplate(
  format: TextFormat,
  now: number,
  { schemaFile, delimiter = ',' }: TemplateOptions = {},
) {
  const rows = templateRows(now);
  if (format === 'csv') {
    return {
      manifest: byteOrderMark + sheet(exampleTable(rows), delimiter),
      explanation: byteOrderMark + sheet(columnTable(), delimiter),
    };
  }
  const schema = schemaFile === undefined ? {} : { $schema: `./${schemaFile}` };
  const manifest = { ...schema, name: 'my campaign', defaults: {}, rows };
  return { manifest: print(manifest), explanation: print(manifestSchema()) };
}

/** The template as a workbook: one sheet of posts, and one that explains the columns. */
export async function makeWorkbook(now: number): Promise<Buffer> {
  const sheets = [
    { name: 'Posts', lines: inTurn(exampleTable(templateRows(now))) },
    { name: 'Columns', lines: inTurn(columnTable()) },
  ];
  return Buffer.concat(await Array.fromAsync(encodeWorkbook(sheets)));
}

/** The template as a file to save, without the explanation of the text formats. */
export function templateDownload(format: TemplateFormat, now: number) {
  const make = () => (format === 'xlsx' ? makeWorkbook(now) : makeTemplate(format, now).manifest);
  return {
    fileName: `posts.${format}`,
    contentType: sheetContentTypes[format],
    write: async (to: Writable) => void to.write(await make()),
  };
}

async function* inTurn(rows: readonly (readonly string[])[]): AsyncGenerator<readonly string[]> {
  yield* rows;
}

/** For every column: name, whether it is required, explanation and example. */
export function columnTable(): readonly (readonly string[])[] {
  const needed: ReadonlySet<string> = new Set(requiredColumns);
  const need = (name: string) => {
    if (needed.has(name)) return 'always';
    return name === 'media' || name === 'ai_prompt' ? 'one of media, ai_prompt' : '';
  };
  return [
    ['column', 'needed', 'explanation', 'example'],
    ...columns.map((column) => [column.name, need(column.name), wholeExplanation(column), column.example]),
  ];
}

export const templateSchema = z.union([
  z.strictObject({ manifest: z.string(), explanation: z.string() }),
  z.strictObject({
    rows: z.array(z.record(z.string(), z.string())),
    columns: z.array(
      z.strictObject({
        name: z.string(),
        aliases: z.array(z.string()),
        kind: z.enum(['single', 'list']),
        explanation: z.string(),
        example: z.string(),
      }),
    ),
    schema: z.looseObject({}),
  }),
]);

/** The output of `template --json`. */
export function templateDocument(now: number): Document<typeof templateSchema> {
  return { rows: templateRows(now), columns, schema: manifestSchema() };
}

function exampleTable(rows: readonly TemplateRow[]): readonly (readonly string[])[] {
  const names = columns.map(({ name }) => name);
  return [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))];
}

function sheet(rows: readonly (readonly string[])[], delimiter: Delimiter): string {
  const guarded = rows.map((row) => row.map(guardFormula));
  return stringify(guarded, { delimiter });
}

function print(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
