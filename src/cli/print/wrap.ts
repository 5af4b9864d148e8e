/** Text in the columns of a terminal: how wide it is, and how it is wrapped. */
import { stripVTControlCharacters } from 'node:util';
import { gated } from './terminal.ts';

/**
 * Breaks between words, and indents all lines but the first.
 * @param lead beginning of the first line; the other lines are indented by its width, unless that leaves too little of the terminal.
 * @param width columns of the terminal; undefined without a terminal: the text stays one line.
 */
export function wrap(lead: string, text: string, width: number | undefined): readonly string[] {
  if (width === undefined) return [lead + text];
  const hanging = widthOf(lead);
  const isNarrow = hanging > width / 2;
  const indent = ' '.repeat(isNarrow ? lead.length - lead.trimStart().length + 4 : hanging);
  const lines: string[] = [];
  let line = lead;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && widthOf(line) + 1 + widthOf(word) >= width) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}

/** Width of a text: East Asian characters and emoji take two columns, marks above letters and colour codes none. */
export function widthOf(text: string): number {
  let columns = 0;
  for (const character of stripVTControlCharacters(gated(text))) {
    if (wide.test(character)) columns += 2;
    else if (!combining.test(character)) columns += 1;
  }
  return columns;
}

/** As `padEnd`, by the columns that a terminal takes. */
export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
const combining = /\p{Mn}/u;
