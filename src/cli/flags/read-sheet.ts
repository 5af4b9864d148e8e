/** What the flags of a command say of how a manifest is to be read, and the files that keep mappings of headers. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { writeAtomically } from '../../fs/atomic-file.ts';
import { describeFileError } from '../../fs/file-error.ts';
import { type ColumnMap, ColumnMapError, createColumnMap } from '../../manifest/column-map.ts';
import type { SheetOptions } from '../../sheets/sheet.ts';
import { CommandError } from '../exit.ts';
import type { SheetFlags } from './sheet.ts';

type Pair = readonly [header: string, column: string];

/** @throws {CommandError} for a mapping that cannot be read or used. */
export async function readSheetOptions(flags: SheetFlags): Promise<SheetOptions> {
  const { delimiter, encoding, sheet, map: given = [], saveMap } = flags;
  if (given.length === 0) {
    if (saveMap === undefined) return { delimiter, encoding, sheet };
    throw new CommandError('--save-map has nothing to save', {
      cure: 'Give the mapping with --map "Their header=our_column".',
    });
  }
  const pairs: Pair[] = [];
  for (const each of given) pairs.push(...(isFile(each) ? await readPairs(each) : [splitPair(each)]));
  try {
    return { delimiter, encoding, sheet, map: createColumnMap(pairs) };
  } catch (error) {
    throw asUsageError(error);
  }
}

/** Writes the mapping where `--save-map` says so; to be called once the sheet is known to have its headers. */
export async function saveColumnMap(flags: SheetFlags, map: ColumnMap | undefined): Promise<void> {
  if (flags.saveMap === undefined || map === undefined) return;
  try {
    const text = `${JSON.stringify(Object.fromEntries(map), null, 2)}\n`;
    await writeAtomically(resolve(flags.saveMap), [text]);
  } catch (error) {
    throw new CommandError(`the mapping cannot be written to ${flags.saveMap}: ${describeFileError(error)}`, {
      cure: 'Name another file with --save-map.',
      cause: error,
    });
  }
}

/** What is wrong with a mapping is wrong usage. Other errors stay as they are. */
export function asUsageError(error: unknown): unknown {
  if (!(error instanceof ColumnMapError)) return error;
  return new CommandError(error.message, { cure: error.cure, cause: error });
}

/** No column is called so: what ends like this is not a pair. */
function isFile(text: string): boolean {
  return /\.json$/i.test(text);
}

/** The header may hold a `=`, the name of a column does not. */
function splitPair(text: string): Pair {
  const at = text.lastIndexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new CommandError(`--map ${text}: this is neither a pair nor a .json file`, {
    cure: 'Write --map "Their header=our_column", or --map FILE.json.',
  });
}

async function readPairs(file: string): Promise<readonly Pair[]> {
  const content = parseMapping(await readMapping(file), file);
  const pairs = typeof content === 'object' && content !== null ? Object.entries(content) : [];
  if (pairs.length > 0 && !Array.isArray(content) && pairs.every(isPair)) return pairs;
  throw new CommandError(`--map ${file}: this is no mapping`, { cure: howToWrite });
}

const howToWrite = 'Write it as { "Their header": "our_column", ... }, or let --save-map write it.';

async function readMapping(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\ufeff/, '');
  } catch (error) {
    throw new CommandError(`--map ${file}: ${describeFileError(error)}`, { cure: howToWrite, cause: error });
  }
}

function parseMapping(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`--map ${file} is not JSON: ${(error as Error).message}`, {
      cure: howToWrite,
      cause: error,
    });
  }
}

function isPair(entry: readonly [string, unknown]): entry is Pair {
  return typeof entry[1] === 'string';
}
