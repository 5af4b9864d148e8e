import { expect, it } from 'vitest';
import { axeFindings } from '../../support/console/axe.ts';
import { openPage } from '../../support/console/browser.ts';
import { openConsoleApp } from '../../support/console/console-app.ts';

it('Bull Board looks as the console, names queues as it does, leads back, and asks no other site', async (test) => {
  const { page, complaints } = await openPage(test);
  const { server, addRow, work } = await openConsoleApp();
  await addRow(0);
  await work('upload', 1, async () => {
    throw new Error('server_error: 500');
  });
  const foreign: string[] = [];
  page.on('request', (asked) => void (asked.url().startsWith(server.url) || foreign.push(asked.url())));
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${server.url}/board`);
    await page.getByText('AI result').first().waitFor();
    const paper = colorScheme === 'light' ? 'rgb(250, 249, 247)' : 'rgb(16, 17, 19)';
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(paper);
    expect(await page.evaluate('getComputedStyle(document.body).fontFamily')).toContain('Inter Variable');
    expect(await axeFindings(page, { runOnly: ['color-contrast'] })).toEqual([]);
  }
  const inMenu = `getComputedStyle(document.querySelector("[title='poll'] > span"), '::after').content`;
  expect(await page.evaluate(inMenu)).toBe('"AI result"');
  expect(await page.getByRole('link', { name: 'Back to the console' }).getAttribute('href')).toBe('/queues');
  // Nothing lies above it.
  await page.getByRole('link', { name: 'Back to the console' }).click({ trial: true });
  // None that leads nowhere.
  expect(await page.locator('header ul button:visible').count()).toBe(2);
  expect(foreign).toEqual([]);
  expect(complaints).toEqual([]);
});
