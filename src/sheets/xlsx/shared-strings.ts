/** The shared texts of a workbook, kept in one UTF-8 buffer: separate strings would take several times the memory. */
import type { Package } from './package.ts';
import { TextRuns, unescapeText } from './text.ts';
import { broken, tooLarge } from './workbook-error.ts';
import { readXml } from './xml.ts';

/** Limit for all texts together, far beyond a sheet of posts. A CSV file can be larger, because it is streamed. */
const mostTextBytes = 256 * 1024 * 1024;
const mostTexts = 16 * 1024 * 1024;
const mostPartBytes = 1024 * 1024 * 1024;
const firstBytes = 64 * 1024;

export class SharedStrings {
  #bytes = Buffer.allocUnsafeSlow(firstBytes);
  /** End of each text in the buffer. */
  #ends = new Uint32Array(1024);
  #count = 0;
  #used = 0;

  /** @throws {WorkbookError} if there are too many texts, or more than 256 MB of them. */
  add(text: string): void {
    const longest = text.length * 3;
    if (this.#used + longest > this.#bytes.length) this.#growBytes(longest);
    this.#used += this.#bytes.write(text, this.#used);
    if (this.#used > mostTextBytes) throw tooLarge('its texts take more than 256 MB');
    if (this.#count === mostTexts) throw tooLarge('it has more than 16 million texts');
    if (this.#count === this.#ends.length) {
      const ends = new Uint32Array(this.#ends.length * 2);
      ends.set(this.#ends);
      this.#ends = ends;
    }
    this.#ends[this.#count] = this.#used;
    this.#count += 1;
  }

  /** @throws {WorkbookError} if there is no such text. */
  get(index: number): string {
    const end = index < this.#count ? this.#ends[index] : undefined;
    if (end === undefined) throw broken(`a cell refers to text number ${index}, which is not there`);
    const start = index === 0 ? 0 : (this.#ends[index - 1] ?? 0);
    return unescapeText(this.#bytes.toString('utf8', start, end));
  }

  #growBytes(needed: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#used + needed));
    this.#bytes.copy(bytes, 0, 0, this.#used);
    this.#bytes = bytes;
  }
}

/** @param part `undefined`: the workbook has no shared texts. @throws {WorkbookError} */
export async function readSharedStrings(parts: Package, part: string | undefined): Promise<SharedStrings> {
  const strings = new SharedStrings();
  if (part === undefined) return strings;
  const runs = new TextRuns();
  await readXml(part, parts.read(part, mostPartBytes), {
    open(element, attributes) {
      if (element === 'si') runs.begin();
      else runs.open(element, attributes);
    },
    text: (text) => runs.add(text),
    close(element) {
      if (element === 'si') strings.add(runs.raw);
      else runs.close(element);
    },
  });
  return strings;
}
