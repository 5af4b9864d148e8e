/** Rows that a planner's own column of states says are posted, cancelled, rejected, on hold or a draft: they are not sent unasked. */
import { type Header, meaningsOf } from '../../manifest/headers/header.ts';
import { isEndedState, isHeldState, isStatusHeader } from '../../manifest/headers/own-status.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { type CellProblem, showValue } from '../../manifest/problems/problem.ts';
import type { RowChoice } from '../../sheets/sheet.ts';

export class OwnStatus {
  readonly #names: readonly string[];
  readonly #columns: readonly number[];

  constructor(header: Header) {
    const meant = meaningsOf(header);
    this.#names = header.names;
    this.#columns = header.names.flatMap((name, position) =>
      isStatusHeader(name) && !meant.has(position) && !header.results.includes(position) ? [position] : [],
    );
  }

  /** Whether one of these columns says that the row is not to be posted. */
  holds(cells: readonly string[]): boolean {
    return this.#columns.some((each) => isHeldState(cells[each] ?? ''));
  }

  /** @returns undefined for a row that none of these columns says anything of that matters. */
  find(cells: readonly string[], choice: RowChoice | undefined): CellProblem | undefined {
    if (this.#columns.length === 0) return undefined;
    const position = this.#columns.find((each) => isEndedState(cells[each] ?? ''));
    if (position === undefined) return undefined;
    const column = showValue(this.#names[position] ?? '');
    const value = showValue((cells[position] ?? '').trim());
    const says = `${column} says "${value}"`;
    return {
      column,
      code: 'own_status',
      value,
      ...(choice === 'post'
        ? { problem: `${says}; it will be posted`, fix: 'Remove the row if you do not mean that.' }
        : {
            problem: `${says}, so this row may not be meant to be posted`,
            fix: [
              'Skip it, post it all the same, or change its status.',
              hint('rowsInDoubt', { option: 'ownStatus' }),
            ],
          }),
    };
  }
}
