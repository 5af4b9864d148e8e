/** Finds the separator of a CSV file from its header. */
import { countNamed } from '../../manifest/headers/header.ts';

export const delimiters = [',', ';', '\t', '|'] as const;
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

/** `sep=;` alone on the line, as Excel writes it; other programs add quotes or separators. Such a line is not a row. */
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

/** A sheet has at least five columns; a title above them has fewer separators. */
const surelySeparated = 4;
/** Lines among which the first of a table is looked for. */
const mostLines = 20;

/**
 * The most frequent separator outside quotes in the first non-blank line if half of its cells are names of columns; else in the first
 * line that has at least four of a kind; else in the first non-blank line; `,` if that has none. `|` also separates list items, so it
 * counts only if the line has no other separator.
 */
export function findDelimiter(head: string): Delimiter {
  const text = head.trimStart();
  let first: Delimiter | undefined;
  let lines = 0;
  for (const counts of countedLines(text)) {
    const found = mostFrequent(counts);
    if (first === undefined && isHeader(text, found)) return found;
    first ??= found;
    if (counts[found] >= surelySeparated) return found;
    lines += 1;
    if (lines === mostLines) break;
  }
  return first ?? ',';
}

function isHeader(text: string, delimiter: Delimiter): boolean {
  const [line = ''] = text.split(/[\r\n]/, 1);
  const cells = line.split(delimiter).map((cell) => cell.replaceAll('"', ''));
  return cells.length > 1 && countNamed(cells) * 2 >= cells.length;
}

type Counts = Record<Delimiter, number>;

function* countedLines(text: string): Generator<Counts> {
  let counts: Counts = { ',': 0, ';': 0, '\t': 0, '|': 0 };
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    if (quoted) continue;
    if (character === '\n' || character === '\r') {
      yield counts;
      counts = { ',': 0, ';': 0, '\t': 0, '|': 0 };
    }
    const delimiter = delimiters.find((each) => each === character);
    if (delimiter !== undefined) counts[delimiter] += 1;
  }
  yield counts;
}

function mostFrequent(counts: Counts): Delimiter {
  const found = ([',', ';', '\t'] as const).reduce((best, other) =>
    counts[other] > counts[best] ? other : best,
  );
  return counts[found] === 0 && counts['|'] > 0 ? '|' : found;
}
