/** What is wrong with a text in place of an id, and what to write instead. */
import type { ColumnName } from '../columns.ts';
import { type Fix, hint } from '../problems/hint.ts';
import type { Fault } from '../problems/problem.ts';
import { maxIdLength } from '../sheet-bounds.ts';
import {
  foreignCharacter,
  type IdFault,
  nameInLink,
  numberInLink,
  numberInMarks,
  readFormatted,
  withoutInvisibleEnds,
} from './id.ts';

/** The problem of a text in a column of ids. `meant`: the id that it stands for, if only one is possible. */
export function idProblem(column: ColumnName, text: string, fault: IdFault): Fault {
  switch (fault) {
    case 'scientific':
      return {
        code: 'scientific_id',
        problem: 'the spreadsheet program turned this id into a number and lost its last digits',
        fix: enterAgain,
      };
    case 'invisible':
      return {
        code: 'invisible_characters',
        problem: 'this id contains invisible characters',
        fix: 'Type the id again, or copy it as plain text.',
        meant: withoutInvisibleEnds(text),
      };
    case 'space':
      return {
        code: 'space_in_id',
        problem: /\p{L}/u.test(text)
          ? `this looks like ${named.get(column) ?? 'a name'}, not an id`
          : 'this id contains a space, which no id has',
        fix: whereFrom(column),
      };
    case 'character': {
      const number = numberInMarks(text);
      return {
        code: 'character_in_id',
        problem: `this id contains ${foreignCharacter(text)}, which no id has`,
        fix: number === undefined ? whereFrom(column) : `Write ${number}.`,
        meant: number,
      };
    }
    case 'too_long':
      return {
        code: 'too_long',
        problem: `this is longer than ${maxIdLength} characters`,
        fix: 'Check that this is an id and not another text.',
      };
    case 'number':
      return formattedNumber(text);
    case 'link':
      return link(column, text);
  }
}

/** What people write in place of an id. */
const named: ReadonlyMap<ColumnName, string> = new Map([
  ['product_id', 'the name of a product'],
  ['music_id', 'the title of a piece of music'],
  ['creator', 'a display name'],
]);

const enterAgain = 'Format the column as text, then enter the id again.';

function formattedNumber(text: string): Fault {
  const digits = readFormatted(text)?.digits;
  return {
    code: 'formatted_number',
    problem: 'the spreadsheet program has formatted this id as a number',
    fix: digits === undefined ? enterAgain : `Write ${digits}. Format the column as text.`,
    meant: digits,
  };
}

/** Columns whose links have the id as a number. */
const numbered: ReadonlySet<ColumnName> = new Set(['product_id', 'music_id']);

function link(column: ColumnName, text: string): Fault {
  const [code, problem] = ['link_as_id', 'this is a link, not an id'] as const;
  const number = numbered.has(column) ? numberInLink(text) : undefined;
  if (number !== undefined)
    return { code, problem, fix: [`Write the number in the link: ${number}.`], meant: number };
  const name = column === 'creator' ? nameInLink(text)?.name : undefined;
  if (name !== undefined)
    return { code, problem, fix: [`Write the username in the link: ${name}.`], meant: name };
  return { code, problem, fix: whereFrom(column) };
}

function whereFrom(column: ColumnName): Fix {
  switch (column) {
    case 'product_id':
      return ['Write the id of the product as the service has it.', hint('findProducts')];
    case 'music_id':
      return ['Write the id of the music as the service has it.', hint('findMusic')];
    case 'creator':
      return [
        'Write the username, creatorId or account id as in the service.',
        hint('list', { what: 'creators' }),
      ];
    default:
      return 'Write the id as the service has it.';
  }
}
