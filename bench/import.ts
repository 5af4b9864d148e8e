/**
 * The import of a manifest against csv-parse alone: rows per second of checking and storing, and how peak memory grows with
 * the number of rows.
 *
 *     node bench/import.ts [rows] [rounds]
 *
 * "Store" does what the ledger does with a chunk of rows, except the SET. Media and creators are not looked up. Every
 * measurement runs in its own process; the modes take turns, and ratios compare within a round.
 */
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse';
import { loadSettings } from '../config/load.ts';
import { checkSheet } from '../src/importers/check/check-sheet.ts';
import type { CheckedRow } from '../src/importers/check/checked-row.ts';
import { encodeChunk } from '../src/ledger/rows/stored-rows.ts';
import { fileSource } from '../src/sheets/sheet.ts';
import { measureApart, measureHere } from './apart.ts';
import { manifestCells, manifestHeader } from './manifest-rows.ts';
import { median, printTable } from './table.ts';

type Mode = 'parse' | 'check' | 'import';

interface Task {
  readonly mode: Mode;
  readonly path: string;
}

interface Measurement {
  readonly rowsPerSecond: number;
  /** Peak of the resident set above its size at the start, in bytes. */
  readonly peakBytes: number;
}

const fewRows = 30_000;

async function writeManifest(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path);
  file.write(`${manifestHeader.join(',')}\n`);
  for (let row = 1; row <= rows; row += 1) {
    // One cell of each row has a comma, and needs quotes.
    const line = manifestCells(row).map((cell) => (cell.includes(',') ? `"${cell}"` : cell));
    if (!file.write(`${line.join(',')}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

async function parseAlone(path: string): Promise<number> {
  let rows = 0;
  for await (const _row of createReadStream(path).pipe(parse({ columns: true }))) rows += 1;
  return rows;
}

async function checkRows(path: string, store: boolean): Promise<number> {
  const sink = (rows: readonly CheckedRow[]) => {
    encodeChunk(rows);
  };
  const options = {
    settings: loadSettings(undefined),
    now: Date.now(),
    creators: null,
    media: null,
    posts: null,
  };
  const result = await checkSheet(fileSource(path), options, {
    onAccepted: store ? sink : undefined,
  });
  if (result.accepted !== result.rows) throw new Error(JSON.stringify(result.problems.kept[0]));
  return result.rows;
}

/** Runs in a process of its own. */
async function measure({ mode, path }: Task): Promise<Measurement> {
  const before = process.memoryUsage.rss();
  const begun = performance.now();
  const rows = mode === 'parse' ? await parseAlone(path) : await checkRows(path, mode === 'import');
  const seconds = (performance.now() - begun) / 1000;
  return { rowsPerSecond: rows / seconds, peakBytes: process.resourceUsage().maxRSS * 1024 - before };
}

function apart(mode: Mode, path: string): Promise<Measurement> {
  return measureApart<Measurement>(import.meta.url, { mode, path } satisfies Task);
}

export async function compare(rows: number, rounds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
  try {
    const many = join(folder, 'many.csv');
    const few = join(folder, 'few.csv');
    await writeManifest(many, rows);
    await writeManifest(few, fewRows);
    const results: Record<Mode | 'few', Measurement[]> = { parse: [], check: [], import: [], few: [] };
    for (let round = 0; round < rounds; round += 1) {
      for (const mode of ['parse', 'check', 'import'] as const) results[mode].push(await apart(mode, many));
      results.few.push(await apart('import', few));
    }
    report(rows, results);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function report(rows: number, results: Record<Mode | 'few', Measurement[]>): void {
  const line = (name: string, mode: Mode) => {
    const speed = median(results[mode].map(({ rowsPerSecond }) => rowsPerSecond));
    const ratios = results[mode].map(
      (each, round) => each.rowsPerSecond / (results.parse[round]?.rowsPerSecond ?? Number.NaN),
    );
    return [name, [Math.round(speed).toLocaleString('en'), median(ratios).toFixed(2)]] as const;
  };
  const megabytes = (mode: Mode | 'few') =>
    (median(results[mode].map(({ peakBytes }) => peakBytes)) / 1e6).toFixed(0);
  printTable(
    `${rows.toLocaleString('en')} rows of ${manifestHeader.length} columns`,
    ['rows/s', 'ratio'],
    [line('csv-parse, columns: true', 'parse'), line('check', 'check'), line('check and store', 'import')],
  );
  printTable(
    'memory in MB',
    [`${fewRows / 1000}k rows`, `${rows / 1000}k rows`],
    [['peak of the process above its start', [megabytes('few'), megabytes('import')]]],
  );
}

if (!(await measureHere(measure)) && import.meta.main) {
  await compare(Number(process.argv[2] ?? 300_000), Number(process.argv[3] ?? 5));
}
