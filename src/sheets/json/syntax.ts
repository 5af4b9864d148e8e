/** What is wrong with a text that should be one JSON value, in words for people. */
import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { showValue } from '../../manifest/problem.ts';

export interface SyntaxFault {
  readonly value: string;
  readonly problem: string;
  readonly cure: string;
  /** Line breaks of the text before the place. */
  readonly linesBefore: number;
}

/** Far beyond any row, and far below what a recursive parser can bear. */
const maxNesting = 100;

/** The first place where the text breaks the rules of JSON; `null` where it does not, or is nested too deep to be looked at. */
export function findSyntaxFault(text: string): SyntaxFault | null {
  if (isTooDeep(text)) return null;
  let fault: SyntaxFault | null = null;
  visit(
    text,
    {
      onError: (code, offset, length, linesBefore) => {
        fault ??= describeSyntaxError(text, { code, offset, length, linesBefore });
      },
    },
    { disallowComments: true },
  );
  return fault;
}

export interface SyntaxBreach {
  readonly code: ParseErrorCode;
  /** Where in the text it is, in UTF-16 units. */
  readonly offset: number;
  readonly length: number;
  readonly linesBefore: number;
}

export function describeSyntaxError(
  text: string,
  { code, offset, length, linesBefore }: SyntaxBreach,
): SyntaxFault {
  const value = showValue(text.slice(offset, offset + length));
  const fault = (problem: string, cure: string) => ({ value, problem, cure, linesBefore });
  if (offset >= text.trimEnd().length) {
    return fault('this row never ends', 'Look for a quote or bracket that is missing, or a file cut short.');
  }
  switch (printParseErrorCode(code)) {
    case 'InvalidSymbol':
      return fault(
        `${value} is no value of JSON`,
        'Write a text in double quotes, a number, true, false or null.',
      );
    case 'PropertyNameExpected':
      return text[offset] === '}'
        ? fault('there is a comma before this }', 'Remove the comma after the last item.')
        : fault('a name is missing here', 'Write each name in double quotes, then a colon and the value.');
    case 'ValueExpected':
      return text[offset] === ']'
        ? fault('there is a comma before this ]', 'Remove the comma after the last item.')
        : fault('a value is missing here', 'Write a text in double quotes, a number, true, false or null.');
    case 'ColonExpected':
      return fault('there is no colon after the name', 'Write a colon between the name and its value.');
    case 'CommaExpected':
      return fault(
        `there is no comma before ${value}`,
        'Separate the members by commas; a quote within a text is written \\".',
      );
    case 'InvalidCommentToken':
    case 'UnexpectedEndOfComment':
      return fault('JSON has no comments', 'Remove the comment.');
    case 'UnexpectedEndOfString':
      return fault(
        'this text has no closing quote on its line',
        'Close the quote; a line break within a text is written \\n.',
      );
    case 'InvalidEscapeCharacter':
    case 'InvalidUnicode':
      return fault(
        'a backslash in this text stands before a character that it cannot',
        'Write a backslash as \\\\.',
      );
    case 'InvalidCharacter':
      return fault('this text holds a control character', 'Remove it; a TAB is written \\t.');
    case 'EndOfFileExpected':
      return fault('the row goes on after its end', 'Remove what stands after the last bracket.');
    default:
      return fault(
        'this is no JSON',
        'Look for a quote, comma or bracket that is missing or too many near here.',
      );
  }
}

/** Whether brackets are nested deeper than 100; those within texts do not count. */
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
