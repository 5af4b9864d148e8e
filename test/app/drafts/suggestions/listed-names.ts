/** Workbooks whose other worksheets are lists, and what is suggested by them. */
import { readFileSync } from 'node:fs';
import { videoRow } from '../../../support/sheets/rows.ts';
import type { Cells } from '../../../support/sheets/sheet.ts';
import { textRow, writeWorkbook } from '../../../support/sheets/workbook.ts';
import type { TestDraft } from '../test-draft.ts';

export const [foam, foamOld, mask] = ['1729384071926530212', '1729384071926530977', '1729384071926531458'];

/** A row of demo_ben with a title where the id belongs, beside one that no list has. */
export function titled(key: string, title: string, cells: Cells = {}): Cells {
  return videoRow(key, { creator: 'demo_ben', product_id: title, product_title: 'Gift', ...cells });
}

/** The suggestions for the largest group of problems. */
export async function suggestionsOf({ drafts, id, look }: TestDraft) {
  const { checked } = await look();
  return drafts.suggestions(id, checked?.groups[0]?.id ?? '');
}

export async function allSuggestionsOf({ drafts, id, look }: TestDraft) {
  const { checked } = await look();
  return (await Promise.all((checked?.groups ?? []).map((group) => drafts.suggestions(id, group.id)))).flat();
}

/** A workbook of posts, with other worksheets. @param links behind the texts of its cells, such as `B2`. */
export async function dropWorkbook(
  { drop }: TestDraft,
  posts: readonly Cells[],
  others: Readonly<Record<string, readonly (readonly string[])[]>>,
  links?: Readonly<Record<string, string>>,
): Promise<void> {
  const lines = [Object.keys(posts[0] ?? {}), ...posts.map((row) => Object.values(row) as string[])];
  const sheets = Object.entries({ Posts: lines, ...others }).map(([name, rows]) => ({
    name,
    rows: rows.map((cells) => textRow(cells)).join(''),
    ...(name === 'Posts' && links && { links }),
  }));
  await drop(readFileSync(await writeWorkbook({ sheets })), 'Plan.xlsx');
}

export async function textsOf(draft: TestDraft) {
  return (await suggestionsOf(draft)).map(({ edits }) => edits.map(({ row, text }) => `${row} ${text}`));
}
