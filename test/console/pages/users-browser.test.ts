import { expect, it } from 'vitest';
import { recordChange } from '../../../src/app/access/audit.ts';
import { goodPassword, quickUser } from '../../support/console/access.ts';
import { openPage } from '../../support/console/browser.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';

/** Tables, and what can be pressed in them, that leave the frame around them or are cut off in it. */
const findCutOff = `[...document.querySelectorAll('.card, .scroller')].flatMap((card) => {
  const { left, right } = card.getBoundingClientRect();
  return [...card.querySelectorAll('table, table :is(a, button, input:not([type=hidden]), select, summary)')].flatMap((each) => {
    const box = each.getBoundingClientRect();
    if (!each.checkVisibility()) return [];
    return box.left < left || box.right > right ? [each.tagName + ' ' + each.textContent.trim().slice(0, 20)] : [];
  });
})`;

it('the tables of users, of the audit and of rate limits stay in their frames, and all buttons are in sight on a phone', async (test) => {
  const { page } = await openPage(test);
  const runner = await openRunner();
  const { url, runtime } = await openPages(runner);
  await quickUser(runner, 'anna', 'admin');
  await quickUser(runner, 'lin-with-a-long-name.of.agency', 'viewer');
  for (const words of ['c1', 'the campaign autumn-winter_collection_2027_final_v2.csv, '.repeat(3)])
    await recordChange(runtime, {
      who: 'root',
      from: 'terminal on host',
      what: `Retried 12 rows of ${words}`,
      by: 'campaigns retry c1 --rows a,b,c',
    });
  await page.goto(`${url}/users`);
  await page.getByLabel('Name').fill('anna');
  await page.getByLabel('Password').fill(goodPassword);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Users', exact: true }).waitFor();
  for (const path of ['/users', '/audit', '/queues']) {
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${url}${path}`);
      expect.soft(await page.evaluate(findCutOff), `${path} ${width}`).toEqual([]);
      await page.evaluate('document.querySelectorAll(".limit").forEach((each) => each.open = true)');
      expect.soft(await page.evaluate(findCutOff), `${path} ${width}, limits open`).toEqual([]);
    }
  }
});
