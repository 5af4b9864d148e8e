/**
 * Keys that have moved to other rows: a planner has inserted a row and made the keys anew. By their keys, rows would get the posts of
 * their neighbours, and some posts would be sent again.
 */
import { withoutDefaults } from '../../../importers/check/default-rows.ts';
import { type ComparedRow, comparedOf } from '../../../importers/update/match-by-content.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { foldKey } from '../../../manifest/cells/id.ts';
import { turn } from '../../../manifest/event-loop.ts';
import { createImportedRowReader } from '../../../manifest/reader.ts';
import { openSheet } from '../../../sheets/open-sheet.ts';
import { fileSource } from '../../../sheets/sheet.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { OwnSheet } from '../results/own-sheet.ts';
import { headerOf } from './last-version.ts';

type Named = Pick<ComparedRow, 'name' | 'content' | 'details'>;

/** Of the last version of the plan; of the campaign without it, or if it has no keys. */
export async function namedContents(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaign: Campaign,
  own: OwnSheet | undefined,
): Promise<readonly Named[]> {
  const named: Named[] = [];
  const { map } = campaign;
  const sheet = own && (await openSheet(fileSource(own.path), { ...own, map }));
  const header = sheet && headerOf(sheet, map);
  if (sheet === undefined || header === undefined || header.indexes.key < 0) {
    await sheet?.close();
    const reader = createImportedRowReader(campaign);
    for await (const part of ledger.store.all(campaign))
      for (const [, stored] of part)
        named.push({ name: reader.key(stored), ...comparedOf(reader.header, stored.cells) });
    return named;
  }
  for await (const rows of withoutDefaults(sheet))
    for (const { cells } of rows)
      named.push({ name: textOfCell(cells, header.indexes.key), ...comparedOf(header, cells) });
  return named;
}

/** Whether a post has a key that it did not have. Of posts that cannot be told apart, none is compared. */
export async function haveKeysMoved(before: readonly Named[], now: readonly Named[]): Promise<boolean> {
  const [was, is] = [await rowsByPost(before), await rowsByPost(now)];
  const present = new Map<string, string>();
  for (const row of now) {
    if (turn.isFull) await turn.pause();
    present.set(row.name, postOf(row));
  }
  for (const [post, row] of is) {
    if (turn.isFull) await turn.pause();
    const { name: earlier = '' } = was.get(post) ?? {};
    if (row === null || row.name === '' || earlier === '') continue;
    // A copy of a row that is still there is another post. A program that drops leading zeros moves no key: the check asks about that.
    if (present.get(earlier) !== postOf(row) && foldKey(row.name) !== foldKey(earlier)) return true;
  }
  return false;
}

/** Creator, media and product; empty without one of the first two. */
function postOf({ content: [creator, media], details: [product] }: Named): string {
  return creator === 0 || media === 0 ? '' : `${creator} ${media} ${product}`;
}

/** By post, then with its caption, too; `null` for several rows. */
async function rowsByPost(rows: readonly Named[]): Promise<ReadonlyMap<string, Named | null>> {
  const byPost = new Map<string, Named | null>();
  for (const row of rows) {
    if (turn.isFull) await turn.pause();
    const post = postOf(row);
    if (post === '') continue;
    for (const text of [post, `${post} ${row.content[2]}`]) byPost.set(text, byPost.has(text) ? null : row);
  }
  return byPost;
}
