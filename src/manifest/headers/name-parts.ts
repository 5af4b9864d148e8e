/** What a header says by a part of it: `Caption incl. hashtags`, `Asset (file or link)`, `Reference image`. */
import { type ColumnName, foldHeader } from '../columns.ts';
import { namedColumn } from './header.ts';

interface NamedPart {
  readonly column: ColumnName;
  /** As written. */
  readonly part: string;
}

/** Too doubtful to be read without a question. */
const others: ReadonlyMap<string, ColumnName> = new Map([
  ['length', 'ai_seconds'],
  ['duration', 'ai_seconds'],
  ['pintitle', 'product_title'],
  ...['who', 'postedby', 'wer', 'qui', 'quien', 'quem', 'siapa'].map((name) => [name, 'creator'] as const),
]);

/** Longer headers are sentences. */
const longestName = 80;
const mostWords = 8;

/** Without what is in brackets, then by its first words, then by its last: the longest part that names a column. */
export function findNamedPart(name: string): NamedPart | undefined {
  if (name.length > longestName) return undefined;
  const words = withoutBrackets(name)
    .split(/[\s/&+,;:|–—-]/)
    .filter(Boolean)
    .slice(0, mostWords);
  const starts = words.map((_word, at) => words.slice(0, words.length - at));
  const ends = words.map((_word, at) => words.slice(at)).slice(1);
  for (const part of [...starts, ...ends]) {
    const folded = foldHeader(part.join(''));
    const column = others.get(folded) ?? namedColumn(folded);
    if (column !== undefined) return { column, part: part.join(' ') };
  }
  return undefined;
}

const opening = '([{（【';
const closing = ')]}）】';

function withoutBrackets(name: string): string {
  let depth = 0;
  let kept = '';
  for (const character of name) {
    if (opening.includes(character)) depth += 1;
    else if (closing.includes(character)) depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += character;
  }
  return kept;
}

/** Whether a column has product ids. One called Product may have their titles. @param sheet name of its worksheet. */
export function hasProductIds(header: string, sheet: string): boolean {
  const folded = foldHeader(header.trim());
  const isId = /^(?:id|sku)$/.test(folded) && /prod|catalog|katalog|sku|商品|产品/i.test(sheet);
  return isId || namedColumn(folded) === 'product_id';
}
