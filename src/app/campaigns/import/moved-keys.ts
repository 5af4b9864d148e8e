/**
 * Keys that have moved to other rows: a planner has inserted a row and made the keys anew. By their keys, rows would get the posts of
 * their neighbours, and some posts would be sent again.
 */
import { withoutDefaults } from '../../../importers/check/default-rows.ts';
import {
  type ComparedRow,
  caption,
  comparedOf,
  creator,
  media,
  product,
  soleBy,
  textOf,
} from '../../../importers/update/match-by-content.ts';
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

type Named = Omit<ComparedRow, 'number'>;

/** Of the last version of the plan; of the campaign without it, or if it has no keys. */
export async function namedContents(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaign: Campaign,
  own: OwnSheet | undefined,
): Promise<readonly Named[]> {
  const named: Named[] = [];
  const { map } = campaign;
  const add = (name: string, compared: ReturnType<typeof comparedOf>) =>
    named.push({ id: named.length, name, ...compared });
  const sheet = own && (await openSheet(fileSource(own.path), { ...own, map }));
  const header = sheet && headerOf(sheet, map);
  if (sheet === undefined || header === undefined || header.indexes.key < 0) {
    await sheet?.close();
    const reader = createImportedRowReader(campaign);
    for await (const part of ledger.store.all(campaign))
      for (const [, stored] of part) add(reader.key(stored), comparedOf(reader.header, stored.cells));
    return named;
  }
  for await (const rows of withoutDefaults(sheet))
    for (const { cells } of rows) add(textOfCell(cells, header.indexes.key), comparedOf(header, cells));
  return named;
}

const post = [creator, media, product];
/** What tells posts apart: creators may be filled in later, and files get other names. */
const identities = [post, [...post, caption], [media, product], [creator, caption, product]];

/** Whether a post has a key that it did not have. Of posts that cannot be told apart, none is compared. */
export async function haveKeysMoved(before: readonly Named[], now: readonly Named[]): Promise<boolean> {
  const [postsBefore, postsNow] = [await postsByName(before), await postsByName(now)];
  for (const fields of identities) {
    const was = await soleBy(before, (row) => textOf(row, fields));
    for (const [text, row] of await soleBy(now, (each) => textOf(each, fields))) {
      if (turn.isFull) await turn.pause();
      const { name: earlier = '' } = was.get(text) ?? {};
      if (row === null || row.name === '' || earlier === '') continue;
      // A program that drops leading zeros moves no key: the check asks about that.
      if (foldKey(row.name) === foldKey(earlier)) continue;
      // A copy of a row that is still there is another post.
      const same = postsNow.get(earlier) ?? '';
      if (same === '' || same !== postsBefore.get(earlier)) return true;
    }
  }
  return false;
}

async function postsByName(rows: readonly Named[]): Promise<ReadonlyMap<string, string>> {
  const posts = new Map<string, string>();
  for (const row of rows) {
    if (turn.isFull) await turn.pause();
    posts.set(row.name, textOf(row, post));
  }
  return posts;
}
