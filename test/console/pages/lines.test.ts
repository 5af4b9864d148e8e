/** Rows of a plan without keys are named by their lines, on every page; the number that stands for a key is ours. */
import { expect, it } from 'vitest';
import { openApprovals } from '../../support/approvals.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';

const rowOf = (caption: string) => {
  const { key: _key, ...row } = videoRow(caption, { caption, scheduled_at: '2036-01-10T10:00Z' });
  return row;
};

it('the page of a row, its questions and what they did', async () => {
  const runner = await openRunner();
  const id = await runner.importRows([rowOf('One'), rowOf('Two')]);
  const pages = await openPages(runner);
  const page = await pages.get(`/campaigns/${id}/rows/2`);
  expect(page.html).toMatch(/<\/a> \/ line 3<\/nav>/);
  expect(page.html).toContain('data-title="line 3, ');
  const asked = await pages.get(`/campaigns/${id}/rows/2/cancel`);
  expect(asked.text).toContain('Cancel line 3?');
  const done = await pages.post(`/campaigns/${id}/rows/2/cancel`, { revision: '0' });
  expect(done.text).toContain('Line 3 is cancelled.');
});

it('the calendar', async () => {
  const runner = await openRunner();
  const id = await runner.importRows([rowOf('One'), rowOf('Two')]);
  const { html } = await (await openPages(runner)).get('/calendar?from=2036-01-07&zone=UTC');
  expect(html).toContain('title="line 2, ');
  expect(html).toContain('same minute, line 3');
  expect(html).toContain(`/campaigns/${id}/rows/1"`);
});

it('approvals', async () => {
  const { pages, waiting } = await openApprovals([rowOf('One')], { approve: 'all', lead: 86_400_000 });
  await waiting(1);
  const { html } = await pages.get('/approvals');
  expect(html).toMatch(/Select line 2 of demo_anna"> line 2</);
  expect(html).not.toContain('<code>1</code>');
});
