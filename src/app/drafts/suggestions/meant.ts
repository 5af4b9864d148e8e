/** Suggests the texts that the check thinks were meant. */
import { isSameFile, readFileName, relationOf } from '../../../importers/check/file-names.ts';
import { mayBeFolder } from '../../../manifest/cells/share-links.ts';
import { listSeparator } from '../../../manifest/columns.ts';
import type { CellEdit } from '../../campaigns/import/edit.ts';
import {
  type FaultyCell,
  mostNames,
  mostSuggestions,
  replaced,
  rowsOf,
  type Suggestion,
} from './suggestion.ts';

const mostExamples = 5;

type Meant = FaultyCell & { readonly meant: string };

/** Problems of rows whose keys were changed since their import. */
const changedKeys = ['already_posted', 'key_changed'];
/** With those of rows that only may be rows of the campaign. */
const keyCodes: ReadonlySet<string> = new Set([...changedKeys, 'may_be_row']);

/** Problems of texts that have one reading: what was meant is right for each cell. */
const certain: ReadonlySet<string> = new Set([
  ...changedKeys,
  'link_as_id',
  'share_link',
  'formatted_number',
  'invisible_characters',
  'media_backslash',
  'media_separator',
]);

/** Problems of names: each guess would post another file, or as another account, so a person chooses for each name. */
const isOfName: ReadonlySet<string> = new Set(['media_missing', 'creator_unknown']);

/** The text that was meant: a similar name, a file that exists, the id in a link. @param code of the problem. */
export function suggestMeant(cells: readonly FaultyCell[], code: string): readonly Suggestion[] {
  const known = cells.filter((cell): cell is Meant => cell.meant !== undefined);
  const kinds = certain.has(code)
    ? Map.groupBy(known, (cell) => String(isUnseen(cell, code)))
    : guessKinds(known, code);
  return [...kinds.values()]
    .filter((each) => each.length > 0)
    .slice(0, isOfName.has(code) ? mostNames : mostSuggestions)
    .map((each, index) => suggestionOf(each, code, index === 0 ? 'meant' : `meant-${index + 1}`));
}

/** Taken together by one press. A text in place of several different ones is hardly right for each: each is its own guess. */
function guessKinds(known: readonly Meant[], code: string): ReadonlyMap<string, readonly Meant[]> {
  const values = new Map<string, Set<string>>();
  for (const { meant, value } of known) values.set(meant, (values.get(meant) ?? new Set()).add(value));
  return Map.groupBy(known, (cell) => {
    const same = code === 'media_missing' ? sameness(cell) : undefined;
    if (same !== undefined) return same;
    const isOwn = isOfName.has(code) || (values.get(cell.meant)?.size ?? 0) > 1;
    return isOwn ? `nearest\n${cell.value}` : 'nearest';
  });
}

/** How the name of the same file differs from the written one; undefined for another file. */
function sameness(cell: Meant): string | undefined {
  if (!isFound(cell)) return undefined;
  return commonEnding([cell]) ?? (isSameName(cell) ? 'same name' : 'version');
}

/** Whether the file that is missing is there under another spelling, version or format. */
export function isFound({ meant, value }: FaultyCell): boolean {
  return meant !== undefined && isSameFile(value, meant);
}

function isSameName({ meant, value }: Meant): boolean {
  return relationOf(readFileName(value), readFileName(meant)) === 'same';
}

/** Whether a link may lead to no file. */
function isUnseen({ value }: Meant, code: string): boolean {
  return code === 'share_link' && mayBeFolder(value);
}

function suggestionOf(known: readonly Meant[], code: string, id: string): Suggestion {
  const edits = mergedEdits(known);
  const texts = new Set(known.map(({ meant }) => meant));
  const ending = commonEnding(known);
  const [first = ''] = texts;
  const isOneText = new Set(known.map(({ value }) => value)).size === 1;
  const isOpen = known.some((cell) => isUnseen(cell, code));
  const isSure = (certain.has(code) && !isOpen) || (code === 'media_missing' && known.every(isFound));
  const guess = isOneText && !isSure ? { guessFor: known[0]?.value } : {};
  // A new post with the key of an old one would never be posted.
  const isChosen = isOfName.has(code) || code === 'may_be_row' || code === 'row_differs' || isOpen;
  const confidence = isSure ? 'sure' : isChosen ? undefined : 'likely';
  const ofRow = (row: number) =>
    evidenceOf(
      known.filter((cell) => cell.row === row),
      code,
      ending,
    );
  if (code === 'link_as_id') {
    const label = linkLabel(edits);
    return { id, label, evidence: examplesOf(known), evidenceOf: ofRow, edits, confidence };
  }
  const what =
    texts.size === 1
      ? first
      : ending !== undefined
        ? `the ${ending}`
        : keyCodes.has(code)
          ? 'the old keys'
          : code === 'share_link'
            ? 'the direct links'
            : code === 'media_missing' && isSure
              ? 'the files with the same name'
              : code === 'no_hashtags'
                ? 'hashtags'
                : certain.has(code)
                  ? 'the plain ids'
                  : 'the nearest';
  return {
    id,
    label:
      code === 'media_separator'
        ? `Write ${listSeparator} between the items in ${rowsOf(edits)}`
        : `Use ${what} in ${rowsOf(edits)}`,
    evidence: evidenceOf(known, code, ending),
    evidenceOf: ofRow,
    edits,
    confidence,
    ...guess,
  };
}

function linkLabel(edits: readonly CellEdit[]): string {
  const what = edits.every(({ text }) => text.startsWith('@')) ? 'username' : 'number';
  return edits.length === 1
    ? `1 cell is a link: use the ${what} in it`
    : `${edits.length} cells are links: use the ${what} in them`;
}

/** A cell may have several wrong items, so each edit builds on the previous one. */
function mergedEdits(known: readonly Meant[]) {
  const byCell = new Map<string, ReturnType<typeof replaced>>();
  for (const cell of known) {
    const place = `${cell.row} ${cell.position}`;
    const earlier = byCell.get(place);
    const cells = earlier === undefined ? cell.cells : cell.cells.with(cell.position, earlier.text);
    byCell.set(place, replaced({ ...cell, cells }, cell.meant));
  }
  return [...byCell.values()];
}

function evidenceOf(known: readonly Meant[], code: string, ending: string | undefined): string {
  const [first] = known;
  if (first === undefined) return '';
  const { meant } = first;
  const example = examplesOf(known);
  switch (code) {
    case 'media_missing': {
      const [there, names] = known.length === 1 ? ['There is a file', 'name'] : ['There are files', 'names'];
      const ends = known.length === 1 ? 'ends' : 'end';
      if (ending !== undefined) return `${there} with the same ${names} that ${ends} in ${ending}.`;
      if (meant.includes(listSeparator)) return `All files of this range are there: ${example}`;
      if (!known.every(isFound)) return `The nearest file: ${example}`;
      if (!known.every(isSameName))
        return `${there} with the same ${names}, plus a version or format: ${example}`;
      return `${there} with the same ${names}: ${known.length === 1 ? `${meant}.` : example}`;
    }
    case 'no_hashtags':
      return `In other rows, each word has its #: ${example}`;
    case 'row_differs':
      return `As ${meant}, the row is posted with the others.`;
    case 'may_be_row':
      return 'Same creator, and same media or same place in the sheet. The rest differs.';
    case 'creator_unknown':
      return `The nearest creator of the service: ${example}`;
    case 'unknown_zone':
      return `The nearest time zone: ${example}`;
    case 'unknown_model':
      return `The nearest model: ${example}`;
    case 'media_separator':
      if (/https?:/i.test(meant)) return 'Each link becomes a separate item.';
      return 'Each file becomes a separate item.';
    case 'media_backslash':
      return 'With this spelling, the files are found.';
    case 'share_link':
      return `A direct link downloads the file. It works only if anyone with the link can open the file: ${example}`;
    case 'invisible_characters':
      return `Without the invisible characters at its ends: ${meant}.`;
    default:
      return example;
  }
}

/** Examples of the replacements; all of them if there are few, because one press takes them all. */
function examplesOf(known: readonly Meant[]): string {
  const pairs = new Set(known.map(({ value, meant }) => `${value} may be ${meant}`));
  const shown = [...pairs].slice(0, mostExamples);
  const rest = pairs.size - shown.length;
  return `${shown.join('; ')}${rest === 0 ? '' : `; and ${rest} more`}.`;
}

/** The file extension, such as `.mp4`, if all meant texts differ from the written ones only in it. */
function commonEnding(known: readonly Meant[]): string | undefined {
  const endings = new Set(known.map(({ meant }) => endingOf(meant)));
  const [ending] = endings;
  if (endings.size !== 1 || ending === undefined || ending === '') return undefined;
  const isOnly = known.every(
    ({ meant, value }) =>
      endingOf(value) !== ending && fold(withoutEnding(meant)) === fold(withoutEnding(value)),
  );
  return isOnly ? ending : undefined;
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
