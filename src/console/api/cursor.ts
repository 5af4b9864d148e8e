/** Cursors of lists: where the next page begins. They are opaque to callers. */
import { HttpProblem } from '../http/problem.ts';

/** `number` or `number.id`. */
const form = /^(?<number>\d{1,16})(?:\.(?<id>[A-Za-z0-9_-]{1,40}))?$/;

/**
 * @param start where a list without a cursor begins.
 * @throws {HttpProblem} `request_invalid` for a text that is no cursor.
 */
export function readCursor(
  cursor: string | undefined,
  start: readonly [number: number, id: string],
): readonly [number: number, id: string] {
  if (cursor === undefined) return start;
  const { number, id = '' } = form.exec(cursor)?.groups ?? {};
  if (number !== undefined) return [Number(number), id];
  throw new HttpProblem(422, 'request_invalid', 'the cursor is not valid for this list', {
    cure: 'Send `next` of the previous page, unchanged.',
    errors: [{ in: 'query', field: 'cursor', problem: 'it is not a cursor' }],
  });
}
