/** What people of each role find on the page of a draft. */
import { expect, it } from 'vitest';
import { quickUser } from '../../../support/console/access.ts';
import { good, lost, openDraft } from '../../../support/console/draft-page.ts';
import { hidden, Visitor } from '../../../support/console/visitor.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

it('tells a viewer nothing about dropping files, which viewers cannot', async () => {
  const { pages, runtime } = await openDraft([videoRow('a')]);
  await quickUser(runtime, 'vera', 'viewer');
  const vera = new Visitor(pages.url);
  await vera.signIn('vera');
  const { text } = await vera.get('/campaigns/new');
  expect(text).toContain('An editor can begin a campaign here.');
  expect(text).not.toContain('drop its corrected results sheet');
});

it('shows a viewer the sheet and its problems, without a form', async () => {
  const { pages, path, checked, runtime } = await openDraft([videoRow('a', good), videoRow('b', lost)]);
  await checked();
  await quickUser(runtime, 'vera', 'viewer');
  const vera = new Visitor(pages.url);
  await vera.signIn('vera');
  const { text } = await vera.get(path);
  expect(text).toContain('1 row to fix');
  expect(text).toContain('An operator can start this campaign.');
  expect(text).not.toMatch(/<form method="post" action="\/campaigns/);
  expect((await vera.get(`${path}/pick/creator?row=1`)).status).toBe(403);
});

it('has all the forms of a draft for an editor, but no start', async () => {
  const { pages, path, checked, runtime } = await openDraft([videoRow('a', good), videoRow('b', lost)]);
  await checked();
  await quickUser(runtime, 'edda', 'editor');
  const edda = new Visitor(pages.url);
  await edda.signIn('edda');
  const { text } = await edda.get(path);
  expect(text).toContain('An operator can start this campaign.');
  expect(text).toContain(`<form method="post" action="${path}/cells"`);
  expect(text).not.toMatch(/action="[^"]*\/(?:start|ask)[?"]/);
  const fields = {
    _csrf: hidden(text, '_csrf'),
    version: hidden(text, 'version'),
    'c.1.3': 'x',
    posts: '1',
    sure: 'yes',
  };
  expect((await edda.post(`${path}/cells`, fields)).status).toBe(303);
  for (const step of ['ask', 'start']) {
    const refused = await edda.post(`${path}/${step}`, fields);
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining('Only operators and admins may start'),
    ]);
  }
});
