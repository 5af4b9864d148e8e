/** Posts are moved in the calendar: those of drafts at once, waiting ones after a question, others not, and the card says why. */
import { expect, it } from 'vitest';
import { openPages } from '../../support/console/console-pages.ts';
import { cellsOf, openDraft } from '../../support/console/draft-page.ts';
import { openRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';

const home = '/calendar?zone=UTC&day=2031-03-12';

/** Field of the form on a card. */
const field = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

async function moveFirst(cells: Record<string, string>, to: string, page = home) {
  const draft = await openDraft([videoRow('a', { scheduled_tz: 'UTC', ...cells })]);
  await draft.checked();
  const { html } = await draft.pages.get(page);
  const zones = { 'asked-in': field(html, 'asked-in'), 'own-zone': field(html, 'own-zone') };
  const fields = { row: field(html, 'row'), was: field(html, 'was'), home: page, ...zones };
  const send = (text: string) =>
    draft.pages.post(`${draft.path}/move`, { ...fields, 'c.scheduled_at': text });
  const moved = await send(to);
  const { checked } = await draft.look();
  const own = (await cellsOf(draft, 1)) ?? [];
  const texts = ['scheduled_at', 'scheduled_time'].map(
    (name) => own[checked?.columns.find(({ column }) => column === name)?.position ?? -1],
  );
  return { html, moved, texts, send };
}

it('moves a row of a draft, and shows it there', async () => {
  const { moved, texts, send } = await moveFirst({ scheduled_at: '2031-03-12 18:00' }, '2031-03-13T19:30');
  expect(moved.text).toContain('Row a moved to 2031-03-13 19:30.');
  expect(moved.text).toMatch(/Thu 13 1 19:30 \S+ demo_anna Caption a/);
  expect(texts).toEqual(['2031-03-13 19:30', undefined]);
  expect((await send('2031-03-14T19:30')).text).toContain('Nothing was moved: the row has changed.');
});

it('asks in the zone that the page shows, and writes in the zone of the row', async () => {
  const tokyo = '/calendar?zone=Asia/Tokyo&day=2031-03-13';
  const { html, moved, texts } = await moveFirst(
    { scheduled_at: '2031-03-12 18:00' },
    '2031-03-13T19:30',
    tokyo,
  );
  expect(html).toContain('New time (Asia/Tokyo)');
  expect(field(html, 'c.scheduled_at')).toBe('2031-03-13T03:00');
  expect(texts).toEqual(['2031-03-13 10:30', undefined]);
  expect(moved.text).toContain('Row a moved to 2031-03-13 19:30.');
});

it('says both zones before a waiting row is moved', async () => {
  const runner = await openRunner();
  const row = videoRow('a', { scheduled_at: '2031-03-12 18:00', scheduled_tz: 'UTC' });
  const id = await runner.importRows([row]);
  const pages = await openPages(runner);
  const asked = await pages.post(`/campaigns/${id}/rows/a/edit`, {
    revision: '0',
    home,
    moved: 'yes',
    'asked-in': 'Asia/Tokyo',
    'own-zone': 'UTC',
    'c.scheduled_at': '2031-03-13T19:30',
  });
  expect(asked.text).toContain('2031-03-13 19:30 in Asia/Tokyo. The sheet has this time in UTC:');
  expect(asked.text).toContain('scheduled_at 2031-03-12 18:00 2031-03-13 10:30');
});

it('writes date and time of a draft into their own columns', async () => {
  const cells = { scheduled_at: '2031-03-12', scheduled_time: '18:00' };
  const { texts } = await moveFirst(cells, '2031-03-13T19:30');
  expect(texts).toEqual(['2031-03-13', '19:30']);
});

it.each([
  ['9:15', { scheduled_at: '2031-03-12', scheduled_time: '8:30' }, ['2031-03-13', '9:15']],
  ['09:15', { scheduled_at: '2031-03-12', scheduled_time: '18:30' }, ['2031-03-13', '09:15']],
  ['13.03.2031 9:15', { scheduled_at: '12.03.2031 8:30' }, ['13.03.2031 9:15', undefined]],
])('writes %s as the sheet writes times: %j', async (_text, cells, expected) => {
  expect((await moveFirst(cells, '2031-03-13T09:15')).texts).toEqual(expected);
});

it('writes date and time of a waiting row into their own columns', async () => {
  const runner = await openRunner();
  const row = videoRow('a', { scheduled_at: '2031-03-12', scheduled_time: '18:00', scheduled_tz: 'UTC' });
  const id = await runner.importRows([row]);
  const pages = await openPages(runner);
  expect((await pages.get(home)).html).toContain('name="moved"');
  const asked = await pages.post(`/campaigns/${id}/rows/a/edit`, {
    revision: '0',
    home,
    moved: 'yes',
    'c.scheduled_at': '2031-03-13T19:30',
  });
  expect(asked.text).toContain('scheduled_at 2031-03-12 2031-03-13 scheduled_time 18:00 19:30');
});

it('says on the card why a post cannot be moved; a day of a month has its times', async () => {
  const runner = await openRunner();
  const at = (key: string, time: string) =>
    videoRow(key, { scheduled_at: `2031-03-12 ${time}`, scheduled_tz: 'UTC' });
  const id = await runner.importOrUpdate([at('a', '18:00'), at('b', '20:15')]);
  await runner.start();
  await runner.ended(id);
  const pages = await openPages(runner);
  expect((await pages.get(home)).text).toContain('Move… Scheduled: change it in the service.');
  expect((await pages.get(`${home}&view=month&from=2031-03-12`)).html).toMatch(
    /title="18:00 to 20:15">\s*<span class="date"><b>12</,
  );
});
