/** Problems of a header: what is wrong with a name, or which name is missing. */

import { type ColumnName, requiredColumns } from '../columns.ts';
import { type Fix, type Hint, hint } from '../problems/hint.ts';
import { type CellProblem, isShownWhole, showValue } from '../problems/problem.ts';
import { captionMark } from './column-map.ts';
import { mayBeTitle } from './foreign-headers.ts';

/** Position of each column; -1 for one that is missing. */
type Indexes = Readonly<Record<ColumnName, number>>;

/** Words for problems. A sheet has one header; in JSON every row has keys. */
interface Words {
  readonly one: string;
  readonly has: (column: string) => string;
  readonly lacks: (column: string) => string;
  readonly add: (column: string) => string;
  readonly remove: string;
}

export const wordsFor: Readonly<Record<'header' | 'key', Words>> = {
  header: {
    one: 'header',
    has: (column) => `the header has the column ${column} twice`,
    lacks: (column) => `the header has no column ${column}`,
    add: (column) => `Add a column ${column}`,
    remove: 'Rename or remove the column.',
  },
  key: {
    one: 'key',
    has: (column) => `the key ${column} is written in two ways`,
    lacks: (column) => `no row has the key ${column}`,
    add: (column) => `Add ${column} to the rows`,
    remove: 'Rename or remove the key.',
  },
};

export function missingColumns(indexes: Indexes, words: Words): readonly CellProblem[] {
  const problems = requiredColumns
    .filter((name) => indexes[name] < 0)
    .map((name) => missing(name, `${words.add(name)}${reasonFor(name, indexes)}.`, words));
  if (indexes.media < 0 && indexes.ai_prompt < 0) {
    problems.push(missing('media', `${words.add('media')}, or ai_prompt to generate the media.`, words));
  }
  return problems;
}

/** Why a column is needed, where another one seems to do. */
function reasonFor(name: ColumnName, indexes: Indexes): string {
  if (name !== 'product_id' || indexes.product_link < 0) return '';
  return ' too: product_link only adds the product to the showcase, and the post needs its id';
}

function missing(column: ColumnName, fix: string, words: Words): CellProblem {
  return {
    column,
    code: 'missing_column',
    value: '',
    problem: words.lacks(column),
    fix: `${fix} The template lists all columns.`,
  };
}

export function reserved(name: string, words: Words): CellProblem {
  return aboutName(name, 'reserved_name', `this name is not allowed as a ${words.one}`, words.remove);
}

function aboutName(name: string, code: string, problem: string, fix: Fix): CellProblem {
  const shown = showValue(name);
  return { column: shown, code, value: shown, problem, fix };
}

export function duplicate(name: string, earlier: string, words: Words): CellProblem {
  const shown = showValue(name);
  const twice =
    name === earlier ? words.has(shown) : `${shown} and ${showValue(earlier)} mean the same column`;
  return aboutName(name, 'duplicate_column', twice, 'Keep one of them.');
}

/** @param column what its name says. @param taken the columns that the sheet has. */
export function doubtfulColumn(
  name: string,
  column: string | undefined,
  taken: ReadonlySet<unknown>,
  words: Words,
): CellProblem {
  const shown = showValue(name);
  const code = 'doubtful_column';
  if (column === 'product_link') {
    const fix = ['Rename it.', ...mapHint(name, column), hint('keepAsNote', { part: words.one })];
    return aboutName(name, code, `the links in ${shown} lead to no product in a shop`, fix);
  }
  if (column === 'cover') {
    const fix = ['Rename it.', ...mapHint(name, 'cover_timestamp_ms')];
    return aboutName(name, code, `${shown} has times: it may be the frame to use as the cover`, fix);
  }
  if (column === 'scheduled_at') {
    const fix = ['Rename it.', ...mapHint(name, 'scheduled_time')];
    return aboutName(name, code, `${shown} has times without a date`, fix);
  }
  if (!mayBeTitle(name)) {
    const fix = ['Rename it.', ...mapHint(name, 'product_title')];
    return aboutName(name, code, `${shown} may be the id of the product or its name`, fix);
  }
  if (!taken.has('product_title')) {
    const fix = ['Rename it.', ...mapHint(name, 'product_title')];
    return aboutName(name, code, `${shown} may be the caption or the title of the product`, fix);
  }
  const fix = ['Rename one of them.', hint('keepAsNote', { part: words.one })];
  return aboutName(name, code, `${shown} and another column may be the caption`, fix);
}

/** The header as it is in the sheet, because a mapping must find it. @returns nothing for one that is too long for a mapping. */
export function mapHint(header: string, column: string): readonly Hint[] {
  if (!isShownWhole(header)) return [];
  return [column === captionMark ? hint('joinCaption', { header }) : hint('mapColumn', { header, column })];
}

/** @param meant the column that may have been meant. */
export function unknown(name: string, meant: ColumnName | undefined, words: Words): CellProblem {
  const shown = showValue(name);
  const question = meant === undefined ? '' : `; did you mean ${meant}?`;
  return aboutName(name, 'unknown_column', `there is no column ${shown}${question}`, [
    meant === undefined ? 'Remove it.' : `Rename it to ${meant}.`,
    ...mapHint(name, meant ?? 'COLUMN'),
    hint('keepAsNote', { part: words.one }),
  ]);
}

export function resultsSheet(name: string): CellProblem {
  return aboutName(name, 'results_sheet', 'this is the results sheet of a campaign, not a new sheet', [
    hint('updateCampaign', { campaign: null }),
    'To post every row again as a new campaign, remove this column.',
  ]);
}
