import { describe, expect, it } from 'vitest';
import { pauseCampaign, resumeCampaign } from '../../../../src/app/campaigns/steer.ts';
import type { PostedResult } from '../../../../src/ledger/rows/results.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';
import { asIf } from '../../../support/ledger.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

const minuteMs = 60_000;
const start = Date.UTC(2027, 2, 9, 7, 0);

describe('/campaigns/ID', () => {
  it('shows the throughput with the rate limit, and the times in which it was paused', async () => {
    const clock = { now: start };
    const runner = await openRunner({
      now: () => clock.now,
      settings: { rateLimits: { default: { rate: 12, per: '1m', burst: 1 } } },
    });
    const id = await runner.importRows([videoRow('a')]);
    const minute = start / minuteMs;
    await asIf(runner).postedIn(id, [
      [minute, 4],
      [minute + 1, 10],
      [minute + 2, 8],
    ]);
    await runner.ledger.campaigns.pause(id, { code: 'canary', message: 'Held.' });
    clock.now += minuteMs;
    await runner.ledger.campaigns.resume(id);
    clock.now += 2 * minuteMs;
    const { html, text } = await (await openPages(runner)).get(`/campaigns/${id}`);
    expect(text).toContain('Posted a minute 8');
    expect(text).toContain('Interrupted 07:00 to 07:01: paused after the canary.');
    expect(html).toContain('peak 10, lately 8; interrupted 07:00 to 07:01');
    // A third of its width is held; its limit is its top.
    expect(html).toContain('<rect class="gap" x="0.0" y="0" width="33.3"');
    expect(html).toMatch(/class="limit" d="M0 6\.0H100"/);
  });

  it('does not name a pause that ended in its minute', async () => {
    const clock = { now: start };
    const runner = await openRunner({ now: () => clock.now });
    const id = await runner.importRows([videoRow('a')]);
    await runner.ledger.campaigns.pause(id, { code: 'canary', message: 'Held.' });
    clock.now += 1000;
    await runner.ledger.campaigns.resume(id);
    clock.now += 2 * minuteMs;
    const { text } = await (await openPages(runner)).get(`/campaigns/${id}`);
    expect(text).toContain('Posted a minute');
    expect(text).not.toContain('Held');
  });

  it('keeps the place of the plot from the first second', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a')]);
    const { html } = await (await openPages(runner)).get(`/campaigns/${id}`);
    expect(html).toMatch(
      /<figure id="campaign-throughput">[\s\S]*class="soon note">The curve begins after 3 minutes/,
    );
  });

  it('says who paused it and who let it go on, and when', async () => {
    const clock = { now: start };
    const runner = await openRunner({ now: () => clock.now });
    const id = await runner.importRows([videoRow('a')]);
    const pages = await openPages(runner);
    const headOf = async () => (await pages.get(`/campaigns/${id}`)).text;
    await pauseCampaign(runner, id, 'ops-1');
    expect(await headOf()).toContain('Paused by ops-1, 07:00.');
    clock.now += 5 * minuteMs;
    await resumeCampaign(runner, id, '<b>ben</b>');
    expect(await headOf()).toContain('resumed 07:05 by &lt;b&gt;ben&lt;/b&gt;');
    await pages.post(`/campaigns/${id}/pause`, {});
    expect(await headOf()).toMatch(/Paused by \S+, 07:05\./);
    // A pause for a reason is nobody's.
    await resumeCampaign(runner, id, 'ops-1');
    await runner.ledger.campaigns.pause(id, { code: 'key_refused', message: 'The key is refused.' });
    expect(await headOf()).not.toContain('ops-1');
  });

  it('says who released its canary', async () => {
    const runner = await openRunner({ now: () => start });
    const id = await runner.importRows([videoRow('a')], { canary: 1 });
    await runner.ledger.campaigns.pause(id, { code: 'canary', message: 'Held.' });
    await resumeCampaign(runner, id, 'ops-1');
    const { text } = await (await openPages(runner)).get(`/campaigns/${id}`);
    expect(text).toContain('canary of 1 released 07:00 by ops-1');
  });

  it('shows its times in the zone that it was handed in with, and names it', async () => {
    const clock = { now: start };
    const runner = await openRunner({ now: () => clock.now });
    const id = await runner.importRows([videoRow('a', { scheduled_at: '2027-03-12T18:00-05:00' })]);
    await runner.redis.hset(runner.ledger.keys.campaign(id), 'timezone', 'America/New_York');
    const pages = await openPages(runner);
    for (const path of [`/campaigns/${id}`, `/campaigns/${id}/rows/a`]) {
      expect((await pages.get(path)).text).toContain('Times are in America/New_York (UTC-5).');
    }
    const { text } = await pages.get(`/campaigns/${id}`);
    expect(text).toContain('Fri 12 Mar, 18:00');
    expect(text).toContain('times in America/New_York (UTC-5)');
    expect((await pages.get(`/campaigns/${id}?zone=UTC`)).text).toContain('Fri 12 Mar, 23:00');
  });

  it('of an ended campaign leaves the steps to its causes', async () => {
    const runner = await openRunner();
    const id = await runner.importOrUpdate([videoRow('a', { creator: 'demo_ines' })]);
    await runner.start();
    await runner.ended(id);
    const { text } = await (await openPages(runner)).get(`/campaigns/${id}`);
    expect(text).not.toContain('Post 0 / 1');
    expect(text).toContain('Ended, 1 failed');
    expect(text).not.toContain('to come');
    // Planners know no names of calls.
    expect(text).toMatch(/What the service says 授权已过期.* 40101/);
  });

  it('counts as to come only what can still come there, and shows no figure of zero', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a'), videoRow('b'), videoRow('c')]);
    await asIf(runner).ended(id, [{ row: 0, state: 'failed', error: { step: 'upload' } }]);
    const { text } = await (await openPages(runner)).get(`/campaigns/${id}`);
    expect(text).toMatch(/Upload 0 \/ 3 1 failed ?, 2 to come Post 0 \/ 3 1 didn’t get this far, 2 to come/);
    expect(text).toMatch(/ 1 failed 2 waiting /);
    expect(text).not.toMatch(/ 0 (?:posted|running|in review)/);
  });

  it('says what the release of a canary takes, and releases it', async () => {
    const runner = await openRunner({
      settings: { rateLimits: { default: { rate: 1, per: '1m', burst: 2000 } } },
    });
    const id = await runner.importOrUpdate([videoRow('a'), videoRow('b'), videoRow('c')], { canary: 1 });
    await runner.start();
    await runner.until(
      async () => (await runner.ledger.campaigns.find(id))?.state === 'paused',
      'the canary to end',
    );
    const pages = await openPages(runner);
    const { text } = await pages.get(`/campaigns/${id}`);
    expect(text).toContain('Paused after the canary: the first row has ended, posted.');
    expect(text).toMatch(
      /release the other 2: \d calls, no AI outputs, at least 2 min\. The campaign won't pause for a canary again\./,
    );
    await pages.post(`/campaigns/${id}/resume`, {});
    expect((await runner.ended(id)).counts.posted).toBe(3);
    expect((await pages.get(`/campaigns/${id}`)).text).not.toContain('Paused after the canary:');
  });

  it('says when the rows behind a canary are due', async () => {
    const clock = { now: start };
    const runner = await openRunner({ now: () => clock.now });
    const at = (day: number) => ({ scheduled_at: `2027-03-${day} 19:00`, scheduled_tz: 'UTC' });
    const id = await runner.importRows([videoRow('a', at(12)), videoRow('b', at(10)), videoRow('c', at(11))]);
    await runner.ledger.campaigns.pause(id, { code: 'canary', message: 'Held.' });
    const pages = await openPages(runner);
    const { text } = await pages.get(`/campaigns/${id}`);
    expect(text).toContain('The next scheduled time among the 3 is Wed 10 Mar, 19:00 : in 36 h.');
    clock.now = Date.UTC(2027, 2, 10, 20);
    expect((await pages.get(`/campaigns/${id}`)).text).toContain(
      'is Thu 11 Mar, 19:00 : in 23 h. The scheduled time of 1 row has passed.',
    );
  });

  it('says in the list of rows what happened, without codes of the service or the system', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a')]);
    const message = 'createCreatorPost was sent, but no answer came: the connection failed (ECONNRESET).';
    await asIf(runner).ended(id, [
      { row: 0, state: 'failed', error: { step: 'post', code: 'service_unreachable', message } },
    ]);
    const { text } = await (await openPages(runner)).get(`/campaigns/${id}`);
    expect(text).toMatch(/a · (demo_\w+) A product \1 failed Post: The service could not be reached/);
  });

  it('calls posts that lie ahead scheduled, then live or not confirmed, and their campaign scheduled, everywhere', async () => {
    const clock = { now: start };
    const runner = await openRunner({ now: () => clock.now });
    const at = (day: number) => ({ scheduled_at: `2027-03-${day} 19:02`, scheduled_tz: 'UTC' });
    const id = await runner.importOrUpdate([videoRow('a', at(12)), videoRow('b', at(14)), videoRow('c')]);
    await runner.start();
    const { state, counts } = await runner.ended(id);
    expect({ state, posted: counts.posted }).toEqual({ state: 'ended', posted: 3 });
    const pages = await openPages(runner);
    const get = async (path: string) => (await pages.get(path)).text;

    const page = await get(`/campaigns/${id}`);
    expect(page).toContain('test Scheduled, 2 to come');
    expect(page).toContain('1 posted 2 scheduled');
    expect(page).toContain('2 posts will be published between Fri 12 Mar, 19:02 and Sun 14 Mar');
    expect(page).toMatch(/Caption a a · (demo_\w+) A product \1 scheduled Fri 12 Mar, 19:02/);
    expect(await get(`/campaigns/${id}?state=scheduled`)).toContain('2 of 3');
    expect(await get(`/campaigns/${id}?state=posted`)).toContain('1 of 3');
    const list = await get('/campaigns?state=scheduled');
    expect(list).toContain('All 1 Scheduled 1');
    expect(list).toMatch(/ test scheduled (?:\S+ )*all 3/);
    expect(list).toContain('all 3 posted or scheduled next post 12 Mar, last 14 Mar');
    expect(await get(`/campaigns/${id}/rows/a`)).toContain('a Scheduled for Fri 12 Mar, 19:02');
    const ahead = (await pages.get(`/campaigns/${id}/results.csv?only=scheduled`)).html;
    expect(ahead.match(/SCHEDULED/g)).toHaveLength(2);
    const asked = await runner.ledger.query.page(
      await runner.ended(id),
      { delivery: { is: 'posted', by: { now: clock.now, published: ['PUBLISHED'] } } },
      { limit: 9 },
    );
    expect(asked.rows).toEqual([2]);

    clock.now = Date.UTC(2027, 2, 13);
    const before = { ...(await runner.rows(id))[2]?.result, postStatus: 'SCHEDULED' } as PostedResult;
    await runner.ledger.publishing.follow(id, [{ row: 2, before, postStatus: 'PUBLISHED' }]);
    const later = await get(`/campaigns/${id}`);
    expect(later).toContain('1 live 1 scheduled 1 not confirmed');
    expect(later).toMatch(/a · (demo_\w+) A product \1 posted, not confirmed live/);
    const all = (await pages.get(`/campaigns/${id}/results.csv`)).html;
    expect(['UNCONFIRMED', 'SCHEDULED', 'PUBLISHED'].filter((word) => !all.includes(word))).toEqual([]);
    clock.now = Date.UTC(2027, 2, 15);
    expect(await get(`/campaigns/${id}`)).toContain('test Ended');
    expect(await get(`/campaigns/${id}/rows/b`)).toContain('b Posted, not confirmed live');
  });

  it('shows the steps that its rows need', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a'), videoRow('b')]);
    await asIf(runner).ended(id, [{ row: 0, state: 'failed', error: { step: 'upload' } }]);
    const { html, text } = await (await openPages(runner)).get(`/campaigns/${id}`);
    expect(text).toContain('Upload 0 / 2 1 failed');
    expect(html).toContain(`href="/campaigns/${id}?state=failed&amp;step=upload#rows"`);
    expect(text).not.toContain('Generate 0');
  });

  it('shows what was posted last as covers, and a film of the posts of a cause', async () => {
    const runner = await openRunner();
    runner.sandbox.faults.add({
      operation: 'createCreatorPost',
      kind: 'status',
      status: 400,
      match: { title: 'Caption b' },
    });
    const id = await runner.importOrUpdate([videoRow('a'), videoRow('b'), videoRow('c')]);
    await runner.start();
    await runner.ended(id);
    const { html } = await (await openPages(runner)).get(`/campaigns/${id}`);
    const [, covers = ''] = /<ol class="covers"(.*?)<\/ol>/s.exec(html) ?? [];
    expect([...covers.matchAll(/rows\/(\w)"/g)].map(([, key]) => key).sort()).toEqual(['a', 'c']);
    expect(
      html.match(/<span class="film".*?<\/span><\/span>/gs)?.map((film) => film.match(/class="pic/g)?.length),
    ).toEqual([1]);
  });
});
