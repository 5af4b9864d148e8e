/** Texts that a spreadsheet program would run when it opens a sheet of the runner. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProblemsFile } from '../../src/importers/check/problems-file.ts';
import { guardFormula, unguardFormula } from '../../src/manifest/cells/formula-guard.ts';
import { openSheet } from '../../src/sheets/open-sheet.ts';
import { fileSource } from '../../src/sheets/sheet.ts';
import { writeSheet } from '../../src/sheets/write/sheet-file.ts';
import { temporaryFolder } from '../support/folder.ts';

const formula = "cmd|'/C calc'!A0";

describe('a cell that begins with', () => {
  test.each(['=', '+', '-', '@', '\t', '\r=', '\n=', '＝', '＋', '－', '＠'])('%j is text', (begin) => {
    const cell = begin + formula;
    expect(guardFormula(cell)).toBe(`'${cell}`);
    expect(unguardFormula(guardFormula(cell))).toBe(cell);
  });
});

/** Cells as a program reads them that splits at this separator, and knows nothing of the file's own. */
function splitAt(separator: string, csv: string): readonly string[] {
  return csv.split(/\r?\n/).flatMap((line) => line.split(separator).map((cell) => cell.replace(/^"+/, '')));
}

describe('a formula behind a separator', () => {
  test.each([
    [',', ';', `x;=${formula};y`],
    [',', ';', `x;"=${formula}";y`],
    [',', ';', `x;""＠${formula};y`],
    [';', ',', `x,+${formula},y`],
    [';', ',', `x,"-${formula}",y`],
    [',', '\t', `x\t=${formula}\ty`],
    [';', '\t', `x\t\t"＝${formula}"\ty`],
  ] as const)(
    'of a file with %s is text for a program that splits at %s: %s',
    async (delimiter, other, cell) => {
      const path = join(temporaryFolder(), 'sheet.csv');
      async function* lines() {
        yield ['key', 'caption', '_note'];
        yield ['1', cell, cell];
      }
      await writeSheet(path, lines(), { format: 'csv', delimiter });
      for (const each of splitAt(other, readFileSync(path, 'utf8')))
        expect(each).not.toMatch(/^[=+\-@＝＋－＠]/);
      const sheet = await openSheet(fileSource(path));
      const [rows = []] = await Array.fromAsync(sheet.rows);
      expect(rows[0]?.cells.map(unguardFormula)).toEqual(['1', cell, cell]);
    },
  );

  test('is text in a problems file, too', async () => {
    const path = join(temporaryFolder(), 'problems.csv');
    await using file = await ProblemsFile.create(path);
    await file.header(['caption']);
    await file.add({ line: 2, cells: [`x;=${formula}`], problems: [] });
    await file.finish([]);
    expect(readFileSync(path, 'utf8')).toContain(`x;''=${formula}`);
  });
});

test.each(["Glow,'@home' edition", 'two\t\ttabs', "a;'-50% off'", "''", ";''a", ',', "rock ''n'' roll"])(
  '%s stays as it is',
  (text) => {
    expect(guardFormula(text)).toBe(text);
    expect(unguardFormula(text)).toBe(text);
  },
);

test('whatever a text says, a written sheet says the same', () => {
  const unit = fc.constantFrom(...`'";,=+-@＝＠\t\r\na`);
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (cell) => {
      expect(unguardFormula(guardFormula(cell))).toBe(cell);
      // Behind more quotes, a program that splits there reads a text that begins with a quote.
      expect(guardFormula(cell)).not.toMatch(
        /^[=+\-@\t\r\n＝＠]|[,;]"{0,3}[=+\-@\t\r\n＝＠]|\t"{0,3}[=+\-@＝＠]/,
      );
    }),
    { numRuns: 1000 },
  );
});
