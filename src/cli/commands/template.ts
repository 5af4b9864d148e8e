/** `campaigns template`: writes an example manifest and explains every column. It needs neither Redis nor the service. */
import { writeFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { Option } from 'commander';
import {
  columnTable,
  explanationEndings,
  makeTemplate,
  makeWorkbook,
  type TemplateFormat,
  type TextFormat,
  templateDocument,
} from '../../app/campaigns/import/template.ts';
import { commandLine } from '../../app/runtime/command-line.ts';
import { regionalDelimiter } from '../../app/runtime/machine.ts';
import { CommandError } from '../exit.ts';
import type { Define } from '../flags/common.ts';
import { requireFormat } from '../flags/results.ts';
import { modelsHelp } from '../flags/sheet.ts';
import { createOutput, type Output, table } from '../print/output.ts';
import { isTerminal, sheetStream } from '../print/terminal.ts';

interface TemplateFlags {
  readonly format?: TemplateFormat;
  readonly out?: string;
  readonly json?: boolean;
}

const formats = ['csv', 'json', 'xlsx'] as const satisfies readonly TemplateFormat[];

const template: Define = (command) =>
  command
    .addOption(
      new Option('--format <format>', 'write this format (default: by the file ending, else csv)').choices(
        formats,
      ),
    )
    .option('--out <file>', 'write to this file, and explain the columns beside it')
    .addHelpText(
      'after',
      `\n${modelsHelp}\n` +
        '\nExamples:\n  campaigns template --out posts.xlsx    write a workbook with the sheets Posts and Columns' +
        '\n  campaigns template --out posts.csv     write posts.csv and posts.columns.csv' +
        '\n  campaigns template --out posts.json    write posts.json and posts.schema.json (a JSON Schema)',
    )
    .action(makeFiles);

async function makeFiles({ format: wanted, out, json = false }: TemplateFlags): Promise<void> {
  const output = createOutput(json);
  if (out === undefined) return print(output, wanted ?? 'csv');
  const format = requireFormat(out, 'the template', { formats, given: wanted, canBeGiven: true });
  return format === 'xlsx' ? writeWorkbook(output, out) : writeTexts(output, format, out);
}

async function print(output: Output, format: TemplateFormat): Promise<void> {
  if (output.json) return output.document('template', templateDocument(Date.now()));
  if (format === 'xlsx') {
    if (!isTerminal('stdout')) return void sheetStream().write(await makeWorkbook(Date.now()));
    throw new CommandError('a workbook cannot be printed on a terminal', { cure: 'Name a file with --out.' });
  }
  sheetStream().write(makeTemplate(format, Date.now(), { delimiter: regionalDelimiter() }).manifest);
  const [header = [], ...rows] = columnTable();
  const titles = header.map((name) => name.toUpperCase());
  output.say('');
  for (const line of table(titles, rows)) output.say(line);
}

async function writeWorkbook(output: Output, out: string): Promise<void> {
  await writeNew(out, await makeWorkbook(Date.now()));
  output.document('template', { manifest: out, explanation: out });
  output.print(`${out}: put your rows into the sheet Posts. The sheet Columns explains each column. Then:`);
  output.print(`  ${commandLine('check', { outside: [out] })}`);
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
  output.print(`${out}: put your rows in. ${beside} explains each column. Then:`);
  output.print(`  ${commandLine('check', { outside: [out] })}`);
}

/** @throws {CommandError} if the file exists: it may be the planner's own. */
async function writeNew(file: string, content: string | Buffer): Promise<void> {
  try {
    await writeFile(file, content, { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === 'EEXIST'
      ? new CommandError(`${file} already exists`, { cure: 'Give another name with --out.' })
      : new CommandError(`${file} cannot be written: ${message}`);
  }
}

export const commands = { template };
