/** A page that is open while things go wrong: it says so, keeps what is typed, and goes on by itself. */
import { expect, it } from 'vitest';
import { deleteCampaign } from '../../../src/app/campaigns/steer.ts';
import { openPage } from '../../support/console/browser.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openDrop, sheetOf } from '../../support/console/uploads.ts';
import { openRunner } from '../../support/in-process.ts';
import { tcpProxy } from '../../support/redis/tcp-proxy.ts';
import { videoRow } from '../../support/sheets/rows.ts';

it('texts typed during an outage of Redis stay on the page, or come back with it', async (test) => {
  const runner = await openRunner({}, test);
  const pages = await openPages(runner, test, { patienceMs: 400 });
  const drop = await openDrop(pages);
  await drop.send('Spring.csv', sheetOf(runner.folder, 'a'));
  const { page } = await openPage(test);
  await page.goto(`${pages.url}/campaigns/new/${drop.draft}`);
  const name = page.getByLabel('Name');
  const save = page.getByRole('button', { name: 'Save the options' });
  await name.fill('My spring');
  await page.locator('#clock[data-state="live"]').waitFor();

  runner.redis.stream.pause();
  await page.getByText('Redis has not answered since').waitFor();
  await save.click();
  await page.getByText('nothing was sent. What you typed stays here.').waitFor();
  runner.redis.stream.resume();
  await page.locator('#away').waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('My spring');

  // Before the page can know.
  runner.redis.stream.pause();
  await save.click();
  await page.getByText('the page returns automatically').waitFor();
  runner.redis.stream.resume();
  await page.getByText('What you typed is in its fields.').waitFor();
  expect(await name.inputValue()).toBe('My spring');
  await save.click();
  await page.getByText('The options are saved.').waitFor();
});

it('survives outages of the stream, the ledger and the network; reports a deleted campaign and an ended session', async (test) => {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('a')]);
  const pages = await openPages(runner, test, { patienceMs: 2000 });
  const proxy = await tcpProxy(Number(new URL(pages.url).port), test);
  const { page, complaints } = await openPage(test);
  const live = page.locator('#clock[data-state="live"]');
  const paused = page.locator('#campaign-head').getByText('Paused by hand');

  /** What the stream answers next, instead of beginning. */
  const answers = [503];
  await page.route('**/events?*', (route) => {
    const status = answers.shift();
    return status === undefined ? route.continue() : route.fulfill({ status });
  });
  const origin = `http://127.0.0.1:${proxy.port}`;
  await page.goto(`${origin}/campaigns/${id}`);
  await live.waitFor();
  expect(answers).toEqual([]);
  // A sign of life takes only its own notices off the page.
  await page.evaluate("document.dispatchEvent(new Event('alive'))");
  expect(await page.locator('#campaign-held').count()).toBe(1);

  const search = page.getByRole('searchbox', { name: 'Key, caption or product' });
  await search.fill('demo_a');
  runner.redis.stream.pause();
  const away = page.getByText('Redis has not answered since');
  await away.waitFor();
  await page.getByRole('link', { name: '1 waiting' }).waitFor();
  await page.getByText('More…').click();
  await page.getByRole('link', { name: 'Cancel campaign…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Redis does not answer').waitFor();
  await dialog.getByRole('link', { name: 'Back' }).click();
  await dialog.waitFor({ state: 'hidden' });
  // A part with the focus would stay as it is.
  await search.focus();
  runner.redis.stream.resume();
  await away.waitFor({ state: 'hidden' });

  proxy.reset();
  await runner.ledger.campaigns.pause(id, { code: 'paused', message: 'Paused by hand.' });
  await paused.waitFor();
  expect(await search.inputValue()).toBe('demo_a');

  await deleteCampaign(pages.runtime, id, { force: false });
  await page.getByText('This was deleted.').waitFor();

  await page.goto(`${origin}/queues`);
  await live.waitFor();
  answers.push(401);
  proxy.reset();
  await page.getByText('Your session has ended.').waitFor();
  const expected = /status of (?:401|503)|ERR_CONNECTION_RESET|htmx:sse:error: (?:network error|SSE .* 401)/;
  expect(complaints.filter((text) => !expected.test(text))).toEqual([]);
});

it.for(['/campaigns', '/campaigns?state=all#rows'])(
  'the first page is in the zone of the browser (%s)',
  async (path, test) => {
    const runner = await openRunner({}, test);
    const { url } = await openPages(runner, test);
    const { page } = await openPage(test);
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
    await page.goto(`${url}${path}`);
    const zone = page.locator('html[data-zone="Asia/Tokyo"]');
    await zone.waitFor({ state: 'attached' });
    expect(await zone.count()).toBe(1);
  },
);
