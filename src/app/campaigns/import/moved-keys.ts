/**
 * Running numbers that have moved to other rows: a planner has inserted a row and renumbered the others. By their numbers, rows would get
 * the posts of their neighbours, and some posts would be sent again.
 */
import { withoutDefaults } from '../../../importers/check/default-rows.ts';
import { type ComparedRow, contentOf } from '../../../importers/update/match-by-content.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { foldKey } from '../../../manifest/cells/id.ts';
import { createImportedRowReader } from '../../../manifest/reader.ts';
import { openSheet } from '../../../sheets/open-sheet.ts';
import { fileSource } from '../../../sheets/sheet.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { OwnSheet } from '../results/own-sheet.ts';
import { headerOf } from './last-version.ts';

/** A row with its key in a sheet. */
export interface NamedRow extends ComparedRow {
  readonly name: string;
}

type Named = Pick<NamedRow, 'name' | 'content'>;

/** Of the last version of the plan; without it, of the campaign. */
export async function namedContents(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaign: Campaign,
  own: OwnSheet | undefined,
): Promise<readonly Named[]> {
  const named: Named[] = [];
  if (own === undefined) {
    const { header, key } = createImportedRowReader(campaign);
    for await (const part of ledger.store.all(campaign))
      for (const [, stored] of part)
        named.push({ name: key(stored), content: contentOf(header, stored.cells) });
    return named;
  }
  const { map } = campaign;
  const sheet = await openSheet(fileSource(own.path), { ...own, map });
  const header = headerOf(sheet, map);
  for await (const rows of withoutDefaults(sheet))
    for (const { cells } of rows)
      named.push({ name: textOfCell(cells, header.indexes.key), content: contentOf(header, cells) });
  return named;
}

/** Whether a row has the content that another number had, and has no more. Other keys than numbers are not made anew. */
export function haveKeysMoved(before: readonly Named[], now: readonly Named[]): boolean {
  const textOf = ({ content }: Named) => (content.every((part) => part !== 0) ? content.join(' ') : '');
  if (before.some((row) => textOf(row) !== '' && !/^\d{1,9}$/.test(row.name))) return false;
  const keyOf = new Map(before.map((row) => [textOf(row), row.name]));
  const present = new Map(now.map((row) => [row.name, textOf(row)]));
  return now.some((row) => {
    const [text, was] = [textOf(row), keyOf.get(textOf(row))];
    if (text === '' || row.name === '' || was === undefined || was === '') return false;
    // A program that drops leading zeros moves no key: the check asks about that.
    return foldKey(was) !== foldKey(row.name) && present.get(was) !== text;
  });
}
