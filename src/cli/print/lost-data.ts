/** What this machine remembers, but Redis does not, in the words of the terminal. */
import type { Note } from '../../app/campaigns/progress/notes.ts';
import { exitCodes } from '../exit.ts';
import { noteText } from '../hints.ts';
import type { Output } from './output.ts';

/** @param none is told if there is nothing to remember. */
export function printNoCampaign(
  output: Output,
  none: string,
  { redis, forgotten }: { readonly redis: string; readonly forgotten: readonly Note[] },
): void {
  if (forgotten.length === 0) {
    output.print(`${none} Start one:\n  campaigns run FILE`);
    return;
  }
  output.print(`No campaigns in this Redis (${redis}).`);
  printForgotten(output, forgotten);
  if (forgotten.some(({ about }) => about === 'lost')) process.exitCode = exitCodes.incomplete;
}

export function printForgotten(output: Output, forgotten: readonly Note[]): void {
  for (const note of forgotten) output.print(`\n${noteText(note)}`);
}
