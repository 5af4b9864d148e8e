/** Detects the encoding of a text manifest by its byte order mark, else by its bytes. */

import type { ManifestSource } from '../source.ts';
import type { Encoding } from './encoding.ts';
import { InvalidTextError, TextGate } from './gate.ts';
import { HighRuns } from './high-runs.ts';

const sampleBytes = 4096;

/**
 * Detects the encoding of a manifest. Reads the whole file, because the first Chinese character may be in the last row. Bytes in no
 * known encoding count as UTF-8, so that the reader reports the first invalid line.
 * @param head the first bytes of the source.
 */
export async function findEncoding(source: ManifestSource, head: Buffer): Promise<Encoding> {
  const wide = findUtf16(head);
  if (wide !== null) return wide;
  if (await isAll(source, new TextGate('utf-8'))) return 'utf-8';
  const tally = new GbTally();
  return (await isAll(source, new TextGate('gb18030'), tally)) && tally.isChinese ? 'gb18030' : 'utf-8';
}

async function isAll(source: ManifestSource, gate: TextGate, tally?: GbTally): Promise<boolean> {
  try {
    for await (const piece of source.bytes()) {
      gate.push(piece);
      tally?.add(piece);
    }
    gate.end();
    return true;
  } catch (error) {
    if (error instanceof InvalidTextError) return false;
    throw error;
  }
}

/** UTF-16 by its mark, else by zeros: the high byte of separators, digits and Latin letters is zero. */
function findUtf16(head: Buffer): Encoding | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros: [even: number, odd: number] = [0, 0];
  const sample = head.subarray(0, sampleBytes);
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2 === 0 ? 0 : 1] += 1;
  const [even, odd] = zeros;
  const many = sample.length / 16;
  if (odd > many && even * 8 < odd) return 'utf-16le';
  if (even > many && odd * 8 < even) return 'utf-16be';
  return null;
}

/** Length in bytes of the GB18030 character that begins here. */
function gb18030Length(bytes: Buffer, index: number): 1 | 2 | 4 {
  const first = bytes[index] ?? 0;
  if (first <= 0x80 || first === 0xff) return 1;
  const second = bytes[index + 1] ?? 0;
  return second >= 0x30 && second <= 0x39 ? 4 : 2;
}

/** Chinese text of this many characters almost surely has one beyond the Korean range. */
const tellingLength = 8;

/** Chinese text has at least this many common characters for each rare one. */
const rareness = 3;

/**
 * Tells Chinese from other text that is valid GB18030 by chance. Nearly all common Chinese characters have two high bytes. In `ñora` of
 * Windows-1252 the accented letter and the next plain one look like a rare character. Korean in EUC-KR also has two high bytes, but
 * its syllables begin with B0 to C8 only; Chinese goes on to D7. `ção` and `Größe` of Windows-1252 also have two high bytes, but in a
 * word of plain letters, while Chinese words are longer.
 */
class GbTally {
  #common = 0;
  #rare = 0;
  /** Common characters beyond the range of Korean syllables. */
  #beyondKorean = 0;
  #syllables = 0;
  readonly #runs = new HighRuns();
  #held: Buffer = Buffer.alloc(0);

  add(piece: Buffer): void {
    this.#runs.add(piece);
    const bytes = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
    let index = 0;
    while (index < bytes.length) {
      const length = gb18030Length(bytes, index);
      if (index + length > bytes.length) break;
      if (length === 2) this.#count(bytes[index] ?? 0, bytes[index + 1] ?? 0);
      index += length;
    }
    this.#held = bytes.subarray(index);
  }

  get isChinese(): boolean {
    const isKorean = this.#syllables >= tellingLength && this.#beyondKorean === 0;
    const { long, inWords } = this.#runs.end();
    return this.#common > this.#rare * rareness && !isKorean && long > inWords;
  }

  #count(lead: number, trail: number): void {
    // Rare characters. Most Shift_JIS text and much Big5 text also looks like these.
    if (lead < 0xa1 || trail < 0xa1) {
      this.#rare += 1;
      return;
    }
    this.#common += 1;
    // Punctuation marks and letters, which both Chinese and Korean have.
    if (lead < 0xb0) return;
    this.#syllables += 1;
    if (lead > 0xc8) this.#beyondKorean += 1;
  }
}
