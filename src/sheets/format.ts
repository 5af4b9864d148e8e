/** Tells by its first bytes what a file is: CSV, JSON, or none that can be read. */

import { showValue } from '../manifest/problem.ts';
import { type Delimiter, findDelimiter, findSeparatorHint, parseDelimiter } from './csv/delimiter.ts';
import { type SheetFormat, unreadable } from './sheet.ts';
import { type Encoding, encodingTitles } from './text/encoding.ts';

const saveAsCsv = 'Save it as "CSV UTF-8" in the spreadsheet program, and give that file.';

/** Whether a file begins as a workbook does, or as one of the old format, which its reader refuses by name. */
export function isWorkbook(head: Buffer): boolean {
  return startsWith(head, 0x50, 0x4b, 0x03, 0x04) || startsWith(head, 0xd0, 0xcf, 0x11, 0xe0);
}

/** @throws {UnreadableSheetError} that names the format which the bytes are in. */
export function refuseForeignFormats(head: Buffer): void {
  const found = recognise(head);
  if (found !== null)
    throw unreadable(1, 'not_csv', `this is ${found.format}, not a CSV, JSON or XLSX file`, found.cure);
}

function recognise(head: Buffer): { format: string; cure: string } | null {
  if (startsWith(head, 0x1f, 0x8b)) return { format: 'a gzip archive', cure: 'Unpack it first (gunzip).' };
  // Reached only where there is no file to look into: a workbook is not read from its beginning to its end.
  if (isWorkbook(head)) return { format: 'an Excel workbook', cure: saveAsCsv };
  if (startsWith(head, 0x28, 0xb5, 0x2f, 0xfd)) return { format: 'a zstd archive', cure: 'Unpack it first.' };
  if (startsWith(head, 0x25, 0x50, 0x44, 0x46)) return { format: 'a PDF', cure: saveAsCsv };
  if (startsWith(head, 0xff, 0xfe, 0, 0) || startsWith(head, 0, 0, 0xfe, 0xff)) {
    return { format: 'text in UTF-32', cure: saveAsCsv };
  }
  return null;
}

function startsWith(head: Buffer, ...bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => head[index] === byte);
}

/**
 * The format of a text.
 * @param head its beginning, without a byte order mark.
 * @param delimiter given for it: only CSV has one.
 * @throws {UnreadableSheetError} where it is none that can be read.
 */
export function findFormat(
  head: string,
  { encoding, delimiter }: { readonly encoding: Encoding; readonly delimiter: Delimiter | undefined },
): Exclude<SheetFormat, { kind: 'xlsx' }> {
  const text = head.trimStart();
  if (delimiter === undefined) {
    if (text.startsWith('<')) {
      throw unreadable(1, 'not_csv', 'this is HTML or XML, not a CSV, JSON or XLSX file', saveAsCsv);
    }
    if (/^(?:-?\d[\d.eE+-]*|true|false|null)\s*$/.test(text)) throw loneValue();
    if (text.startsWith('[')) return { kind: 'json', encoding };
    if (text.startsWith('{')) return { kind: findObjectKind(text), encoding };
  }
  return { kind: 'csv', encoding, delimiter: delimiter ?? hintedDelimiter(head) ?? findDelimiter(head) };
}

function hintedDelimiter(head: string): Delimiter | undefined {
  const hint = findSeparatorHint(head);
  const delimiter = hint === undefined ? undefined : parseDelimiter(hint);
  if (hint === undefined || delimiter !== undefined) return delimiter;
  throw unreadable(
    1,
    'unknown_separator',
    `the first line names ${showValue(hint)} as the separator, which is none that can be read`,
    'Separate the cells by , ; | or TAB.',
  );
}

function loneValue() {
  const cure = 'Give a CSV file with a header, or JSON as [ { "creator": "...", ... }, ... ].';
  return unreadable(1, 'not_an_object', 'this is a single value of JSON, not rows', cure);
}

/** One object that holds the rows, or the first of many lines with an object each. */
function findObjectKind(head: string): 'json' | 'jsonl' {
  const { hasRows, isWhole, lines } = surveyObject(head);
  if (hasRows) return 'json';
  if (isWhole && lines === 0) return 'jsonl';
  // Its first line is broken or longer than what was looked at, and so it is told of as one row among others.
  const [, second = '{'] = head.trim().split(/[\r\n]+/, 2);
  if (second.trimStart().startsWith('{')) return 'jsonl';
  throw unreadable(
    1,
    'json_without_rows',
    'this object has no rows',
    'Put them into it as "rows": [ { ... }, { ... } ], or write each row on a line of its own (JSON Lines).',
  );
}

/** Whether an object has a member `rows` that is a list, whether its end is there, and the line breaks up to it. */
function surveyObject(head: string): { hasRows: boolean; isWhole: boolean; lines: number } {
  let depth = 0;
  let lines = 0;
  for (const { 0: token, index } of head.matchAll(/"(?:[^"\\\r\n]|\\.)*"?|[[\]{}]|\r\n|\r|\n/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') {
      depth -= 1;
      if (depth === 0) return { hasRows: false, isWhole: true, lines };
    } else if (/^[\r\n]/.test(token)) lines += 1;
    else if (depth === 1 && token === '"rows"') {
      if (/^\s*:\s*\[/.test(head.slice(index + token.length, index + token.length + 1000))) {
        return { hasRows: true, isWhole: false, lines };
      }
    }
  }
  return { hasRows: false, isWhole: false, lines };
}

/** What a file was taken for, in a line for people; `null` for what is expected: CSV in UTF-8 with commas. */
export function describeFormat(format: SheetFormat): string | null {
  if (format.kind === 'xlsx') return 'read as an Excel workbook';
  const words = { csv: 'CSV', json: 'JSON', jsonl: 'JSON Lines' };
  const encoding = format.encoding === 'utf-8' ? '' : ` in ${encodingTitles[format.encoding]}`;
  const delimiter =
    format.kind === 'csv' && format.delimiter !== ','
      ? `, separated by ${format.delimiter === '\t' ? 'TAB' : format.delimiter}`
      : '';
  // Found by what looks like it: nobody can be sure.
  const doubt = format.encoding === 'gb18030' ? ' (if its texts are not Chinese, save it as UTF-8)' : '';
  const isExpected = format.kind === 'csv' && encoding === '' && delimiter === '';
  return isExpected ? null : `read as ${words[format.kind]}${encoding}${delimiter}${doubt}`;
}
