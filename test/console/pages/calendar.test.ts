import { describe, expect, it } from 'vitest';
import { grid } from '../../../src/console/pages/calendar/agenda.ts';
import { openTestDraft } from '../../app/drafts/test-draft.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';

const now = Date.UTC(2027, 2, 9, 7, 42);

async function open() {
  const runner = await openRunner({ now: () => now });
  const row = (key: string, time: string) =>
    videoRow(key, { scheduled_at: time, scheduled_tz: 'UTC', creator: 'demo_anna' });
  const id = await runner.importRows([
    row('a', '2027-03-12 18:00'),
    row('b', '2027-03-12 18:05'),
    row('c', '2027-03-12 23:30'),
  ]);
  return { id, pages: await openPages(runner) };
}

describe('/calendar', () => {
  it('shows two weeks from Monday, with collisions and the posts of a day', async () => {
    const { id, pages } = await open();
    const { text, html } = await pages.get('/calendar?view=creators&from=2027-03-08&day=2027-03-12');
    expect(text).toContain('8 to 21 March 2027');
    expect(text).toContain('3 to go out · 2 posts too close together');
    expect(text).toContain('demo_anna, Fri 12 Mar: 5 min apart');
    expect(text).toMatch(/Friday 12 March 3 posts, 2 too close together/);
    expect(html).toContain(`href="/campaigns/${id}/rows/b"`);
  });

  it('shows times and days of the zone in the address, and names it', async () => {
    const { pages } = await open();
    const { text } = await pages.get('/calendar?view=creators&zone=Asia/Shanghai&day=2027-03-13');
    expect(text).toMatch(/Saturday 13 March 3 posts/);
    expect(text).toContain('02:05');
    expect(text).toContain('Times are in Asia/Shanghai (UTC+8).');
  });

  it('shows times in the zone of each row, and names the zones', async () => {
    const runner = await openRunner({ now: () => now });
    const row = (key: string, time: string, zone: string) =>
      videoRow(key, { scheduled_at: time, scheduled_tz: zone, creator: 'demo_anna' });
    await runner.importRows([
      row('a', '2027-03-12 18:00', 'Asia/Shanghai'),
      row('b', '2027-03-12 11:10', 'Europe/Berlin'),
    ]);
    const pages = await openPages(runner);
    const { text, html } = await pages.get('/calendar?view=creators&zone=row&day=2027-03-12');
    expect(html.match(/aria-current="true">(?:<bdi>)?([^<]+)</)?.[1]).toBe('each row’s own zone');
    expect(text).toContain('18:00 (UTC+8) a and 11:10 (UTC+1) b');
    expect(text).toMatch(/demo_anna 2 time zones .*18:00 UTC\+8 .*11:10 UTC\+1/);
    expect(text).toContain('Times are in each row’s own zone, all others in');
    const early = await pages.get('/calendar?zone=row&from=2027-01-04');
    expect(early.html).toContain('zone=row&amp;from=2027-03-08&amp;day=2027-03-12');
  });

  it('shows a week of cards: time, campaign, creator, caption, state, and collisions', async () => {
    const { id, pages } = await open();
    const { text, html } = await pages.get('/calendar');
    expect(text).toContain('8 to 14 March 2027');
    expect(text).toMatch(/Fri 12 3 18:00 TE demo_anna Caption a Move… .* 5 min apart, b 18:05 TE/);
    expect(html.match(/class="day quiet/g)).toHaveLength(6);
    expect(html).toContain(`href="/campaigns/${id}/rows/b"`);
    expect(html.match(/class="slot" data-clash/g)).toHaveLength(2);
    const only = await pages.get('/calendar?collisions=1');
    expect(only.html.match(/class="slot"/g)).toHaveLength(2);
    const empty = await pages.get('/calendar?from=2027-03-15');
    expect(empty.text).toContain('Last planned post: Fri 12 Mar');
  });

  it('shows a month of days, each of which leads to its week', async () => {
    const { pages } = await open();
    const { text, html } = await pages.get('/calendar?view=month');
    expect(text).toContain('March 2027');
    expect(text).toMatch(/12 3 posts 18:00 18:05 23:30/);
    expect(html).toContain('href="/calendar?day=2027-03-12#day-2027-03-12"');
    expect((await pages.get('/calendar?view=month&from=2027-04-20')).text).toContain('April 2027');
  });

  it('moves a row that is not sent yet by an edit, which asks first', async () => {
    const { id, pages } = await open();
    const { html } = await pages.get('/calendar');
    expect(html).toContain('name="c.scheduled_at" value="2027-03-12T18:00"');
    const fields = { revision: '0', 'c.scheduled_time': '', 'c.scheduled_at': '2027-03-13T09:30' };
    const question = await pages.post(`/campaigns/${id}/rows/a/edit`, fields);
    expect(question.text).toContain('Move a?');
    expect(question.text).toContain('The changed post is sent when its turn comes.');
    expect(question.text).not.toMatch(/again|retr/i);
    const moved = await pages.post(`/campaigns/${id}/rows/a/save`, fields);
    expect(moved.text).toContain('Saved 1 change. Row a waits, as changed.');
    expect((await pages.get('/calendar')).text).toMatch(/Sat 13 1 09:30 TE demo_anna Caption a/);
    const other = await pages.post(`/campaigns/${id}/rows/b/edit`, { ...fields, home: '//example.com' });
    expect(other.html).not.toContain('href="//example.com"');
  });

  it('moves a row whose time has an offset, in the zone of the page, and returns there', async () => {
    const runner = await openRunner({ now: () => now });
    const id = await runner.importRows([videoRow('a', { scheduled_at: '2027-03-26T18:00:00+08:00' })]);
    const pages = await openPages(runner);
    const home = '/calendar?zone=Europe/Berlin&day=2027-03-26';
    const { html } = await pages.get(home);
    expect(html).toContain('New time (Europe/Berlin)');
    expect(html).toContain('name="c.scheduled_at" value="2027-03-26T11:00"');
    expect(html).toContain(`name="home" value="${home.replace('&', '&amp;')}"`);
    const place = { revision: '0', home, 'c.scheduled_time': '' };
    // The clocks change in between.
    const fields = { ...place, 'asked-in': 'Europe/Berlin', 'c.scheduled_at': '2027-03-28T11:00' };
    const question = await pages.post(`/campaigns/${id}/rows/a/edit`, fields);
    expect(question.text).toContain('2027-03-26T18:00:00+08:00 2027-03-28T11:00+02:00');
    expect(question.html).not.toContain('asked-in');
    const saved = await pages.post(`/campaigns/${id}/rows/a/save`, {
      ...place,
      'c.scheduled_at': '2027-03-28T11:00+02:00',
    });
    expect(saved.text).toMatch(/ Sun 28 1 11:00 TE demo_anna Caption a.* Saved 1 change/);
  });

  it('shows a post without a time where it was posted', async () => {
    const runner = await openRunner();
    const id = await runner.importOrUpdate([videoRow('now', { caption: 'At once' })]);
    await runner.start();
    await runner.ended(id);
    const { text, html } = await (await openPages(runner)).get('/calendar');
    expect(text).toMatch(/demo_anna At once/);
    expect(text).toContain('1 posted');
    expect(text).toContain('Move… The row is posted. Change the post in the service.');
    expect(html).not.toContain('name="moved"');
  });

  it('shows posts that were sent in turn as a wave, without collisions, and its day as a list', async () => {
    const runner = await openRunner();
    const keys = Array.from({ length: 9 }, (_, index) => `now-${index}`);
    const id = await runner.importOrUpdate(keys.map((key) => videoRow(key)));
    await runner.start();
    await runner.ended(id);
    const pages = await openPages(runner);
    const { text, html } = await pages.get('/calendar');
    expect(text).toMatch(/9 posted (?!·)/);
    expect(text).toContain(' 9 posts ');
    const [, list = ''] = /class="slot wave"><a href="([^"]*)"/.exec(html) ?? [];
    const day = await pages.get(list.replaceAll('&amp;', '&'));
    expect(day.html.match(/class="slot"/g)).toHaveLength(9);
    expect(day.text).toContain('Caption now-8');
  });

  it('what a week shows of a full day adds up to its count, and opens as a list', async () => {
    const runner = await openRunner({ now: () => now });
    const at = (key: string, time: string, creator: string) =>
      videoRow(key, { scheduled_at: `2027-03-${time}`, scheduled_tz: 'UTC', creator });
    const hours = ['08', '09', '10', '11', '13', '18', '19', '20', '21'];
    for (const name of ['one', 'two', 'three', 'four', 'five', 'six']) {
      await runner.importRows([
        ...hours.map((hour) => at(`${name}-${hour}`, `12 ${hour}:00`, 'demo_anna')),
        at(`${name}-evening`, '13 19:30', 'demo_ben'),
      ]);
    }
    const pages = await openPages(runner);
    const { html, text } = await pages.get('/calendar?zone=UTC&near=1');
    const days = html.split('<section class="day').slice(1);
    const shown = days.map((day) => {
      const ofWaves = [...day.matchAll(/<b>(\d+) posts<\/b>/g)].map(([, many]) => Number(many));
      const cards = day.match(/class="slot"/g)?.length ?? 0;
      return cards + ofWaves.reduce((sum, many) => sum + many, 0);
    });
    expect(shown).toEqual([0, 0, 0, 0, 54, 6, 0]);
    expect(text).toMatch(/Fri 12 54 .* Sat 13 6 /);
    const waves = days[4]?.match(/class="slot wave"/g) ?? [];
    expect(waves.length).toBeLessThanOrEqual(3 * 4);
    const [, place = ''] = /class="slot wave"><a href="([^"]*#Evening)"/.exec(html) ?? [];
    const list = await pages.get(place.replaceAll('&amp;', '&'));
    expect(list.text).toContain('Friday, 12 March 2027');
    const whole = await pages.get('/calendar?zone=UTC&view=day&day=2027-03-12');
    expect(whole.html.match(/class="slot"/g)).toHaveLength(54);
    expect((await pages.get('/calendar?zone=UTC&view=month')).html).toContain('view=day&amp;day=2027-03-12"');
  });

  it('keeps the cards of collisions on a full day', async () => {
    const runner = await openRunner({ now: () => now });
    const minutes = ['00', '05', '10', '15', '20', '25', '30', '40', '50'];
    const creators = ['ben', 'carla', 'david', 'elena', 'felix', 'grace', 'henry'].map(
      (name) => `demo_${name}`,
    );
    await runner.importRows(
      minutes.map((minute, index) =>
        videoRow(minute, {
          scheduled_at: `2027-03-12 18:${minute}`,
          scheduled_tz: 'UTC',
          creator: creators[index] ?? 'demo_anna',
        }),
      ),
    );
    const { html, text } = await (await openPages(runner)).get('/calendar?zone=UTC');
    expect(html.match(/class="slot" data-clash/g)).toHaveLength(2);
    expect(text).toMatch(/18:05 to 18:30.* 6 posts/);
  });

  it('has a mark of its own for each campaign of the same letters', async () => {
    const runner = await openRunner({ now: () => now });
    const row = (key: string) => videoRow(key, { scheduled_at: '2027-03-12 18:00', scheduled_tz: 'UTC' });
    await runner.importRows([row('a')]);
    await runner.importRows([row('b')]);
    const { html } = await (await openPages(runner)).get('/calendar');
    const week = html.split('class="note marks"')[0] ?? '';
    const found = [...week.matchAll(/<abbr class="mark"[^>]*>([^<]*)/g)].map(([, mark = '']) => mark);
    expect(new Set(found)).toEqual(new Set(['TE', 'T2']));
  });

  it('marks the posts of a paused campaign', async () => {
    const { id, pages } = await open();
    expect((await pages.get('/calendar')).html).not.toContain('data-state="paused"');
    await pages.post(`/campaigns/${id}/pause`, {});
    expect((await pages.get('/calendar')).html.match(/class="when" data-state="paused"/g)).toHaveLength(3);
  });

  it('shows the posts of drafts, as their last check found them', async () => {
    const row = (key: string, time: string) =>
      videoRow(key, { scheduled_at: time, scheduled_tz: 'UTC', creator: 'demo_anna' });
    const draft = await openTestDraft(
      [row('a', '2027-03-12 18:00'), row('b', '2027-03-12 18:05'), videoRow('none')],
      { now: () => now },
    );
    expect((await draft.pages.get('/calendar')).text).toContain('0 to go out');
    await draft.look();
    expect((await draft.pages.get('/campaigns')).text).toContain('3 rows, nothing to fix');
    const { text, html } = await draft.pages.get('/calendar');
    expect(text).toContain('2 to go out, 2 of them in a draft · 2 posts too close together');
    expect(text).toMatch(
      /Fri 12 2 18:00 SP demo_anna Caption a Move… New time \(UTC\) Move 5 min apart, b 18:05 SP/,
    );
    expect(html).toContain(`href="/campaigns/new/${draft.id}/rows/1"`);
    const [, picture = ''] = /data-src="([^"?]*)/.exec(html) ?? [];
    expect(picture).toBe(`/media/drafts/${draft.id}/1/planned`);
    expect((await fetch(`${draft.pages.url}${picture}`)).status).toBe(200);
    const only = `campaign=${draft.id}`;
    expect((await draft.pages.get(`/calendar?from=2027-01-04&${only}`)).text).toContain('Next planned post');
    await draft.edit({ leaveOut: [1] });
    await draft.drafts.checkAgain(draft.id);
    await draft.look();
    expect((await draft.pages.get('/calendar?view=month')).text).toMatch(/12 1 post/);
    await draft.drop('creator\n');
    expect((await draft.pages.get('/calendar')).text).toContain('0 to go out');
    await draft.look();
    expect((await draft.pages.get('/campaigns')).text).toMatch(/\d things? to fix/);
  });

  it('counts the posts of the month, not those of its weeks', async () => {
    const runner = await openRunner();
    await runner.importRows([videoRow('a', { scheduled_at: '2027-03-30T10:00Z' })]);
    const pages = await openPages(runner);
    const of = async (month: string) => (await pages.get(`/calendar?view=month&from=${month}-20`)).text;
    expect(await of('2027-03')).toContain('March 2027 1 to go out');
    expect(await of('2027-04')).toMatch(/April 2027 0 to go out .* 30 1 post/);
  });

  it('takes another distance for too close', async () => {
    const { pages } = await open();
    expect((await pages.get('/calendar?near=5')).text).not.toContain('collisions=1');
    expect((await pages.get('/calendar?near=6')).text).toContain('2 posts too close together');
  });

  it('leads from empty days to the nearest planned posts', async () => {
    const { pages } = await open();
    const before = await pages.get('/calendar?from=2027-01-04');
    expect(before.text).toContain('Next planned post: Fri 12 Mar');
    expect(before.text).not.toContain('Last planned post');
    const after = await pages.get('/calendar?from=2027-06-07');
    expect(after.text).toContain('Last planned post: Fri 12 Mar');
    expect(after.html).toContain('href="/calendar?from=2027-03-08&amp;day=2027-03-12"');
  });

  it('names the filter that nothing fits', async () => {
    const { pages } = await open();
    const { text } = await pages.get('/calendar?creator=nobody');
    expect(text).toContain('No posts are planned for these days. Filter: nobody.');
  });

  it('refuses a date that is none', async () => {
    const { pages } = await open();
    const { text, status } = await pages.get('/calendar?from=%3Cscript%3E');
    expect(status).toBe(422);
    expect(text).toMatch(/This cannot be shown .* is not a date\. .* All campaigns/);
    expect(text).not.toContain('Nothing was changed');
  });
});

it('shows the creators of a page, however many there are', () => {
  const days = Array.from({ length: 14 }, (_day, at) => `2026-12-${String(at + 1).padStart(2, '0')}`);
  const creators = Array.from({ length: 12_000 }, (_creator, at) => ({
    name: `creator-${at}`,
    posts: [],
    collisions: [],
    stopped: 0,
  }));
  const request = { link: (path: string) => path, query: new URLSearchParams(), zone: 'UTC', now: 0 };
  const html = grid(request as never, { today: '2026-12-01' } as never, { days, creators } as never);
  expect(String(html)).toContain('1 to 100 of 12,000');
});
