/** Options that say how to read a manifest: separator, encoding, sheet, and the meaning of its headers. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { standardInput } from '../../importers/open/manifest-file.ts';
import { Zones } from '../../manifest/cells/zone.ts';
import { type ColumnMap, ColumnMapError, createColumnMap } from '../../manifest/headers/column-map.ts';
import { describeFileError } from '../../platform/files/disk.ts';
import { writeAtomically } from '../../platform/files/write-file.ts';
import { type Delimiter, parseDelimiter } from '../../sheets/csv/delimiter.ts';
import { type RowChoice, rowChoices, type SheetOptions } from '../../sheets/sheet.ts';
import { type Encoding, encodings, parseEncoding } from '../../sheets/text/encoding.ts';
import { CommandError } from '../exit.ts';
import { fixHere } from '../hints.ts';
import { type CliCommand, parsedBy, wholeNumber } from './common.ts';

export interface ReadingFlags {
  readonly delimiter?: Delimiter;
  readonly encoding?: Encoding;
  readonly sheet?: readonly string[];
  readonly headerLine?: number;
}

export interface SheetFlags extends ReadingFlags {
  readonly map?: readonly string[];
  readonly saveMap?: string;
  /** IANA name. */
  readonly timezone?: string;
  readonly ownStatus?: RowChoice;
  readonly hidden?: RowChoice;
  readonly trustIds?: boolean;
}

const readingHeading = 'Reading the sheet:';
/** Other options than these follow under the usual heading. */
export const usualHeading = 'Options:';

export function addReadingOptions(command: CliCommand): CliCommand {
  return command
    .optionsGroup(readingHeading)
    .option('--delimiter <character>', 'comma, semicolon, pipe or tab (default: detected)', delimiter)
    .option('--encoding <name>', 'read this encoding (default: detected)', encoding)
    .option(
      '--sheet <name>',
      'read this sheet, repeatable (default: first visible)',
      (name: string, earlier: readonly string[] = []) => [...earlier, name],
    )
    .option(
      '--header-line <n>',
      'read headers on this line (default: detected)',
      wholeNumber('It is a line of the file.'),
    )
    .optionsGroup(usualHeading);
}

export function readingOf({ delimiter, encoding, sheet, headerLine }: ReadingFlags): SheetOptions {
  return { delimiter, encoding, sheets: sheet, headerLine };
}

export function addSheetOptions(command: CliCommand): CliCommand {
  return addReadingOptions(command)
    .optionsGroup(readingHeading)
    .option(
      '--map <header=column>',
      'map a header to a column or _, repeatable; or a file',
      (value: string, earlier: readonly string[] = []) => [...earlier, value],
    )
    .option('--save-map <file>', 'write the mapping to a .json file, for --map')
    .addOption(
      new Option('--own-status <choice>', 'skip or post rows marked as posted, cancelled or on hold').choices(
        rowChoices,
      ),
    )
    .addOption(
      new Option('--hidden <choice>', 'skip or post rows that are hidden or struck through').choices(
        rowChoices,
      ),
    )
    .option('--trust-ids', 'accept ids that look wrong')
    .option('--timezone <zone>', 'time zone for times that have none', timezone)
    .optionsGroup(usualHeading)
    .notes('\nModels for ai_model, and their lengths:\n  campaigns template --help');
}

/** Results and problems must not overwrite the manifest. @throws {CommandError} */
export function refuseToOverwrite(
  file: string,
  option: '--out' | '--problems',
  written: string | undefined,
): void {
  if (written === undefined || file === standardInput || resolve(written) !== resolve(file)) return;
  throw new CommandError(`${option} would overwrite your sheet: ${file}`, { fix: 'Choose another name.' });
}

const timezone = parsedBy(
  (name) => new Zones().find(name.trim())?.name,
  'It must be an IANA time zone, such as Asia/Shanghai.',
);
const delimiterRule = 'It must be comma, semicolon, pipe or tab, or the character itself.';
const delimiter = parsedBy(parseDelimiter, delimiterRule);
const encoding = parsedBy(parseEncoding, `It must be one of ${encodings.join(', ')}.`);

type Pair = readonly [header: string, column: string];

/** @throws {CommandError} for a mapping that is unreadable or wrong. */
export async function readSheetOptions(flags: SheetFlags): Promise<SheetOptions> {
  const { map: given = [], saveMap, hidden, ownStatus, trustIds } = flags;
  if (given.length === 0) {
    if (saveMap === undefined) return { ...readingOf(flags), hidden, ownStatus, trustIds };
    throw new CommandError('--save-map has nothing to save', {
      fix: 'Give the mapping with --map "Their header=our_column".',
    });
  }
  const pairs: Pair[] = [];
  // No column name ends with `.json`, so such a value is a file.
  for (const value of given) {
    pairs.push(...(/\.json$/i.test(value) ? await readPairs(value) : [splitPair(value)]));
  }
  try {
    return { ...readingOf(flags), hidden, map: createColumnMap(pairs), ownStatus, trustIds };
  } catch (error) {
    if (!(error instanceof ColumnMapError)) throw error;
    throw new CommandError(`--map: ${error.message}`, { fix: fixHere(error.fix), cause: error });
  }
}

/** Writes the mapping to the file of `--save-map`. Call it after the sheet was found to have these headers. */
export async function saveColumnMap(flags: SheetFlags, map: ColumnMap | undefined): Promise<void> {
  if (flags.saveMap === undefined || map === undefined) return;
  try {
    const text = `${JSON.stringify(Object.fromEntries(map), null, 2)}\n`;
    await writeAtomically(resolve(flags.saveMap), [text]);
  } catch (cause) {
    const problem = `the mapping cannot be written to ${flags.saveMap}: ${describeFileError(cause)}`;
    throw new CommandError(problem, { fix: 'Name another file with --save-map.', cause });
  }
}

/** A header may contain `=`; a column name never does. */
function splitPair(text: string): Pair {
  const at = text.lastIndexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new CommandError(`--map ${text}: this is neither a pair nor a .json file`, {
    fix: 'Write --map "Their header=our_column", or --map FILE.json.',
  });
}

async function readPairs(file: string): Promise<readonly Pair[]> {
  const content = await readMapping(file);
  const pairs = typeof content === 'object' && content !== null ? Object.entries(content) : [];
  if (pairs.length > 0 && !Array.isArray(content) && pairs.every(isPair)) return pairs;
  throw new CommandError(`--map ${file}: this is not a mapping`, { fix: howToWrite });
}

const howToWrite = 'Write it as { "Their header": "our_column", ... }, or let --save-map write it.';

async function readMapping(file: string): Promise<unknown> {
  try {
    return JSON.parse((await readFile(file, 'utf8')).replace(/^\ufeff/, ''));
  } catch (cause) {
    const why =
      cause instanceof SyntaxError ? ` is not JSON: ${cause.message}` : `: ${describeFileError(cause)}`;
    throw new CommandError(`--map ${file}${why}`, { fix: howToWrite, cause });
  }
}

function isPair(entry: readonly [string, unknown]): entry is Pair {
  return typeof entry[1] === 'string';
}
