/** What is known outside a sheet: product ids and accounts in the other worksheets of its workbook, and ids in the showcases of its creators. */

import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { usernameIn } from '../../../manifest/cells/id.ts';
import { ComparingWork, nearest } from '../../../manifest/edit-distance.ts';
import { showValue } from '../../../manifest/problems/problem.ts';
import { unlessLate } from '../../runtime/patience.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { aliasesOf } from '../aliases.ts';
import type { DraftCheck } from '../check/draft-check.ts';
import { RecentLists, showcaseOf } from '../pickers.ts';
import type { NamesInSheets, OtherSheets } from './other-sheets.ts';
import { type IdsElsewhere, suggestPartners } from './products.ts';
import { type FaultyCell, foldName, type Suggestion } from './suggestion.ts';

/** @param cells whose rows need an id. */
export async function findIdsElsewhere(
  runtime: Runtime,
  { knowledge: { lists }, facts: { indexes } }: DraftCheck,
  cells: readonly FaultyCell[],
): Promise<IdsElsewhere> {
  const creatorOf = (cell: FaultyCell) => usernameIn(textOfCell(cell.cells, indexes.creator));
  const creators = new Set(cells.map(creatorOf));
  creators.delete('');
  const showcases = await readShowcases(runtime, [...creators]);
  const work = new ComparingWork();
  const of = (title: string, cell: FaultyCell) => {
    const creator = creatorOf(cell);
    const inShowcase = (showcases.get(creator)?.get(foldName(title)) ?? []).map(
      (id) => [id, `In the showcase of ${creator} the product ${title} has the id ${id}.`] as const,
    );
    return new Map([...idsInSheets(lists, title), ...inShowcase]);
  };
  const near = (title: string, cell: FaultyCell) => {
    const known = [...(lists?.products.keys() ?? []), ...(showcases.get(creatorOf(cell))?.keys() ?? [])];
    // Another number is another product.
    const name = foldName(title);
    return nearest(
      name,
      known.filter((each) => numbersIn(each) === numbersIn(name)),
      work,
    );
  };
  const chosen = [...(await aliasesOf(runtime, 'product')).values()];
  return {
    of,
    names: new Map([...chosen.map(({ means, name }) => [means, name] as const), ...(lists?.titles ?? [])]),
    guess(title, cell) {
      const beside = besideIn(lists?.guesses?.products, title, 'id');
      const meant = beside.size > 0 ? undefined : near(title, cell);
      return meant === undefined ? beside : of(meant, cell);
    },
  };
}

/** Ids that a title has in other worksheets, each with a sentence that says where. */
export function idsInSheets(
  otherSheets: OtherSheets | undefined,
  title: string,
): ReadonlyMap<string, string> {
  const found = [...(otherSheets?.products.get(foldName(title)) ?? [])];
  return new Map(
    found.map(([id, sheet]) => [
      id,
      `In the worksheet ${showValue(sheet)} the product ${title} has the id ${id}.`,
    ]),
  );
}

/** The accounts that other worksheets have for display names. @param cells of the column of creators. */
export function suggestAccounts(
  cells: readonly FaultyCell[],
  lists: OtherSheets | undefined,
): readonly Suggestion[] {
  const find = (name: string) => {
    const found = [...(lists?.creators.get(foldName(name)) ?? [])];
    const said = (account: string, sheet: string) =>
      `In the worksheet ${showValue(sheet)} ${showValue(name)} has the account ${account}.`;
    return new Map(found.map(([account, sheet]) => [account, said(account, sheet)]));
  };
  const work = new ComparingWork();
  const guess = (name: string) => {
    const beside = besideIn(lists?.guesses?.creators, name, 'account');
    const meant = beside.size > 0 ? undefined : nearest(foldName(name), lists?.creators.keys() ?? [], work);
    return meant === undefined ? beside : find(meant);
  };
  return suggestPartners(cells, cells[0]?.position ?? -1, { what: 'account', find, guess, fits: () => true });
}

/** What stands in the row of a text, which no header calls a name. */
function besideIn(
  guesses: NamesInSheets | undefined,
  text: string,
  what: string,
): ReadonlyMap<string, string> {
  const found = [...(guesses?.get(foldName(text)) ?? [])];
  return new Map(
    found.map(([value, sheet]) => [
      value,
      `In the worksheet ${showValue(sheet)} ${showValue(text)} stands beside the ${what} ${value}.`,
    ]),
  );
}

function numbersIn(name: string): string {
  return (name.match(/\d+/g) ?? []).map(Number).join(' ');
}

/** Most creators whose showcases are looked at for one problem. */
const mostCreators = 10;
/** How long a page waits for a showcase. What comes later is there for the next page. */
const waitMs = 1500;

/** Ids by title, as `foldName` has it. */
type Titled = ReadonlyMap<string, readonly string[]>;

interface AskedShowcase {
  /** Empty until it is answered, and if it cannot be looked up. */
  titled: Titled;
  readonly answered: Promise<void>;
  /** Until when to wait for it. */
  readonly until: number;
}

const asked = new RecentLists<AskedShowcase>();

/** A slow service leaves some out. @param creators names or ids; the first ten. @returns ids by title, by creator. */
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
    const titled = new Map<string, string[]>();
    for (const { id, title = '' } of await showcaseOf(runtime, creator)) {
      titled.set(foldName(title), [...(titled.get(foldName(title)) ?? []), id]);
    }
    entry.titled = titled;
  };
  const answered = look().catch((error: unknown) => {
    runtime.log.debug({ creator, error: String(error) }, 'showcase not looked up for suggestions');
  });
  const entry: AskedShowcase = { titled: new Map(), answered, until: performance.now() + waitMs };
  return entry;
}
