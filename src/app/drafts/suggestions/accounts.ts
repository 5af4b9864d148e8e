/** The accounts that other worksheets have for display names, as far as the service knows them. */

import type { CreatorLookUp } from '../../../importers/check/creator-check.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { creatorIn } from '../../../manifest/cells/id.ts';
import { areNear, ComparingWork, NearestNames } from '../../../manifest/edit-distance.ts';
import { turn } from '../../../manifest/event-loop.ts';
import { showValue } from '../../../manifest/problems/problem.ts';
import type { SheetLinks } from '../../../sheets/xlsx/links.ts';
import { foldName } from '../../campaigns/import/aliases.ts';
import type { EditedSheet } from '../check/draft-check.ts';
import { accountsBehind } from './links-behind.ts';
import { besideIn, type ListedPlace, type OtherSheets, type ServiceAccounts } from './other-sheets.ts';
import { suggestPartners } from './products.ts';
import { type FaultyCell, mostNames, type Suggestion } from './suggestion.ts';

/** Most accounts of lists to look up, and most names near one. */
const mostAccounts = 2000;
const mostNear = 3;
/** Most rows to look at for what people chose. */
const mostChosen = 500;
const mostCharacters = 1_000_000;

/** @returns undefined if the service does not answer. */
export async function readServiceAccounts(
  { creators, guesses }: OtherSheets,
  links: SheetLinks | undefined,
  lookUp: CreatorLookUp,
): Promise<ServiceAccounts | undefined> {
  const named = [...creators.values(), ...(guesses?.creators.values() ?? [])];
  const accounts = new Set([
    ...named.flatMap((each) => [...each.keys()]),
    ...accountsBehind(links ?? new Map()),
  ]);
  const listed = [...accounts].slice(0, mostAccounts);
  try {
    const found = await lookUp(listed);
    const near = await lookUp.suggest?.(listed.filter((account) => !found.has(account)));
    return new Map([
      ...listed.filter((each) => found.has(each)).map((each) => [each, each] as const),
      ...(near ?? []),
    ]);
  } catch {
    return undefined;
  }
}

/** What people wrote in place of a creator's name: by it, the account. */
export type ChosenAccounts = ReadonlyMap<string, string>;

export async function readChosenAccounts(sheet: EditedSheet): Promise<ChosenAccounts> {
  const position = sheet.check.facts.indexes.creator;
  const read = await readEdited(sheet, position);
  return new Map(read.map(({ row, text }) => [foldName(textOfCell(row.cells, position)), creatorIn(text)]));
}

/** The rows in which people wrote into a column, and what they wrote there, without what is wrong. */
export async function readEdited({ check: { findings, rows }, edits }: EditedSheet, position: number) {
  const read = await rows.read(edits.rowsWith(position).slice(0, mostChosen), mostCharacters);
  return read.flatMap((row) => {
    const text = (edits.of(row.number)?.get(position)?.text ?? '').trim();
    const isWrong = findings.problemsOf(row.number, 'problem').some((each) => each.position === position);
    return text === '' || isWrong ? [] : [{ row, text }];
  });
}

export interface KnownAccounts {
  /** Undefined if the service was not asked: any account of a list may be right. */
  readonly service?: ServiceAccounts | undefined;
  readonly chosen?: ChosenAccounts | undefined;
  /** Of comparing names so far. */
  readonly work?: ComparingWork;
}

const noLists: OtherSheets = { products: new Map(), creators: new Map(), titles: new Map() };

/** @param cells of the column of creators. */
export async function suggestAccounts(
  cells: readonly FaultyCell[],
  lists: OtherSheets = noLists,
  known: KnownAccounts = {},
): Promise<readonly Suggestion[]> {
  const { work = new ComparingWork() } = known;
  const columns = columnsChosen(lists, known.chosen);
  const find = (name: string) => {
    const listed = sentencesOf(name, accountsOf(name, lists, known, columns));
    const chosen = listed.size > 0 ? undefined : known.chosen?.get(foldName(name));
    if (chosen === undefined) return listed;
    const [{ name: written = name } = {}] = lists.creators.get(foldName(name))?.values() ?? [];
    return new Map([[chosen, `In another row, ${chosen} was chosen for ${showValue(written)}.`]]);
  };
  const guess = (name: string) => {
    const typos = typosOf(name, lists, known);
    if (typos.size > 0) return typos;
    const { service } = known;
    const beside = [...besideIn(lists.guesses?.creators, name, 'account')];
    const found = service === undefined ? beside : beside.filter(([account]) => service.has(account));
    if (found.length > 0) return new Map(found);
    const near = (one: string) =>
      nearNames(one, lists.creators, work).flatMap((each) => [...find(each), ...typosOf(each, lists, known)]);
    return new Map([...near(name), ...ofSeveral(name, (one) => [...find(one), ...near(one)])]);
  };
  const position = cells[0]?.position ?? -1;
  const guesses = new Map<string, ReadonlyMap<string, string>>();
  // Many rows have the same name.
  for (const { cells: texts } of cells) {
    const name = (texts[position] ?? '').trim();
    if (name === '' || guesses.has(name) || guesses.size === mostNames || find(name).size > 0) continue;
    if (turn.isFull) await turn.pause();
    guesses.set(name, guess(name));
  }
  const guessed = (name: string) => guesses.get(name) ?? new Map<string, string>();
  return suggestPartners(cells, position, { what: 'account', find, guess: guessed, fits: () => true });
}

const mostTogether = 4;

/** The accounts of a cell such as `Mia / Tom`, if each of its names has one. */
function ofSeveral(name: string, find: (name: string) => readonly (readonly [string, string])[]) {
  const names = namesTogether(name);
  const found = names.map((each) => find(each).slice(0, 1));
  return found.some(({ length }) => length === 0)
    ? []
    : found.flat().map(([account, sentence]) => [account, `${sentence} ${sayTogether(names)}`] as const);
}

/** `Mia` and `Tom` of a cell such as `Mia / Tom`; none of another cell. */
export function namesTogether(cell: string): readonly string[] {
  const names = cell.split(/[/&+,\n]| (?:et|and|und|y|x) /i, mostTogether + 1).map((each) => each.trim());
  return names.length < 2 || names.length > mostTogether ? [] : names;
}

export function sayTogether(names: readonly string[]): string {
  return `The cell names ${names.length} creators, and a row posts for one: add a row for each of the others.`;
}

/** Of lists, by `foldName`. */
type ListedCreators = OtherSheets['creators'];
/** By their names without accents, in order. */
const sorted = new WeakMap<ListedCreators, readonly (readonly [plain: string, name: string])[]>();

/** The first few names of a list that begin with a text, both without accents. */
function namesFrom(
  creators: ListedCreators,
  start: string,
): readonly (readonly [plain: string, name: string])[] {
  const names =
    sorted.get(creators) ??
    Array.from(creators.keys(), (name) => [plainName(name), name] as const).sort(([one], [other]) =>
      one < other ? -1 : 1,
    );
  sorted.set(creators, names);
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((names[middle]?.[0] ?? '') < start) low = middle + 1;
    else high = middle;
  }
  return names.slice(low, low + mostNear).filter(([plain]) => plain.startsWith(start));
}

/** The accounts of a name, or of the only one that differs in its accents: `Wojcik` for `Wójcik`. Or with the surname first. */
function listedAs(creators: ListedCreators, name: string): ReturnType<ListedCreators['get']> {
  const [surname = '', ...given] = name.split(',');
  return listedInOrder(creators, name) ?? listedInOrder(creators, `${given.join(' ')} ${surname}`);
}

function listedInOrder(creators: ListedCreators, name: string): ReturnType<ListedCreators['get']> {
  const folded = foldName(name);
  const plain = plainName(folded);
  const [first, second] = creators.has(folded) ? [] : namesFrom(creators, plain);
  const isOnly = first?.[0] === plain && second?.[0] !== plain;
  return creators.get(isOnly ? first[1] : folded);
}

/** A name without accents. Not what German writes for an umlaut: `ue` may be meant. */
export function plainName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('ß', 'ss');
}

type Listed = readonly (readonly [account: string, place: ListedPlace])[];

function accountsOf(
  name: string,
  { creators }: OtherSheets,
  { service }: KnownAccounts,
  columns: ReadonlySet<string>,
): Listed {
  const listed = [...(listedAs(creators, name) ?? [])];
  const found =
    service === undefined ? listed : listed.filter(([account]) => service.get(account) === account);
  const ofChosen = found.filter(([, place]) => columns.has(columnOf(place)));
  return ofChosen.length > 0 ? ofChosen : found;
}

/** Accounts of the service that those of a list are typos of. */
function typosOf(
  name: string,
  { creators }: OtherSheets,
  { service }: KnownAccounts,
): ReadonlyMap<string, string> {
  const listed = [...(creators.get(foldName(name)) ?? [])];
  return new Map(
    listed.flatMap(([account, { sheet, name: written = name }]) => {
      const meant = service?.get(account);
      const said = `In the worksheet ${showValue(sheet)}, ${showValue(written)} has the account ${account}; the service has ${meant}.`;
      return meant === undefined || meant === account ? [] : [[meant, said] as const];
    }),
  );
}

function sentencesOf(name: string, listed: Listed): ReadonlyMap<string, string> {
  const said = (account: string, { sheet, name: written = name }: ListedPlace) =>
    `In the worksheet ${showValue(sheet)}, ${showValue(written)} has the account ${account}.`;
  return new Map(listed.map(([account, place]) => [account, said(account, place)]));
}

/** The columns of lists that people took an account from. */
function columnsChosen({ creators }: OtherSheets, chosen: ChosenAccounts = new Map()): ReadonlySet<string> {
  const places = [...chosen].flatMap(([name, account]) => creators.get(name)?.get(account) ?? []);
  return new Set(places.map(columnOf));
}

function columnOf({ sheet, column }: ListedPlace): string {
  return `${column} ${sheet}`;
}

/** A check without a page searches its lists for each row. */
const searched = new WeakMap<ListedCreators, NearestNames>();

/** Names of the lists that one may be: a typo of it, one whose last word it has shortened, or the only one with this first name. */
function nearNames(name: string, creators: ListedCreators, work: ComparingWork): readonly string[] {
  const names = searched.get(creators) ?? new NearestNames(creators.keys());
  searched.set(creators, names);
  const folded = foldName(name);
  const words = folded.split(' ');
  const near = names.findAll(folded, work).filter((each) => areNear(words, each.split(' '), work));
  const start = plainName(words.length === 1 ? `${folded} ` : (/^.+ \p{L}(?=\.?$)/u.exec(folded)?.[0] ?? ''));
  const begun = start === '' ? [] : namesFrom(creators, start).map(([, each]) => each);
  const shortened = words.length === 1 && begun.length > 1 ? [] : begun;
  return [...new Set([...shortened, ...near])].slice(0, mostNear);
}
