/** Product ids that are known outside a sheet: in the other worksheets of its workbook, and in the showcases of its creators. */

import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { creatorIn } from '../../../manifest/cells/id.ts';
import { areNear, ComparingWork, nearest } from '../../../manifest/edit-distance.ts';
import { showValue } from '../../../manifest/problems/problem.ts';
import type { Edits } from '../../campaigns/import/edits.ts';
import { unlessLate } from '../../runtime/patience.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { aliasesOf } from '../aliases.ts';
import type { DraftCheck } from '../check/draft-check.ts';
import { RecentLists, showcaseOf } from '../pickers.ts';
import { plainName, readEdited } from './accounts.ts';
import { besideIn, type OtherSheets } from './other-sheets.ts';
import { type IdsElsewhere, idsInRows } from './products.ts';
import { type FaultyCell, foldName } from './suggestion.ts';

/** @param cells whose rows need an id. */
export async function findIdsElsewhere(
  runtime: Runtime,
  check: DraftCheck,
  cells: readonly FaultyCell[],
  edits: Edits,
): Promise<IdsElsewhere> {
  const { lists } = check.knowledge;
  const { indexes } = check.facts;
  const creatorOf = (cell: FaultyCell) => creatorIn(textOfCell(cell.cells, indexes.creator));
  const creators = new Set(cells.map(creatorOf));
  creators.delete('');
  const chosen = await readChosenIds(check, edits);
  const showcases = await readShowcases(runtime, [...creators]);
  const work = new ComparingWork();
  const { evidence } = check.knowledge;
  const ofRows = (await evidence.products('')).slice(0, mostTitles);
  const titles = new Map(ofRows.map(({ title }) => [foldName(title), title]));
  const of = (title: string, cell: FaultyCell) => {
    const creator = creatorOf(cell);
    const inShowcase = (showcases.get(creator)?.get(foldName(title)) ?? []).map(
      (of) => [of.id, `In the showcase of ${creator} the product ${of.title} has the id ${of.id}.`] as const,
    );
    const inRows = (chosen.get(foldName(title)) ?? []).map(
      (id) => [id, `In another row, ${id} was chosen for ${showValue(title)}.`] as const,
    );
    return new Map([...inRows, ...idsInSheets(lists, title), ...inShowcase]);
  };
  const guess = (title: string, cell: FaultyCell) => {
    const beside = besideIn(lists?.guesses?.products, title, 'id');
    if (beside.size > 0) return beside;
    const known = [
      ...(lists?.products.keys() ?? []),
      ...(showcases.get(creatorOf(cell))?.keys() ?? []),
      ...titles.keys(),
    ];
    const near = nearTitles(title, [...new Set(known)], work);
    return new Map(
      near.flatMap((each) => [...idsInRows(evidence, titles.get(each) ?? ''), ...of(each, cell)]),
    );
  };
  const before = [...(await aliasesOf(runtime, 'product')).values()];
  return {
    of,
    guess,
    ended: lists?.ended,
    isListed: (title) => idsInSheets(lists, title).size === 1,
    names: new Map([...before.map(({ means, name }) => [means, name] as const), ...(lists?.titles ?? [])]),
  };
}

/** What people wrote in this draft as the ids of a title, by its name. */
async function readChosenIds(
  check: DraftCheck,
  edits: Edits,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { product_id, product_title } = check.facts.indexes;
  if (product_title < 0) return new Map();
  const read = await readEdited(check, edits, product_id);
  const pairs = read.map(({ row, text }) => ({
    title: foldName(edits.textsOf(row, row.number)[product_title] ?? ''),
    id: text,
  }));
  const byTitle = Map.groupBy(pairs, ({ title }) => title);
  byTitle.delete('');
  return new Map([...byTitle].map(([title, same]) => [title, [...new Set(same.map(({ id }) => id))]]));
}

/** Shorter words are units, or tell nothing. */
const leastWord = 3;
const mostNear = 3;
/** Most titles of other rows that one may be near. */
const mostTitles = 500;
/** Words that planners leave out or add. */
const smallWord =
  /^(?:an?|the|of|for|and|d[aeiou]|del?|des|du|la|les?|el|los|las|et|con|avec|mit|und|für|von|di)$/;

/** Ids that a title has in other worksheets, each with a sentence that says where. */
export function idsInSheets(
  otherSheets: OtherSheets | undefined,
  title: string,
): ReadonlyMap<string, string> {
  const found = [...(otherSheets?.products.get(foldName(title)) ?? [])];
  return new Map(
    found.map(([id, { sheet, name = title }]) => [
      id,
      `In the worksheet ${showValue(sheet)} the product ${name} has the id ${id}.`,
    ]),
  );
}

/** Titles that one may be: a typo of it, or shortened by whole words or its amount. Another amount is another product. */
function nearTitles(title: string, known: readonly string[], work: ComparingWork): readonly string[] {
  const words = wordsOf(title);
  const amounts = amountsIn(words);
  const same = known.filter((each) => amountsIn(wordsOf(each)) === amounts);
  const typo = nearest(
    foldName(title),
    same.filter((each) => areNear(words, wordsOf(each), work)),
    work,
  );
  if (typo !== undefined) return [typo];
  if (!words.some((word) => word.length >= leastWord && !/\d/.test(word))) return [];
  // `Vit.` is Vitamina.
  const beforeDots = foldName(title).split('.').slice(0, -1);
  const shortened = new Set(beforeDots.map((text) => plainName(text.split(/\P{L}/u).at(-1) ?? '')));
  const longer = (amounts === '' ? known.filter(hasUnits) : same).filter((each) => {
    const all = new Set(wordsOf(each));
    const isShort = (word: string) => shortened.has(word) && [...all].some((full) => full.startsWith(word));
    return words.every((word) => all.has(word) || smallWord.test(word) || isShort(word));
  });
  return longer.slice(0, mostNear);
}

/** `Serum 50ml` has the words serum, 50 and ml. */
function wordsOf(title: string): readonly string[] {
  return plainName(foldName(title)).match(/\d+(?:[.,]\d+)?|\p{L}+/gu) ?? [];
}

/** Whether its numbers are amounts, which planners leave out, but never those of another product. */
function hasUnits(title: string): boolean {
  return amountsIn(wordsOf(title))
    .split(', ')
    .every((amount) => /^(?:[\d.]+ \p{L}{1,3})?$/u.test(amount));
}

/** Numbers with their units. */
function amountsIn(words: readonly string[]): string {
  return words
    .flatMap((word, index) =>
      /^\d/.test(word) ? [`${Number(word.replace(',', '.'))} ${words[index + 1] ?? ''}`] : [],
    )
    .sort()
    .join(', ');
}

/** Most creators whose showcases are looked at for one problem. */
const mostCreators = 10;
/** How long a page waits for a showcase. What comes later is there for the next page. */
const waitMs = 1500;

/** By title, as `foldName` has it. */
type Titled = ReadonlyMap<string, readonly { readonly id: string; readonly title: string }[]>;

interface AskedShowcase {
  /** Empty until it is answered, and if it cannot be looked up. */
  titled: Titled;
  readonly answered: Promise<void>;
  /** Until when to wait for it. */
  readonly until: number;
}

const asked = new RecentLists<AskedShowcase>();

/** A slow service leaves some out. @param creators names or ids; the first ten. @returns products by title, by creator. */
export async function readShowcases(
  runtime: Runtime,
  creators: readonly string[],
): Promise<ReadonlyMap<string, Titled>> {
  const entries = creators.slice(0, mostCreators).map(async (creator) => {
    return [creator, await asked.find(runtime, creator, async () => ask(runtime, creator))] as const;
  });
  const showcases = new Map(await Promise.all(entries));
  const all = [...showcases.values()];
  const left = Math.max(0, ...all.map(({ until }) => until - performance.now()));
  await unlessLate(Promise.all(all.map(({ answered }) => answered)), left);
  return new Map([...showcases].map(([creator, { titled }]) => [creator, titled]));
}

function ask(runtime: Runtime, creator: string): AskedShowcase {
  const look = async () => {
    const products = await showcaseOf(runtime, creator);
    const named = products.map(({ id, title = '' }) => ({ id, title }));
    entry.titled = Map.groupBy(named, ({ title }) => foldName(title));
  };
  const answered = look().catch((error: unknown) => {
    runtime.log.debug({ creator, error: String(error) }, 'showcase not looked up for suggestions');
  });
  const entry: AskedShowcase = { titled: new Map(), answered, until: performance.now() + waitMs };
  return entry;
}
