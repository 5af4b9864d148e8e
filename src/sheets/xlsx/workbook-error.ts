/** Errors about a workbook as a whole: each has a stable code and a fix. */
import { printable } from '../../manifest/printable.ts';
import { type Fix, hint } from '../../manifest/problems/hint.ts';
import { showValue } from '../../manifest/problems/problem.ts';
import { UnreadableSheetError } from '../sheet.ts';

const saveAgain =
  'Open it in the spreadsheet program, save it as "Excel Workbook (.xlsx)" and use that file.';
const saveAsCsv = 'Save the sheet as "CSV UTF-8" in the spreadsheet program and use that file.';

/** Names of parts come from the workbook, and may be long. */
const longestMessage = 500;

/** The workbook cannot be read any further, wherever its reader is: on line 1, unless `readXlsx` moves it to a row. */
export class WorkbookError extends UnreadableSheetError {
  constructor(code: string, problem: string, fix: Fix, cause?: unknown) {
    const shown = printable(problem.slice(0, longestMessage));
    super({ line: 1, key: null, column: null, code, value: '', problem: shown, fix }, { cause });
    this.message = shown;
  }

  at(line: number): UnreadableSheetError {
    return new UnreadableSheetError({ ...this.problem, line });
  }
}

export function broken(detail: string, cause?: unknown): WorkbookError {
  return new WorkbookError('broken_workbook', `the workbook is damaged: ${detail}`, saveAgain, cause);
}

export function truncated(cause: unknown): WorkbookError {
  return new WorkbookError(
    'broken_workbook',
    'the end of the workbook is missing',
    'The file is incomplete. Copy or download it again.',
    cause,
  );
}

export function notXlsx(found: string): WorkbookError {
  return new WorkbookError('not_xlsx', `this is ${found}, not an XLSX workbook`, saveAgain);
}

export function encrypted(): WorkbookError {
  return new WorkbookError(
    'encrypted_workbook',
    'the workbook is protected by a password',
    'Remove the password in the spreadsheet program, save the workbook and use that file.',
  );
}

export function tooLarge(what: string): WorkbookError {
  return new WorkbookError('workbook_too_large', `the workbook is too large: ${what}`, saveAsCsv);
}

export function compressedTooMuch(part: string): WorkbookError {
  return new WorkbookError(
    'workbook_too_large',
    `${part} in the workbook unpacks to more than 200 times its size, which no real sheet does`,
    saveAsCsv,
  );
}

/** The cells of a sheet repeat much more text than the workbook has. */
export function repeatsTooMuch(): WorkbookError {
  return new WorkbookError(
    'workbook_too_large',
    'the rows up to here take more than 200 times the size of the workbook, which no real sheet does',
    saveAsCsv,
  );
}

export function documentType(part: string): WorkbookError {
  return new WorkbookError(
    'xml_document_type',
    `${part} in the workbook declares a document type, which no spreadsheet program writes`,
    saveAgain,
  );
}

export function unknownSheet(name: string, names: readonly string[]): WorkbookError {
  const shown = names.slice(0, 20).map((each) => `"${showValue(each)}"`);
  return new WorkbookError('unknown_sheet', `the workbook has no sheet "${showValue(name)}"`, [
    `It has ${shown.join(', ')}${names.length > shown.length ? ', ...' : ''}.`,
    hint('chooseSheet', { sheet: null }),
  ]);
}

export function noSheet(): WorkbookError {
  return new WorkbookError('no_visible_sheet', 'the workbook has no visible sheet of cells', [
    'Unhide a sheet in the spreadsheet program.',
    hint('chooseSheet', { sheet: null }),
  ]);
}
