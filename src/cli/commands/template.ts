/** `campaigns template`: writes an example manifest and explains every column. It needs neither Redis nor the service. */
import { rm, writeFile } from 'node:fs/promises';
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
import { imageModels, videoModels, videoSeconds } from '../../service/contract/generation.ts';
import { CommandError } from '../exit.ts';
import type { Define } from '../flags/common.ts';
import { requireFormat } from '../flags/results.ts';
import { createOutput, type Output } from '../print/output.ts';
import { isTerminal, sheetStream, widthFor } from '../print/terminal.ts';
import { wrap } from '../print/wrap.ts';
import type { CommonOptions } from '../session.ts';

const formats = ['csv', 'json', 'xlsx'] as const satisfies readonly TemplateFormat[];

const widestColumn = 20;
const widest = Math.max(...videoModels.map((model) => model.length));

const modelsHelp = [
  'Models for ai_model:',
  `  images  ${imageModels.slice(0, 3).join(', ')},`,
  `          ${imageModels.slice(3).join(', ')}`,
  '  videos, with their ai_seconds',
  ...videoModels.map((model) => `          ${model.padEnd(widest)}  ${videoSeconds[model].join(', ')}`),
].join('\n');

export const template: Define = (command) =>
  command
    .addOption(new Option('--format <format>', 'csv, json or xlsx (default: by the ending)').choices(formats))
    .option('--out <file>', 'write to this file, with an explanation of columns')
    .notes(
      `\n${modelsHelp}\n` +
        '\nExamples:\n  campaigns template --out posts.xlsx   a workbook: Posts and Columns' +
        '\n  campaigns template --out posts.csv    posts.csv and posts.columns.csv' +
        '\n  campaigns template --out posts.json   posts.json and posts.schema.json',
    )
    .action(makeFiles);

async function makeFiles(
  flags: CommonOptions & { readonly format?: TemplateFormat; readonly out?: string },
): Promise<void> {
  const { format: wanted, out, json = false } = flags;
  const output = createOutput(json);
  if (out === undefined) return print(output, wanted ?? 'csv');
  const format = requireFormat(out, 'the template', { formats, given: wanted, canBeGiven: true });
  return format === 'xlsx' ? writeWorkbook(output, out) : writeTexts(output, format, out);
}

async function print(output: Output, format: TemplateFormat): Promise<void> {
  if (output.json) return output.document('template', templateDocument(Date.now()));
  if (format === 'xlsx') {
    if (!isTerminal('stdout')) return void sheetStream().write(await makeWorkbook(Date.now()));
    throw new CommandError('a workbook cannot be printed on a terminal', { fix: 'Name a file with --out.' });
  }
  sheetStream().write(makeTemplate(format, Date.now(), { delimiter: regionalDelimiter() }).manifest);
  output.say('');
  for (const [name = '', need, explanation, example] of columnTable().slice(1)) {
    const text = `${need ? `Needed: ${need}. ` : ''}${explanation} Example: ${example}`;
    output.say(wrap(name.padEnd(widestColumn), text, widthFor('stderr')).join('\n'));
  }
}

async function writeWorkbook(output: Output, out: string): Promise<void> {
  await writeNew(out, await makeWorkbook(Date.now()));
  output.document('template', { manifest: out, explanation: out });
  output.print(
    `${out}: put your rows into the sheet Posts. The sheet Columns explains each column. Then:\n  ${commandLine('check', { outside: [out] })}`,
  );
}

async function writeTexts(output: Output, format: TextFormat, out: string): Promise<void> {
  const beside = out.slice(0, out.length - extname(out).length) + explanationEndings[format];
  const options = { schemaFile: basename(beside), delimiter: regionalDelimiter() };
  const { manifest, explanation } = makeTemplate(format, Date.now(), options);
  await writeNew(out, manifest);
  await writeNew(beside, explanation).catch(async (error: unknown) => {
    // Else the next attempt would find its own file in the way.
    await rm(out);
    throw error;
  });
  output.document('template', { manifest: out, explanation: beside });
  output.print(
    `${out}: put your rows in. ${beside} explains each column. Then:\n  ${commandLine('check', { outside: [out] })}`,
  );
}

/** @throws {CommandError} if the file exists: it may be the planner's own. */
async function writeNew(file: string, content: string | Buffer): Promise<void> {
  try {
    await writeFile(file, content, { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === 'EEXIST'
      ? new CommandError(`${file} already exists`, { fix: 'Give another name with --out.' })
      : new CommandError(`${file} cannot be written: ${message}`);
  }
}
