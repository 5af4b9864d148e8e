/** The sheet of a draft for download, in its own format: as uploaded, only rows with problems, or edited. */
import { createReadStream } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Writable } from 'node:stream';
import { ProblemLines, type ProblemText } from '../../importers/check/problems-file.ts';
import { unguardFormula } from '../../manifest/cells/formula-guard.ts';
import { dateHeaders } from '../../manifest/headers/header.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { pipeFile } from '../../platform/files/write-file.ts';
import { downloadName } from '../../sheets/write/download-name.ts';
import { sheetContentTypes, type SheetFormat as WrittenFormat } from '../../sheets/write/format.ts';
import { type SheetStyle, SheetWriteError, writeSheet } from '../../sheets/write/sheet-file.ts';
import type { Edits } from '../campaigns/import/edits.ts';
import { type CheckFacts, DraftCheck } from './check/draft-check.ts';
import type { Draft } from './draft.ts';
import type { DraftDatabase } from './store/database.ts';

/** `original`: the planner's file. `problems`: rows that will not be posted, and why. `edited`: all rows but those left out. */
export const draftSheets = ['original', 'problems', 'edited'] as const;
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

const whats = { problems: 'problems', edited: 'corrected' } as const;

interface CheckedSheet {
  readonly facts: CheckFacts;
  readonly edits: Edits;
  /** Unix epoch, milliseconds. */
  readonly now: number;
  /** Opens the database of the draft once more: a download may last longer than the draft is kept open. */
  readonly open: () => Promise<DraftDatabase>;
}

export function draftSheet(
  { sheet }: Draft,
  which: Exclude<DraftSheet, 'original'>,
  { facts, edits, now, open }: CheckedSheet,
): DraftDownload {
  const style = styleOf(facts);
  const name = basename(sheet?.name ?? 'sheet', extname(sheet?.name ?? ''));
  const { format } = style;
  return {
    fileName: downloadName(name, whats[which], { format, now, zone: facts.timezone ?? 'UTC' }),
    contentType: sheetContentTypes[style.format],
    write: async (to) => {
      try {
        using database = await open();
        const check = new DraftCheck(database, facts, { update: undefined, newMedia: undefined });
        const batches = (which === 'problems' ? problemLines : editedLines)(check, edits);
        await writeSheet(to, { batches }, { ...style, withMark: true });
      } catch (error) {
        if (!(error instanceof SheetWriteError)) throw error;
        throw new UseCaseError('sheet_not_written', error.message, { cause: error });
      }
    },
  };
}

function styleOf({ format, header, indexes }: CheckFacts): SheetStyle & { readonly format: WrittenFormat } {
  if (format === null) return { format: 'csv' };
  const dates = dateHeaders(header.map(unguardFormula), indexes);
  return format.kind === 'csv'
    ? { format: 'csv', delimiter: format.delimiter }
    : { format: format.kind, dates };
}

async function* editedLines({ facts, rows }: DraftCheck, edits: Edits): AsyncGenerator<string[][]> {
  yield [facts.header.map(unguardFormula)];
  for await (const batch of rows.scan()) {
    yield batch
      .filter(({ number }) => !edits.skips(number))
      .map((row) => [...edits.textsOf(row, row.number)]);
  }
}

async function* problemLines(
  { facts, findings, rows }: DraftCheck,
  edits: Edits,
): AsyncGenerator<string[][]> {
  const lines = new ProblemLines(facts.header);
  yield [[...lines.header]];
  for await (const batch of rows.scan()) {
    yield batch.flatMap((row) => {
      const marks = findings.marksOf(row.number);
      if (!marks.has('refused') && !marks.has('leftOut')) return [];
      const problems = marks.has('leftOut') ? leftOut : findings.problemsOf(row.number, 'problem');
      const told = problems.length > 0 ? problems : notKept;
      return [lines.of(edits.apply(row, row.number).cells, row, told)];
    });
  }
}

const leftOut: readonly ProblemText[] = [{ column: null, problem: 'this row was skipped', fix: '' }];
const notKept: readonly ProblemText[] = [
  {
    column: null,
    problem: 'this row has problems, which are not listed because too many rows have problems',
    fix: 'Fix the rows before it, then check again.',
  },
];
