/** An open workbook: its sheets, and the parts that every sheet needs. */
import { Package } from './package.ts';
import { noSheet, notXlsx, tooLarge, unknownSheet } from './workbook-error.ts';
import { readXml } from './xml.ts';

export interface Sheet {
  readonly name: string;
  readonly hidden: boolean;
  /** Name of its part. */
  readonly part: string;
}

export interface Workbook extends AsyncDisposable {
  readonly parts: Package;
  /** Sheets of cells in tab order, without charts and macros. */
  readonly sheets: readonly Sheet[];
  /** Days count from 1904, as on old Macs, and not from 1900. */
  readonly from1904: boolean;
  /** Names of parts. */
  readonly sharedStrings: string | undefined;
  readonly styles: string | undefined;
}

const workbookBytes = 16 * 1024 * 1024;
/** Far more than anybody can find a sheet among. */
const mostSheets = 10_000;

/** @throws {WorkbookError} if the file is not a workbook; a file system error if it cannot be read. */
export async function openWorkbook(path: string): Promise<Workbook> {
  const parts = await Package.open(path);
  try {
    const main = (await parts.relationships('')).find(({ type }) => type === 'officeDocument')?.target;
    const part = main ?? 'xl/workbook.xml';
    if (part.endsWith('.bin')) throw notXlsx('a binary workbook (XLSB)');
    if (!parts.has(part))
      throw notXlsx(parts.has('mimetype') ? 'an OpenDocument file' : 'another ZIP archive');
    const { root, from1904, listed } = await readMainPart(parts, part);
    if (root !== 'workbook') throw notXlsx('another Office document');
    const relationships = await parts.relationships(part);
    const targetOf = (type: string) =>
      relationships.find((each) => each.type === type && parts.has(each.target))?.target;
    const byId = new Map(relationships.map((each) => [each.id, each]));
    const sheets = listed.flatMap(({ name, hidden, id }) => {
      const found = byId.get(id);
      return found?.type === 'worksheet' ? [{ name, hidden, part: found.target }] : [];
    });
    return {
      parts,
      sheets,
      from1904,
      sharedStrings: targetOf('sharedStrings'),
      styles: targetOf('styles'),
      [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose](),
    };
  } catch (error) {
    await parts[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * Finds the sheet by name, in any case; without a name, the first visible sheet.
 * @throws {WorkbookError} that lists the names.
 */
export function chooseSheet({ sheets }: Workbook, name: string | undefined): Sheet {
  const visible = sheets.filter(({ hidden }) => !hidden);
  if (name === undefined) {
    const [first] = visible;
    if (first === undefined) throw noSheet();
    return first;
  }
  const folded = name.toLowerCase();
  const named =
    sheets.find((sheet) => sheet.name === name) ??
    sheets.find((sheet) => sheet.name.toLowerCase() === folded);
  if (named !== undefined) return named;
  throw unknownSheet(
    name,
    visible.map((sheet) => sheet.name),
  );
}

interface MainPart {
  readonly root: string;
  readonly from1904: boolean;
  readonly listed: readonly { readonly name: string; readonly hidden: boolean; readonly id: string }[];
}

async function readMainPart(parts: Package, part: string): Promise<MainPart> {
  let root = '';
  let from1904 = false;
  const listed: MainPart['listed'][number][] = [];
  await readXml(part, parts.read(part, workbookBytes), {
    open(element, attributes) {
      root ||= element;
      if (element === 'workbookPr') from1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      if (element !== 'sheet') return;
      if (listed.length === mostSheets) throw tooLarge(`it has more than ${mostSheets} sheets`);
      const [, id = ''] = Object.entries(attributes).find(([name]) => name.endsWith(':id')) ?? [];
      listed.push({ name: attributes.name ?? '', hidden: /hidden$/i.test(attributes.state ?? ''), id });
    },
  });
  return { root, from1904, listed };
}
