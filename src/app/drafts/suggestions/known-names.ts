/** What a page would offer for a name at fault, for a check that has no page: what people chose before, and the workbook's other worksheets. */
import type { KnownName, NameLookUp } from '../../../importers/check/checked-row.ts';
import type { ManifestFile } from '../../../importers/open/manifest-file.ts';
import { unguardFormula } from '../../../manifest/cells/formula-guard.ts';
import type { SheetOptions } from '../../../sheets/sheet.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { aliasesOf, aliasKindOf } from '../aliases.ts';
import { besideChosen, suggestAliases } from './chosen-before.ts';
import { idsInSheets, suggestAccounts } from './elsewhere.ts';
import { SheetEvidence } from './evidence.ts';
import { type OtherSheets, readOtherSheets } from './other-sheets.ts';
import { type IdsElsewhere, lacksId, needsId, suggestIds, suggestIdsOfTitles } from './products.ts';
import type { FaultyCell, Suggestion } from './suggestion.ts';

/** The other worksheets are read once a row needs them. */
export async function knownNames(
  runtime: Pick<Runtime, 'environment'>,
  { path }: Pick<ManifestFile, 'path'>,
  { sheets }: SheetOptions = {},
): Promise<NameLookUp> {
  const aliases = {
    creator: await aliasesOf(runtime, 'creator'),
    product: await aliasesOf(runtime, 'product'),
  };
  let read: Promise<OtherSheets> | undefined;
  return async ({ column, code, value, cells, indexes }) => {
    const position = indexes[column];
    const cell: FaultyCell = { row: 1, position, value, cells: cells.map(unguardFormula) };
    const kind = aliasKindOf(column, code);
    const chosen = kind === undefined ? [] : suggestAliases([cell], aliases[kind], code, indexes);
    if (kind !== 'creator' && !needsId(indexes, { code, position })) return one(chosen);
    read ??= readOtherSheets(path, sheets, new AbortController().signal);
    const others = await read;
    if (kind === 'creator') return one(besideChosen(chosen, suggestAccounts([cell], others)));
    const elsewhere: IdsElsewhere = { of: (title) => idsInSheets(others, title), guess: () => new Map() };
    const suggestFor = lacksId.has(code) ? suggestIds : suggestIdsOfTitles;
    const found = suggestFor([cell], new SheetEvidence(indexes), indexes, elsewhere);
    return one(besideChosen(chosen, found));
  };
}

/** Nobody can choose between two. */
function one([first, ...others]: readonly Suggestion[]): KnownName | undefined {
  const text = first?.edits[0]?.text;
  return text === undefined || others.length > 0 ? undefined : { text, evidence: first?.evidence ?? '' };
}
