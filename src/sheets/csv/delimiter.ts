/** Finds the separator of a CSV file from its header. */

const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

const names: ReadonlyMap<string, Delimiter> = new Map([
  ['comma', ','],
  ['semicolon', ';'],
  ['tab', '\t'],
  ['\\t', '\t'],
  ['pipe', '|'],
]);

/** Takes the separator itself or its name (`comma`, `semicolon`, `tab`, `pipe`); `undefined` for anything else. */
export function parseDelimiter(text: string): Delimiter | undefined {
  return delimiters.find((delimiter) => delimiter === text) ?? names.get(text.trim().toLowerCase());
}

/** `sep=;` alone on the first line. Some programs save it in quotes or with separators after it. */
const hint = /^("?)sep=([^\r\n"])\1([^\r\n]*)/i;

/** The separator that the first line names, as Excel writes it: `sep=;`. Such a line is not a row. */
export function findSeparatorHint(head: string): string | undefined {
  const [, , separator, rest = ''] = hint.exec(head) ?? [];
  return [...rest].every((each) => each === separator || each === ' ' || each === '\t')
    ? separator
    : undefined;
}

/**
 * The most frequent separator outside quotes in the first non-blank line; `,` if there is none. `|` also separates list items, so
 * it counts only if the line has no other separator.
 */
export function findDelimiter(head: string): Delimiter {
  const counts: Record<Delimiter, number> = { ',': 0, ';': 0, '\t': 0, '|': 0 };
  let quoted = false;
  for (const character of head.trimStart()) {
    if (character === '"') quoted = !quoted;
    if (quoted) continue;
    if (character === '\n' || character === '\r') break;
    const delimiter = delimiters.find((each) => each === character);
    if (delimiter !== undefined) counts[delimiter] += 1;
  }
  const found = ([',', ';', '\t'] as const).reduce((best, other) =>
    counts[other] > counts[best] ? other : best,
  );
  return counts[found] === 0 && counts['|'] > 0 ? '|' : found;
}
