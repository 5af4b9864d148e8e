/** Dropped files in place of cloud links: the planner has them, and what a link leads to nobody knows. */
import { isUrl } from '../../../manifest/cells/media-source.ts';
import { listSeparator } from '../../../manifest/columns.ts';
import { showValue } from '../../../manifest/problems/problem.ts';
import { type FaultyCell, replaced, rowsOf, type Suggestion, suggestionId, textOf } from './suggestion.ts';

/** @param cells with links. @param files paths of all dropped files. @returns those with the name that a link ends with. */
export function suggestLinkedFiles(
  cells: readonly FaultyCell[],
  files: Iterable<string>,
): readonly Suggestion[] {
  const byName = Map.groupBy(files, (path) => fold(path.slice(path.lastIndexOf('/') + 1)));
  return [...Map.groupBy(cells, ({ value }) => value)].flatMap(([value, same]) => {
    const found = byName.get(nameInLink(same[0], value)) ?? [];
    return found.map((path): Suggestion => {
      const edits = same.map((cell) => replaced(cell, path));
      return {
        id: suggestionId(value, path),
        label: `Use ${path} in ${rowsOf(edits)}`,
        evidence: `The link ends with the name of a file that you added: ${path}.`,
        edits,
        confidence: found.length === 1 ? 'sure' : undefined,
      };
    });
  });
}

/** @param value the link as problems show it, which may be shortened. */
function nameInLink(cell: FaultyCell | undefined, value: string): string {
  const items = cell === undefined ? [] : textOf(cell).split(listSeparator);
  const link = items.map((item) => item.trim()).find((item) => showValue(item) === value) ?? value;
  const path = URL.parse(isUrl(link) ? link : `https://${link}`)?.pathname ?? '';
  const name = path.slice(path.lastIndexOf('/') + 1);
  try {
    return fold(decodeURIComponent(name));
  } catch {
    return fold(name);
  }
}

function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
