/** Checks a sheet of videos row by row, and passes on those that can be added. Collects all problems. */
import { batches } from '../../../ledger/ledger-part.ts';
import { longNumberIn } from '../../../manifest/cells/video-url.ts';
import {
  type CellProblem,
  describePlace,
  placeProblem,
  type RowPlace,
  showValue,
} from '../../../manifest/problems/problem.ts';
import { ProblemLog } from '../../../manifest/problems/problem-log.ts';
import type { OpenSheet } from '../../../sheets/open-sheet.ts';
import {
  type CellFault,
  problemOfCell,
  type SheetFormat,
  type SheetHeader,
  type SheetRow,
  UnreadableSheetError,
} from '../../../sheets/sheet.ts';
import { openVideoSheet, type VideoColumn, type VideoRow, type VideoSheetReader } from './video-sheet.ts';

export interface OpenList extends Pick<OpenSheet, 'header' | 'headerLine' | 'rows' | 'close'> {
  readonly format: SheetFormat | null;
}

export interface CheckedVideos {
  /** The detected format; `null` if the file could not be opened, and for links. */
  readonly format: SheetFormat | null;
  /** Line of the headers; `null` for JSON and links, and if the file could not be opened. */
  readonly headerLine: number | null;
  readonly rows: number;
  /** Rows of a results sheet without a URL. */
  readonly withoutUrl: number;
  /** Header of the column that was taken because it has links, not because of its name. */
  readonly linksIn: string | undefined;
  readonly problems: ProblemLog;
  readonly warnings: ProblemLog;
}

/** Takes rows that can be added, with their places. */
export type VideoSink = (
  videos: readonly (VideoRow & RowPlace)[],
  warn: (place: RowPlace, key: string, warning: CellProblem) => void,
  has: (column: VideoColumn) => boolean,
) => Promise<void>;

const rowsAtOnce = 500;

/** @throws errors of the file system and of `onVideos`. Problems of the sheet are part of the result. */
export async function checkVideoSheet(
  open: () => Promise<OpenList>,
  onVideos: VideoSink,
): Promise<CheckedVideos> {
  const run = new VideoSheetRun(onVideos);
  let format: SheetFormat | null = null;
  let headerLine: number | null = null;
  try {
    const sheet = await open();
    try {
      ({ format, headerLine } = sheet);
      await run.checkAll(sheet);
    } finally {
      await sheet.close();
    }
  } catch (error) {
    if (!(error instanceof UnreadableSheetError)) throw error;
    run.problems.add(error.problem);
  }
  const { rows, withoutUrl, linksIn, problems, warnings } = run;
  return { format, headerLine, rows, withoutUrl, linksIn, problems, warnings };
}

class VideoSheetRun {
  readonly problems = new ProblemLog();
  readonly warnings = new ProblemLog();
  rows = 0;
  withoutUrl = 0;
  linksIn: string | undefined;
  #header: SheetHeader = { line: 1, cells: [] };
  readonly #places = new Map<string, RowPlace>();
  /** Places of the first video with each long number. */
  readonly #numbers = new Map<string, RowPlace>();
  readonly #onVideos: VideoSink;

  constructor(onVideos: VideoSink) {
    this.#onVideos = onVideos;
  }

  async checkAll({ header, rows }: Pick<OpenList, 'header' | 'rows'>): Promise<void> {
    let reader: VideoSheetReader | undefined;
    for await (const some of rows) {
      if (reader === undefined) {
        if (some.length === 0) continue;
        reader = await this.#begin(header, some);
        if (reader === undefined) return;
      }
      for (const part of batches(some, rowsAtOnce)) await this.#check(reader, part);
    }
    // A sheet may be a single line.
    if (reader === undefined && !(await this.#begin(header, []))) return;
    this.#end();
  }

  /** @param first rows of the sheet. @returns undefined if the header has problems. */
  async #begin(header: SheetHeader, first: readonly SheetRow[]): Promise<VideoSheetReader | undefined> {
    this.#header = header;
    const reader = openVideoSheet(header.cells, first);
    this.linksIn = reader.linksIn;
    const problems = [...(header.faults ?? []), ...this.#ofCells(header.cellFaults), ...reader.problems];
    for (const problem of problems) this.problems.add(placeProblem(header, null, problem));
    if (problems.length > 0) return undefined;
    if (reader.isHeaderless) await this.#check(reader, [header]);
    return reader;
  }

  async #check(reader: VideoSheetReader, rows: readonly SheetRow[]): Promise<void> {
    const found: Parameters<VideoSink>[0][number][] = [];
    for (const row of rows) {
      if (row.cells.every((cell) => cell.trim() === '') && !row.faults) continue;
      this.rows += 1;
      const place = { line: row.line, worksheet: row.worksheet };
      const reading = row.faults ? { problems: row.faults } : reader.read(row.cells);
      const read = row.cellFaults?.filter(({ position }) => reader.isProblem(position, reading));
      const faults = this.#ofCells(read);
      const problems = 'problems' in reading ? [...faults, ...reading.problems] : faults;
      const key = ('key' in reading && reading.key) || null;
      for (const problem of problems) this.problems.add(placeProblem(place, key, problem));
      if (problems.length > 0 || !('row' in reading)) continue;
      if (reading.row === null) this.withoutUrl += 1;
      else if (this.#isNew(place, reading.row)) found.push({ ...reading.row, ...place });
    }
    const warn = (place: RowPlace, key: string, warning: CellProblem) =>
      this.warnings.add(placeProblem(place, key || null, warning));
    await this.#onVideos(found, warn, reader.has);
  }

  #end(): void {
    if (this.rows > 0) return;
    const what = 'the file has a header but no rows';
    const fix = 'Add a row for each video.';
    const problem = { column: null, code: 'no_rows', value: '', problem: what, fix };
    this.problems.add(placeProblem(this.#header, null, problem));
  }

  #isNew(place: RowPlace, { id, url, key }: VideoRow): boolean {
    const earlier = this.#places.get(id);
    if (earlier === undefined) {
      this.#places.set(id, place);
      this.#compareNumber(place, url, key);
      return true;
    }
    const warning = {
      column: 'video_url',
      code: 'repeated_video',
      value: url,
      problem: `${describePlace(earlier)} has the same video`,
      fix: 'The first line is used. Remove this one.',
    };
    this.warnings.add(placeProblem(place, key || null, warning));
    return false;
  }

  /** Two links with one long number are most likely one video, whose views would count twice. */
  #compareNumber(place: RowPlace, url: string, key: string): void {
    const number = longNumberIn(url);
    if (number === undefined) return;
    const earlier = this.#numbers.get(number);
    if (earlier === undefined) {
      this.#numbers.set(number, place);
      return;
    }
    const warning = {
      column: 'video_url',
      code: 'same_number',
      value: showValue(url),
      problem: `${describePlace(earlier)} links to a video with the same number, ${number}: perhaps the same video`,
      fix: 'If so, remove one of the two: otherwise its views count twice.',
    };
    this.warnings.add(placeProblem(place, key || null, warning));
  }

  #ofCells(faults: readonly CellFault[] = []): CellProblem[] {
    return faults.map((fault) => problemOfCell(this.#header.cells, fault));
  }
}
