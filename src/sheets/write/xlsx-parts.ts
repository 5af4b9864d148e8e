/** The parts of an XLSX workbook other than its rows: what is in it, its styles, and what surrounds the rows of a sheet. */

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const officeRelationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageFormats = 'http://schemas.openxmlformats.org/package/2006';
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Name of the part with the rows of a sheet. @param index of the sheet, from 0. */
export function sheetPart(index: number): string {
  return `xl/${sheetTarget(index)}`;
}

function sheetTarget(index: number): string {
  return `worksheets/sheet${index + 1}.xml`;
}

/** Formats that the program does not have by itself, by their numbers. */
const ownFormats = [
  [164, '0.0%'],
  [165, 'yyyy-mm-dd'],
  [166, 'yyyy-mm-dd hh:mm'],
  [167, 'yyyy-mm-dd hh:mm:ss'],
  [168, 'hh:mm'],
] as const;

/** Format and font of each style. Those of text, header and title format cells as text, so that an id typed into a cell keeps its digits. */
const styles = {
  number: [0, 0],
  text: [49, 0],
  header: [49, 1],
  title: [49, 2],
  grouped: [3, 0],
  percent: [164, 0],
  day: [165, 0],
  minute: [166, 0],
  second: [167, 0],
  time: [168, 0],
} as const;
export type StyleName = keyof typeof styles;
export const styleNumbers = Object.fromEntries(
  Object.keys(styles).map((name, index) => [name, index]),
) as Readonly<Record<StyleName, number>>;

/** @param names of the sheets in tab order: at most 31 characters each, without XML special characters. */
export function fixedParts(names: readonly string[]): Readonly<Record<string, string>> {
  const sheets = names.map(
    (name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  const overrides = names.map(
    (_name, index) =>
      `<Override PartName="/${sheetPart(index)}" ContentType="${contentType}.worksheet+xml"/>`,
  );
  return {
    '[Content_Types].xml':
      `${declaration}<Types xmlns="${packageFormats}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/>` +
      `${overrides.join('')}<Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/></Types>`,
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml':
      `${declaration}<workbook xmlns="${main}" xmlns:r="${officeRelationships}">` +
      `<bookViews><workbookView/></bookViews><sheets>${sheets.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ...names.map((_name, index) => ['worksheet', sheetTarget(index)] as const),
      ['styles', 'styles.xml'],
    ]),
    'xl/styles.xml':
      `${declaration}<styleSheet xmlns="${main}">` +
      `<numFmts count="${ownFormats.length}">` +
      `${ownFormats.map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`).join('')}</numFmts>` +
      '<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font>' +
      '<font><b/><sz val="11"/><name val="Calibri"/></font>' +
      '<font><b/><sz val="16"/><name val="Calibri"/></font></fonts>' +
      '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
      '<fill><patternFill patternType="gray125"/></fill></fills>' +
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      `<cellXfs count="${Object.keys(styles).length}">${Object.values(styles).map(styleXml).join('')}</cellXfs>` +
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  };
}

function styleXml([format, font]: (typeof styles)[StyleName]): string {
  const applied = `${format === 0 ? '' : ' applyNumberFormat="1"'}${font === 0 ? '' : ' applyFont="1"'}`;
  return `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0"${applied}/>`;
}

/** XML before the rows: freezes the header and sets the widths of the columns, in characters. */
export function sheetBegin(widths: readonly number[], isList = true): string {
  const columns = widths.map((width, index) => {
    const column = index + 1;
    return `<col min="${column}" max="${column}" width="${width}" style="${styleNumbers.text}" customWidth="1"/>`;
  });
  const frozen = isList ? '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' : '';
  return (
    `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">${frozen}</sheetView></sheetViews>` +
    `${columns.length > 0 ? `<cols>${columns.join('')}</cols>` : ''}<sheetData>`
  );
}

/** XML after the rows: turns off the warning about numbers stored as text. */
export function sheetEnd(lastCell: string): string {
  return `</sheetData><ignoredErrors><ignoredError sqref="A1:${lastCell}" numberStoredAsText="1"/></ignoredErrors></worksheet>`;
}

function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const entries = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${officeRelationships}/${type}" Target="${target}"/>`,
  );
  return `${declaration}<Relationships xmlns="${packageFormats}/relationships">${entries.join('')}</Relationships>`;
}
