/** The results sheet that stands where a new one would go: whose it is, and whether somebody has written into it. */
import { open } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { foldHeader } from '../../manifest/columns.ts';
import { openSheet } from '../../sheets/open-sheet.ts';
import { fileSource } from '../../sheets/source.ts';
import type { SheetFormat } from '../../sheets/write/format.ts';
import { readXlsx } from '../../sheets/xlsx/read-xlsx.ts';

/** Enough for the header and a row; what is longer counts as not ours. */
const headBytes = 256 * 1024;

/** Whether a sheet may be replaced: it is not there, has no rows, or is one of this campaign. Never throws. */
export async function mayReplace(path: string, campaign: string, format: SheetFormat): Promise<boolean> {
  try {
    const [header, row] = await readFirstRows(path, format);
    if (row === undefined) return true;
    return row[header.findIndex((name) => foldHeader(name) === 'campaign')] === campaign;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/**
 * Whether a planner has filled in `video_url`, which no new sheet would have. Streamed, whatever program has saved the sheet
 * last; one that cannot be read counts as filled in. Never throws.
 */
export async function isFilledIn(path: string): Promise<boolean> {
  try {
    const sheet = await openSheet(fileSource(path));
    const column = sheet.header.cells.findIndex((name) => foldHeader(name) === 'videourl');
    if (column < 0) {
      await sheet.close();
      return false;
    }
    for await (const rows of sheet.rows) {
      if (rows.some(({ cells }) => (cells[column] ?? '').trim() !== '')) return true;
    }
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

/** A name beside it for a sheet that makes way: `posts.results.csv` is kept as `posts.results.20260601T120000Z.csv`. */
export function keptName(path: string, now: Date): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  return path.replace(/(?=\.\w+$)/, `.${time}`);
}

type FirstRows = readonly [header: readonly string[], row: readonly string[] | undefined];

async function readFirstRows(path: string, format: SheetFormat): Promise<FirstRows> {
  switch (format) {
    case 'csv':
      return firstCsvRows(await readHead(path));
    case 'json':
    case 'jsonl':
      return firstJsonRow(await readHead(path));
    case 'xlsx':
      return firstXlsxRows(path);
  }
}

function firstCsvRows(head: string): FirstRows {
  const [header = [], row] = parse(head, { bom: true, to: 2, relax_column_count: true }) as string[][];
  return [header, row];
}

/** As it is written here: one object a line. */
function firstJsonRow(head: string): FirstRows {
  const line = head.split('\n').find((each) => each.startsWith('{'));
  if (line === undefined) return [[], undefined];
  const row: Readonly<Record<string, string>> = JSON.parse(line.replace(/,$/, ''));
  return [Object.keys(row), Object.values(row)];
}

async function firstXlsxRows(path: string): Promise<FirstRows> {
  const rows: (readonly string[])[] = [];
  for await (const batch of readXlsx(path)) {
    rows.push(...batch.map(({ cells }) => cells));
    if (rows.length > 1) break;
  }
  const [header = [], row] = rows;
  return [header, row];
}

async function readHead(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  return buffer.toString('utf8', 0, bytesRead);
}
