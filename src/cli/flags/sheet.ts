/** Options that say how a manifest is to be read: separator, encoding, sheet, and what its headers stand for. */
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { standardInput } from '../../campaigns/hand-in/manifest-file.ts';
import { Zones } from '../../manifest/zone.ts';
import { type Delimiter, parseDelimiter } from '../../sheets/csv/delimiter.ts';
import { type Encoding, encodings, parseEncoding } from '../../sheets/text/encoding.ts';
import { CommandError } from '../exit.ts';

export interface SheetFlags {
  readonly delimiter?: Delimiter;
  readonly encoding?: Encoding;
  /** Of a workbook. */
  readonly sheet?: string;
  readonly map?: readonly string[];
  readonly saveMap?: string;
  /** IANA name. */
  readonly timezone?: string;
}

export function addSheetOptions(command: Command): Command {
  return command
    .option(
      '--delimiter <character>',
      'between the cells: , ; | or tab (default: found by the header)',
      delimiter,
    )
    .option(
      '--encoding <name>',
      'such as utf-16le, gb18030, windows-1252, shift_jis (default: UTF-8, UTF-16 and GB18030 are found by the bytes)',
      encoding,
    )
    .option('--sheet <name>', 'sheet of an Excel workbook (default: the first that is visible)')
    .option(
      '--map <header=column>',
      'a header of the sheet, and the column that it stands for, or _ for a note; or a .json file of them (repeatable)',
      (value: string, earlier: readonly string[] = []) => [...earlier, value],
    )
    .option('--save-map <file>', 'write the mapping to a file, for the next sheet of the same source')
    .option(
      '--timezone <zone>',
      'time zone of times without one, such as Europe/Berlin (default: `timezone` of the settings)',
      timezone,
    );
}

/** Results and problems must not take the place of the manifest. @throws {CommandError} */
export function refuseToOverwrite(
  file: string,
  option: '--out' | '--problems',
  written: string | undefined,
): void {
  if (written === undefined || file === standardInput || resolve(written) !== resolve(file)) return;
  throw new CommandError(`${option} names the manifest itself: ${file}`, { cure: 'Give it another name.' });
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
  if (found === undefined) throw new InvalidArgumentError('It is one of , ; | and tab.');
  return found;
}

function encoding(name: string): Encoding {
  const found = parseEncoding(name);
  if (found === undefined) throw new InvalidArgumentError(`It is one of ${encodings.join(', ')}.`);
  return found;
}
