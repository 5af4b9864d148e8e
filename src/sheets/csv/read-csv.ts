/** Reads CSV: a separator between the cells; LF, CR LF or CR after the rows; quotes around cells that hold either. */

import type { SheetRow } from '../sheet.ts';
import type { Encoding } from '../text/encoding.ts';
import { InvalidTextError, TextGate } from '../text/gate.ts';
import type { Delimiter } from './delimiter.ts';
import { CsvRecords } from './records.ts';

/**
 * Streams the rows of a CSV file, the header first; blank rows are left out.
 * @throws {UnreadableSheetError} at the first place where the file cannot be read any further.
 */
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
    yield records.take();
    throw error.at(records.line);
  }
  await records.end();
  yield records.take();
  // Throws what ended the splitting, now that the rows before it are handed over.
  yield records.take();
}
