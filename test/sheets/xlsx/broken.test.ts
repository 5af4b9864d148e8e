import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { type Parts, partsOf, writeParts, writeWorkbook } from '../../support/sheets/workbook.ts';
import { readRows, underHeader } from './workbook-rows.ts';

const sheetPart = 'xl/worksheets/sheet1.xml';
const good = partsOf({ rows: underHeader('<c t="s"><v>0</v></c>'), strings: '<si><t>one</t></si>' });

async function failureOf(parts: Parts) {
  return (await readRows(await writeParts(parts))).failure;
}

/** The valid workbook with one part changed. */
function changed(part: string, change: (content: string) => string): Parts {
  return { ...good, [part]: change(String(good[part])) };
}

function without(part: string): Parts {
  return Object.fromEntries(Object.entries(good).filter(([name]) => name !== part));
}

/** The first bytes of a compound file whose directory names these entries. */
function compoundFile(...names: readonly string[]): string {
  const path = join(temporaryFolder(), 'plan.xlsx');
  const bytes = Buffer.alloc(512 * 3);
  bytes.write('d0cf11e0a1b11ae1', 'hex');
  bytes.writeUInt16LE(9, 30);
  bytes.writeUInt32LE(1, 48);
  for (const [index, name] of names.entries()) bytes.write(name, 1024 + index * 128, 'utf16le');
  writeFileSync(path, bytes);
  return path;
}

describe('files that are not XLSX workbooks', () => {
  test('the old format', async () => {
    const { failure } = await readRows(compoundFile('Root Entry', 'Workbook'));
    expect(failure).toMatchObject({ line: 1, code: 'not_xlsx', problem: expect.stringContaining('(XLS)') });
  });

  test('a password', async () => {
    const { failure } = await readRows(compoundFile('Root Entry', 'EncryptionInfo', 'EncryptedPackage'));
    expect(failure).toMatchObject({ code: 'encrypted_workbook' });
  });

  test('a compound file cut after its first bytes', async () => {
    const path = join(temporaryFolder(), 'plan.xlsx');
    writeFileSync(path, Buffer.from('d0cf11e0a1b11ae1', 'hex'));
    expect((await readRows(path)).failure).toMatchObject({ code: 'not_xlsx' });
  });

  test.each<[string, Parts]>([
    ['another ZIP archive', { 'readme.txt': 'hello' }],
    ['a Numbers document', { 'Index/Document.iwa': 'x' }],
    ['an OpenDocument file', { mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }],
    ['another Office document', changed('xl/workbook.xml', () => '<document/>')],
    [
      'a binary workbook (XLSB)',
      changed('_rels/.rels', (rels) => rels.replace('workbook.xml', 'workbook.bin')),
    ],
  ])('%s', async (found, parts) => {
    expect(await failureOf(parts)).toMatchObject({
      code: 'not_xlsx',
      problem: `this is ${found}, not an XLSX workbook`,
    });
  });
});

describe('damaged workbooks', () => {
  test('a missing end', async () => {
    const path = await writeParts(good);
    truncateSync(path, Math.floor(readFileSync(path).length / 2));
    expect((await readRows(path)).failure).toMatchObject({
      line: 1,
      code: 'broken_workbook',
      problem: 'the end of the workbook is missing',
    });
  });

  test.each<[string, Parts]>([
    ['a sheet that is not there', without(sheetPart)],
    ['a text that is not there', changed(sheetPart, (xml) => xml.replace('<v>0</v>', '<v>1</v>'))],
    ['a text that has no number', changed(sheetPart, (xml) => xml.replace('<v>0</v>', '<v>x</v>'))],
    ['tags that do not match', changed(sheetPart, (xml) => xml.replace('</row>', '</raw>'))],
    ['an entity of nobody', changed(sheetPart, (xml) => xml.replace('>h<', '>&lol;<'))],
    [
      'bytes that are not UTF-8',
      { ...good, [sheetPart]: Buffer.from('<worksheet>\xe9</worksheet>', 'latin1') },
    ],
    ['another encoding', changed(sheetPart, (xml) => `<?xml version="1.0" encoding="latin1"?>${xml}`)],
    ['an empty sheet part', { ...good, [sheetPart]: '' }],
    ['row 0', changed(sheetPart, (xml) => xml.replace('<row>', '<row r="0">'))],
    ['row 2,000,000', changed(sheetPart, (xml) => xml.replace('<row>', '<row r="2000000">'))],
    ['a column beyond the last', changed(sheetPart, (xml) => xml.replace('<c ', '<c r="ZZZZ1" '))],
    [
      'a repeated cell',
      changed(sheetPart, (xml) => xml.replace('<c ', `${'<c r="A1"/>'.repeat(20_000)}<c `)),
    ],
    ['tags nested 100,000 deep', changed(sheetPart, (xml) => xml.replace('<row>', '<a>'.repeat(100_000)))],
    ['a tag that does not end', changed(sheetPart, (xml) => xml.replace('<row>', `<row ${'x'.repeat(5e6)}`))],
    [
      'a value without an end',
      changed(sheetPart, (xml) => xml.replace('<v>', `<v>${'1<!---->'.repeat(2e6)}`)),
    ],
  ])('%s', async (_name, parts) => {
    expect(await failureOf(parts)).toMatchObject({
      code: 'broken_workbook',
      fix: expect.stringContaining('save it'),
    });
  });

  test('the rows before the damage are read, and the damaged row is reported', async () => {
    const rows = underHeader('<c><v>1</v></c>');
    const parts = partsOf({ rows: `${rows}<row r="3"><c><v>2</v></c></row><row r="4"><c></row>` });
    const read = await readRows(await writeParts(parts));
    expect(read.rows.map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(read.failure).toMatchObject({ line: 4, code: 'broken_workbook' });
  });

  test('changed bytes', async () => {
    const path = await writeParts(good);
    const bytes = readFileSync(path);
    const name = bytes.indexOf(sheetPart);
    bytes.fill(0xff, name + sheetPart.length, name + sheetPart.length + 20);
    writeFileSync(path, bytes);
    expect((await readRows(path)).failure).toMatchObject({ code: 'broken_workbook' });
  });
});

describe('malicious workbooks', () => {
  test.each(['xl/workbook.xml', sheetPart, 'xl/sharedStrings.xml', 'xl/styles.xml', '_rels/.rels'])(
    'a document type in %s',
    async (part) => {
      const bomb =
        '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>';
      expect(await failureOf(changed(part, (xml) => bomb + xml))).toMatchObject({
        code: 'xml_document_type',
      });
    },
  );

  test('a sheet that unpacks to more than 200 times its size', async () => {
    const rows = `<row>${' '.repeat(70 * 1024 * 1024)}</row>`;
    expect(await failureOf(changed(sheetPart, (xml) => xml.replace('<row>', rows)))).toMatchObject({
      code: 'workbook_too_large',
      problem: expect.stringContaining(sheetPart),
    });
  });

  test('styles that unpack to more than 32 MB', async () => {
    const parts = changed('xl/styles.xml', (xml) => xml + ' '.repeat(33 * 1024 * 1024));
    expect(await failureOf(parts)).toMatchObject({ code: 'workbook_too_large' });
  });

  test('a wrong declared size', async () => {
    const path = await writeWorkbook({ rows: underHeader(`<c><v>1</v></c>${'<c/>'.repeat(1000)}`) });
    const bytes = readFileSync(path);
    const entry = bytes.lastIndexOf(sheetPart) - 46;
    bytes.writeUInt32LE(100, entry + 24);
    writeFileSync(path, bytes);
    expect((await readRows(path)).failure).toMatchObject({ code: 'broken_workbook' });
  });

  test('a text of millions of runs', async () => {
    const run = `<t>${'x'.repeat(1000)}</t>`;
    const parts = changed('xl/sharedStrings.xml', (xml) => xml.replace('<t>one</t>', run.repeat(2000)));
    expect(await failureOf(parts)).toMatchObject({ code: 'workbook_too_large' });
  });
});

test('a missing file is a file system error', async () => {
  await expect(readRows(join(temporaryFolder(), 'gone.xlsx'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('any changed bytes end with rows or with a problem', async () => {
  const path = await writeParts(good);
  const bytes = readFileSync(path);
  const change = fc.record({ at: fc.nat(bytes.length - 1), to: fc.nat(255) });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const mutated = Buffer.from(bytes);
      for (const { at, to } of changes) mutated[at] = to;
      writeFileSync(path, mutated);
      const { rows, failure } = await readRows(path);
      expect(failure ?? rows).toBeDefined();
    }),
    { numRuns: 30 },
  );
});

test('any XML of a sheet ends with rows or with a problem', async () => {
  const xml = String(good[sheetPart]);
  const tokens = fc.constantFrom(
    '<c>',
    '</c>',
    '<row r="7">',
    '</row>',
    '<v>',
    '</v>',
    '<f/>',
    '<is>',
    '<t>',
    '&',
    '1e9',
    '',
  );
  const change = fc.record({ at: fc.nat(xml.length), length: fc.nat(12), token: tokens });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      const mutated = changes.reduce(
        (text, { at, length, token }) => text.slice(0, at) + token + text.slice(at + length),
        xml,
      );
      const { rows, failure } = await readRows(await writeParts({ ...good, [sheetPart]: mutated }));
      expect(failure ?? rows).toBeDefined();
    }),
    { numRuns: 30 },
  );
});
