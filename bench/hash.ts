/** The upload hash against plain SHA-256 of the same bytes. Its hex text is twice as long, so half the speed is the limit. */
import { createHash, randomBytes } from 'node:crypto';
import { ContentHash } from '../src/media/content-hash.ts';
import { median, printTable } from './table.ts';

const chunk = randomBytes(256 * 1024);
const chunks = 1024;
const megabytes = (chunk.length * chunks) / 1e6;

function plain(): number {
  const hash = createHash('sha256');
  const begun = performance.now();
  for (let index = 0; index < chunks; index += 1) hash.update(chunk);
  hash.digest('hex');
  return (megabytes * 1000) / (performance.now() - begun);
}

function ofHexText(): number {
  const hash = new ContentHash();
  const begun = performance.now();
  for (let index = 0; index < chunks; index += 1) hash.update(chunk);
  hash.digest();
  return (megabytes * 1000) / (performance.now() - begun);
}

export function benchHash(rounds: number): void {
  const pairs = Array.from({ length: rounds }, () => ({ plain: plain(), hex: ofHexText() }));
  const half = pairs.map((pair) => pair.plain / 2);
  printTable(
    'hash of file bytes',
    ['MB/s', 'ratio'],
    [
      ['half of plain SHA-256', [median(half).toFixed(0), '1.00']],
      [
        'SHA-256 of the hex text',
        [
          median(pairs.map(({ hex }) => hex)).toFixed(0),
          median(pairs.map(({ hex, plain }) => hex / (plain / 2))).toFixed(2),
        ],
      ],
    ],
  );
  process.stdout.write('\n');
}
