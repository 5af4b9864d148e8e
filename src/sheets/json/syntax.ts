/** Describes JSON syntax errors in words for people. */
import { type JSONVisitor, type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { showValue } from '../../manifest/problems/problem.ts';

export interface SyntaxFault {
  readonly value: string;
  readonly problem: string;
  readonly fix: string;
  /** Line breaks in the text before the fault. */
  readonly linesBefore: number;
}

/** Far beyond any real row, and far below the limit of a recursive parser. */
const maxNesting = 100;

/** Finds the first syntax error; `null` if there is none, or if the text is nested too deep to check. */
export function findSyntaxFault(text: string): SyntaxFault | null {
  if (isTooDeep(text)) return null;
  let fault: SyntaxFault | null = null;
  const onError: JSONVisitor['onError'] = (code, offset, length, linesBefore) => {
    fault ??= describeSyntaxError(text, code, offset, length, linesBefore);
  };
  visit(text, { onError }, { disallowComments: true });
  return fault;
}

/** @param offset of the fault in the text, in UTF-16 units. */
export function describeSyntaxError(
  text: string,
  code: ParseErrorCode,
  offset: number,
  length: number,
  linesBefore: number,
): SyntaxFault {
  const value = showValue(text.slice(offset, offset + length));
  const fault = (problem: string, fix: string) => ({ value, problem, fix, linesBefore });
  if (offset >= text.trimEnd().length) {
    return fault('this row never ends', 'Look for a missing quote or bracket, or a file that was cut short.');
  }
  const name = printParseErrorCode(code);
  const character = text[offset];
  if (
    (name === 'PropertyNameExpected' && character === '}') ||
    (name === 'ValueExpected' && character === ']')
  ) {
    return fault(`there is a comma before this ${character}`, 'Remove the comma after the last item.');
  }
  return fault(...(explanations(value)[name] ?? ['this is not JSON', misplacedFix]));
}

export const misplacedFix = 'Look for a missing or extra quote, comma or bracket.';
const valueFix = 'Write a text in double quotes, a number, true, false or null.';
const comment = ['JSON has no comments', 'Remove the comment.'] as const;
const backslash = ['this text has a wrong backslash', 'Write a backslash as \\\\.'] as const;

/** [problem, fix] by the parser's name for the error. */
function explanations(value: string): Readonly<Record<string, readonly [problem: string, fix: string]>> {
  return {
    InvalidSymbol: [`${value} is not a JSON value`, valueFix],
    PropertyNameExpected: [
      'a name is missing here',
      'Write each name in double quotes, then a colon and the value.',
    ],
    ValueExpected: ['a value is missing here', valueFix],
    ColonExpected: ['a colon is missing after the name', 'Write a colon between the name and its value.'],
    CommaExpected: [
      `a comma is missing before ${value}`,
      'Separate the members with commas. Write a quote within a text as \\".',
    ],
    InvalidCommentToken: comment,
    UnexpectedEndOfComment: comment,
    UnexpectedEndOfString: [
      'this text has no closing quote on its line',
      'Close the quote. Write a line break within a text as \\n.',
    ],
    InvalidEscapeCharacter: backslash,
    InvalidUnicode: backslash,
    InvalidCharacter: ['this text contains a control character', 'Remove it. Write a TAB as \\t.'],
    EndOfFileExpected: [
      'there is more text after the end of the row',
      'Remove the text after the last bracket.',
    ],
  };
}

/** Whether brackets are nested deeper than 100, apart from brackets within texts. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inText) {
      if (character === '\\') index += 1;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > maxNesting) return true;
  }
  return false;
}
