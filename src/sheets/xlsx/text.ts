/** Reads the text of workbooks: runs of different styles, phonetic readings, and characters escaped as `_x000D_`. */
import { longestCell } from '../../manifest/limits.ts';
import { tooLarge } from './workbook-error.ts';
import type { Attributes } from './xml.ts';

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

  begin(): void {
    this.#text = '';
    this.#inRun = false;
    this.#inReading = false;
  }

  open(element: string, attributes: Attributes): void {
    if (element === 'rPh') this.#inReading = true;
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
      this.#text += this.#preserved ? this.#run : withoutOuterSpace(this.#run);
    }
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
