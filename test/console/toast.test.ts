/** The answer to a change, with the button that takes it back. */
import { expect, it } from 'vitest';
import { openPages, type PageAnswer } from '../support/console/console-pages.ts';
import { good, openDraft } from '../support/console/draft-page.ts';
import { openRunner } from '../support/in-process.ts';
import { videoRow } from '../support/sheets/rows.ts';

const toastOf = ({ html }: PageAnswer) => /<div class="notice toast".*?<\/div>/s.exec(html)?.[0] ?? '';
const undoOf = (answer: PageAnswer) => /<form[^>]*action="([^"]*)".*?<button>([^<]*)/s.exec(toastOf(answer));

it('a pause is taken back by its answer, and so is what it took back', async () => {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('a')]);
  const pages = await openPages(runner);
  const paused = await pages.post(`/campaigns/${id}/pause`, {});
  expect(toastOf(paused)).toContain(`Campaign ${id} is paused.`);
  const [, path = '', label] = undoOf(paused) ?? [];
  expect(label).toBe('Resume');
  const resumed = await pages.post(path, {});
  expect(toastOf(resumed)).toContain(`Campaign ${id} is running again.`);
  expect(undoOf(resumed)?.slice(1)).toEqual([`/campaigns/${id}/pause`, 'Pause again']);
});

it('what went wrong is no toast: it stays', async () => {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('a')]);
  const pages = await openPages(runner);
  const refused = await pages.post('/review/undo', { campaign: id, key: 'a' });
  expect(refused.html).not.toContain('toast');
});

it('an edit of a draft is taken back by the form of its page', async () => {
  const { send, path: page } = await openDraft([videoRow('a', good)]);
  const edited = await send('cells', { 'c.1.1': 'Other' });
  const [, path] = /<button form="draft" formaction="([^"]*)">Undo</.exec(toastOf(edited)) ?? [];
  expect(path).toBe(`${page}/undo`);
});

it('the cookie of somebody else makes no other button, and no message', async () => {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('a')]);
  const pages = await openPages(runner);
  const told = async (path: string) => {
    const undo = { label: 'Undo', path };
    const notice = encodeURIComponent(JSON.stringify({ state: 'done', text: 'Look here', undo }));
    const answer = await fetch(`${pages.url}/campaigns`, { headers: { cookie: `notice=${notice}` } });
    return (await answer.text()).includes('Look here');
  };
  expect(await told(`/campaigns/${id}/resume`)).toBe(true);
  for (const path of [
    `/campaigns/${id}/cancel`,
    `/campaigns/${id}/resume/../cancel`,
    '/users/add',
    '//x/campaigns/a/pause',
    '/approvals/approve',
  ])
    expect(await told(path)).toBe(false);
});

it('is for the next page: a request for a picture or an event does not take it', async () => {
  const runner = await openRunner();
  const pages = await openPages(runner);
  const notice = encodeURIComponent(JSON.stringify({ state: 'done', text: 'Look here' }));
  const ask = (path: string, accept: string) =>
    fetch(`${pages.url}${path}`, { headers: { accept, cookie: `notice=${notice}` } });
  const picture = await ask('/media/small/c1/none', 'image/avif,image/*,*/*;q=0.8');
  const events = await ask('/campaigns/events', 'text/event-stream');
  await events.body?.cancel();
  const page = await ask('/campaigns', 'text/html');
  expect([picture, events, page].map(({ headers }) => headers.getSetCookie().length)).toEqual([0, 0, 1]);
});
