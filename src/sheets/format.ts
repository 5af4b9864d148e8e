/** Recognizes the format of a file by its first bytes. */
import { showValue } from '../manifest/problems/problem.ts';
import {
  type Delimiter,
  delimiters,
  findDelimiter,
  findSeparatorHint,
  parseDelimiter,
} from './csv/delimiter.ts';
import { type ManifestSource, type SheetFormat, unreadable } from './sheet.ts';
import { type Encoding, encodingTitles } from './text/encoding.ts';

const saveAsCsv = 'Save it as "CSV UTF-8" in the spreadsheet program and use that file.';

/** Enough of the file to detect its format and its separator. */
const headBytes = 64 * 1024;

/** The first 64 KiB, or all of a shorter file. */
export async function readHead(source: ManifestSource): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const bytes of source.bytes()) {
    pieces.push(bytes);
    length += bytes.length;
    if (length >= headBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, headBytes);
}

/** Whether a file begins like a workbook. Includes the old XLS format: the workbook reader refuses it with a message of its own. */
export function isWorkbook(head: Buffer): boolean {
  return startsWith(head, 0x50, 0x4b, 0x03, 0x04) || startsWith(head, 0xd0, 0xcf, 0x11, 0xe0);
}

/** @throws {UnreadableSheetError} that names the format of the bytes. */
export function refuseForeignFormats(head: Buffer): void {
  if (startsWith(head, 0x1f, 0x8b)) throw foreign('a gzip archive', 'Unpack it first (gunzip).');
  // Reached only for a source without a path: reading a workbook needs a file.
  if (isWorkbook(head)) throw foreign('an Excel workbook');
  if (startsWith(head, 0x28, 0xb5, 0x2f, 0xfd)) throw foreign('a zstd archive', 'Unpack it first.');
  if (startsWith(head, 0x25, 0x50, 0x44, 0x46)) throw foreign('a PDF');
  if (startsWith(head, 0xff, 0xfe, 0, 0) || startsWith(head, 0, 0, 0xfe, 0xff))
    throw foreign('text in UTF-32');
}

function foreign(format: string, fix = saveAsCsv) {
  return unreadable(1, 'not_csv', `this is ${format}, not a CSV, JSON or XLSX file`, fix);
}

function startsWith(head: Buffer, ...bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => head[index] === byte);
}

/**
 * Finds the format of a text.
 * @param head its beginning, without a byte order mark.
 * @param delimiter given by the caller; implies CSV.
 * @throws {UnreadableSheetError} if the format is not supported.
 */
export function findFormat(
  head: string,
  { encoding, delimiter }: { readonly encoding: Encoding; readonly delimiter: Delimiter | undefined },
): Exclude<SheetFormat, { kind: 'xlsx' }> {
  if (isBinary(head)) throw foreign('a binary file');
  const text = head.trimStart();
  if (delimiter === undefined && !isTitled(text)) {
    if (text.startsWith('<')) throw foreign('HTML or XML');
    if (/^(?:-?\d[\d.eE+-]*|true|false|null)\s*$/.test(text)) throw loneValue();
    if (text.startsWith('[')) return { kind: 'json', encoding };
    if (text.startsWith('{')) return { kind: findObjectKind(text), encoding };
  }
  return { kind: 'csv', encoding, delimiter: delimiter ?? hintedDelimiter(head) ?? findDelimiter(head) };
}

/** Whether it has invalid bytes, and more than one character in twenty is a control character: pictures, videos, random bytes. */
function isBinary(head: string): boolean {
  return head.includes('\ufffd') && (head.match(/[^\P{Cc}\t\r\n]/gu)?.length ?? 0) * 20 > head.length;
}

/** Words in brackets, which JSON does not begin with. */
const bracketed = /^(?:\[ ?(?!true|false|null)\p{L}[^[\]{}":\r\n]{0,60}\]|\{ ?\p{L}[^{}":\r\n]{0,60}\})/iu;
const mostLines = 20;
const surelySeparated = 4;

/** Whether a text is CSV below a title that begins with a bracket: `[DRAFT] Plan`, `<Spring>`. */
function isTitled(text: string): boolean {
  const isTitle = text.startsWith('<') ? !/<[/!?]/.test(text) : bracketed.test(text);
  if (!isTitle) return false;
  const lines = text.split(/\r\n?|\n/, mostLines);
  return lines.some((line) => delimiters.some((each) => line.split(each).length > surelySeparated));
}

function hintedDelimiter(head: string): Delimiter | undefined {
  const hint = findSeparatorHint(head);
  const delimiter = hint === undefined ? undefined : parseDelimiter(hint);
  if (hint === undefined || delimiter !== undefined) return delimiter;
  throw unreadable(
    1,
    'unknown_separator',
    `the first line names ${showValue(hint)} as the separator, which is not supported`,
    'Separate the cells with , ; | or TAB.',
  );
}

function loneValue() {
  const fix = 'Use a CSV file with a header, or JSON such as [ { "creator": "...", ... }, ... ].';
  return unreadable(1, 'not_an_object', 'this is a single JSON value, not rows', fix);
}

/** `json`: one object that contains the rows. `jsonl`: one object on each line. */
function findObjectKind(head: string): 'json' | 'jsonl' {
  const { hasRows, isWhole, isFollowed, lines, list } = surveyObject(head);
  if (hasRows) return 'json';
  if (list !== undefined && !isFollowed) {
    const problem = `this object has no rows, but a list ${showValue(list)}`;
    throw unreadable(
      1,
      'json_without_rows',
      problem,
      'Name that list rows, or use a file with the list alone.',
    );
  }
  if (isWhole && lines === 0) return 'jsonl';
  // The first line is broken or longer than the head. If the next one is an object, the first is reported as a bad row.
  const [, second = '{'] = head.trim().split(/[\r\n]+/, 2);
  if (second.trimStart().startsWith('{')) return 'jsonl';
  throw unreadable(
    1,
    'json_without_rows',
    'this object has no rows',
    'Add "rows": [ { ... }, { ... } ], or write each row on its own line (JSON Lines).',
  );
}

interface ObjectSurvey {
  /** Whether the object has a list `rows`. */
  readonly hasRows: boolean;
  /** Whether its end is in the text. */
  readonly isWhole: boolean;
  /** Whether another object stands behind it. */
  readonly isFollowed: boolean;
  /** Line breaks up to its end. */
  readonly lines: number;
  /** Name of another list of objects. */
  readonly list: string | undefined;
}

function surveyObject(head: string): ObjectSurvey {
  let depth = 0;
  let lines = 0;
  let list: string | undefined;
  for (const { 0: token, index } of head.matchAll(/"(?:[^"\\\r\n]|\\.)*"?|[[\]{}]|\r\n|\r|\n/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') {
      depth -= 1;
      const isFollowed = depth === 0 && /^\s*\{/.test(head.slice(index + 1, index + 1000));
      if (depth === 0) return { hasRows: false, isWhole: true, isFollowed, lines, list };
    } else if (/^[\r\n]/.test(token)) lines += 1;
    else if (depth === 1) {
      const after = head.slice(index + token.length, index + token.length + 1000);
      if (token === '"rows"' && /^\s*:\s*\[/.test(after))
        return { hasRows: true, isWhole: false, isFollowed: false, lines, list };
      if (!/^"[_#$]/.test(token) && /^\s*:\s*\[\s*\{/.test(after)) list ??= token.slice(1, -1);
    }
  }
  return { hasRows: false, isWhole: false, isFollowed: false, lines, list };
}

/** `null` for the usual way: CSV in UTF-8 with commas and headers in the first line. @param headerLine `null` without headers. */
export function describeReading(format: SheetFormat | null, headerLine: number | null): string | null {
  const described = format === null ? null : describeFormat(format);
  if (headerLine === null || headerLine === 1) return described;
  const where = `headers in line ${headerLine}`;
  return described === null ? where : `${described} (${where})`;
}

function describeFormat(format: SheetFormat): string | null {
  if (format.kind === 'xlsx') return 'read as an Excel workbook';
  const words = { csv: 'CSV', json: 'JSON', jsonl: 'JSON Lines' };
  const encoding = format.encoding === 'utf-8' ? '' : ` in ${encodingTitles[format.encoding]}`;
  const delimiter =
    format.kind === 'csv' && format.delimiter !== ','
      ? `, separated by ${format.delimiter === '\t' ? 'TAB' : format.delimiter}`
      : '';
  // GB18030 is only a guess from the bytes.
  const doubt = format.encoding === 'gb18030' ? ' (if the text is not Chinese, save it as UTF-8)' : '';
  const isExpected = format.kind === 'csv' && encoding === '' && delimiter === '';
  return isExpected ? null : `read as ${words[format.kind]}${encoding}${delimiter}${doubt}`;
}
