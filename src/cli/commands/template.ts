/** `campaigns template`: an example manifest with every column, and what explains them. Asks neither Redis nor the service. */
import { Command, Option } from 'commander';
import { jsonOption } from '../options.ts';
import type { Output } from '../output.ts';
import type { TemplateFormat } from '../template-files.ts';

interface TemplateFlags {
  readonly format: TemplateFormat;
  readonly out?: string;
  readonly json?: boolean;
}

export function templateCommand(): Command {
  return new Command('template')
    .description('print an example manifest: each kind of post, and what every column means')
    .addOption(new Option('--format <format>', 'as CSV, or as JSON').choices(['csv', 'json']).default('csv'))
    .option(
      '--out <file>',
      'write it to a file, and beside it what explains the columns (JSON: a JSON Schema)',
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  campaigns template --out posts.csv    writes posts.csv and posts.columns.csv' +
        '\n  campaigns template --format json --out posts.json    writes posts.json and posts.schema.json',
    )
    .action(template);
}

async function template({ format, out, json = false }: TemplateFlags): Promise<void> {
  const [{ columnTable, makeTemplate, templateDocument }, { createOutput, table }] = await Promise.all([
    import('../template-files.ts'),
    import('../output.ts'),
  ]);
  const output = createOutput(json);
  if (out !== undefined && /\.(xlsx|xls|ods|numbers)$/i.test(out)) {
    const { CommandError } = await import('../exit.ts');
    throw new CommandError(`the template is written as ${format.toUpperCase()}, not as a workbook: ${out}`, {
      cure: `Name it with .${format}; a spreadsheet program can save it as a workbook.`,
    });
  }
  if (out !== undefined) return writeFiles(output, format, out);
  if (json) return output.document(templateDocument(Date.now()));
  process.stdout.write(makeTemplate(format, Date.now()).manifest);
  const [header = [], ...rows] = columnTable();
  output.say('');
  for (const line of table(
    header.map((name) => name.toUpperCase()),
    rows,
  ))
    output.say(line);
}

async function writeFiles(output: Output, format: TemplateFormat, out: string): Promise<void> {
  const [{ explanationEndings, makeTemplate }, { writeFile }, { basename, extname }, { CommandError }] =
    await Promise.all([
      import('../template-files.ts'),
      import('node:fs/promises'),
      import('node:path'),
      import('../exit.ts'),
    ]);
  const beside = out.slice(0, out.length - extname(out).length) + explanationEndings[format];
  const { manifest, explanation } = makeTemplate(format, Date.now(), basename(beside));
  for (const [file, text] of [
    [out, manifest],
    [beside, explanation],
  ] as const) {
    try {
      await writeFile(file, text, { flag: 'wx' });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw code === 'EEXIST'
        ? new CommandError(`${file} is there already`, { cure: 'Give another name with --out.' })
        : new CommandError(`${file} cannot be written: ${message}`);
    }
  }
  output.document({ manifest: out, explanation: beside });
  output.print(`${out}     the example: put your rows in, then: campaigns check ${out}`);
  output.print(`${beside}     what each column means`);
}
