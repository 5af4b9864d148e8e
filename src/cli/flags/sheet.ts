/** Options that say how to read a manifest: separator, encoding, sheet, and the meaning of its headers. */
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { standardInput } from '../../campaigns/import/manifest-file.ts';
import { Zones } from '../../manifest/cells/zone.ts';
import { type Delimiter, parseDelimiter } from '../../sheets/csv/delimiter.ts';
import { type Encoding, encodings, parseEncoding } from '../../sheets/text/encoding.ts';
import { CommandError } from '../exit.ts';
import { modelsHelp } from './models.ts';

/** How to read a file. */
export interface ReadingFlags {
  readonly delimiter?: Delimiter;
  readonly encoding?: Encoding;
  /** Of a workbook. */
  readonly sheet?: string;
}

export interface SheetFlags extends ReadingFlags {
  readonly map?: readonly string[];
  readonly saveMap?: string;
  /** IANA name. */
  readonly timezone?: string;
}

export function addReadingOptions(command: Command): Command {
  return command
    .option('--delimiter <character>', 'separate cells by , ; | or tab (default: detected)', delimiter)
    .option('--encoding <name>', 'read this encoding (default: detect UTF-8, UTF-16, GB18030)', encoding)
    .option('--sheet <name>', 'read this sheet of a workbook (default: the first visible)');
}

export function addSheetOptions(command: Command): Command {
  return addReadingOptions(command)
    .option(
      '--map <header=column>',
      'map a header to a column or to _; or FILE.json (repeatable)',
      (value: string, earlier: readonly string[] = []) => [...earlier, value],
    )
    .option('--save-map <file>', 'write the mapping to a file, for the next sheet')
    .option(
      '--timezone <zone>',
      'take times without a zone to be in this one, such as Europe/Berlin',
      timezone,
    )
    .addHelpText('after', `\n${modelsHelp}`);
}

/** Results and problems must not overwrite the manifest. @throws {CommandError} */
export function refuseToOverwrite(
  file: string,
  option: '--out' | '--problems',
  written: string | undefined,
): void {
  if (written === undefined || file === standardInput || resolve(written) !== resolve(file)) return;
  throw new CommandError(`${option} names the manifest itself: ${file}`, { cure: 'Choose another name.' });
}

function timezone(name: string): string {
  const zone = new Zones().find(name.trim());
  if (zone === null) {
    throw new InvalidArgumentError('It is the name of an IANA time zone, such as Asia/Shanghai.');
  }
  return zone.name;
}

function delimiter(text: string): Delimiter {
  const found = parseDelimiter(text);
  if (found === undefined) throw new InvalidArgumentError('It must be one of , ; | and tab.');
  return found;
}

function encoding(name: string): Encoding {
  const found = parseEncoding(name);
  if (found === undefined) throw new InvalidArgumentError(`It must be one of ${encodings.join(', ')}.`);
  return found;
}
