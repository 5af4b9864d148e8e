/** Writes a report larger than any disk in the given format, and prints the outcome. */
import { ProblemsFile } from '../../src/importers/check/problems-file.ts';
import { sheetFormats } from '../../src/sheets/write/format.ts';
import { writeSheet } from '../../src/sheets/write/sheet-file.ts';

const [kind = '', path = ''] = process.argv.slice(2);

async function* lines() {
  yield ['caption'];
  for (let row = 0; row < 100_000; row += 1) yield [`${row} ${Math.sin(row)}`];
}

async function writeProblems(): Promise<void> {
  await using file = await ProblemsFile.create(path);
  await file.header(['caption']);
  for await (const cells of lines()) await file.add({ line: 1, cells, problems: [] });
  await file.finish([]);
}

const format = sheetFormats.find((each) => each === kind);
try {
  if (format === undefined) await writeProblems();
  else await writeSheet(path, lines(), { format });
  process.stdout.write('written');
} catch (error) {
  process.stdout.write((error as Error).message);
}
