import { expect, it } from 'vitest';
import { goodPassword, quickUser } from '../../support/console/access.ts';
import { axeFindings } from '../../support/console/axe.ts';
import { openPage } from '../../support/console/browser.ts';
import { openConsoleApp } from '../../support/console/console-app.ts';

it('people sign in, add a user, keep what they typed when the session ends, and sign out', async (test) => {
  const { server, ledger, queues } = await openConsoleApp();
  await quickUser({ ledger }, 'anna', 'admin');
  const { page, complaints } = await openPage(test);
  await page.setViewportSize({ width: 390, height: 800 });

  await page.goto(`${server.url}/users`);
  expect(new URL(page.url()).pathname).toBe('/sign-in');
  expect(await axeFindings(page, { onlySerious: true })).toEqual([]);
  await page.getByLabel('Name').fill('anna');
  await page.getByLabel('Password').fill(goodPassword);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Users', exact: true }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);

  await page.getByLabel('More for anna').click();
  await page.getByRole('link', { name: 'New token…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make a token' }).click();
  expect(await page.locator('code.token').textContent()).toMatch(/^cr_[\w-]{43}$/);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await page.getByRole('link', { name: 'I have copied it' }).click();
  await page.getByText(/^token cr_/).waitFor();

  await page.getByText('Add a user…').click();
  await page.getByLabel('Name').fill('lin.yue');
  await page.getByLabel('Role').selectOption('operator');
  await page.getByLabel('Password').fill(goodPassword);
  const cookies = await page.context().cookies();
  const session = cookies.find(({ name }) => name === 'campaigns_session');
  await page.context().clearCookies({ name: 'campaigns_session' });
  await page.getByRole('button', { name: 'Add the user' }).click();
  await page.getByText('Your session has ended. Nothing was changed.').waitFor();
  await page.getByLabel('Name').fill('anna');
  await page.getByLabel('Password').fill(goodPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Send what you typed?' }).waitFor();
  expect(await axeFindings(page, { onlySerious: true })).toEqual([]);
  expect(await page.content(), 'no password comes back').not.toContain(goodPassword);
  await page.getByRole('button', { name: 'Send it' }).click();
  await page.getByText('The password has 0 characters.').waitFor();
  await page.getByLabel('Password').fill(goodPassword);
  await page.getByRole('button', { name: 'Add the user' }).click();
  await page.getByText('lin.yue is an operator now.').waitFor();
  expect(session?.httpOnly).toBe(true);

  // Bull Board sends the proof of the session by itself.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${server.url}/board/queue/post`);
  await page.locator('section button[aria-haspopup="menu"]').click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect.poll(() => queues.paused()).toEqual(['post']);

  await page.goto(`${server.url}/audit`);
  await page.getByText('Bull Board: PUT /board/api/queues/post/pause').waitFor();
  await page.getByLabel('Menu of anna').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out.').waitFor();
  await page.goto(`${server.url}/campaigns`);
  expect(new URL(page.url()).pathname).toBe('/sign-in');
  const expected = /fonts\.googleapis\.com|status of 40[19]/;
  expect(complaints.filter((complaint) => !expected.test(complaint))).toEqual([]);
});
