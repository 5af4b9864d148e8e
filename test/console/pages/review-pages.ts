import { openReview, type ReviewCampaign } from '../../app/decisions/review.ts';
import { openPages, type Pages } from '../../support/console/console-pages.ts';
import { listPostsSetting } from '../../support/processes/scene.ts';

export const records = { api: { listPosts: listPostsSetting() } };
export const hostile = '<script>alert(1)</script>';
export const turned = '\u202eabc';

/** Looks for rows in records that have no posts, so late that each should have appeared. */
export async function findNothing(
  { review, pages }: { readonly review: ReviewCampaign; readonly pages: Pages },
  rows: readonly number[],
) {
  review.clock.ahead = 300_000;
  const body = { code: 0, message: 'ok', data: { list: [], totalPages: 1 } };
  review.sandbox.faults.add({
    operation: 'listPosts',
    kind: 'status',
    status: 200,
    body,
    times: rows.length,
  });
  for (const row of rows) await pages.post('/review/look', { row: `${review.id}.${row}` });
}

/** Names of the radio groups on a page, in order. */
export function groups(html: string): readonly string[] {
  return [...new Set([...html.matchAll(/type="radio"[^>]*name="([^"]+)"/g)].map(([, name = '']) => name))];
}

/** Positions of the rows in the list, in order. */
export function listed(html: string): readonly number[] {
  return [
    ...html.matchAll(/<a href="[^"]*[?&;]open=c\d+\.(\d+)"(?: aria-current="true")?><(?:img|span)/g),
  ].map(([, row]) => Number(row));
}

export async function open(settings = {}, more: Parameters<typeof openReview>[1] = []) {
  const review = await openReview(settings, more);
  const pages = await openPages(review);
  return { review, pages };
}

/** The name of the radio group of a row. */
export function groupOf({ id }: ReviewCampaign, row: number, revision = 0): string {
  return `d.${id}.${row}.${revision}`;
}

/** Confirms what the second look shows. */
export function confirm(pages: Pages, fields: Readonly<Record<string, string>>) {
  return pages.post('/review/decide', { ...fields, looked: 'yes' });
}
