/** Writes sheets about videos: the export of samples, and reports. */
import type { Writable } from 'node:stream';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { type SheetStyle, SheetWriteError, streamSheet, writeSheet } from '../../sheets/write/sheet-file.ts';
import { reportLines, numberColumns as reportNumbers } from '../report/describe.ts';
import { type ReportOptions, reportVideos, type VideoReport } from '../report/report.ts';
import { type GivenSpan, readSpan } from '../report/span.ts';
import type { WantedVideos } from '../wanted.ts';
import { longLines, numberColumns, wideLines } from './lines.ts';

/** Where a sheet about videos goes. */
export interface SheetTarget extends Pick<SheetStyle, 'format' | 'withMark'> {
  /** Path of a file, or a stream such as standard output. */
  readonly to: string | Writable;
}

/** Which samples to export, and where to. */
export interface ExportRequest extends SheetTarget, GivenSpan, WantedVideos {
  /** Id of the only video to export. */
  readonly video?: string | undefined;
  /** A line for each video; else one for each video and sample. */
  readonly wide?: boolean | undefined;
}

/** A sheet that was written. */
export interface WrittenSheet {
  /** Absolute; undefined for a stream. */
  readonly path: string | undefined;
  readonly rows: number;
}

/** Writes samples of videos, or their latest figures, to a sheet. @throws {UseCaseError} `date_invalid`, `sheet_not_written`. */
export async function exportVideos(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  { wide = false, since, until, to, format, withMark, ...wanted }: ExportRequest,
): Promise<WrittenSheet> {
  const span = readSpan(runtime, { since, until });
  const lines = wide ? wideLines(runtime, { ...wanted, span }) : longLines(runtime, { ...wanted, span });
  return write(lines, { to, format, withMark }, numberColumns);
}

/**
 * Writes a report to a sheet; given its options, makes it first.
 * @throws {UseCaseError} `sheet_not_written`, `date_invalid`.
 */
export async function writeReport(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  wanted: VideoReport | ReportOptions,
  target: SheetTarget,
): Promise<WrittenSheet> {
  const report = 'groups' in wanted ? wanted : await reportVideos(runtime, wanted);
  return write(reportLines(report), target, reportNumbers(report));
}

async function write(
  batches: AsyncIterable<readonly (readonly string[])[]>,
  { to, format, withMark }: SheetTarget,
  numbers: ReadonlySet<string>,
): Promise<WrittenSheet> {
  let rows = -1;
  async function* counted() {
    for await (const lines of batches) {
      // The first line is the header.
      rows += lines.length;
      yield lines;
    }
  }
  try {
    if (typeof to !== 'string') {
      await streamSheet(to, { batches: counted() }, { format, numbers, withMark });
      return { path: undefined, rows };
    }
    return {
      path: await writeSheet(to, { batches: counted() }, { format, numbers }),
      rows,
    };
  } catch (error) {
    if (!(error instanceof SheetWriteError)) throw error;
    const cure = 'Nothing is lost. Write it to another file, or as CSV.';
    throw new UseCaseError('sheet_not_written', error.message, { cure, cause: error });
  }
}
