/** What a page would offer for a name at fault, for a check that has no page: what people chose before, and the workbook's other worksheets. */

import type { KnownIds, KnownName, NameLookUp, ProductLookUp } from '../../../importers/check/checked-row.ts';
import type { ManifestFile } from '../../../importers/open/manifest-file.ts';
import { unguardFormula } from '../../../manifest/cells/formula-guard.ts';
import { ComparingWork } from '../../../manifest/edit-distance.ts';
import type { SheetOptions } from '../../../sheets/sheet.ts';
import { type Alias, aliasesOf, foldName } from '../../campaigns/import/aliases.ts';
import type { ReadingOptions } from '../../campaigns/import/check.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { aliasKindOf, describeAlias } from '../aliases.ts';
import { suggestAccounts } from './accounts.ts';
import { besideChosen, suggestAliases } from './chosen-before.ts';
import { idsInSheets } from './elsewhere.ts';
import { SheetEvidence } from './evidence.ts';
import { type OtherSheets, readOtherSheets } from './other-sheets.ts';
import {
  type IdsElsewhere,
  lacksId,
  needsId,
  nothingElsewhere,
  suggestIds,
  suggestIdsOfTitles,
  suggestOneProduct,
} from './products.ts';
import type { FaultyCell, Suggestion } from './suggestion.ts';
import { titlesIn } from './viewer-titles.ts';

/** Of the lists in the workbook; of what people chose before, if those have no such name. @param aliases by `foldName`. */
export function knownProducts(
  lists: OtherSheets | undefined,
  aliases: ReadonlyMap<string, Alias>,
): ProductLookUp {
  const idsOf = (name: string): KnownIds | undefined => {
    const ended = lists?.ended?.get(name);
    if (ended !== undefined) return { ids: new Map([[name, '']]), isListed: true, ended };
    const listed = idsInSheets(lists, name);
    if (listed.size > 0) return { ids: listed, isListed: true };
    const alias = aliases.get(foldName(name));
    if (alias !== undefined) return { ids: new Map([[alias.means, describeAlias(alias)]]), isListed: false };
    const lost = lists?.lost?.get(foldName(name));
    return lost && { ids: new Map(), isListed: false, lost };
  };
  return Object.assign(idsOf, { titleOf: titlesIn(lists) });
}

/** What a check takes that has no page. */
export async function knownNames(
  runtime: Pick<Runtime, 'environment'>,
  { path }: Pick<ManifestFile, 'path'>,
  { sheets }: SheetOptions = {},
): Promise<Pick<ReadingOptions, 'names' | 'products'>> {
  const aliases = {
    creator: await aliasesOf(runtime, 'creator'),
    product: await aliasesOf(runtime, 'product'),
  };
  const others = await readOtherSheets(path, sheets, new AbortController().signal);
  const work = new ComparingWork();
  const names: NameLookUp = async ({ column, code, value, cells, indexes }) => {
    const position = indexes[column];
    const cell: FaultyCell = { row: 1, position, value, cells: cells.map(unguardFormula) };
    const kind = aliasKindOf(column, code);
    const chosen = kind === undefined ? [] : suggestAliases([cell], aliases[kind], code, indexes);
    if (kind !== 'creator' && !needsId(indexes, { code, position })) return one(chosen);
    if (kind === 'creator') return one(besideChosen(chosen, await suggestAccounts([cell], others, { work })));
    const of = (title: string) => idsInSheets(others, title);
    const isListed = (title: string) => of(title).size === 1;
    const elsewhere: IdsElsewhere = { ...nothingElsewhere, of, isListed };
    if (code === 'product_differs') return one(suggestOneProduct([cell], indexes, elsewhere));
    const suggestFor = lacksId.has(code) ? suggestIds : suggestIdsOfTitles;
    const found = suggestFor([cell], new SheetEvidence(indexes), indexes, elsewhere);
    return one(besideChosen(chosen, found));
  };
  return { names, products: knownProducts(others, aliases.product) };
}

/** Nobody can choose between two. */
function one([first, ...others]: readonly Suggestion[]): KnownName | undefined {
  const text = first?.edits[0]?.text;
  return text === undefined || others.length > 0 ? undefined : { text, evidence: first?.evidence ?? '' };
}
