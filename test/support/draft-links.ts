/** A client link of a draft, as its guests use it. */
import { makeShare } from '../../src/app/approvals/shares.ts';
import { openTestDraft } from '../app/drafts/test-draft.ts';
import { usual } from './client-links.ts';
import { videoRow } from './sheets/rows.ts';
import type { Cells } from './sheets/sheet.ts';

/** The second of three rows has a problem. */
export const threeRows = [videoRow('a'), videoRow('b', { creator: 'demo_nobody' }), videoRow('c')];

export async function openDraftLink(rows: readonly Cells[] = threeRows) {
  const draft = await openTestDraft(rows);
  const { runtime, pages, runner, id } = draft;
  const { path, link } = await makeShare(runtime, { draft: id }, usual, 'anna');
  const get = (to = '') => fetch(`${pages.url}${path}${to}`, { redirect: 'manual' });
  const page = () =>
    runner.until(async () => {
      const html = await (await get()).text();
      return !html.includes('Not ready yet') && html;
    }, 'the check to end');
  const form = async () => {
    const html = await page();
    const [, _csrf = ''] = /name="_csrf" value="([^"]*)"/.exec(html) ?? [];
    const [, one = ''] = /name="one" value="([^"]*)"/.exec(html) ?? [];
    return { _csrf, one, name: 'Lin' };
  };
  /** As the browser sends a form of a page without a referrer. @returns the page that it leads to. */
  const post = async (what: string, fields: Readonly<Record<string, string>>) => {
    const sent = await fetch(`${pages.url}${path}?do=${what}`, {
      method: 'POST',
      headers: { origin: 'null' },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
    const to = sent.headers.get('location');
    if (to === null) return sent;
    const cookies = sent.headers.getSetCookie().map((each) => each.split(';')[0]);
    return fetch(`${pages.url}${to}`, { headers: { cookie: cookies.join('; ') } });
  };
  const unknown = async () => answerOf(await fetch(`${pages.url}/shared/${'A'.repeat(43)}`));
  return { ...draft, path, link, token: path.split('/').at(-1) ?? '', get, page, form, post, unknown };
}

/** Status and body. */
export async function answerOf(answer: Response): Promise<string> {
  return `${answer.status} ${await answer.text()}`;
}
