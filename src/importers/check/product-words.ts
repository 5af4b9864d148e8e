/** Doubts titles in place of product ids that have no space: words in a column of numbers. */
import { hint } from '../../manifest/problems/hint.ts';
import { type CellProblem, showValue } from '../../manifest/problems/problem.ts';

/** Ids of other services may be words, so fewer numbers prove nothing. */
const surelyNumbers = 3;

export class ProductWords {
  #numbers = 0;
  #words = 0;

  /** Takes notice of the ids of rows that are judged together. */
  note(ids: readonly string[]): void {
    for (const id of ids) {
      if (/^\d+$/.test(id)) this.#numbers += 1;
      else if (isWord(id)) this.#words += 1;
    }
  }

  /** A warning if most ids of the column so far are numbers, and this one has no digit. */
  find(id: string): CellProblem | null {
    if (this.#numbers < surelyNumbers || this.#numbers <= this.#words || !isWord(id)) return null;
    return {
      column: 'product_id',
      code: 'word_as_id',
      value: showValue(id),
      problem: 'this is a word, but most ids of this column are numbers',
      cure: ['Fill in the id of the product, not its title.', hint('findProducts')],
    };
  }
}

function isWord(id: string): boolean {
  return /^[\p{L}\p{M}_-]+$/u.test(id);
}
