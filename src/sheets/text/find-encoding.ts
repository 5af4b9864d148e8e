/** Detects the encoding of a text manifest by its byte order mark, else by its bytes. */
import type { ManifestSource } from '../sheet.ts';
import { InvalidTextError, TextGate } from './decoder.ts';
import type { Encoding } from './encoding.ts';
import { chineseWords, readsAsChinese, readsAsKorean } from './guess-encoding.ts';

const sampleBytes = 4096;

/**
 * Detects the encoding of a manifest. Reads the whole file, because the first Chinese character may be in the last row. Bytes in no
 * known encoding count as UTF-8, and so does GB18030 that is not surely Chinese: the reader then reports the first such line, and how
 * it reads in the likeliest encodings.
 * @param head the first bytes of the source.
 */
export async function findEncoding(source: ManifestSource, head: Buffer): Promise<Encoding> {
  const wide = findUtf16(head);
  if (wide !== null) return wide;
  if (await isAll(source, new TextGate('utf-8'))) return 'utf-8';
  const evidence = new ChineseEvidence();
  return (await isAll(source, new TextGate('gb18030'), evidence)) && evidence.isEnough ? 'gb18030' : 'utf-8';
}

async function isAll(source: ManifestSource, gate: TextGate, evidence?: ChineseEvidence): Promise<boolean> {
  try {
    for await (const piece of source.bytes()) {
      const text = gate.push(piece);
      evidence?.add(piece, text);
    }
    const rest = gate.end();
    evidence?.add(Buffer.alloc(0), rest);
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

/** Fewer words may be chance. */
const fewestWords = 3;
/** Enough of the text to judge it, in UTF-16 units. */
const mostSampled = 8192;

/** Whether text that is valid GB18030 is surely Chinese. Else people decide: they see how it reads, and name the encoding. */
class ChineseEvidence {
  #bytes = 0;
  #ascii = 0;
  /** Bytes beyond ASCII as Latin-1, and what was read of them. */
  #raw = '';
  #sample = '';

  /** @param text what was read of the bytes so far, in UTF-8. */
  add(piece: Buffer, text: Buffer): void {
    this.#bytes += piece.length;
    let ascii = 0;
    for (const byte of text) if (byte < 0x80) ascii += 1;
    this.#ascii += ascii;
    if (this.#sample.length >= mostSampled) return;
    this.#raw += runsOf(piece.toString('latin1'));
    if (ascii < text.length) this.#sample += runsOf(text.toString());
  }

  /** Whether at least a tenth of the file is beyond ASCII, and reads as Chinese. */
  get isEnough(): boolean {
    if ((this.#bytes - this.#ascii) * 10 < this.#bytes) return false;
    const found = chineseWords(this.#sample);
    return (
      found.words >= fewestWords && readsAsChinese(found) && !readsAsKorean(Buffer.from(this.#raw, 'latin1'))
    );
  }
}

/** The text without its ASCII characters. */
function runsOf(text: string): string {
  const runs = text.match(/[^\p{ASCII}]+/gu);
  return runs === null ? '' : `${runs.join(' ').slice(0, mostSampled)} `;
}
