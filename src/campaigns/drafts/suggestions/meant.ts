/** What the check says that may have been meant: a name nearby, a file that exists. */
import { type FaultyCell, replaced, rowsOf, type Suggestion } from './suggestion.ts';

/** @param code of the problem. */
export function suggestMeant(cells: readonly FaultyCell[], code: string): readonly Suggestion[] {
  const known = cells.filter(
    (cell): cell is FaultyCell & { readonly meant: string } => cell.meant !== undefined,
  );
  if (known.length === 0) return [];
  const mends = mergedMends(known);
  const texts = new Set(known.map(({ meant }) => meant));
  const [first] = known;
  const ending = commonEnding(known);
  return [
    {
      id: 'meant',
      label:
        texts.size === 1 && first !== undefined
          ? `Use ${first.meant} in ${rowsOf(mends)}`
          : ending !== undefined
            ? `Use the ${ending} in ${rowsOf(mends)}`
            : `Use the nearest in ${rowsOf(mends)}`,
      evidence: evidenceOf(known, code, ending),
      mends,
    },
  ];
}

/** A cell may have several wrong items: each mend goes on from the one before. */
function mergedMends(known: readonly (FaultyCell & { readonly meant: string })[]) {
  const byCell = new Map<string, ReturnType<typeof replaced>>();
  for (const cell of known) {
    const place = `${cell.row} ${cell.position}`;
    const earlier = byCell.get(place);
    const cells = earlier === undefined ? cell.cells : cell.cells.with(cell.position, earlier.text);
    byCell.set(place, replaced({ ...cell, cells }, cell.meant));
  }
  return [...byCell.values()];
}

function evidenceOf(
  known: readonly (FaultyCell & { readonly meant: string })[],
  code: string,
  ending: string | undefined,
): string {
  const [first] = known;
  if (first === undefined) return '';
  const { meant, value } = first;
  const example = `${value} may be ${meant}.`;
  switch (code) {
    case 'media_missing':
      if (ending !== undefined) {
        return known.length === 1
          ? `There is a file of the same name that ends in ${ending}.`
          : `There are files of the same names that end in ${ending}.`;
      }
      if (known.every((each) => nameOf(each.meant) === nameOf(each.value))) {
        return `A file of the same name is in another place: ${meant}.`;
      }
      return `The nearest file: ${example}`;
    case 'creator_unknown':
      return `The nearest creator of the account: ${example}`;
    case 'unknown_zone':
      return `The nearest time zone: ${example}`;
    case 'unknown_model':
      return `The nearest model: ${example}`;
    case 'media_backslash':
    case 'media_separator':
      return 'Written so, the files are found.';
    case 'space_in_id':
    case 'invisible_characters':
      return `Without the characters that an id cannot have: ${meant}.`;
    default:
      return example;
  }
}

/** `.mp4`, if all that is meant differs from what is written by that ending alone. */
function commonEnding(known: readonly (FaultyCell & { readonly meant: string })[]): string | undefined {
  const endings = new Set(known.map(({ meant }) => endingOf(meant)));
  const [ending] = endings;
  if (endings.size !== 1 || ending === undefined || ending === '') return undefined;
  const isOnly = known.every(
    ({ meant, value }) =>
      endingOf(value) !== ending && fold(withoutEnding(meant)) === fold(withoutEnding(value)),
  );
  return isOnly ? ending : undefined;
}

function nameOf(path: string): string {
  const slashed = path.replaceAll('\\', '/');
  return fold(slashed.slice(slashed.lastIndexOf('/') + 1));
}

function endingOf(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot < 0 || path.length - dot > 6 ? '' : path.slice(dot);
}

function withoutEnding(path: string): string {
  return path.slice(0, path.length - endingOf(path).length);
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
