/** Query parameters, with the types that the contract gives them. */

const integers: ReadonlySet<string> = new Set(['id', 'pageSize', 'pageNumber', 'createdFrom']);
const booleans: ReadonlySet<string> = new Set(['valid', 'hasPhotoPermission']);
const lists: ReadonlySet<string> = new Set(['usernames']);

/** Reads a query string. A value of the wrong type stays text, and the schema refuses it by name. */
export function readQuery(search: string): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const [name, text] of new URLSearchParams(search)) {
    if (lists.has(name)) {
      const former = query[name];
      query[name] = Array.isArray(former) ? [...former, text] : [text];
    } else {
      query[name] = readValue(name, text);
    }
  }
  return query;
}

function readValue(name: string, text: string): unknown {
  if (integers.has(name) && /^-?\d{1,16}$/.test(text)) return Number(text);
  if (booleans.has(name) && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
