/** The texts of a workbook: runs of different styles, phonetic readings, characters escaped as `_x000D_`, and the table of shared texts. */
import { longestCell } from '../../manifest/sheet-bounds.ts';
import { isOn } from './styles.ts';
import type { Package } from './workbook.ts';
import { broken, tooLarge } from './workbook-error.ts';
import { type Attributes, readXml } from './xml.ts';

/** Limits for all texts together, far beyond a sheet of posts. A CSV file can be larger, because it is streamed. */
const mostTextBytes = 128 * 1024 * 1024;
const mostTexts = 8 * 1024 * 1024;
const mostPartBytes = 1024 * 1024 * 1024;
/** No text is longer. Blocks need not be copied when there are more texts. */
const blockBytes = 1024 * 1024;
const textsPerPage = 64 * 1024;

/** Added to the length of a text that is struck through. */
const struckBit = 2 ** 31;

/** Where some texts are: offset of their end over all blocks, and length in bytes. */
interface Page {
  readonly ends: Uint32Array;
  readonly lengths: Uint32Array;
}

/** The shared texts of a workbook, kept as UTF-8 in blocks: separate strings would take several times the memory. */
export class SharedStrings {
  readonly #blocks: Buffer[] = [];
  readonly #pages: Page[] = [];
  #count = 0;
  #used = 0;

  /** @throws {WorkbookError} if there are too many texts, or more than 128 MB of them. */
  add(text: string, isStruck = false): void {
    if (this.#count === mostTexts) throw tooLarge('it has more than 8 million texts');
    const most = text.length * 3;
    if (this.#left < most && this.#left < Buffer.byteLength(text)) this.#addBlock();
    const offset = this.#used % blockBytes;
    const length = most === 0 ? 0 : (this.#blocks.at(-1)?.write(text, offset) ?? 0);
    this.#used += length;
    const place = this.#count % textsPerPage;
    if (place === 0) {
      this.#pages.push({ ends: new Uint32Array(textsPerPage), lengths: new Uint32Array(textsPerPage) });
    }
    const page = this.#pages.at(-1) as Page;
    page.ends[place] = this.#used;
    page.lengths[place] = isStruck ? length + struckBit : length;
    this.#count += 1;
  }

  /** @throws {WorkbookError} if there is no such text. */
  get(index: number): string {
    const page = this.#pages[Math.floor(index / textsPerPage)];
    if (page === undefined || !Number.isInteger(index) || index >= this.#count) {
      throw broken(`a cell refers to text number ${index}, which is not there`);
    }
    const length = (page.lengths[index % textsPerPage] ?? 0) % struckBit;
    if (length === 0) return '';
    const start = (page.ends[index % textsPerPage] ?? 0) - length;
    const offset = start % blockBytes;
    const block = this.#blocks[Math.floor(start / blockBytes)];
    return unescapeText(block?.toString('utf8', offset, offset + length) ?? '');
  }

  /** Whether a text, or a part of it, is struck through. */
  isStruck(index: number): boolean {
    const page = this.#pages[Math.floor(index / textsPerPage)];
    return index < this.#count && (page?.lengths[index % textsPerPage] ?? 0) >= struckBit;
  }

  /** Bytes left in the last block. */
  get #left(): number {
    return this.#blocks.length * blockBytes - this.#used;
  }

  #addBlock(): void {
    this.#used = this.#blocks.length * blockBytes;
    if (this.#used >= mostTextBytes) throw tooLarge('its texts take more than 128 MB');
    this.#blocks.push(Buffer.allocUnsafeSlow(blockBytes));
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
      if (element === 'si') strings.add(runs.raw, runs.isStruck);
      else runs.close(element);
    },
  });
  return strings;
}

/** An escape takes seven characters. */
const longestText = longestCell * 7;
const escaped = /_x([0-9A-Fa-f]{4})_/g;

/** Replaces the escapes of characters that XML cannot hold with the characters. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(escaped, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Collects the text of one string item: all its runs except the phonetic ones. */
export class TextRuns {
  #text = '';
  #run = '';
  #inRun = false;
  #preserved = false;
  #inReading = false;
  #isRunStruck = false;
  #isStruck = false;

  begin(): void {
    this.#text = '';
    this.#isRunStruck = false;
    this.#isStruck = false;
    this.#inRun = false;
    this.#inReading = false;
  }

  open(element: string, attributes: Attributes): void {
    if (element === 'rPh') this.#inReading = true;
    else if (element === 'r') this.#isRunStruck = false;
    else if (element === 'strike') this.#isRunStruck = isOn(attributes.val);
    else if (element === 't' && !this.#inReading) {
      this.#inRun = true;
      this.#run = '';
      this.#preserved = attributes['xml:space'] === 'preserve';
    }
  }

  add(text: string): void {
    if (!this.#inRun) return;
    if (this.#text.length + this.#run.length + text.length > longestText) {
      throw tooLarge('a text in it is several times as long as a cell can be');
    }
    this.#run += text;
  }

  close(element: string): void {
    if (element === 'rPh') this.#inReading = false;
    else if (element === 't' && this.#inRun) {
      this.#inRun = false;
      this.#isStruck ||= this.#isRunStruck && this.#run.trim() !== '';
      this.#text += this.#preserved ? this.#run : withoutOuterSpace(this.#run);
    }
  }

  /** Whether a part of the text since `begin` is struck through. */
  get isStruck(): boolean {
    return this.#isStruck;
  }

  /** The text since `begin`, with its escapes. */
  get raw(): string {
    return this.#text;
  }
}

/** The space of XML only; `trim` would remove that of other scripts. No regular expression: one for the end takes quadratic time. */
function withoutOuterSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}
