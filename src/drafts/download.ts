/** The sheet of a draft for download, in its own format: as uploaded, only rows with problems, or mended. */
import { createReadStream } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeFile } from '../fs/pipe-file.ts';
import { ProblemLines, type ToldProblem } from '../importers/check/problems-file.ts';
import { unguardFormula } from '../manifest/cells/formula.ts';
import { dateHeaders } from '../manifest/headers/header.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';
import {
  downloadName,
  sheetContentTypes,
  type SheetFormat as WrittenFormat,
} from '../sheets/write/format.ts';
import { type SheetStyle, SheetWriteError, streamSheet } from '../sheets/write/sheet-file.ts';
import type { WholeCheck } from './check/whole-check.ts';
import type { Draft } from './draft.ts';
import type { Mends } from './mends.ts';

/**
 * `original`: the planner's file. `problems`: the rows that will not be posted, and why. `mended`: all rows but those left out.
 */
export const draftSheets = ['original', 'problems', 'mended'] as const;
export type DraftSheet = (typeof draftSheets)[number];

export interface DraftDownload {
  readonly fileName: string;
  readonly contentType: string;
  /** @throws {UseCaseError} `sheet_not_written`. */
  readonly write: (to: Writable) => Promise<void>;
}

/** @param path of the planner's file. */
export function originalSheet({ sheet }: Draft, path: string): DraftDownload {
  return {
    fileName: basename(sheet?.name ?? 'sheet'),
    contentType: 'application/octet-stream',
    write: (to) => pipeFile(createReadStream(path), to, { end: false }),
  };
}

const whats = { problems: 'problems', mended: 'corrected' } as const;

/** @param now Unix epoch, milliseconds. */
export function draftSheet(
  { sheet }: Draft,
  which: Exclude<DraftSheet, 'original'>,
  { check, mends, now }: { readonly check: WholeCheck; readonly mends: Mends; readonly now: number },
): DraftDownload {
  const style = styleOf(check);
  const name = basename(sheet?.name ?? 'sheet', extname(sheet?.name ?? ''));
  const { format } = style;
  return {
    fileName: downloadName(name, whats[which], { format, now, zone: check.timezone ?? 'UTC' }),
    contentType: sheetContentTypes[style.format],
    write: async (to) => {
      try {
        const batches = which === 'problems' ? problemLines(check, mends) : mendedLines(check, mends);
        await streamSheet(to, { batches }, { ...style, withMark: true });
      } catch (error) {
        if (!(error instanceof SheetWriteError)) throw error;
        throw new UseCaseError('sheet_not_written', error.message, { cause: error });
      }
    },
  };
}

function styleOf({
  result: { format },
  findings,
}: WholeCheck): SheetStyle & { readonly format: WrittenFormat } {
  if (format === null) return { format: 'csv' };
  const dates = dateHeaders(findings.header.map(unguardFormula), findings.indexes);
  return format.kind === 'csv'
    ? { format: 'csv', delimiter: format.delimiter }
    : { format: format.kind, dates };
}

async function* mendedLines({ findings, rows }: WholeCheck, mends: Mends): AsyncGenerator<string[][]> {
  yield [findings.header.map(unguardFormula)];
  for await (const batch of rows.scan()) {
    yield batch
      .filter(({ number }) => !mends.leavesOut(number))
      .map((row) => [...mends.textsOf(row, row.number)]);
  }
}

/** The rows of the problems file. */
async function* problemLines({ findings, rows }: WholeCheck, mends: Mends): AsyncGenerator<string[][]> {
  const { header, states, problems } = findings;
  const lines = new ProblemLines(header);
  yield [[...lines.header]];
  for await (const batch of rows.scan()) {
    yield batch
      .filter(({ number }) => states.has(number, 'refused') || states.has(number, 'leftOut'))
      .map((row) => {
        const told = states.has(row.number, 'leftOut') ? leftOut : (problems.of(row.number) ?? notKept);
        return lines.of(mends.apply(row, row.number).cells, row.line, told);
      });
  }
}

const leftOut: readonly ToldProblem[] = [{ column: null, problem: 'this row was skipped', cure: '' }];
const notKept: readonly ToldProblem[] = [
  {
    column: null,
    problem: 'this row has problems, which are not listed because too many rows have problems',
    cure: 'Fix the rows before it, then check again.',
  },
];
