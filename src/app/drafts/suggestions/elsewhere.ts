/** Product ids that are known outside a sheet: in the other worksheets of its workbook, and in the showcases of its creators. */

import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { creatorIn } from '../../../manifest/cells/id.ts';
import { showValue } from '../../../manifest/problems/problem.ts';
import { aliasesOf, foldName } from '../../campaigns/import/aliases.ts';
import { unlessLate } from '../../runtime/patience.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { EditedSheet } from '../check/draft-check.ts';
import { RecentLists, showcaseOf } from '../pickers.ts';
import { readEdited } from './accounts.ts';
import { findNearTitles } from './near-titles.ts';
import { besideIn, type OtherSheets } from './other-sheets.ts';
import { type IdsElsewhere, idsInRows } from './products.ts';
import type { FaultyCell } from './suggestion.ts';

/** @param cells whose rows need an id. */
export async function findIdsElsewhere(
  runtime: Runtime,
  sheet: EditedSheet,
  cells: readonly FaultyCell[],
): Promise<IdsElsewhere> {
  const { check } = sheet;
  const { lists } = check.knowledge;
  const { indexes } = check.facts;
  const creatorOf = (cell: FaultyCell) => creatorIn(textOfCell(cell.cells, indexes.creator));
  const creators = new Set(cells.map(creatorOf));
  creators.delete('');
  const chosen = await readChosenIds(sheet);
  const showcases = await readShowcases(runtime, [...creators]);
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
  const texts = cells.flatMap((cell) =>
    [indexes.product_title, indexes.product_id].flatMap((at) => {
      const title = (cell.cells[at] ?? '').trim();
      const isKnown = of(title, cell).size > 0 || evidence.idsOf(title).size > 0;
      return isKnown ? [] : [{ title, creator: creatorOf(cell) }];
    }),
  );
  const known = new Set([...(lists?.products.keys() ?? []), ...titles.keys()]);
  const near = await findNearTitles(texts, known, showcases);
  const guess = (title: string, cell: FaultyCell) => {
    const beside = besideIn(lists?.guesses?.products, title, 'id');
    if (beside.size > 0) return beside;
    const found = near.get(creatorOf(cell))?.get(title) ?? [];
    return new Map(
      found.flatMap((each) => [...idsInRows(evidence, titles.get(each) ?? ''), ...of(each, cell)]),
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
async function readChosenIds(sheet: EditedSheet): Promise<ReadonlyMap<string, readonly string[]>> {
  const { check, edits } = sheet;
  const { product_id, product_title } = check.facts.indexes;
  if (product_title < 0) return new Map();
  const read = await readEdited(sheet, product_id);
  // The title of the row may have come with the id.
  const pairs = read.flatMap(({ row, text: id }) =>
    [edits.textsOf(row, row.number)[product_title], textOfCell(row.cells, product_title)].map(
      (title = '') => ({ title: foldName(title), id }),
    ),
  );
  const byTitle = Map.groupBy(pairs, ({ title }) => title);
  byTitle.delete('');
  return new Map([...byTitle].map(([title, same]) => [title, [...new Set(same.map(({ id }) => id))]]));
}

/** Most titles of other rows that one may be near. */
const mostTitles = 500;

/** Ids that a title has in other worksheets, each with a sentence that says where. */
export function idsInSheets(
  otherSheets: OtherSheets | undefined,
  title: string,
): ReadonlyMap<string, string> {
  const found = [...(otherSheets?.products.get(foldName(title)) ?? [])];
  return new Map(
    found.map(([id, { sheet, name = title, isOfLink }]) => [
      id,
      `In the worksheet ${showValue(sheet)}, the ${isOfLink ? 'link of the ' : ''}product ${name} has the id ${id}.`,
    ]),
  );
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
