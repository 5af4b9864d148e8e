import { expect, it } from 'vitest';
import { openTestDraft } from '../../../app/drafts/test-draft.ts';
import { openPage } from '../../../support/console/browser.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

it('the zone that a person chooses stays chosen, and the button of all columns takes it along', async (test) => {
  const { creator, ...row } = videoRow('a');
  const own = { Wer: `@${creator}`, Datum: '2031-01-12', Uhrzeit: '18:00' };
  const draft = await openTestDraft([{ ...row, ...own }], {}, test);
  await draft.look();
  const { page } = await openPage(test);
  await page.goto(`${draft.pages.url}/campaigns/new/${draft.id}`);
  const button = page.getByRole('button', { name: /Use the column suggestion/ });
  expect(await button.textContent()).not.toContain('times');
  const list = page.getByLabel('Times without a zone use');
  await list.selectOption('America/Lima');
  // As each part does that the stream updates.
  await page.evaluate("document.dispatchEvent(new Event('htmx:after:swap'))");
  expect(await list.inputValue()).toBe('America/Lima');
  expect(await button.textContent()).toBe('Use the column suggestion, with times in America/Lima');
  await button.click();
  await page.getByText('The columns are saved.').waitFor();
  expect((await draft.look()).draft.reading.timezone).toBe('America/Lima');
});
