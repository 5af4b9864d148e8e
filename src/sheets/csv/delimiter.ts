/** Finds the separator of a CSV file by its header. */

const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

const names: ReadonlyMap<string, Delimiter> = new Map([
  ['comma', ','],
  ['semicolon', ';'],
  ['tab', '\t'],
  ['\\t', '\t'],
  ['pipe', '|'],
]);

/** The separator itself, or by its name: `comma`, `semicolon`, `tab`, `pipe`; `undefined` for anything else. */
export function parseDelimiter(text: string): Delimiter | undefined {
  return delimiters.find((delimiter) => delimiter === text) ?? names.get(text.trim().toLowerCase());
}

/** `sep=;` alone on the first line, as some programs write it again: in quotes, or with separators behind it. */
const hint = /^("?)sep=([^\r\n"])\1\2*[\t ]*(?=[\r\n]|$)/i;

/** The separator that the first line names, as Excel has it: `sep=;`. Such a line is no row. */
export function findSeparatorHint(head: string): string | undefined {
  return hint.exec(head)?.[2];
}

/**
 * The separator that stands most often in the first line that is not blank, outside quotes; `,` where none does. `|` separates
 * the items of a list as well: it is the separator only where no other is there.
 */
export function findDelimiter(head: string): Delimiter {
  const counts: Record<Delimiter, number> = { ',': 0, ';': 0, '\t': 0, '|': 0 };
  let quoted = false;
  for (const character of head.trimStart()) {
    if (character === '"') quoted = !quoted;
    if (quoted) continue;
    if (character === '\n' || character === '\r') break;
    if (isDelimiter(character)) counts[character] += 1;
  }
  const found = ([',', ';', '\t'] as const).reduce((best, other) =>
    counts[other] > counts[best] ? other : best,
  );
  return counts[found] === 0 && counts['|'] > 0 ? '|' : found;
}

function isDelimiter(character: string): character is Delimiter {
  return delimiters.some((delimiter) => delimiter === character);
}
