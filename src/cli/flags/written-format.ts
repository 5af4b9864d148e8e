/** The format of a sheet that a command writes. */
import { extname } from 'node:path';
import { endingsOf, formatOfFile, type SheetFormat } from '../../sheets/write/format.ts';
import { CommandError } from '../exit.ts';

export interface WrittenFormats<Format extends SheetFormat> {
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
    cure: `Use ${endingsOf(formats)}${canBeGiven ? ', or give --format' : ''}.`,
  });
}
