/** The planner's own workbook with cells written into some of its worksheets: every other part has the bytes that it had. */
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
  for (const { name, modified } of parts.list()) {
    zip.addReadStreamLazy(name, { mtime: modified }, (pass) => {
      const own = byPart.get(name.toLowerCase());
      const bytes = parts.read(name);
      const stream = Readable.from(own ? writeCells(name, bytes, own, context) : bytes);
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
