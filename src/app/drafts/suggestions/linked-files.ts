/** Dropped files in place of cloud links: the planner has them, and what a link leads to nobody knows. */
import { baseOf, readFileName, relationOf } from '../../../importers/check/file-names.ts';
import { isUrl, kindOf } from '../../../manifest/cells/media-source.ts';
import { listSeparator } from '../../../manifest/columns.ts';
import { showValue } from '../../../manifest/problems/problem.ts';
import { type FaultyCell, replaced, rowsOf, type Suggestion, suggestionId, textOf } from './suggestion.ts';

/**
 * @param cells with links. @param files paths of all dropped files. @param items files and links of the whole sheet; undefined if not known.
 * @returns the files with the name that a link ends with. One is sure if nothing else of the sheet may mean it.
 */
export function suggestLinkedFiles(
  cells: readonly FaultyCell[],
  files: Iterable<string>,
  items: Iterable<string> | undefined,
): readonly Suggestion[] {
  const byName = Map.groupBy(files, nameOf);
  const uses = new Map<string, number>();
  for (const item of items ?? [])
    for (const name of new Set([nameOf(item), nameInLink(item)])) uses.set(name, (uses.get(name) ?? 0) + 1);
  return [...Map.groupBy(cells, linkOf)].flatMap(([link, same]) => {
    const name = nameInLink(link);
    const found = byName.get(name) ?? [];
    const isSure = found.length === 1 && uses.get(name) === 1;
    return found.map((path): Suggestion => {
      const edits = same.map((cell) => replaced(cell, path));
      return {
        id: suggestionId(link, path),
        label: `Use ${path} in ${rowsOf(edits)}`,
        evidence: `The link ends with the name of a file that you added: ${path}.`,
        edits,
        confidence: isSure ? 'sure' : undefined,
      };
    });
  });
}

/** In full: problems show a long one shortened. */
function linkOf(cell: FaultyCell): string {
  const items = textOf(cell).split(listSeparator);
  return items.map((item) => item.trim()).find((item) => showValue(item) === cell.value) ?? cell.value;
}

function nameInLink(link: string): string {
  const path = URL.parse(isUrl(link) ? link : `https://${link}`)?.pathname ?? '';
  try {
    return nameOf(decodeURIComponent(path));
  } catch {
    return nameOf(path);
  }
}

/** Suggestions for lists of files, with the dropped ones: where only one of the kind has the name, in any folder or with another extension, it is meant. */
export function withFolders(
  suggestions: readonly Suggestion[],
  files: Iterable<string>,
): readonly Suggestion[] {
  const stored = [...files];
  const byName = Map.groupBy(stored, nameOf);
  const byBase = Map.groupBy(stored, (path) => baseOf(readFileName(path)));
  const pathOf = (item: string) => {
    if (item.includes('/')) return item;
    const written = readFileName(item);
    const alike = (byBase.get(baseOf(written)) ?? []).filter(
      (path) => kindOf(path) === kindOf(item) && relationOf(written, readFileName(path)) === 'same',
    );
    const found = byName.get(nameOf(item)) ?? alike;
    return found.length === 1 ? (found[0] ?? item) : item;
  };
  return suggestions.map(({ edits, ...each }) => ({
    ...each,
    edits: edits.map(({ text, ...edit }) => ({
      ...edit,
      text: text.split(listSeparator).map(pathOf).join(listSeparator),
    })),
  }));
}

function nameOf(path: string): string {
  return path
    .slice(path.lastIndexOf('/') + 1)
    .normalize('NFC')
    .toLowerCase();
}
