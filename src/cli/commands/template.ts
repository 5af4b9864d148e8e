/** `campaigns template`: an example manifest with every column, and what explains them. Asks neither Redis nor the service. */
import { writeFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { type Command, Option } from 'commander';
import {
  columnTable,
  explanationEndings,
  makeTemplate,
  makeWorkbook,
  type TemplateFormat,
  type TextFormat,
  templateDocument,
} from '../../campaigns/hand-in/template.ts';
import { regionalDelimiter } from '../../runtime/region.ts';
import { CommandError } from '../exit.ts';
import { jsonOption } from '../flags/common.ts';
import { createOutput, type Output, table } from '../print/output.ts';

interface TemplateFlags {
  readonly format?: TemplateFormat;
  readonly out?: string;
  readonly json?: boolean;
}

export function define(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--format <format>',
        "format of the example (default: by the file's ending, else csv)",
      ).choices(['csv', 'json', 'xlsx']),
    )
    .option(
      '--out <file>',
      'write it to a file, and what explains the columns beside it (JSON: a JSON Schema) or into a second sheet (XLSX)',
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  campaigns template --out posts.xlsx    writes a workbook with the sheets Posts and Columns' +
        '\n  campaigns template --out posts.csv     writes posts.csv and posts.columns.csv' +
        '\n  campaigns template --out posts.json    writes posts.json and posts.schema.json',
    )
    .action(template);
}

async function template({ format: wanted, out, json = false }: TemplateFlags): Promise<void> {
  const output = createOutput(json);
  const format = wanted ?? formatOfEnding(out ?? '');
  if (out === undefined) return print(output, format);
  refuseForeignEnding(out);
  return format === 'xlsx' ? writeWorkbook(output, out) : writeTexts(output, format, out);
}

function formatOfEnding(file: string): TemplateFormat {
  if (/\.xlsx$/i.test(file)) return 'xlsx';
  return /\.json$/i.test(file) ? 'json' : 'csv';
}

function refuseForeignEnding(out: string): void {
  const ending = /\.(xls|ods|numbers)$/i.exec(out)?.[0];
  if (ending === undefined) return;
  throw new CommandError(`the template is not written as ${ending}: ${out}`, {
    cure: 'Name it with .xlsx, .csv or .json; a spreadsheet program can save it as another workbook.',
  });
}

async function print(output: Output, format: TemplateFormat): Promise<void> {
  if (output.json) return output.document('template', templateDocument(Date.now()));
  if (format === 'xlsx') {
    if (!process.stdout.isTTY) return void process.stdout.write(await makeWorkbook(Date.now()));
    throw new CommandError('a workbook is not written to a terminal', { cure: 'Name a file with --out.' });
  }
  process.stdout.write(makeTemplate(format, Date.now(), { delimiter: regionalDelimiter() }).manifest);
  const [header = [], ...rows] = columnTable();
  const titles = header.map((name) => name.toUpperCase());
  output.say('');
  for (const line of table(titles, rows)) output.say(line);
}

async function writeWorkbook(output: Output, out: string): Promise<void> {
  await writeNew(out, await makeWorkbook(Date.now()));
  output.document('template', { manifest: out, explanation: out });
  output.print(`${out}     the sheet Posts: put your rows in, then: campaigns check ${out}`);
  output.print('     the sheet Columns: what each column means');
}

async function writeTexts(output: Output, format: TextFormat, out: string): Promise<void> {
  const beside = out.slice(0, out.length - extname(out).length) + explanationEndings[format];
  const { manifest, explanation } = makeTemplate(format, Date.now(), {
    schemaFile: basename(beside),
    delimiter: regionalDelimiter(),
  });
  await writeNew(out, manifest);
  await writeNew(beside, explanation);
  output.document('template', { manifest: out, explanation: beside });
  output.print(`${out}     the example: put your rows in, then: campaigns check ${out}`);
  output.print(`${beside}     what each column means`);
}

/** @throws {CommandError} where the file is there already: it may be the planner's own. */
async function writeNew(file: string, content: string | Buffer): Promise<void> {
  try {
    await writeFile(file, content, { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === 'EEXIST'
      ? new CommandError(`${file} is there already`, { cure: 'Give another name with --out.' })
      : new CommandError(`${file} cannot be written: ${message}`);
  }
}
