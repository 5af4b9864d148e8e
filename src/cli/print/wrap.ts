/** Text for a terminal: broken between words, with the following lines under the first. */
import { stripVTControlCharacters } from 'node:util';

/**
 * @param lead what the first line begins with; the others are indented by as much.
 * @param width columns of the terminal; undefined where there is none, and lines stay whole.
 */
export function wrap(lead: string, text: string, width: number | undefined): readonly string[] {
  if (width === undefined) return [lead + text];
  const indent = ' '.repeat(columnsOf(lead));
  const lines: string[] = [];
  let line = lead;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && columnsOf(line) + 1 + columnsOf(word) >= width) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}

/** Columns that a text takes: characters of East Asian scripts take two, colours none. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const character of stripVTControlCharacters(text))
    columns +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/u.test(
        character,
      )
        ? 2
        : 1;
  return columns;
}
