/** Tells by their first bytes the files that are given as CSV and are none. */
import { unreadable } from './sheet.ts';

const saveAsCsv = 'Save it as "CSV UTF-8" in the spreadsheet program, and give that file.';
const byteOrderMarks = [
  [0xff, 0xfe],
  [0xfe, 0xff],
] as const;

/** @throws {UnreadableSheetError} that names the format which the bytes are in. */
export function refuseOtherFormats(head: Buffer): void {
  const found = recognise(head);
  if (found !== null) throw unreadable(1, 'not_csv', `this is ${found.format}, not a CSV file`, found.cure);
}

function recognise(head: Buffer): { format: string; cure: string } | null {
  if (startsWith(head, 0x1f, 0x8b)) return { format: 'a gzip archive', cure: 'Unpack it first (gunzip).' };
  if (startsWith(head, 0x50, 0x4b, 0x03, 0x04)) {
    return { format: 'an Excel workbook (XLSX) or another ZIP archive', cure: saveAsCsv };
  }
  if (startsWith(head, 0xd0, 0xcf, 0x11, 0xe0)) return { format: 'an Excel workbook (XLS)', cure: saveAsCsv };
  if (startsWith(head, 0x28, 0xb5, 0x2f, 0xfd)) return { format: 'a zstd archive', cure: 'Unpack it first.' };
  if (startsWith(head, 0x25, 0x50, 0x44, 0x46)) return { format: 'a PDF', cure: saveAsCsv };
  if (byteOrderMarks.some((mark) => startsWith(head, ...mark)) || isWide(head)) {
    return { format: 'text in UTF-16', cure: saveAsCsv };
  }
  const first = head
    .subarray(0, 256)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()[0];
  if (first === '{' || first === '[') return { format: 'JSON', cure: 'Give the rows as a CSV file.' };
  if (first === '<') return { format: 'HTML or XML', cure: saveAsCsv };
  return null;
}

function startsWith(head: Buffer, ...bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => head[index] === byte);
}

/** UTF-16 without a byte order mark: in a header of plain letters, every second byte is zero. */
function isWide(head: Buffer): boolean {
  const sample = head.subarray(0, 64);
  const zeros = sample.reduce((count, byte) => count + Number(byte === 0), 0);
  return sample.length >= 8 && zeros >= sample.length / 3;
}
