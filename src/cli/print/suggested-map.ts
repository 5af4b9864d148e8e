/** Suggests what unknown headers may stand for. */

import type { ColumnName } from '../../manifest/columns.ts';
import { noteMark } from '../../manifest/headers/column-map.ts';
import { matchHeader, nearestColumn } from '../../manifest/headers/header.ts';

/**
 * The `--map` options for unknown headers, ready for a shell: the nearest column that the sheet does not have yet, else a note.
 * @param header all headers of the sheet.
 */
export function suggestMap(unknown: readonly string[], header: readonly string[]): string {
  const { indexes } = matchHeader(header, { allowUnknownColumns: true, allowResultsSheet: true });
  const taken = new Set(Object.keys(indexes).filter((name) => indexes[name as ColumnName] >= 0));
  const options = unknown.map((name) => {
    const column = nearestColumn(name);
    const isFree = column !== undefined && !taken.has(column);
    if (isFree) taken.add(column);
    return `--map ${quote(`${name}=${isFree ? column : noteMark}`)}`;
  });
  return options.join(' ');
}

/** In double quotes every shell takes it, unless it has a character that a shell replaces. */
function quote(text: string): string {
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}
