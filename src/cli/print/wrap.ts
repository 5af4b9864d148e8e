/** Text for people, in the columns that there are. */
import { stripVTControlCharacters } from 'node:util';
import { gated } from './terminal.ts';

/** What people paste: a command, perhaps behind a word that says what for, and options to add to one. */
const pasted = /^ *(?:\$ |(?:retry|fix|decide) +)?(?:\S*campaigns [a-z]|export [A-Z]|curl |\. \S|--map [^<])/;

/** Stands for a space where no line may break. */
const joint = '\ufdd0';

/** A path, or another text that is copied: no line breaks within it. */
export function unbroken(text: string): string {
  return text.replaceAll(' ', joint);
}

/**
 * Wraps each line to less than `width` columns, between words. Those that follow are indented as far as it is. Commands stay whole,
 * and are always indented.
 */
export function fold(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const [indent = ''] = /^ */.exec(line) ?? [];
      const lead = indent === '' && isPasted(line) ? '  ' : indent;
      return wrap(lead, line.slice(indent.length), width);
    })
    .join('\n');
}

/**
 * Breaks between words and at line breaks, and indents all lines but the first. Commands stay whole.
 * @param lead beginning of the first line; the other lines are indented by its width, unless that leaves too little of the terminal.
 */
export function wrap(lead: string, text: string, width: number): readonly string[] {
  const hanging = widthOf(lead);
  const isNarrow = hanging > width / 2;
  const indent = ' '.repeat(isNarrow ? lead.length - lead.trimStart().length + 4 : hanging);
  const lines: string[] = [];
  let line = lead;
  for (const part of text.split('\n')) {
    let isEmpty = true;
    const words = part.replace(/`[^`]*`/g, unbroken).split(' ');
    for (const word of isPasted(part) ? [part.trimStart()] : words) {
      if (!isEmpty && widthOf(line) + 1 + widthOf(word) >= width) {
        lines.push(line);
        line = indent;
        isEmpty = true;
      }
      line += isEmpty ? word : ` ${word}`;
      isEmpty = false;
    }
    lines.push(line);
    line = indent;
  }
  return lines.map((each) => each.trimEnd().replaceAll(joint, ' '));
}

/** Whether a line is a command to paste. */
export function isPasted(line: string): boolean {
  return pasted.test(plain(line));
}

/** Width of a text: East Asian characters and emoji take two columns, marks above letters and colour codes none. */
export function widthOf(text: string): number {
  let columns = 0;
  for (const character of plain(text)) {
    if (wide.test(character)) columns += 2;
    else if (!combining.test(character)) columns += 1;
  }
  return columns;
}

/** As `padEnd`, by the columns that a terminal takes. */
export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Without our colours. */
function plain(text: string): string {
  return stripVTControlCharacters(gated(text));
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
const combining = /\p{Mn}/u;
