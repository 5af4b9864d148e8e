/** Bounds the numbers in the queries of Bull Board, which has no upper bounds of its own: a page of a million jobs would be read whole. */

/** Most jobs of a page, levels of a flow, and children of a job in it. The board's own pages ask for 50, 20 and 20 at most. */
const most: Readonly<Record<string, number>> = { jobsPerPage: 100, depth: 20, maxChildren: 200 };
/** For any other number, such as `page`: beyond it there are no jobs. */
const mostOfOthers = 1_000_000;

/** The query with every number that is too large lowered to its bound. */
export function boundNumbers(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const bound = most[name] ?? mostOfOthers;
      return [name, typeof value === 'string' && Number(value) > bound ? String(bound) : value];
    }),
  );
}
