/** Encodes sheets as text: CSV, JSON and JSON Lines. */

import { stringify } from 'csv-stringify/sync';
import { guardFormula } from '../../manifest/cells/formula-guard.ts';
import { isMarkedNote } from '../../manifest/headers/column-map.ts';
import { sizeOf } from '../../manifest/sheet-bounds.ts';
import type { Delimiter } from '../csv/delimiter.ts';

/** A sheet: rows of cells, header first. */
export type SheetLines = AsyncIterable<readonly string[]> | LineBatches;

/** The same in batches of any size: waiting for each line takes longer than writing it. */
interface LineBatches {
  readonly batches: AsyncIterable<readonly (readonly string[])[]>;
}

/** Makes Excel read the file as UTF-8. */
const byteOrderMark = '\ufeff';
const linesAtOnce = 100;
/** Characters of the lines encoded at once; usual ones take a tenth of it. */
const mostAtOnce = 512 * 1024;

interface CsvOptions {
  readonly withMark: boolean;
  readonly delimiter?: Delimiter | undefined;
  readonly numbers?: ReadonlySet<string> | undefined;
}

/** Adds `'` to cells that would run as a formula. Not to negative `numbers`: no program would add them up. */
export async function* encodeCsv(
  lines: SheetLines,
  { withMark, delimiter = ',', numbers = new Set() }: CsvOptions,
): AsyncGenerator<string> {
  if (withMark) yield byteOrderMark;
  let areNumbers: readonly boolean[] | undefined;
  // Many cells are those of the line above: the samples of a video, the posts of a campaign.
  let above: readonly string[] = [];
  const encoded: string[] = [];
  for await (const some of inBatches(lines)) {
    const texts: string[] = [];
    for (const cells of some) {
      areNumbers ??= cells.map((name) => numbers.has(name));
      encoded.length = cells.length;
      for (let column = 0; column < cells.length; column += 1) {
        const cell = cells[column] ?? '';
        if (cell === above[column]) continue;
        const isNumber = areNumbers[column] === true && plainNumber.test(cell);
        encoded[column] = isNumber ? cell : encodeCell(cell, delimiter);
      }
      above = cells;
      texts.push(encoded.join(delimiter));
    }
    // The last line has an end, too.
    texts.push('');
    yield texts.join(lineEnd);
  }
}

const lineEnd = '\r\n';
const mayNeedQuotes = /[",;|\t\r\n]/;

/** Most cells need no quotes, and exports have millions of cells. */
export function encodeCell(cell: string, delimiter: Delimiter): string {
  const text = guardFormula(cell);
  if (!mayNeedQuotes.test(text)) return text;
  // A lone CR or LF does not end a row here, but most readers take it as an end.
  return stringify([[text]], {
    delimiter,
    eof: false,
    record_delimiter: 'windows',
    quote_record_delimiter: true,
  });
}

export async function* encodeJson(lines: SheetLines, numbers?: ReadonlySet<string>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const objects of encodeObjects(lines, numbers)) {
    yield before + objects.join(',\n');
    before = ',\n';
  }
  yield before === ',\n' ? '\n]\n' : '[]\n';
}

export async function* encodeJsonLines(
  lines: SheetLines,
  numbers?: ReadonlySet<string>,
): AsyncGenerator<string> {
  for await (const objects of encodeObjects(lines, numbers)) yield `${objects.join('\n')}\n`;
}

/** Encodes each row as an object without its empty cells. Cells are texts, so that no id loses a digit, but for those of `numbers`. */
async function* encodeObjects(
  lines: SheetLines,
  numbers: ReadonlySet<string> = new Set(),
): AsyncGenerator<readonly string[]> {
  let names: readonly string[] | undefined;
  let areNumbers: readonly boolean[] = [];
  for await (const some of inBatches(lines)) {
    let rows = some;
    if (names === undefined) {
      const [header = [], ...rest] = some;
      areNumbers = header.map((name) => numbers.has(name));
      names = uniqueNames(header).map((name) => `${JSON.stringify(name)}:`);
      rows = rest;
    }
    const prefixes = names;
    if (rows.length > 0) yield rows.map((cells) => encodeObject(prefixes, areNumbers, cells));
  }
}

/** As JSON writes a number; without an exponent. */
const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

function encodeObject(
  prefixes: readonly string[],
  areNumbers: readonly boolean[],
  cells: readonly string[],
): string {
  const members = cells.flatMap((cell, index) =>
    cell === ''
      ? []
      : [
          (prefixes[index] ?? '') +
            (areNumbers[index] && plainNumber.test(cell) ? cell : JSON.stringify(cell)),
        ],
  );
  return `{${members.join(',')}}`;
}

/** Names in an object must not repeat: a planner's own of the name of an added column becomes a note (`_status`). */
function uniqueNames(header: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return header.map((name, index) => {
    const own = header.lastIndexOf(name) > index && !isMarkedNote(name) ? `_${name}` : name;
    let unique = own;
    for (let count = 2; seen.has(unique); count += 1) unique = `${own} (${count})`;
    seen.add(unique);
    return unique;
  });
}

export async function* inBatches(lines: SheetLines): AsyncGenerator<readonly (readonly string[])[]> {
  if ('batches' in lines) {
    yield* lines.batches;
    return;
  }
  let batch: (readonly string[])[] = [];
  let size = 0;
  for await (const line of lines) {
    batch.push(line);
    size += sizeOf(line);
    if (batch.length < linesAtOnce && size < mostAtOnce) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}
