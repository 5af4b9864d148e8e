/** The titles that viewers are to see, where a plan has a code, a short name or a typo in their place. */
import type { KnownTitle, ProductLookUp } from '../../../importers/check/checked-row.ts';
import { ComparingWork, NearestNames } from '../../../manifest/edit-distance.ts';
import { detached } from '../../../manifest/printable.ts';
import { showValue } from '../../../manifest/problems/problem.ts';
import { foldName } from '../../campaigns/import/aliases.ts';
import { isTitle, type ListedTitle, type ListedTitles } from './listed-titles.ts';
import { typoIn } from './near-titles.ts';
import type { OtherSheets } from './other-sheets.ts';
import { suggestPartners } from './products.ts';
import { listedName } from './short-titles.ts';
import { type FaultyCell, rowsOf, type Suggestion, textOf } from './suggestion.ts';

/** What was searched in a list: a check without a page searches it for each row. */
const searched = new WeakMap<ListedTitles, { names: NearestNames; typos: Map<string, string | undefined> }>();
const mostTypos = 5000;

/** @returns undefined if no other worksheet has names of products. */
export function titlesIn(lists: OtherSheets | undefined): ProductLookUp['titleOf'] {
  if (lists === undefined || lists.titles.size === 0) return undefined;
  const listed: ListedTitles = lists.listedTitles ?? new Map();
  const work = new ComparingWork();
  return ({ title, id, isIdTyped }) => {
    const name = foldName(title);
    const own = listed.get(name);
    if (own !== undefined)
      return own.title === '' || isTitle(own) ? undefined : known(own, own.isCode ? 'sure' : 'likely');
    // Another list knows it.
    if (name === '' || lists.products.has(name)) return undefined;
    const near = listed.get(typoOf(name, listed, work) ?? '');
    const isNumber = /^\d+$/.test(id);
    if (near !== undefined && near.title !== '' && (!isNumber || near.id === id))
      return known(near, isNumber ? 'sure' : 'likely');
    if (!isIdTyped) return undefined;
    const ofId = [...listed.values()].find((each) => each.id === id && isTitle(each));
    return ofId ? known(ofId, 'open') : nameOf(title, id, lists);
  };
}

/** The name of an id, in a list that has no other names beside it. */
function nameOf(title: string, id: string, lists: OtherSheets): KnownTitle | undefined {
  const name = listedName(title, id, lists);
  const { sheet } = lists.products.get(foldName(lists.titles.get(id) ?? ''))?.get(id) ?? {};
  return name === undefined || sheet === undefined
    ? undefined
    : { title: name, evidence: evidenceOf(sheet, 'the product', name), match: 'open' };
}

function evidenceOf(sheet: string, what: string, title: string): string {
  return `In the worksheet ${showValue(sheet)}, ${what} is ${showValue(title)}.`;
}

function known({ title, sheet, header, name }: ListedTitle, match: KnownTitle['match']): KnownTitle {
  const what = foldName(title) === foldName(name) ? 'the product' : `${header} ${showValue(name)}`;
  return { title, evidence: evidenceOf(sheet, what, title), match };
}

/** @param name as `foldName` has it. @returns the name of the list that it is a typo of: never a code, whose letters tell products apart. */
function typoOf(name: string, listed: ListedTitles, work: ComparingWork): string | undefined {
  const isWord = ([, each]: readonly [string, ListedTitle]) => /\p{Ll}|\p{Lo}/u.test(each.name);
  const search = searched.get(listed) ?? {
    names: new NearestNames([...listed].filter(isWord).map(([each]) => each)),
    typos: new Map<string, string | undefined>(),
  };
  searched.set(listed, search);
  const { names, typos } = search;
  if (!typos.has(name) && typos.size < mostTypos)
    typos.set(detached(name), typoIn(name, names.findAll(name, work), work));
  return typos.get(name);
}

/** @param cells with a code, short name or typo in place of a title. Where a list only may know better, one press keeps what the plan has. */
export function suggestListedTitles(
  cells: readonly FaultyCell[],
  id: number,
  titleOf: NonNullable<ProductLookUp['titleOf']>,
): readonly Suggestion[] {
  const find = (isWanted: (match: KnownTitle['match']) => boolean) => (title: string, cell: FaultyCell) => {
    const found = titleOf({ title, id: (cell.cells[id] ?? '').trim(), isIdTyped: true });
    return new Map(found && isWanted(found.match) ? [[found.title, found.evidence]] : []);
  };
  const found = suggestPartners(cells, cells[0]?.position ?? -1, {
    what: 'title',
    find: find((match) => match === 'sure'),
    guess: find((match) => match !== 'sure'),
    fits: () => true,
  });
  const open = new Set(
    found.flatMap(({ confidence, edits }) => (confidence ? [] : edits.map(({ row }) => row))),
  );
  const kept = cells
    .filter(({ row }) => open.has(row))
    .map((cell) => ({ row: cell.row, position: cell.position, text: textOf(cell) }));
  if (kept.length === 0) return found;
  const label = `Keep the sheet’s titles in ${rowsOf(kept)}`;
  return [...found, { id: 'keep', label, evidence: 'Viewers see what the sheet has.', edits: kept }];
}
