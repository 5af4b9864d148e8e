/** The results sheet of a campaign: where a command writes it, in which format, and the rows that are wanted. */
import { rename } from 'node:fs/promises';
import { InvalidArgumentError, Option } from 'commander';
import { CommandError } from '../../cli/exit.ts';
import type { Output } from '../../cli/print/output.ts';
import type { Campaign } from '../../ledger/campaigns.ts';
import { type RowState, rowStates } from '../../ledger/states.ts';
import type { LedgerSession } from '../../runtime/runtime.ts';
import { formatOfFile, type SheetFormat, sheetFormats } from '../../sheets/write/format.ts';
import type { WantedRows } from './sheet.ts';

/** In place of a file: standard output. */
export const standardOutput = '-';

export interface ResultsFlags {
  /** File, or `-`. */
  readonly out?: string | undefined;
  readonly format?: SheetFormat | undefined;
}

export interface ResultsTarget extends ResultsFlags, WantedRows {
  readonly out: string;
  /** Nobody named the file: it makes way for a results sheet of another campaign. */
  readonly byDefault?: boolean | undefined;
}

export const formatOption = () =>
  new Option(
    '--format <format>',
    "format of the results sheet (default: by the file's ending, else csv)",
  ).choices(sheetFormats);

export const onlyOption = () =>
  new Option(
    '--only <states>',
    `rows in these states, separated by commas: ${rowStates.join(', ')}`,
  ).argParser(readStates);

function readStates(text: string): ReadonlySet<RowState> {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const states = rowStates.filter((state) => names.includes(state));
  const unknown = names.find((name) => !states.some((state) => state === name));
  if (unknown === undefined) return new Set(states);
  throw new InvalidArgumentError(`There is no state "${unknown}"; there are ${rowStates.join(', ')}.`);
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

export interface WrittenResults {
  /** Absolute; `undefined` where the sheet went to standard output. */
  readonly path: string | undefined;
  readonly rows: number;
}

/** @throws {CommandError} when it cannot be written. */
export async function writeResults(
  { ledger, output }: LedgerSession,
  campaign: Campaign,
  { out: asked, format, byDefault = false, ...wanted }: ResultsTarget,
): Promise<WrittenResults> {
  const out = byDefault ? await makeWay(asked, campaign, output) : asked;
  const [{ resultLines }, { SheetWriteError, streamSheet, writeSheet }] = await Promise.all([
    import('./sheet.ts'),
    import('../../sheets/write/sheet-file.ts'),
  ]);
  let rows = 0;
  let isHeader = true;
  async function* lines() {
    for await (const line of resultLines(ledger, campaign, wanted)) {
      if (!isHeader) rows += 1;
      isHeader = false;
      yield line;
    }
  }
  try {
    if (out !== standardOutput) {
      return { path: await writeSheet(out, lines(), format ?? formatOfFile(out)), rows };
    }
    await streamSheet(process.stdout, lines(), format ?? 'csv');
    return { path: undefined, rows };
  } catch (error) {
    if (!(error instanceof SheetWriteError)) throw error;
    throw new CommandError(error.message, {
      cure: `Nothing is lost. Write it elsewhere, or as CSV, with: campaigns report ${campaign.id} --out FILE`,
      cause: error,
    });
  }
}

/** What planners filled in there would be gone. @throws {CommandError} when a sheet cannot be kept. */
async function makeWay(out: string, { id }: Campaign, output: Output): Promise<string> {
  const { isFilledIn, keptName, mayReplace } = await import('./earlier-sheet.ts');
  if (!(await mayReplace(out, id))) {
    const other = out.replace(/(?=\.results\.\w+$)/, `.${id}`);
    output.say(`${out} is not of this campaign, and stays: the results go to ${other}`);
    return other;
  }
  if (await isFilledIn(out)) await keep(out, keptName(out, new Date()), output);
  return out;
}

async function keep(path: string, kept: string, output: Output): Promise<void> {
  try {
    await rename(path, kept);
  } catch (error) {
    throw new CommandError(`${path} has entries in video_url, and cannot be kept as ${kept}`, {
      cure: 'Move it yourself, or name another file with --out.',
      cause: error,
    });
  }
  output.say(`${path} has entries in video_url: it is kept as ${kept}`);
}
