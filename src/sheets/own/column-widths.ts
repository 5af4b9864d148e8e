/**
 * Widths of new columns in the XML of a worksheet, among those that it has. A program may give one width to all further columns, or hide
 * them: such a span leaves out the new ones.
 */
import { escapeText } from '../write/xlsx-sheet.ts';

interface NewColumns {
  /** Position of the last one, from 0. */
  readonly lastPosition: number;
  /** Of each, in characters. */
  readonly widths: readonly number[];
}

export class ColumnWidths {
  readonly #widths: readonly number[];
  /** Numbers of the new columns, from 1. */
  readonly #first: number;
  readonly #last: number;
  /** Whether they have their widths, or cannot get any. */
  #isDone: boolean;

  constructor({ lastPosition, widths }: NewColumns) {
    this.#widths = widths;
    this.#last = lastPosition + 1;
    this.#first = this.#last - widths.length + 1;
    this.#isDone = widths.length === 0;
  }

  /** Takes a column of the worksheet. @returns what to write instead; undefined: it stays. */
  take(
    prefix: string,
    attributes: Readonly<Record<string, string>>,
    isEmptyTag: boolean,
  ): string | undefined {
    const [min, max] = [Number(attributes.min), Number(attributes.max)];
    // An end tag follows, so it cannot be cut.
    if (!isEmptyTag) this.#isDone = true;
    if (!isEmptyTag || this.#widths.length === 0 || !(max >= this.#first)) return undefined;
    if (this.#isDone && min > this.#last) return undefined;
    const part = (from: number, to: number) =>
      from > to ? '' : columnTag(prefix, { ...attributes, min: from, max: to });
    const before = part(min, Math.min(max, this.#first - 1));
    return before + this.rest(prefix) + part(Math.max(min, this.#last + 1), max);
  }

  /** The elements of the new columns, if they are not written yet. */
  rest(prefix: string): string {
    if (this.#isDone) return '';
    this.#isDone = true;
    const tags = this.#widths.map((width, index) => {
      const number = this.#first + index;
      return columnTag(prefix, { min: number, max: number, width, customWidth: 1 });
    });
    return tags.join('');
  }

  /** The elements of the new columns in a worksheet that has no widths. */
  all(prefix: string): string {
    const tags = this.rest(prefix);
    return tags && `<${prefix}cols>${tags}</${prefix}cols>`;
  }
}

function columnTag(prefix: string, attributes: Readonly<Record<string, string | number>>): string {
  const written = Object.entries(attributes).map(
    ([name, value]) => `${name}="${escapeText(String(value)).replaceAll('"', '&quot;')}"`,
  );
  return `<${prefix}col ${written.join(' ')}/>`;
}
