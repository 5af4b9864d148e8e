/** Reads CSV: separators between cells, LF, CR LF or CR after rows, and quotes around cells that contain either. */
import type { SheetRow } from '../sheet.ts';
import type { Encoding } from '../text/encoding.ts';
import { InvalidTextError, TextGate } from '../text/gate.ts';
import { CsvRecords } from './csv-records.ts';
import type { Delimiter } from './delimiter.ts';

/** Header first, without blank rows. @throws {UnreadableSheetError} where it becomes unreadable, after the rows before. */
export async function* readCsv(
  bytes: AsyncIterable<Buffer>,
  { encoding, delimiter }: { readonly encoding: Encoding; readonly delimiter: Delimiter },
): AsyncGenerator<readonly SheetRow[]> {
  const gate = new TextGate(encoding);
  const records = new CsvRecords(delimiter);
  try {
    for await (const chunk of bytes) {
      await records.push(gate.push(chunk));
      yield records.take();
      if (records.failed) break;
    }
    if (!records.failed) await records.push(gate.end());
  } catch (error) {
    if (!(error instanceof InvalidTextError)) throw error;
    await records.push(error.valid);
    yield* remaining(records);
    throw error.at(records.line);
  }
  await records.end();
  yield* remaining(records);
}

/** Delivers all rows before it throws the parser's failure. */
function* remaining(records: CsvRecords): Generator<readonly SheetRow[]> {
  for (let rows = records.take(); rows.length > 0; rows = records.take()) yield rows;
}
