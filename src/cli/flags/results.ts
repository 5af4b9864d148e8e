/** Options that say where a results sheet goes, in which format, and which rows are in it. */
import { InvalidArgumentError, Option } from 'commander';
import { rowState } from '../../campaigns/documents/campaign.ts';
import type { ResultsTarget } from '../../campaigns/results/write.ts';
import type { RowState } from '../../ledger/states.ts';
import { type SheetFormat, sheetFormats } from '../../sheets/write/format.ts';
import { CommandError } from '../exit.ts';

/** In place of a file: standard output. */
const standardOutput = '-';

export interface ResultsFlags {
  /** File, or `-`. */
  readonly out?: string | undefined;
  readonly format?: SheetFormat | undefined;
}

export const formatOption = () =>
  new Option(
    '--format <format>',
    "format of the results sheet (default: by the file's ending, else csv)",
  ).choices(sheetFormats);

export const onlyOption = () =>
  new Option(
    '--only <states>',
    `rows in these states, separated by commas: ${rowState.options.join(', ')}`,
  ).argParser(readStates);

function readStates(text: string): ReadonlySet<RowState> {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const states = rowState.options.filter((state) => names.includes(state));
  const unknown = names.find((name) => !states.some((state) => state === name));
  if (unknown === undefined) return new Set(states);
  throw new InvalidArgumentError(`There is no state "${unknown}"; there are ${rowState.options.join(', ')}.`);
}

/** @param out file, or `-` for standard output. */
export function targetOf(out: string, format: SheetFormat | undefined): ResultsTarget {
  return { to: out === standardOutput ? process.stdout : out, format };
}

/** Refuses what cannot go to standard output together, before anything is done. @throws {CommandError} */
export function checkResultsFlags({
  out,
  format,
  json,
}: ResultsFlags & { readonly json?: boolean | undefined }): void {
  if (out !== standardOutput) {
    if (out !== undefined && format === undefined) refuseForeignEnding(out);
    return;
  }
  if (json) {
    throw new CommandError('--out - and --json would both write to standard output', {
      cure: 'Leave one of them away; the sheet itself may be JSON with --format json.',
    });
  }
  if (format === 'xlsx' && process.stdout.isTTY) {
    throw new CommandError('a workbook is not written to a terminal', { cure: 'Name a file with --out.' });
  }
}

/** A name that promises what is not written would only be found out when the file is opened. */
function refuseForeignEnding(out: string): void {
  const ending = /\.(xls|ods|numbers|pdf|docx?|html?|xml|zip|gz)$/i.exec(out)?.[0];
  if (ending === undefined) return;
  throw new CommandError(`a results sheet is not written as ${ending}: ${out}`, {
    cure: 'Name it with .csv, .json, .jsonl or .xlsx, or give --format.',
  });
}
