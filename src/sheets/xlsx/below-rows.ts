/** Reads what a worksheet lists below its rows, such as merged cells and links, without reading the rows. */
import { TextDecoder } from 'node:util';
import type { Package } from './workbook.ts';
import { WorkbookError } from './workbook-error.ts';
import { encodingOf, type XmlHandler, XmlReader } from './xml.ts';

const endOfRows = 'sheetData>';
/** No text can look like this: in text, `<` is written as `&lt;`. */
const closingTag = /<\/(?<prefix>(?:[\w.-]+:)?)sheetData>$/;
const longestTag = 256;

/** Ignores damage: reading the rows reports it. @throws {WorkbookError} of another kind; what the handler throws. */
export async function readBelowRows(parts: Package, part: string, handler: XmlHandler): Promise<void> {
  try {
    await readBelow(parts, part, handler);
  } catch (error) {
    if (!(error instanceof WorkbookError && error.problem.code === 'broken_workbook')) throw error;
  }
}

async function readBelow(parts: Package, part: string, handler: XmlHandler): Promise<void> {
  let decoder: TextDecoder | undefined;
  let held = '';
  let below: XmlReader | undefined;
  for await (const bytes of parts.read(part)) {
    decoder ??= new TextDecoder(encodingOf(bytes));
    const text = decoder.decode(bytes, { stream: true });
    if (below !== undefined) {
      below.push(Buffer.from(text));
      continue;
    }
    held += text;
    const found = findEnd(held);
    held = found?.rest ?? held.slice(-longestTag);
    if (found === undefined) continue;
    below = new XmlReader(part, handler);
    // With its enclosing tag, the rest is a document of its own.
    below.push(Buffer.from(`<${found.prefix}worksheet>${held}`));
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
