/** Checks a sheet of videos row by row, and collects all problems. Passes on the good rows, in parts. */
import { type CellProblem, placeProblem } from '../../manifest/problems/problem.ts';
import { ProblemLog } from '../../manifest/problems/problem-log.ts';
import { openSheet } from '../../sheets/open-sheet.ts';
import {
  type CellFault,
  type ManifestSource,
  problemOfCell,
  type SheetFormat,
  type SheetHeader,
  type SheetOptions,
  type SheetRow,
  UnreadableSheetError,
} from '../../sheets/sheet.ts';
import { openVideoSheet, type VideoColumn, type VideoRow, type VideoSheetReader } from './video-sheet.ts';

/** What a check of a sheet of videos found. */
export interface CheckedVideos {
  /** The detected format; `null` if the file could not be opened. */
  readonly format: SheetFormat | null;
  readonly rows: number;
  /** Rows of a results sheet without a URL. */
  readonly withoutUrl: number;
  readonly problems: ProblemLog;
  readonly warnings: ProblemLog;
}

/** A row that can be added, with its place in the sheet. */
export interface PlacedVideo extends VideoRow {
  readonly line: number;
}

export type VideoSink = (
  videos: readonly PlacedVideo[],
  warn: (line: number, key: string, warning: CellProblem) => void,
  has: (column: VideoColumn) => boolean,
) => Promise<void>;

const rowsAtOnce = 500;

/** @throws errors of the file system and of `onVideos`. Problems of the sheet are part of the result. */
export async function checkVideoSheet(
  source: ManifestSource,
  options: SheetOptions,
  onVideos: VideoSink,
): Promise<CheckedVideos> {
  const run = new VideoSheetRun(onVideos);
  let format: SheetFormat | null = null;
  try {
    const sheet = await openSheet(source, options);
    try {
      format = sheet.format;
      const reader = run.begin(sheet.header);
      if (reader) {
        for await (const rows of sheet.rows) {
          for (let start = 0; start < rows.length; start += rowsAtOnce) {
            await run.check(reader, rows.slice(start, start + rowsAtOnce));
          }
        }
        run.end();
      }
    } finally {
      await sheet.close();
    }
  } catch (error) {
    if (!(error instanceof UnreadableSheetError)) throw error;
    run.problems.add(error.problem);
  }
  const { rows, withoutUrl, problems, warnings } = run;
  return { format, rows, withoutUrl, problems, warnings };
}

class VideoSheetRun {
  readonly problems = new ProblemLog();
  readonly warnings = new ProblemLog();
  rows = 0;
  withoutUrl = 0;
  #header: SheetHeader = { line: 1, cells: [] };
  readonly #lines = new VideoLines();
  readonly #onVideos: VideoSink;

  constructor(onVideos: VideoSink) {
    this.#onVideos = onVideos;
  }

  /** @returns undefined if the header has problems. */
  begin(header: SheetHeader): VideoSheetReader | undefined {
    this.#header = header;
    const reader = openVideoSheet(header.cells);
    const problems = [...(header.faults ?? []), ...this.#ofCells(header.cellFaults), ...reader.problems];
    for (const problem of problems) this.problems.add(placeProblem(header.line, null, problem));
    return problems.length > 0 ? undefined : reader;
  }

  async check(reader: VideoSheetReader, rows: readonly SheetRow[]): Promise<void> {
    const found: PlacedVideo[] = [];
    for (const row of rows) {
      if (row.cells.every((cell) => cell.trim() === '') && !row.faults) continue;
      this.rows += 1;
      const reading = row.faults ? { problems: row.faults } : reader.read(row.cells);
      const faults = this.#ofCells(row.cellFaults);
      const problems = 'problems' in reading ? [...faults, ...reading.problems] : faults;
      const key = ('key' in reading && reading.key) || null;
      for (const problem of problems) this.problems.add(placeProblem(row.line, key, problem));
      if (problems.length > 0 || !('row' in reading)) continue;
      if (reading.row === null) this.withoutUrl += 1;
      else if (this.#isNew(row.line, reading.row)) found.push({ ...reading.row, line: row.line });
    }
    const warn = (line: number, key: string, warning: CellProblem) =>
      this.warnings.add(placeProblem(line, key || null, warning));
    await this.#onVideos(found, warn, reader.has);
  }

  end(): void {
    if (this.rows > 0) return;
    this.problems.add({
      line: this.#header.line,
      key: null,
      column: null,
      code: 'no_rows',
      value: '',
      problem: 'the file has a header but no rows',
      cure: 'Add a row for each video.',
    });
  }

  #isNew(line: number, { id, url, key }: VideoRow): boolean {
    const earlier = this.#lines.note(id, line);
    if (earlier === undefined) return true;
    this.warnings.add({
      line,
      key: key || null,
      column: 'video_url',
      code: 'repeated_video',
      value: url,
      problem: `line ${earlier} has the same video`,
      cure: 'The first line counts. Remove the other.',
    });
    return false;
  }

  #ofCells(faults: readonly CellFault[] = []): CellProblem[] {
    return faults.map((fault) => problemOfCell(this.#header.cells, fault));
  }
}

/** Three words of the id, and the line; 0 for an empty slot. */
const wordsASlot = 4;
const idBytes = 12;

/**
 * On which line of a sheet each video stands: a hash table of up to 50 bytes a video, outside of the heap. It holds whole ids, so two videos are never taken for one.
 */
export class VideoLines {
  #slots = new Uint32Array(1024 * wordsASlot);
  #size = 0;
  readonly #bytes = Buffer.alloc(idBytes);
  readonly #id = new Uint32Array(this.#bytes.buffer, this.#bytes.byteOffset, idBytes / 4);

  /**
   * Notes the line of a video, unless an earlier one is known.
   * @param id as `videoIdOf` makes it.
   * @param line from 1.
   * @returns the earlier line.
   */
  note(id: string, line: number): number | undefined {
    this.#bytes.write(id, 'base64url');
    const [a = 0, b = 0, c = 0] = this.#id;
    const at = slotOf(this.#slots, a, b, c);
    const earlier = this.#slots[at + 3];
    if (earlier) return earlier;
    this.#slots.set([a, b, c, line], at);
    this.#size += 1;
    if (this.#size * wordsASlot * 4 > this.#slots.length * 3) this.#grow();
    return undefined;
  }

  #grow(): void {
    const grown = new Uint32Array(this.#slots.length * 2);
    for (let from = 0; from < this.#slots.length; from += wordsASlot) {
      const [a = 0, b = 0, c = 0, line = 0] = this.#slots.subarray(from, from + wordsASlot);
      if (line > 0) grown.set([a, b, c, line], slotOf(grown, a, b, c));
    }
    this.#slots = grown;
  }
}

/** Position of the slot of an id, or of the empty one that it would take. */
function slotOf(slots: Uint32Array, a: number, b: number, c: number): number {
  // Ids are digests: any of their bits will do.
  let at = (a * wordsASlot) % slots.length;
  while (slots[at + 3] !== 0 && (slots[at] !== a || slots[at + 1] !== b || slots[at + 2] !== c)) {
    at = (at + wordsASlot) % slots.length;
  }
  return at;
}
