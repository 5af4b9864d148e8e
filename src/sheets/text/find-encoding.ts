/** Finds the encoding of a text manifest: by its mark, else by its bytes. */

import type { ManifestSource } from '../source.ts';
import type { Encoding } from './encoding.ts';
import { InvalidTextError, TextGate } from './gate.ts';

const sampleBytes = 4096;

/**
 * The encoding of a manifest. What begins like ASCII is read to its end: the first letter that gives GB18030 away may stand in the last row.
 * Bytes that are in no encoding count as UTF-8, so that reading them tells where they go wrong.
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

/** UTF-16 by its mark; without one, by the zeros that separators, digits and Latin letters have for a higher byte. */
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

/** How many bytes the character that begins here takes in GB18030. */
function gb18030Length(bytes: Buffer, index: number): 1 | 2 | 4 {
  const first = bytes[index] ?? 0;
  if (first <= 0x80 || first === 0xff) return 1;
  const second = bytes[index + 1] ?? 0;
  return second >= 0x30 && second <= 0x39 ? 4 : 2;
}

/** From so many characters on, Chinese without a single one of the later half is as good as impossible. */
const tellingLength = 8;

/** So many common characters stand for each rare one, at least. */
const rareness = 3;

/**
 * Tells Chinese from other text that happens to be valid. In `ñora` of Windows-1252, the accented letter and the plain one after it would make
 * a rare character: nearly all characters that Chinese is written in have two high bytes. Korean in EUC-KR has them as well, but its
 * syllables begin with B0 to C8 only, where those of Chinese go on to D7.
 */
class GbTally {
  #common = 0;
  #rare = 0;
  /** Of the common ones, those that Korean has no syllable for. */
  #beyondKorean = 0;
  #syllables = 0;
  #held: Buffer = Buffer.alloc(0);

  add(piece: Buffer): void {
    const bytes = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
    let index = 0;
    while (index < bytes.length) {
      const length = gb18030Length(bytes, index);
      if (index + length > bytes.length) break;
      if (length === 2) {
        this.#count(bytes[index] ?? 0, bytes[index + 1] ?? 0);
      }
      index += length;
    }
    this.#held = bytes.subarray(index);
  }

  get isChinese(): boolean {
    const isKorean = this.#syllables >= tellingLength && this.#beyondKorean === 0;
    return this.#common > this.#rare * rareness && !isKorean;
  }

  #count(lead: number, trail: number): void {
    // Beyond these lie the rare ones; most of the Japanese in Shift_JIS, and much of the Chinese in Big5, seem to be there.
    if (lead < 0xa1 || trail < 0xa1) {
      this.#rare += 1;
      return;
    }
    this.#common += 1;
    // What lies before are punctuation marks and letters, which both have.
    if (lead < 0xb0) return;
    this.#syllables += 1;
    if (lead > 0xc8) this.#beyondKorean += 1;
  }
}
