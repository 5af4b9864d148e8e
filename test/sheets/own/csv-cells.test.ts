import { describe, expect, it } from 'vitest';
import { writeCsvCells } from '../../../src/sheets/own/csv-cells.ts';

const cells: Readonly<Record<number, ReadonlyMap<number, string>>> = {
  1: new Map([[2, 'status']]),
  2: new Map([[2, 'posted; live']]),
  4: new Map([
    [0, 'new'],
    [2, '=1'],
  ]),
};

async function written(
  csv: string,
  piece = 1_000_000,
  behind: readonly (readonly string[])[] = [],
): Promise<string> {
  const bytes = Buffer.from(csv);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  }
  const texts = writeCsvCells(pieces(), {
    delimiter: ';',
    lastPosition: 2,
    of: async (line) => cells[line],
    async *rest() {
      for (const texts of behind) yield new Map(texts.entries());
    },
  });
  return (await Array.fromAsync(texts)).join('');
}

describe('cells written into CSV', () => {
  it('stand behind the cells of their records, whose quotes and line ends stay', async () => {
    expect(await written('a;"b"\r\n"x";"é "" ; y"\n')).toBe(
      'a;"b";status\r\n"x";"é "" ; y";"posted; live"\n',
    );
  });

  it('are counted by lines, also of records of several lines and blank ones', async () => {
    expect(await written('a;b\n"one\ntwo";2\n3;4')).toBe(
      'a;b;status\n"one\ntwo";2;"posted; live"\nnew;4;\'=1',
    );
    expect(await written('a;b\n\n\n3;4\n')).toBe("a;b;status\n\n\nnew;4;'=1\n");
  });

  it('may be records of their own behind the last one, with its line end', async () => {
    const behind = [['x', '', 'a;b'], ['y']];
    const end = (text: string) => written(text, 1_000_000, behind);
    expect(await end('a;b\r\n1;2\r\n')).toBe('a;b;status\r\n1;2;"posted; live"\r\nx;;"a;b"\r\ny;;\r\n');
    expect(await end('a;b')).toBe('a;b;status\nx;;"a;b"\ny;;\n');
  });

  it('reach their columns in records that are shorter', async () => {
    expect(await written('a;b\n1\n')).toBe('a;b;status\n1;;"posted; live"\n');
  });

  it('are in quotes where all cells are', async () => {
    expect(await written('"a";"b"\n"1";"2"\n')).toBe('"a";"b";"status"\n"1";"2";"posted; live"\n');
  });

  it('do not depend on the pieces in which the file comes', async () => {
    const csv = 'a;b\r\n"x""\r\ny";z\r\n\r\n1;2\r3;4';
    const whole = await written(csv);
    for (let piece = 1; piece < csv.length; piece += 1) expect(await written(csv, piece)).toBe(whole);
  });
});
