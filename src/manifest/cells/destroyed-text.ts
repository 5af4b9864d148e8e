/** Finds text that a program has destroyed: it wrote `?` for every letter that its encoding lacks. */
import type { CellProblem } from '../problems/problem.ts';
import { showValue } from '../problems/problem.ts';

/** Up to three marks behind a letter are punctuation: `Really???`. */
const emphasis = /(?<=\p{L})\?{1,3}(?!\?)/gu;

/** Whether most letters are `?`. Never true of a URL. */
export function isDestroyed(text: string): boolean {
  if (!text.includes('??') || text.includes('://')) return false;
  const marks = text.replace(emphasis, '').match(/\?/g)?.length ?? 0;
  return marks > 1 && marks > (text.match(/\p{L}/gu)?.length ?? 0);
}

/** Whether some letters may be destroyed: three or more `?` in a row. */
export function hasMarksInRow(text: string): boolean {
  return text.includes('???') && !text.includes('://');
}

const fix = 'Type the text again, and save the sheet as XLSX or as "CSV UTF-8".';

export function destroyedText(column: string, text: string): CellProblem {
  return {
    column,
    code: 'destroyed_text',
    value: showValue(text),
    problem: 'most letters of this text are ?: the program that saved the sheet has lost them',
    fix,
  };
}

export function marksInRow(column: string, text: string): CellProblem {
  return {
    column,
    code: 'question_marks',
    value: showValue(text),
    problem: 'this text has three or more ? in a row: the program that saved the sheet may have lost letters',
    fix: 'Check the text.',
  };
}
