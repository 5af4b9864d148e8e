/** Reads CSV in UTF-8, with or without a byte order mark; `,`, `;` or TAB between the cells; LF, CR LF or CR after the rows. */
import { CsvRecords } from './csv-records.ts';
import { findDelimiter } from './delimiter.ts';
import { type SheetRow, unreadable } from './sheet.ts';
import { InvalidUtf8Error, Utf8Gate } from './utf8.ts';

/**
 * Streams the rows of a CSV file, the header first; blank rows are left out.
 * @param bytes the first piece holds the whole first line.
 * @throws {UnreadableSheetError} at the first place where the file cannot be read any further.
 */
export async function* readCsv(bytes: AsyncIterable<Buffer>): AsyncGenerator<readonly SheetRow[]> {
  const gate = new Utf8Gate();
  let records: CsvRecords | undefined;
  try {
    for await (const chunk of bytes) {
      const text = gate.push(chunk);
      records ??= new CsvRecords(findDelimiter(text));
      await records.push(text);
      yield records.take();
      if (records.failed) break;
    }
    if (!records?.failed) gate.end();
  } catch (error) {
    if (error instanceof InvalidUtf8Error)
      throw notUtf8(records?.lineAfter(error.valid) ?? lineOf(error.valid));
    throw error;
  }
  if (records === undefined) return;
  await records.end();
  yield records.take();
  // Throws what ended the splitting, now that the rows before it are handed over.
  yield records.take();
}

function notUtf8(line: number) {
  return unreadable(
    line,
    'invalid_utf8',
    'this line is not in UTF-8',
    'Save the file as "CSV UTF-8" in the spreadsheet program, and give that file.',
  );
}

/** The line that the text ends on. */
function lineOf(text: Buffer): number {
  return text.toString('utf8').split(/\r\n|\r|\n/).length;
}
