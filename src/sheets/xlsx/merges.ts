/** Finds merged cells before the rows are read, because a worksheet lists them after its rows. */
import { TextDecoder } from 'node:util';
import { type CellRange, parseRange } from './cell-reference.ts';
import type { Package } from './package.ts';
import { tooLarge, WorkbookError } from './workbook-error.ts';
import { encodingOf, type XmlHandler, XmlReader } from './xml.ts';

const mostMerges = 100_000;
const endOfRows = 'sheetData>';
/** No text can look like this: in text, `<` is written as `&lt;`. */
const closingTag = /<\/(?<prefix>(?:[\w.-]+:)?)sheetData>$/;
const longestTag = 256;

/**
 * Returns the merged cells of a worksheet, sorted by first row. Unpacks and skips the rows, which is much faster than reading them and
 * takes no memory. Ignores damage: reading the rows reports it.
 * @throws {WorkbookError} if there are more than 100,000.
 */
export async function readMerges(parts: Package, part: string): Promise<readonly CellRange[]> {
  const merges: CellRange[] = [];
  try {
    await collectMerges(parts, part, merges);
  } catch (error) {
    if (!(error instanceof WorkbookError && error.code === 'broken_workbook')) throw error;
  }
  return merges.sort((one, other) => one.top - other.top);
}

async function collectMerges(parts: Package, part: string, merges: CellRange[]): Promise<void> {
  let decoder: TextDecoder | undefined;
  let held = '';
  let behind: XmlReader | undefined;
  for await (const bytes of parts.read(part)) {
    decoder ??= new TextDecoder(encodingOf(bytes));
    const text = decoder.decode(bytes, { stream: true });
    if (behind !== undefined) {
      behind.push(Buffer.from(text));
      continue;
    }
    held += text;
    const found = findEnd(held);
    held = found?.rest ?? held.slice(-longestTag);
    if (found === undefined) continue;
    behind = new XmlReader(part, collector(merges));
    // With its enclosing tag, the rest is a document of its own.
    behind.push(Buffer.from(`<${found.prefix}worksheet>${held}`));
  }
}

function findEnd(text: string): { readonly prefix: string; readonly rest: string } | undefined {
  for (let at = text.indexOf(endOfRows); at >= 0; at = text.indexOf(endOfRows, at + 1)) {
    const end = at + endOfRows.length;
    const closing = closingTag.exec(text.slice(Math.max(0, at - longestTag), end));
    if (closing) return { prefix: closing.groups?.prefix ?? '', rest: text.slice(end) };
  }
  return undefined;
}

function collector(merges: CellRange[]): XmlHandler {
  return {
    open(element, { ref = '' }) {
      if (element !== 'mergeCell') return;
      if (merges.length === mostMerges) throw tooLarge(`it has more than ${mostMerges} merged cells`);
      const range = parseRange(ref);
      if (range !== undefined) merges.push(range);
    },
  };
}
