/** The page of a row that waits for its day. */
import { expect, it } from 'vitest';
import { openApprovals } from '../../../support/approvals.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

it('says until when it waits, and sends it now if a person says so', async () => {
  const runner = await openRunner();
  const id = await runner.importOrUpdate([videoRow('a', { scheduled_at: '2036-01-10T10:00Z' })], {
    lead: 2 * 86_400_000,
  });
  await runner.start();
  await runner.until(async () => (await runner.ledger.campaigns.find(id))?.counts.ready === 1, 'a ready row');
  const pages = await openPages(runner);
  const page = await pages.get(`/campaigns/${id}/rows/a?zone=UTC`);
  expect(page.text).toContain('Ready until Tue 8 Jan 2036, 10:00');
  const campaign = await pages.get(`/campaigns/${id}?zone=UTC`);
  expect(campaign.text).toContain('Next posts');
  expect(campaign.html).toMatch(/class="covers".*ready.*10 Jan 2036/s);
  const change = { revision: '0', 'c.lead': 'now' };
  const asked = await pages.post(`/campaigns/${id}/rows/a/edit`, change);
  expect(asked.text).toContain('lead');
  expect(asked.text).toContain('Save and send now a?');
  expect(asked.text).toContain('The post goes to the service now. It cannot be taken back here.');
  await pages.post(`/campaigns/${id}/rows/a/save`, change);
  await runner.ended(id);
  const [call] = runner.sandbox.calls('createCreatorPost');
  expect(call?.body).toMatchObject({ scheduledAt: Date.parse('2036-01-10T10:00Z') });
});

it('the pictures of a campaign that is scheduled are those of its next posts, in their order', async () => {
  const runner = await openRunner();
  const days = [20, 12, 16].map((day) => videoRow(`d${day}`, { scheduled_at: `2036-01-${day}T10:00Z` }));
  const id = await runner.importOrUpdate(days);
  await runner.start();
  await runner.ended(id);
  const { html, text } = await (await openPages(runner)).get(`/campaigns/${id}?zone=UTC`);
  expect(text).toContain('Next posts');
  const [covers = ''] = /class="covers".*?<\/section>/s.exec(html) ?? [];
  expect([...covers.matchAll(/(\d\d) Jan 2036/g)].map(([, day]) => day)).toEqual(['12', '16', '20']);
});

it('once a post is out, those to come are no pictures of what was posted', async () => {
  const runner = await openRunner();
  const id = await runner.importOrUpdate([
    videoRow('now'),
    videoRow('later', { scheduled_at: '2036-01-10T10:00Z' }),
  ]);
  await runner.start();
  await runner.ended(id);
  const { html } = await (await openPages(runner)).get(`/campaigns/${id}?zone=UTC`);
  const [covers = ''] = /class="covers".*?<\/section>/s.exec(html) ?? [];
  expect(covers).toContain('/rows/now');
  expect(covers).not.toContain('/rows/later');
});

it('says of an edit that nothing is sent before its day, or before another approval', async () => {
  const runner = await openRunner();
  const later = { scheduled_at: '2036-01-10T10:00Z' };
  const id = await runner.importOrUpdate(
    [videoRow('a', later), videoRow('b', { ...later, approve: 'all' })],
    {
      lead: 2 * 86_400_000,
    },
  );
  await runner.start();
  await runner.until(async () => (await runner.ledger.campaigns.find(id))?.counts.ready === 2, 'ready rows');
  const pages = await openPages(runner);
  const ask = async (key: string) =>
    (await pages.post(`/campaigns/${id}/rows/${key}/edit`, { revision: '0', 'c.caption': 'Better' })).text;
  expect(await ask('a')).toContain('Nothing is sent now. The changed post waits for its time.');
  expect(await ask('b')).toContain('Nothing is sent now. The post needs approval again.');
});

it('says of an approved post that it is sent now if only its lead is changed', async () => {
  const later = { scheduled_at: '2036-01-10T10:00Z' };
  const scene = await openApprovals([videoRow('a', later)], { approve: 'all', lead: 2 * 86_400_000 });
  const { pages, id } = scene;
  const ask = async (change: Readonly<Record<string, string>>) =>
    (await pages.post(`/campaigns/${id}/rows/a/edit`, { revision: '0', ...change })).text;
  const seen = await scene.waiting(1);
  expect(await ask({ 'c.lead': 'now' })).toContain('The post needs approval again.');
  await scene.approve(seen);
  expect(await ask({ 'c.lead': 'now' })).toContain(
    'The post goes to the service now. It cannot be taken back here.',
  );
  expect(await ask({ 'c.lead': '30d' })).toContain('The changed post waits for its time.');
  expect(await ask({ 'c.lead': 'now', 'c.caption': 'Better' })).toContain('The post needs approval again.');
});

it('says whose post an edit changes, and when it goes out then', async () => {
  const runner = await openRunner();
  const creator = 'https://social.example/@demo_anna?lang=de';
  const id = await runner.importOrUpdate([videoRow('a', { creator, scheduled_at: '2036-01-10T10:00Z' })], {
    lead: 2 * 86_400_000,
  });
  await runner.start();
  await runner.until(async () => (await runner.ledger.campaigns.find(id))?.counts.ready === 1, 'a ready row');
  const pages = await openPages(runner);
  const ask = async (time: string) =>
    (await pages.post(`/campaigns/${id}/rows/a/edit?zone=UTC`, { revision: '0', 'c.scheduled_at': time }))
      .text;
  const moved = await ask('2036-02-01T09:30Z');
  expect(moved).toContain('demo_anna · Caption a');
  const page = (await pages.get(`/campaigns/${id}/rows/a`)).text;
  expect(page).toContain('demo_anna · line 2 of the sheet');
  expect(moved).toContain('Its time: Fri 1 Feb 2036, 09:30');
  expect(await ask('')).toContain('It no longer has a scheduled time: it is posted as soon as it is ready.');
});
