/** Valid manifests of every format with bytes changed, removed, doubled or cut off: each gives rows or problems, never an error. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { check } from './manifest-source.ts';

const row = {
  creator: 'demo_anna',
  media: 'a.mp4',
  caption: 'Hi "you", 你好',
  product_id: '1',
  product_title: 'Serum',
};
const cells = ['creator', 'media', 'caption', 'product_id', 'product_title'] as const;

function csv(delimiter: string): string {
  const quoted = cells.map((name) => `"${row[name].replaceAll('"', '""')}"`).join(delimiter);
  return `${[cells.join(delimiter), quoted, quoted, quoted].join('\r\n')}\r\n`;
}

const rows = [row, { ...row, media: ['a.png', 'b.png'] }, { ...row, product_id: 17, showcase: null }];
const jsonLines = rows.map((each) => JSON.stringify(each)).join('\n');
const document = { name: 'Spring', defaults: { product_source: 'SHOP' }, rows };

const manifests: Readonly<Record<string, Buffer>> = {
  'CSV with commas': Buffer.from(csv(',')),
  'CSV with TAB and a mark': Buffer.from(`\ufeff${csv('\t')}`),
  'CSV in UTF-16': Buffer.from(`\ufeff${csv(';')}`, 'utf16le'),
  'CSV in GB18030': Buffer.concat([
    Buffer.from(csv('|').replaceAll('你好', '')),
    Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x94, 0x39, 0xda, 0x33]),
  ]),
  'a JSON array': Buffer.from(JSON.stringify(rows, null, 1)),
  'a JSON object': Buffer.from(JSON.stringify(document)),
  'JSON Lines': Buffer.from(jsonLines),
  'JSON Lines in UTF-16': Buffer.from(jsonLines, 'utf16le').swap16(),
};

/** Bytes with a meaning to one of the readers, besides random ones. */
const byte = fc.oneof(
  fc.constantFrom(...Buffer.from('{}[]",:;|\\/\n\r\t -0eE\u0000'), 0xff, 0xfe, 0xef, 0x81, 0xd8),
  fc.nat(255),
);
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.nat(20),
  added: fc.array(byte, { maxLength: 4 }),
});

function mutate(bytes: Buffer, edits: readonly { at: number; removed: number; added: number[] }[]): Buffer {
  return edits.reduce((before, { at, removed, added }) => {
    const start = Math.floor(at * before.length);
    return Buffer.concat([before.subarray(0, start), Buffer.from(added), before.subarray(start + removed)]);
  }, bytes);
}

test.each(Object.entries(manifests))('%s', async (_name, good) => {
  const whole = await check(good);
  expect(whole.rows).toBeGreaterThan(0);
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
      const { accepted, rows: read, refused, problems, sha256 } = await check(mutate(good, edits));
      // Every row is accepted or refused, and an incomplete read is reported.
      expect(accepted + refused.length).toBe(read);
      if (sha256 === null) expect(problems.total).toBeGreaterThan(0);
      for (const { line, code } of problems.kept) {
        expect(line).toBeGreaterThan(0);
        expect(code).toMatch(/^[a-z0-9_]+$/);
      }
    }),
    { numRuns: 60 },
  );
});

test('any bytes at all', async () => {
  const start = fc.constantFrom('', '{', '[', '[{', '{"rows":[', '\ufeff', 'a,b\n');
  await fc.assert(
    fc.asyncProperty(start, fc.array(byte, { maxLength: 200 }), async (begin, bytes) => {
      const { accepted, problems } = await check(Buffer.concat([Buffer.from(begin), Buffer.from(bytes)]));
      expect(accepted).toBe(0);
      expect(problems.total).toBeGreaterThan(0);
    }),
    { numRuns: 200 },
  );
});
