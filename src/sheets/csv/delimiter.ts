/** Finds the separator of a CSV file from its header. */

const delimiters = [',', ';', '\t', '|'] as const;
/** Separates the cells of a CSV file. */
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

/** Longer first lines are no such line. */
const longestHint = 256;

/**
 * The separator that the first line names, as Excel writes it: `sep=;` alone on the line. Some programs save it in quotes or with
 * separators after it. Such a line is not a row.
 */
export function findSeparatorHint(head: string): string | undefined {
  const [line = ''] = head.slice(0, longestHint + 1).split(/[\r\n]/, 1);
  const isQuoted = line.startsWith('"');
  const start = isQuoted ? 1 : 0;
  if (line.length > longestHint || line.slice(start, start + 4).toLowerCase() !== 'sep=') return undefined;
  const separator = line.charAt(start + 4);
  if (separator === '' || separator === '"' || (isQuoted && line.charAt(start + 5) !== '"')) return undefined;
  const rest = line.slice(isQuoted ? start + 6 : start + 5);
  return rest.replaceAll(separator, '').trim() === '' ? separator : undefined;
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
