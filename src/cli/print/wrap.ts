/** Wraps text for a terminal: breaks between words and indents all lines but the first. */
import { stripVTControlCharacters } from 'node:util';
import { gated } from './terminal.ts';

/**
 * @param lead beginning of the first line; the other lines are indented by its width.
 * @param width columns of the terminal; undefined without a terminal: the text stays one line.
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

/** Width of a text: East Asian characters take two columns, colour codes none. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const character of stripVTControlCharacters(gated(text)))
    columns +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/u.test(
        character,
      )
        ? 2
        : 1;
  return columns;
}
