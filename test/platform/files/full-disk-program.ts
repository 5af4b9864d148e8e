/** Writes a report in each of the given kinds to `FOLDER/KIND/report`, larger than the disk, and prints the outcomes as JSON. */
import { join } from 'node:path';
import { ProblemsFile } from '../../../src/importers/check/problems-file.ts';
import { sheetFormats } from '../../../src/sheets/write/format.ts';
import { writeSheet } from '../../../src/sheets/write/sheet-file.ts';

const [folder = '', ...kinds] = process.argv.slice(2);

async function* lines() {
  yield ['caption'];
  for (let row = 0; row < 20_000; row += 1) yield [`${row} ${Math.sin(row)}`];
}

async function writeProblems(path: string): Promise<void> {
  await using file = await ProblemsFile.create(path);
  await file.header(['caption']);
  for await (const cells of lines()) await file.add({ line: 1, cells, problems: [] });
  await file.finish([]);
}

async function outcomeOf(kind: string): Promise<string> {
  const path = join(folder, kind, 'report');
  const format = sheetFormats.find((each) => each === kind);
  try {
    if (format === undefined) await writeProblems(path);
    else await writeSheet(path, lines(), { format });
    return 'written';
  } catch (error) {
    return (error as Error).message;
  }
}

const outcomes: Record<string, string> = {};
for (const kind of kinds) outcomes[kind] = await outcomeOf(kind);
process.stdout.write(JSON.stringify(outcomes));
