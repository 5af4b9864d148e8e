/**
 * The import of a workbook against its reader alone: rows per second of checking and storing, and how memory grows with the
 * number of rows. It measures as `bench/import.ts` does.
 *
 *     node bench/xlsx.ts [rows] [rounds]
 *
 * Each cell holds its own text, as in the workbooks that we write; shared texts would be kept, and grow with the sheet. Memory
 * in use grows only by the keys of the rows. The peak also grows by V8's space for young objects, which is bounded.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '../config/load.ts';
import { checkManifest } from '../src/importers/check/check.ts';
import type { CheckedRow } from '../src/importers/check/checked-row.ts';
import { encodeChunk } from '../src/ledger/rows/stored-rows.ts';
import { fileSource } from '../src/sheets/sheet.ts';
import { writeSheet } from '../src/sheets/write/sheet-file.ts';
import { readXlsx } from '../src/sheets/xlsx/read-xlsx.ts';
import { measureApart, measureHere } from './apart.ts';
import { manifestCells, manifestHeader } from './manifest-rows.ts';
import { median, printTable } from './table.ts';

type Mode = 'read' | 'import' | 'live';

interface Task {
  readonly mode: Mode;
  readonly path: string;
}

interface Measurement {
  readonly rowsPerSecond: number;
  /** Peak of the resident set above its size at the start, in bytes. */
  readonly peakBytes: number;
  /** Most memory in use after a garbage collection, in bytes; only in mode `live`. */
  readonly liveBytes: number;
}

const fewRows = 30_000;
const manyRows = 300_000;
const chunksBetweenCollections = 10;

async function* manifestLines(rows: number): AsyncGenerator<readonly string[]> {
  yield manifestHeader;
  for (let row = 1; row <= rows; row += 1) yield manifestCells(row);
}

async function readAlone(path: string): Promise<number> {
  let rows = -1;
  for await (const batch of readXlsx(path)) rows += batch.length;
  return rows;
}

async function importRows(path: string, onChunk: () => void = () => {}): Promise<number> {
  const options = {
    settings: loadSettings(undefined),
    now: Date.now(),
    creators: null,
    media: null,
    posts: null,
  };
  const result = await checkManifest(fileSource(path), options, (rows: readonly CheckedRow[]) => {
    encodeChunk(rows);
    onChunk();
  });
  if (result.accepted !== result.rows) throw new Error(JSON.stringify(result.problems.kept[0]));
  return result.rows;
}

/** Runs in a process of its own. */
async function measure({ mode, path }: Task): Promise<Measurement> {
  const before = process.memoryUsage.rss();
  const begun = performance.now();
  let chunks = 0;
  let liveBytes = 0;
  const collect = () => {
    chunks += 1;
    if (chunks % chunksBetweenCollections !== 0) return;
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    liveBytes = Math.max(liveBytes, heapUsed + external);
  };
  const rows = await (mode === 'read'
    ? readAlone(path)
    : importRows(path, mode === 'live' ? collect : undefined));
  const seconds = (performance.now() - begun) / 1000;
  const peakBytes = process.resourceUsage().maxRSS * 1024 - before;
  return { rowsPerSecond: rows / seconds, peakBytes, liveBytes };
}

function apart(mode: Mode, path: string): Promise<Measurement> {
  const flags = mode === 'live' ? ['--expose-gc'] : [];
  return measureApart<Measurement>(import.meta.url, { mode, path } satisfies Task, flags);
}

export async function benchXlsx(rows: number, rounds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-xlsx-'));
  try {
    const write = (count: number) =>
      writeSheet(join(folder, `${count}.xlsx`), manifestLines(count), { format: 'xlsx' });
    const path = await write(rows);
    const fewPath = await write(fewRows);
    const manyPath = await write(manyRows);
    const read: number[] = [];
    const stored: number[] = [];
    const ratios: number[] = [];
    const few: Measurement[] = [];
    const many: Measurement[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const alone = (await apart('read', path)).rowsPerSecond;
      const whole = (await apart('import', path)).rowsPerSecond;
      read.push(alone);
      stored.push(whole);
      ratios.push(whole / alone);
      few.push(await apart('import', fewPath));
      many.push(await apart('import', manyPath));
    }
    const liveFew = await apart('live', fewPath);
    const liveMany = await apart('live', manyPath);
    const shown = (values: readonly number[]) => Math.round(median(values)).toLocaleString('en');
    printTable(
      `workbook of ${rows.toLocaleString('en')} rows`,
      ['rows/s', 'ratio'],
      [
        ['its reader alone', [shown(read), '1.00']],
        ['check and store', [shown(stored), median(ratios).toFixed(2)]],
      ],
    );
    const peak = (measured: readonly Measurement[]) => median(measured.map(({ peakBytes }) => peakBytes));
    const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);
    printTable(
      'memory in MB',
      [`${fewRows / 1000}k rows`, `${manyRows / 1000}k rows`],
      [
        ['in use, after a collection', [megabytes(liveFew.liveBytes), megabytes(liveMany.liveBytes)]],
        ['peak of the process above its start', [megabytes(peak(few)), megabytes(peak(many))]],
      ],
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (!(await measureHere(measure)) && import.meta.main) {
  await benchXlsx(Number(process.argv[2] ?? 100_000), Number(process.argv[3] ?? 5));
}
