/** JSON whose integers keep all their digits: ids beyond 2^53 are common, and as a number they would become another id. */

interface ExactJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): object;
}

/** The types of TypeScript lag behind Node here. */
const exact = JSON as unknown as ExactJson;

const byteOrderMark = '\ufeff';
/** Where a long number may stand. Text that looks like it only costs time. */
const mayBeLong = /(?:^|[[:,\s])-?\d{16}/;
const integer = /^-?\d+$/;

/** Parses JSON with or without a byte order mark. An integer beyond 2^53 becomes a text of its digits. @throws {SyntaxError} */
export function parseJson(text: string): unknown {
  const json = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  // A reviver is several times slower, and few texts need one.
  if (!mayBeLong.test(json)) return JSON.parse(json);
  return exact.parse(json, (_key, value, { source = '' }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && integer.test(source) ? source : value,
  );
}

/** The JSON of a value. A `bigint` becomes an integer. @param space spaces of each level; everything on one line unless given. */
export function writeJson(value: unknown, space?: number): string {
  const replacer = (_key: string, each: unknown) =>
    typeof each === 'bigint' ? exact.rawJSON(String(each)) : each;
  return JSON.stringify(value, replacer, space);
}
