/** What the links behind the texts of a workbook say: the account of a name, the id of a product, the file of a video. */
import { nameInLink, numberInLink } from '../../../manifest/cells/id.ts';
import { kindOf } from '../../../manifest/cells/media-source.ts';
import { findShareLink } from '../../../manifest/cells/share-links.ts';
import type { ColumnIndexes } from '../../../manifest/headers/header.ts';
import { type RowPlace, showValue } from '../../../manifest/problems/problem.ts';
import type { SheetLinks } from '../../../sheets/xlsx/links.ts';
import type { CellEdit } from '../../campaigns/import/edit.ts';
import type { ServiceAccounts } from './other-sheets.ts';
import { isNoId, lacksId } from './products.ts';
import {
  type FaultyCell,
  mostNames,
  placeOf,
  replaced,
  rowsOf,
  type Suggestion,
  suggestionId,
  textOf,
} from './suggestion.ts';

/** Problems of files that a link may have instead. */
const isOfMissing: ReadonlySet<string> = new Set(['media_missing', 'media_kind_unknown']);

export interface BehindCells {
  readonly links: SheetLinks;
  readonly places: ReadonlyMap<number, RowPlace>;
  readonly indexes: Pick<ColumnIndexes, 'product_title' | 'product_link'>;
  /** Undefined if the service did not tell which accounts it has. */
  readonly accounts?: ServiceAccounts | undefined;
  /** Whether the planner added files: then a link may be that of an earlier version. */
  readonly hasFiles: boolean;
}

/** The usernames of all profiles that texts link to, for the service to tell which of them it has. */
export function accountsBehind(links: SheetLinks): ReadonlySet<string> {
  const all = [...links.values()].flatMap((lines) =>
    [...lines.values()].flatMap((line) => [...line.values()]),
  );
  return new Set(all.flatMap((link) => accountIn(link) ?? []));
}

/** @param cells of one column, with problems of one code. */
export function suggestBehind(
  cells: readonly FaultyCell[],
  { code, column }: { readonly code: string; readonly column: string | null | undefined },
  { links, places, indexes, accounts, hasFiles }: BehindCells,
): readonly Suggestion[] {
  const at = (row: number, position: number) => {
    const { line = 0, worksheet } = places.get(row) ?? {};
    const lines = worksheet === undefined ? [...links.values()][0] : links.get(worksheet);
    return lines?.get(line)?.get(position);
  };
  const isOfId = column === 'product_id' && (isNoId.has(code) || lacksId.has(code));
  const meaning = (cell: FaultyCell): readonly (readonly [text: string, link: string, isSure: boolean])[] => {
    const [link, ...others] = [
      cell.position,
      ...(isOfId ? [indexes.product_title, indexes.product_link] : []),
    ]
      .map((position) => at(cell.row, position))
      .filter((each) => each !== undefined);
    if (link === undefined) return [];
    if (code === 'creator_unknown') {
      const account = accountIn(link);
      return account === undefined ? [] : [[account, link, accounts?.get(account) === account]];
    }
    if (isOfId) {
      const numbers = new Set([link, ...others].flatMap((each) => numberInLink(each) ?? []));
      return [...numbers].map((number) => [number, link, numbers.size === 1]);
    }
    if (!isOfMissing.has(code)) return [];
    const share = findShareLink(link);
    const file = share === null && kindOf(link) !== null ? link : share?.meant;
    return file === undefined ? [] : [[file, link, !hasFiles]];
  };
  const found = cells.flatMap((cell) =>
    meaning(cell).map(([text, link, isSure]) => ({ cell, text, link, isSure })),
  );
  const same = Map.groupBy(found, ({ cell, text }) => `${textOf(cell)}\n${text}`);
  return [...same].slice(0, mostNames).map(([id, all]): Suggestion => {
    const [{ cell, text, link } = all[0] as (typeof all)[0]] = all;
    const edits: readonly CellEdit[] = all.map((each) => replaced(each.cell, text));
    return {
      id: suggestionId('behind', id),
      label: `Use ${showValue(text)} in ${rowsOf(edits)}`,
      evidence: `In the workbook, ${textOf(cell) === '' ? 'the product' : showValue(textOf(cell))} links to ${showValue(link)}.`,
      edits,
      confidence: all.every(({ isSure }) => isSure) ? 'sure' : undefined,
    };
  });
}

/** Before what is only a guess. Where links and something else are equally sure of different texts, neither is. */
export function besideLinks(
  behind: readonly Suggestion[],
  others: readonly Suggestion[],
): readonly Suggestion[] {
  const isSure = ({ confidence }: Suggestion) => confidence === 'sure';
  const sureTexts = (some: readonly Suggestion[]) =>
    new Map(
      some.filter(isSure).flatMap(({ edits }) => edits.map((edit) => [placeOf(edit), edit.text] as const)),
    );
  const [linked, said] = [sureTexts(behind), sureTexts(others)];
  const unless = (texts: ReadonlyMap<string, string>) => (each: Suggestion) =>
    each.edits.some((edit) => (texts.get(placeOf(edit)) ?? edit.text) !== edit.text)
      ? { ...each, confidence: undefined }
      : each;
  const isSaid = ({ edits }: Suggestion) => edits.every((edit) => said.get(placeOf(edit)) === edit.text);
  const links = behind.filter((each) => !isSaid(each)).map(unless(said));
  const rest = others.map(unless(linked));
  return rest.some(isSure) ? [...rest, ...links] : [...links, ...rest];
}

function accountIn(link: string): string | undefined {
  const linked = nameInLink(link);
  return linked?.isProfile ? linked.name.slice(1) : undefined;
}
