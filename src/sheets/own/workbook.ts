/**
 * The planner's own workbook with cells written into some of its worksheets: every other part has the bytes that it had. Only calcChain.xml,
 * the list of formulas, is left out: Excel makes it again, and reports a damaged file if it names a cell that has no formula any more.
 */
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { readStyles, styleOf } from '../xlsx/styles.ts';
import { chooseSheet, openWorkbook } from '../xlsx/workbook.ts';
import { type NewCells, writeCells } from './worksheet-cells.ts';

/** @param path of the workbook. @param cells by the name of the worksheet. @throws {WorkbookError} while it is read. */
export async function* writeIntoWorkbook(
  path: string,
  cells: ReadonlyMap<string, NewCells>,
): AsyncGenerator<Buffer> {
  await using workbook = await openWorkbook(path);
  const { parts, from1904 } = workbook;
  const styles = await readStyles(parts, workbook.styles);
  const context = { from1904, styleOf: (style: string | undefined) => styleOf(styles, style) };
  const byPart = new Map(
    [...cells].map(([name, own]) => [chooseSheet(workbook, name).part.toLowerCase(), own] as const),
  );
  const zip = new ZipFile();
  // Its type declaration is too wide: the stream is a Readable.
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  const open: Readable[] = [];
  const formulas = parts.list().find(({ name }) => formulaList.test(name));
  for (const { name, modified } of parts.list()) {
    if (name === formulas?.name) continue;
    zip.addReadStreamLazy(name, { mtime: modified }, (pass) => {
      const own = byPart.get(name.toLowerCase());
      const bytes = parts.read(name);
      const other = formulas !== undefined && mayName(formulas.name, name) ? withoutFormulas(bytes) : bytes;
      const stream = Readable.from(own ? writeCells(name, bytes, own, context) : other);
      stream.on('error', (error) => output.destroy(error));
      open.push(stream);
      pass(null, stream);
    });
  }
  zip.end();
  try {
    for await (const bytes of output) yield bytes as Buffer;
  } finally {
    for (const stream of open) stream.destroy();
  }
}

const formulaList = /(?:^|\/)calcChain\.xml$/i;

/** Whether a part is one of those that name the other parts: of the package, and of the parts in the list's folder, such as the workbook. */
function mayName(formulas: string, part: string): boolean {
  const lower = part.toLowerCase();
  return (
    lower === '[content_types].xml' ||
    posix.dirname(lower) === posix.join(posix.dirname(formulas.toLowerCase()), '_rels')
  );
}

async function* withoutFormulas(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const xml = Buffer.concat(await Array.fromAsync(bytes)).toString();
  let isOpen = false;
  yield xml.replace(/<[^<>]*>/g, (tag) => {
    // The end of the element that begins with the tag before.
    if (isOpen) {
      isOpen = false;
      return '';
    }
    if (!tag.toLowerCase().includes('calcchain.xml')) return tag;
    isOpen = !tag.endsWith('/>');
    return '';
  });
}
