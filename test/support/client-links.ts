/** Client links as their guests use them: without an account, and without a referrer. */
import { makeShare } from '../../src/app/approvals/shares.ts';
import { openApprovals } from './approvals.ts';
import { videoRow } from './sheets/rows.ts';
import type { Cells } from './sheets/sheet.ts';

export const day = 86_400_000;
/** After tomorrow: an approval sends nothing yet. */
export const soon = { scheduled_at: new Date(Date.now() + 10 * day).toISOString() };
export const usual = { mayApprove: true, label: 'Glow', forMs: day };

/** A campaign whose posts wait for an approval, and what a guest of its client link sends. */
export async function openLink(
  rows: readonly Cells[] = [videoRow('a', soon)],
  options: Partial<typeof usual> = {},
) {
  const opened = await openApprovals(rows, { approve: 'all', lead: day });
  await opened.waiting(rows.length);
  const { runtime, pages, id } = opened;
  const { path, link } = await makeShare(runtime, { campaign: id }, { ...usual, ...options }, 'anna');
  const get = (to = '', headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${pages.url}${path}${to}`, { headers, redirect: 'manual' });
  /** As the browser sends a form of a page without a referrer. @returns the page that it leads to. */
  const post = async (what: string, fields: Readonly<Record<string, string>>) => {
    const sent = await send(what, fields);
    const to = sent.headers.get('location');
    if (to === null) return sent;
    const cookies = sent.headers.getSetCookie().map((each) => each.split(';')[0]);
    return fetch(`${pages.url}${to}`, { headers: { cookie: cookies.join('; ') } });
  };
  /** As `post`, but follows no redirect. */
  const send = (what: string, fields: Readonly<Record<string, string>>) =>
    fetch(`${pages.url}${path}?do=${what}`, {
      method: 'POST',
      headers: { origin: 'null' },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
  const form = async () => {
    const html = await (await get()).text();
    const [, _csrf = ''] = /name="_csrf" value="([^"]*)"/.exec(html) ?? [];
    const [, one = ''] = /name="one" value="([^"]*)"/.exec(html) ?? [];
    return { _csrf, one, name: 'Lin' };
  };
  return { ...opened, path, link, get, post, send, form, token: path.split('/').at(-1) ?? '' };
}

export const textOf = async (answer: Response) => (await answer.text()).replaceAll(/<[^>]*>/g, ' ');
