/** Query parameters as the typed values that the contract gives them. */

const integers: ReadonlySet<string> = new Set(['id', 'pageSize', 'pageNumber', 'createdFrom']);
const booleans: ReadonlySet<string> = new Set(['valid', 'hasPhotoPermission']);
const lists: ReadonlySet<string> = new Set(['usernames']);

/** Reads a query string. Text that is not what its parameter should be stays text, for the schema to refuse by name. */
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
