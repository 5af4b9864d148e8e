import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ContentHash, hashBytes, ReadAhead } from '../../../src/service/media/content-hash.ts';

/** From the contract: SHA-256 of the UTF-8 encoded lowercase hex representation of the file bytes. */
function byTheContract(bytes: Uint8Array): string {
  return createHash('sha256').update(Buffer.from(bytes).toString('hex').toLowerCase(), 'utf8').digest('hex');
}

test('the hash is of the hex text, not of the bytes', () => {
  // sha256sum of the six characters "616263".
  expect(hashBytes(Buffer.from('abc'))).toBe(createHash('sha256').update('616263').digest('hex'));
});

test('any bytes are hashed as in the contract', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70_000, size: 'max' }), (bytes) => {
      expect(hashBytes(Buffer.from(bytes))).toBe(byTheContract(bytes));
    }),
    { numRuns: 50 },
  );
});

test('the hash does not depend on the pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40_000, size: 'max' }), { maxLength: 5 }), (pieces) => {
      const hash = new ContentHash();
      for (const piece of pieces) hash.update(Buffer.from(piece));

      expect(hash.digest()).toBe(byTheContract(Buffer.concat(pieces)));
    }),
    { numRuns: 30 },
  );
});

/** Reads as an open file does, and counts. */
function fileOf(bytes: Buffer) {
  let reads = 0;
  const read = async (buffer: Buffer, offset: number, length: number, position: number) => {
    reads += 1;
    return { bytesRead: bytes.copy(buffer, offset, position, position + length) };
  };
  return { read, reads: () => reads };
}

test.each([
  ['the beginning is read from memory', 100, 1],
  ['what goes beyond it is read from the file', 48 * 1024 - 50, 2],
])('%s', async (_what, position, reads) => {
  const bytes = Buffer.alloc(60_000, 'abcdefg');
  const file = fileOf(bytes);
  const ahead = await ReadAhead.of(file, bytes.length);
  const part = Buffer.alloc(100);
  expect(await ahead.read(part, 0, 100, position)).toEqual({ bytesRead: 100 });
  expect(part).toEqual(bytes.subarray(position, position + 100));
  expect(file.reads()).toBe(reads);
});
