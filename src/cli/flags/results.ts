/** Options for the file, the format and the rows of a results sheet. */
import { extname } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import type { ResultsTarget } from '../../app/campaigns/results/write.ts';
import { delivery, rowState } from '../../app/runtime/documents.ts';
import type { Delivery } from '../../ledger/rows/results.ts';
import type { RowState } from '../../ledger/states.ts';
import { endingsOf, formatOfFile, type SheetFormat, sheetFormats } from '../../sheets/write/format.ts';
import { CommandError } from '../exit.ts';
import { isTerminal, sheetStream } from '../print/terminal.ts';

const standardOutput = '-';

export interface ResultsFlags {
  /** File, or `-`. */
  readonly out?: string | undefined;
  readonly format?: SheetFormat | undefined;
}

export const formatOption = () =>
  new Option('--format <format>', 'csv, json, jsonl or xlsx (default: by the ending)').choices(sheetFormats);

export const onlyOption = () =>
  new Option(
    '--only <states>',
    'write only rows in these states, separated by commas; or only live, scheduled or unconfirmed',
  ).argParser(readStates);

/** Rows in some states, or the accepted posts of which something is known. */
export type OnlyRows = ReadonlySet<RowState> | Delivery;

function readStates(text: string): OnlyRows {
  const known = delivery.options.find((each) => each !== 'posted' && each === text.trim().toLowerCase());
  if (known !== undefined) return known;
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const states = rowState.options.filter((state) => names.includes(state));
  const unknown = names.find((name) => !states.some((state) => state === name));
  if (unknown === undefined) return new Set(states);
  throw new InvalidArgumentError(
    `There is no state "${unknown}". Give states, separated by commas (${rowState.options.join(', ')}), or only one of live, scheduled, unconfirmed.`,
  );
}

/** @param out file, or `-` for standard output. */
export function targetOf(out: string, format: SheetFormat | undefined): Pick<ResultsTarget, 'to' | 'format'> {
  return { to: out === standardOutput ? sheetStream() : out, format };
}

/**
 * Checks `--out`, `--format` and `--json` together, before anything is done.
 * @param option that names the file. Only with `--out` can a format be given.
 * @throws {CommandError}
 */
export function checkResultsFlags(
  { out, format, json }: ResultsFlags & { readonly json?: boolean | undefined },
  option: '--out' | '--export' = '--out',
): void {
  const canBeGiven = option === '--out';
  if (out !== standardOutput) {
    if (out !== undefined)
      requireFormat(out, 'a sheet', { formats: sheetFormats, given: format, canBeGiven });
    return;
  }
  if (json) {
    const other = canBeGiven ? ' For a sheet as JSON, use --format json.' : '';
    throw new CommandError(`${option} - and --json would both write to standard output`, {
      fix: `Leave one of them out.${other}`,
    });
  }
  if (format === 'xlsx' && isTerminal('stdout')) {
    throw new CommandError('a workbook cannot be printed on a terminal', { fix: 'Name a file with --out.' });
  }
}

interface WrittenFormats<Format extends SheetFormat> {
  /** CSV, and others. */
  readonly formats: readonly Format[];
  /** Of the option `--format`. */
  readonly given?: Format | undefined;
  /** Whether the command has that option. */
  readonly canBeGiven?: boolean | undefined;
}

/**
 * The format of a file to write: as given, else by the ending of its name. Otherwise a wrong name would show only when somebody opens
 * the file. A name without an ending is CSV.
 * @param what `a results sheet`
 * @throws {CommandError} for the ending of another format, or of none.
 */
export function requireFormat<Format extends SheetFormat>(
  file: string,
  what: string,
  { formats, given, canBeGiven = false }: WrittenFormats<Format>,
): Format {
  if (given !== undefined) return given;
  const found = formatOfFile(file);
  const format = formats.find((each) => each === found);
  if (format !== undefined) return format;
  throw new CommandError(`${what} cannot be written as ${extname(file)}: ${file}`, {
    fix: `Use ${endingsOf(formats)}${canBeGiven ? ', or give --format' : ''}.`,
  });
}
