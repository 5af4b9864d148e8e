/** Forms that stood open while the console was restarted or the session ended: nothing that was typed is lost. */
import { expect, it } from 'vitest';
import { openTestDraft } from '../app/drafts/test-draft.ts';
import { quickUser } from '../support/console/access.ts';
import { openPages } from '../support/console/console-pages.ts';
import { hidden, Visitor } from '../support/console/visitor.ts';
import { openRunner, type TestRunner } from '../support/in-process.ts';
import { videoRow } from '../support/sheets/rows.ts';

const rateLimit = '/queues/rate-limits/createCreatorPost';

async function atRow(runner: TestRunner) {
  const id = await runner.importRows([videoRow('a')]);
  return { id, edit: `/campaigns/${id}/rows/a/edit`, text: 'Typed <b> "here"' };
}

/** All fields of a form that is shown again. */
function fieldsOf(page: string): Record<string, string> {
  const names = [...page.matchAll(/type="hidden" name="([^"]+)"/g)].map(([, name]) => name ?? '');
  return Object.fromEntries(names.map((name) => [name, hidden(page, name)]));
}

it('a form of before a restart is shown again, and goes on with one click', async () => {
  const runner = await openRunner();
  const { edit, text } = await atRow(runner);
  const before = new Visitor((await openPages(runner)).url);
  const _csrf = hidden((await before.get('/queues')).text, '_csrf');
  const after = new Visitor((await openPages(runner)).url);

  const row = await after.post(edit, { _csrf, 'c.caption': text, revision: '0' });
  expect(row.status).toBe(403);
  expect(row.text).toContain('This form is too old');
  expect(row.text).toContain('<dt>caption</dt><dd>Typed &lt;b&gt; &quot;here&quot;</dd>');
  const asked = await after.post(edit, fieldsOf(row.text));
  expect(asked.text).toContain('Save a?');
  expect(asked.text).toContain('<ins>Typed &lt;b&gt;');

  const rate = await after.post(rateLimit, { _csrf, rate: '7', per: 'minute' });
  expect(rate.text).toContain('<dt>rate</dt><dd>7</dd>');
  expect((await after.post(rateLimit, fieldsOf(rate.text))).status).toBe(303);
});

it('a cell of a draft that was typed before a restart is not lost', async () => {
  const { pages, runner, id, drafts, look } = await openTestDraft([
    videoRow('a', { product_id: '1.72938E+18' }),
  ]);
  const { draft } = await look();
  const { html } = await pages.get(`/campaigns/new/${id}`);
  const cell = /name="(c\.\d+\.\d+)"/.exec(html)?.[1] ?? '';
  const after = new Visitor((await openPages(runner)).url);
  const cells = `/campaigns/new/${id}/cells`;
  const kept = await after.post(cells, {
    _csrf: 'of before',
    version: String(draft.version),
    [cell]: '1729384071926530212',
  });
  expect(kept.status).toBe(403);
  expect(kept.text).toContain('<dd>1729384071926530212</dd>');
  expect((await after.post(cells, fieldsOf(kept.text))).status).toBe(303);
  await look();
  expect((await drafts.window(id, 'all', 0, 1)).rows[0]?.cells).toContain('1729384071926530212');
});

it('a decision in a dialog asks to sign in, and then shows its result', async () => {
  const runner = await openRunner();
  const { id } = await atRow(runner);
  await quickUser(runner, 'anna', 'operator');
  const anna = new Visitor((await openPages(runner)).url);
  const decided = { [`d.${id}.0.0`]: 'posted-other', [`i.${id}.0.0`]: 'p77' };
  const part = await anna.post('/review', decided, { 'hx-request': 'true' });
  expect([part.status, part.text.includes('<html'), part.headers['hx-redirect']]).toEqual([
    401,
    false,
    undefined,
  ]);
  const { to, kept } = fieldsOf(part.text);
  const back = await anna.post('/sign-in', {
    user: 'anna',
    password: 'wrong',
    to: to ?? '',
    kept: kept ?? '',
  });
  expect(hidden(back.text, 'kept')).toBe(kept);
});

it('an edit of a row that has changed meanwhile keeps the typed texts, and is accepted when sent again', async () => {
  const runner = await openRunner();
  const { edit, id, text } = await atRow(runner);
  const pages = await openPages(runner);
  await pages.post(`/campaigns/${id}/rows/a/save`, { 'c.caption': 'By somebody else', revision: '0' });
  const late = await pages.post(edit, { 'c.caption': text, revision: '0' });
  expect(late.status).toBe(409);
  expect(late.text).toContain('Row a has changed since its page was opened.');
  expect(late.html).toContain('Typed &lt;b&gt; &quot;here&quot;</textarea>');
  const revision = hidden(late.html, 'revision');
  const asked = await pages.post(edit, { 'c.caption': text, revision });
  expect(asked.text).toContain('By somebody else Typed');
});
