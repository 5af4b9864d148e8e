import { describe, expect, it } from 'vitest';
import { readMultipart } from '../../../src/console/uploads/multipart.ts';

const type = 'multipart/form-data; boundary=XX';

/** The bytes of a form, in pieces of a size. */
async function* pieces(form: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(form);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function part(name: string, content: string, fileName?: string): string {
  const file = fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: text/plain`;
  return `--XX\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
}

async function read(form: string, size = 1000) {
  const parts = [];
  for await (const { name, fileName, body } of readMultipart(type, pieces(form, size))) {
    parts.push({ name, fileName, text: Buffer.concat(await Array.fromAsync(body)).toString() });
  }
  return parts;
}

const tricky = 'a\r\n--X\r\n--\r\n\r\n--Xx 达人';

describe('a form with files', () => {
  it.each([1, 2, 3, 7, 1000])('reads the same in pieces of %i bytes', async (size) => {
    const form = `${part('_csrf', 'proof')}${part('sheet', tricky, '春季 %221%22.csv')}${part('empty', '', '')}--XX--\r\n`;
    expect(await read(form, size)).toEqual([
      { name: '_csrf', fileName: undefined, text: 'proof' },
      { name: 'sheet', fileName: '春季 "1".csv', text: tricky },
      { name: 'empty', fileName: '', text: '' },
    ]);
  });

  it('skips a part that is not read', async () => {
    const names = [];
    for await (const { name } of readMultipart(
      type,
      pieces(`${part('a', 'x'.repeat(100))}${part('b', '')}--XX--`, 7),
    ))
      names.push(name);
    expect(names).toEqual(['a', 'b']);
  });

  it.each([
    ['that breaks off in a file', part('a', 'x').slice(0, -2)],
    ['that breaks off before its end', part('a', 'x')],
    ['with a head that does not end', `--XX\r\nContent-Disposition: ${'x'.repeat(20_000)}`],
    ['with something behind a boundary', '--XXyy'],
    ['without a boundary', 'hello'],
  ])('%s is refused', async (_what, form) => {
    await expect(read(form)).rejects.toThrow(expect.objectContaining({ status: 400 }));
  });
});
