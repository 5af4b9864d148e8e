import { expect, it } from 'vitest';
import { setAlias } from '../../../../src/app/drafts/aliases.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';

const alias = { kind: 'creator', name: 'Anna / B. <b>', means: 'demo_anna', by: 'ann' } as const;
const path = `/campaigns/aliases/creator/${encodeURIComponent(alias.name)}`;

it('lists the names that were fixed before, and changes and removes them', async () => {
  const pages = await openPages(await openRunner());
  expect((await pages.get('/campaigns/aliases')).text).toContain('No names yet.');
  await setAlias(pages.runtime, alias);
  expect((await pages.get('/campaigns/aliases')).text).toContain(
    'Anna / B. &lt;b&gt; demo_anna creator ann,',
  );

  expect((await pages.get(`${path}/change`)).html).toContain('value="demo_anna"');
  expect((await pages.post(`${path}/change`, { means: 'demo_ben' })).text).toContain('means demo_ben now.');
  expect((await pages.post(`${path}/remove`, {})).text).toContain('No names yet.');
});

it('shows the newest 50 first, and the others on pages of their own', async () => {
  const pages = await openPages(await openRunner());
  for (let i = 1; i <= 53; i += 1) await setAlias(pages.runtime, { ...alias, name: `Name ${i}.` });
  const { text } = await pages.get('/campaigns/aliases');
  expect(text).toContain('Name 53.');
  expect(text).not.toContain('Name 3.');
  expect((await pages.get('/campaigns/aliases?page=1')).text).toContain('Name 3.');
});
