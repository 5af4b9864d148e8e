/** Builds workbooks part by part, as other programs write them. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { temporaryFolder } from '../folder.ts';
import type { Cells } from './sheet.ts';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006/relationships';

export interface WorkbookSheet {
  readonly name: string;
  /** Content of `sheetData`. */
  readonly rows: string;
  readonly state?: 'hidden' | 'veryHidden';
  /** Ranges of merged cells, such as `A2:A6`. */
  readonly merges?: readonly string[];
  /** Addresses of links by cell, such as `B2`. */
  readonly links?: Readonly<Record<string, string>>;
}

/** A worksheet of texts. @param names its headers; default: of the first row. */
export function worksheetOf(
  name: string,
  rows: readonly Cells[],
  names: readonly string[] = Object.keys(rows[0] ?? {}),
): WorkbookSheet {
  const line = (texts: readonly string[]) =>
    `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
  const lines = rows.map((row) => line(names.map((each) => row[each] ?? '')));
  return { name, rows: line(names) + lines.join('') };
}

export interface WorkbookContents {
  /** Rows of a workbook with one sheet; or all its sheets. */
  readonly rows?: string;
  readonly merges?: readonly string[];
  readonly sheets?: readonly WorkbookSheet[];
  /** Content of `sst`. */
  readonly strings?: string;
  /** Format codes: cells with `s="1"` have the first, and so on. A number is a built-in format. */
  readonly formats?: readonly (string | number)[];
  readonly date1904?: boolean;
}

export type Parts = Readonly<Record<string, string | Buffer>>;

/** Parts of a workbook by name; a test may change them or leave some out. */
export function partsOf({
  rows = '',
  merges = [],
  sheets,
  strings,
  formats = [],
  date1904,
}: WorkbookContents): Parts {
  const all = sheets ?? [{ name: 'Sheet1', rows, merges }];
  const list = all.map(({ name, state }, index) => {
    const hidden = state === undefined ? '' : ` state="${state}"`;
    return `<sheet name="${name}" sheetId="${index + 1}"${hidden} r:id="rId${index + 1}"/>`;
  });
  return {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relationships([['main', `${office}/officeDocument`, 'xl/workbook.xml']]),
    'xl/workbook.xml':
      `<workbook xmlns="${main}" xmlns:r="${office}">${date1904 ? '<workbookPr date1904="1"/>' : ''}` +
      `<sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ...all.map(
        (_sheet, index) =>
          [`rId${index + 1}`, `${office}/worksheet`, `worksheets/sheet${index + 1}.xml`] as const,
      ),
      ['styles', `${office}/styles`, 'styles.xml'],
      ...(strings === undefined
        ? []
        : [['strings', `${office}/sharedStrings`, 'sharedStrings.xml'] as const]),
    ]),
    'xl/styles.xml': stylesOf(formats),
    ...(strings === undefined ? {} : { 'xl/sharedStrings.xml': `<sst xmlns="${main}">${strings}</sst>` }),
    ...Object.fromEntries(
      all.map((sheet, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet xmlns="${main}"><sheetData>${sheet.rows}</sheetData>${mergesOf(sheet)}${linksOf(sheet)}</worksheet>`,
      ]),
    ),
    ...Object.fromEntries(
      all.flatMap(({ links }, index) =>
        links ? [[`xl/worksheets/_rels/sheet${index + 1}.xml.rels`, addressesOf(links)]] : [],
      ),
    ),
  };
}

function mergesOf({ merges = [] }: WorkbookSheet): string {
  if (merges.length === 0) return '';
  return `<mergeCells count="${merges.length}">${merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
}

function linksOf({ links }: WorkbookSheet): string {
  const each = Object.keys(links ?? {}).map(
    (ref) => `<hyperlink xmlns:r="${office}" ref="${ref}" r:id="${ref}"/>`,
  );
  return each.length === 0 ? '' : `<hyperlinks>${each.join('')}</hyperlinks>`;
}

function addressesOf(links: Readonly<Record<string, string>>): string {
  const each = Object.entries(links).map(
    ([ref, address]) =>
      `<Relationship Id="${ref}" Type="${office}/hyperlink" Target="${address.replaceAll('&', '&amp;')}" TargetMode="External"/>`,
  );
  return `<Relationships xmlns="${packages}">${each.join('')}</Relationships>`;
}

export function relationships(
  list: readonly (readonly [id: string, type: string, target: string])[],
): string {
  const each = list.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${packages}">${each.join('')}</Relationships>`;
}

function stylesOf(formats: readonly (string | number)[]): string {
  const defined = formats.flatMap((format, index) =>
    typeof format === 'number'
      ? []
      : [`<numFmt numFmtId="${200 + index}" formatCode="${format.replaceAll('"', '&quot;')}"/>`],
  );
  const used = formats.map(
    (format, index) => `<xf numFmtId="${typeof format === 'number' ? format : 200 + index}"/>`,
  );
  return (
    `<styleSheet xmlns="${main}"><numFmts>${defined.join('')}</numFmts>` +
    `<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${used.join('')}</cellXfs></styleSheet>`
  );
}

/** Writes parts into an archive in the test's own folder. @returns its path. */
export async function writeParts(parts: Parts, name = 'plan.xlsx'): Promise<string> {
  const path = join(temporaryFolder(), name);
  const zip = new ZipFile();
  for (const [part, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), part);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

export async function writeWorkbook(contents: WorkbookContents): Promise<string> {
  return writeParts(partsOf(contents));
}

/** A workbook of posts, some of which a filter hides. @returns its path. */
export function filteredWorkbook(shown: readonly Cells[], hidden: readonly Cells[]): Promise<string> {
  const header = Object.keys(shown[0] ?? {});
  const texts = (row: Cells) => header.map((name) => row[name] ?? '');
  const lines = [header, ...shown.map(texts)].map((cells) => textRow(cells));
  const filtered = hidden.map((row) => textRow(texts(row), ' hidden="1"'));
  return writeWorkbook({ rows: [...lines, ...filtered].join('') });
}

/** A row of text cells. @param attributes of the row. */
export function textRow(cells: readonly string[], attributes = ''): string {
  const texts = cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`);
  return `<row${attributes}>${texts.join('')}</row>`;
}
