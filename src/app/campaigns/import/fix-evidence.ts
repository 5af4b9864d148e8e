/**
 * Whether a row of the next version is the post that a person fixed: the key of a row, or its place, may be that of another post now. A fix
 * of another post would be a fault, and one that is missing is only asked for again.
 */
import {
  type ComparedRow,
  caption,
  creator,
  media,
  product,
  time,
} from '../../../importers/update/match-by-content.ts';
import type { ColumnName } from '../../../manifest/columns.ts';
import { turn } from '../../../manifest/event-loop.ts';

type Post = Pick<ComparedRow, 'content' | 'details'>;

const whole = [creator, media, caption, product, time];
const content = [creator, media, caption];
/** Each says which post it is, if no text is empty and no other row of the plan has the same. */
const identities = [
  [media],
  [creator, media],
  [media, caption],
  [media, time],
  [creator, caption],
  [caption, product],
  [creator, product, time],
];
/** What was wrong with a text says nothing of the post: several rows may have `tbd`. */
const fixedBy: Partial<Record<ColumnName, number>> = { creator, media, ai_prompt: media, caption };

function fieldsOf({ content, details }: Post): readonly number[] {
  return [...content, ...details];
}

export class FixEvidence {
  /** Fields of all rows of the plan, one after the other. */
  readonly #plan: number[] = [];
  /** By row of the campaign: the fields of its row of the plan, and the hash of all that it says. */
  readonly #fixed = new Map<number, { readonly fields: readonly number[]; readonly words: number }>();
  readonly #counts = new Map<string, number>();

  /** A row of the plan. @param fixed the row of the campaign, if it has a fix, and the hash of all that its row says, but its key. */
  add(post: Post, fixed?: { readonly at: number; readonly words: number }): void {
    const fields = fieldsOf(post);
    this.#plan.push(...fields);
    if (fixed !== undefined) this.#fixed.set(fixed.at, { fields, words: fixed.words });
  }

  /** Once all rows were added. */
  async count(): Promise<void> {
    const all = [whole, ...identities];
    for (const { fields } of this.#fixed.values())
      for (const [index, of] of all.entries()) this.#counts.set(keyOf(index, of, fields), 0);
    if (this.#fixed.size === 0) return;
    for (let at = 0; at < this.#plan.length; at += whole.length) {
      if (turn.isFull) await turn.pause();
      const fields = this.#plan.slice(at, at + whole.length);
      for (const [index, of] of all.entries()) {
        const key = keyOf(index, of, fields);
        const count = this.#counts.get(key);
        if (count !== undefined) this.#counts.set(key, count + 1);
      }
    }
  }

  /**
   * @param at the row of the campaign that the row is taken for. @param column the one that was fixed.
   * @param words as in `add`: rows that say the same were in one order, and stay in it.
   */
  isOf(at: number, row: Post, column: ColumnName | undefined, words: number): boolean {
    const fixed = this.#fixed.get(at);
    if (fixed === undefined) return false;
    if (fixed.words === words) return true;
    const [was, now] = [fixed.fields, fieldsOf(row)];
    const isSame = (fields: readonly number[]) => fields.every((field) => was[field] === now[field]);
    const isFilled = (fields: readonly number[]) => fields.every((field) => was[field] !== 0);
    const isSole = (index: number, fields: readonly number[]) =>
      this.#counts.get(keyOf(index, fields, was)) === 1;
    if (isSame(content) && isFilled(content)) return true;
    if (isSame(whole) && isSole(0, whole)) return true;
    const own = column === undefined ? undefined : fixedBy[column];
    return identities.some(
      (fields, index) =>
        !fields.some((field) => field === own) &&
        isSame(fields) &&
        isFilled(fields) &&
        isSole(index + 1, fields),
    );
  }
}

function keyOf(index: number, of: readonly number[], fields: readonly number[]): string {
  return `${index} ${of.map((field) => fields[field]).join(' ')}`;
}
