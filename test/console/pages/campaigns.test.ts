import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Schedules } from '../../../src/app/campaigns/calendar/schedule.ts';
import { ProgressReader } from '../../../src/app/campaigns/progress/reader.ts';
import { cancelCampaign } from '../../../src/app/campaigns/steer.ts';
import { changeDraft, createDraft } from '../../../src/app/drafts/drafts.ts';
import { DraftPlans } from '../../../src/app/drafts/planned.ts';
import { openTestDraft } from '../../app/drafts/test-draft.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';

describe('/campaigns', () => {
  it('says how to begin where there is no campaign', async () => {
    const pages = await openPages(await openRunner());
    const { text } = await pages.get('/campaigns');
    expect(text).toContain('No campaign yet');
    expect(text).toContain('New campaign Example sheet');
    expect(text).not.toContain('terminal');
  });

  it('says that Redis lacks what was sent, with and without campaigns', async () => {
    const runner = await openRunner();
    const pages = await openPages(runner);
    const at = Date.parse('2026-11-01T10:00:00Z');
    runner.ledger.journal.see({ position: 9, at, token: 'gone', ledger: 'gone' });
    const without = await pages.get('/campaigns');
    expect(without.text).toMatch(
      /Redis has no record of the last calls of this runner \(2026-11-01T10:00.*No campaign yet/,
    );
    await runner.importRows([videoRow('a')]);
    const { text } = await pages.get('/campaigns');
    expect(text).toContain('Redis has no record of the last calls of this runner');
    expect(text).toContain('Running 1 test');
  });

  it('names a campaign whose record is something else', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a')]);
    const pages = await openPages(runner);
    const key = runner.ledger.keys.campaign(id);
    await runner.redis.set(key, 'of another type');
    const { status, text } = await pages.get('/campaigns');
    expect(status).toBe(200);
    expect(text).toContain(key);
  });

  it('leads to the drafts that are not started yet', async () => {
    const pages = await openPages(await openRunner());
    const { id } = await createDraft(pages.runtime, 'ann');
    const started = await createDraft(pages.runtime, 'ann');
    const change = { by: 'ann', version: 1, what: 'started it' };
    await changeDraft(pages.runtime, started.id, change, () => ({ campaign: 'c1' }));
    const { html, text } = await pages.get('/campaigns');
    const led = new Set([...html.matchAll(/\/campaigns\/new\/([0-9a-f]{16})"/g)].map(([, found]) => found));
    expect([...led]).toEqual([id]);
    expect(text).toMatch(
      /Without a sheet yet draft not checked yet by ann · deleted on .* unless changed Continue/,
    );
  });

  it('lists a draft whose stored check is damaged', async () => {
    const draft = await openTestDraft([videoRow('a')]);
    onTestFinished(() => void vi.restoreAllMocks());
    vi.spyOn(DraftPlans.prototype, 'find').mockRejectedValue(new Error('damaged'));
    const { status, html } = await draft.pages.get('/campaigns');
    expect(status).toBe(200);
    expect(html).toContain(`draft-${draft.id}`);
  });

  it('lists what runs before drafts, which are named without the ending of their file', async () => {
    const draft = await openTestDraft([videoRow('a')]);
    await draft.runner.importRows([videoRow('b')]);
    const paused = await draft.runner.importRows([videoRow('c')]);
    await draft.runner.ledger.campaigns.pause(paused, { code: 'paused', message: 'Paused.' });
    const { html, text } = await draft.pages.get('/campaigns');
    const [, first, second] = /Everything else.*?<li id="([^"]*)".*?<li id="([^"]*)"/s.exec(html) ?? [];
    expect([first, second]).toEqual([`campaign-${paused}`, `draft-${draft.id}`]);
    expect(text).not.toContain('.csv');
  });

  it('finds campaigns by id, name and creator, and rows by key', async () => {
    const runner = await openRunner();
    const first = await runner.importRows([videoRow('a-1')]);
    const caption = `${'Before it. '.repeat(20)}A <b>peach</b> for spring`;
    const second = await runner.importRows([videoRow('b-1', { creator: 'demo_ben', caption })]);
    const pages = await openPages(runner);
    const found = async (q: string) => {
      const { html } = await pages.get(`/campaigns?${new URLSearchParams({ q })}`);
      const ids = [...html.matchAll(/<li id="campaign-([^"]+)">/g)].map(([, id]) => id);
      return { ids, rows: [...html.matchAll(/\/rows\/([^"]+)"/g)].map(([, key]) => key) };
    };
    expect(await found('TES')).toEqual({ ids: [second, first], rows: [] });
    expect(await found(first)).toEqual({ ids: [first], rows: [] });
    expect(await found('demo_ben')).toEqual({ ids: [second], rows: ['b-1'] });
    expect(await found('a-1')).toEqual({ ids: [], rows: ['a-1'] });
    expect(await found('else')).toEqual({ ids: [], rows: [] });
    expect(await found('PEACH')).toEqual({ ids: [], rows: ['b-1'] });
    expect((await pages.get('/campaigns?q=peach')).text).toMatch(
      /…[^<>]*A &lt;b&gt;peach&lt;.* b-1 · demo_ben · test .* right away/,
    );
    expect((await pages.get('/campaigns?q=a-1')).text).not.toContain('No campaign or row matches');
  });

  it('a search is not led by what waits for a person', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a')]);
    await runner.ledger.campaigns.pause(id, { code: 'canary', message: 'Held.' });
    const pages = await openPages(runner);
    expect((await pages.get('/campaigns')).html).toContain('id="needs"');
    const { html, text } = await pages.get('/campaigns?q=else');
    expect(html).not.toContain('id="needs"');
    expect(text).toContain('No campaign or row matches.');
  });

  it('a search counts the campaign that it shows as a card', async () => {
    const runner = await openRunner();
    await runner.importRows([videoRow('a')]);
    const { text } = await (await openPages(runner)).get('/campaigns?q=test');
    expect(text).toContain('Running 1 test');
    expect(text).toContain('Results for “test” 1 campaign');
  });

  it('a search shows the draft that it finds beside a row', async () => {
    const draft = await openTestDraft([videoRow('a')]);
    await draft.runner.importRows([videoRow('spring')]);
    const { html, text } = await draft.pages.get('/campaigns?q=spring');
    expect(html).toContain(`draft-${draft.id}`);
    expect(text).toContain('1 draft');
  });

  it('says that there are more campaigns than when it was loaded', async () => {
    const runner = await openRunner();
    const pages = await openPages(runner);
    const { html } = await pages.get('/campaigns');
    const [, address = ''] = /"(\/campaigns\/events[^"]*)"/.exec(html) ?? [];
    await runner.importRows([videoRow('a')]);
    const stream = await fetch(`${pages.url}${address.replaceAll('&amp;', '&')}`);
    let told = '';
    for await (const part of (stream.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      told += part;
      if (told.includes('</span>')) break;
    }
    expect(told).toContain('1 more campaign since this page was loaded.');
  });

  it('says what waits for a person: a canary, and creators to authorize again', async () => {
    const runner = await openRunner();
    const failed = await runner.importOrUpdate([videoRow('a', { creator: 'demo_ines' })]);
    await runner.start();
    await runner.ended(failed);
    const held = await runner.importOrUpdate([videoRow('b'), videoRow('c')], { canary: 1 });
    await runner.until(
      async () => (await runner.ledger.campaigns.find(held))?.state === 'paused',
      'the canary to end',
    );
    const { text } = await (await openPages(runner)).get('/campaigns');
    expect(text).toContain('1 creator to authorize again');
    expect(text).toContain('1 row waits for the canary test: 1 of 2 posted Check 1 post');
    expect(text).toMatch(/test canary 1 of 2 posted started \d\d:\d\d Check 1 post/);
    expect(text).toMatch(/test ended none of 1 posted, 1 failed .* See 1 cause/);
  });

  it('shows twelve campaigns: a few that run as cards, the others as lines, a cancelled one as that', async () => {
    const runner = await openRunner();
    const ids = [];
    for (let each = 0; each < 12; each += 1) ids.push(await runner.importRows([videoRow(`r${each}`)]));
    const [cancelled = '', paused = '', ...running] = ids;
    const pages = await openPages(runner);
    await cancelCampaign(pages.runtime, cancelled);
    await runner.ledger.campaigns.pause(paused, { code: 'paused', message: '' });
    const { html, text } = await pages.get('/campaigns');
    expect(html.match(/<a class="card run"/g)).toHaveLength(3);
    expect(text).toContain(`All 9 Running ${running.length - 3} Paused 1 Ended 1`);
    expect(text).toContain('test cancelled none of 1 posted');
    const cancelledPage = (await pages.get(`/campaigns/${cancelled}`)).text;
    expect(cancelledPage).toContain('test Cancelled');
    expect(cancelledPage).not.toContain('0 / 0');
  });

  it('counts what the service accepted today apart from what is live', async () => {
    const runner = await openRunner();
    const id = await runner.importOrUpdate([
      videoRow('a', { scheduled_at: '2099-01-01T09:00:00Z' }),
      videoRow('b'),
    ]);
    await runner.start();
    await runner.ended(id);
    const { text } = await (await openPages(runner)).get('/campaigns');
    expect(text).toMatch(/2 posted or scheduled today\s+1 not live yet/);
  });

  it('says when a campaign ended', async () => {
    const runner = await openRunner();
    const id = await runner.importOrUpdate([videoRow('a')]);
    await runner.start();
    await runner.ended(id);
    const { text } = await (await openPages(runner)).get('/campaigns?state=ended');
    expect(text).toMatch(/test ended all 1 posted ended \d\d:\d\d/);
  });

  it('shows the next posts with their pictures, as many as stand beside one card', async () => {
    const clock = { now: Date.UTC(2027, 2, 12, 8) };
    const runner = await openRunner({ now: () => clock.now });
    const at = (key: string, time: string) =>
      videoRow(key, { scheduled_at: `2027-03-${time}`, scheduled_tz: 'UTC' });
    await runner.importRows([
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((key, index) => at(key, `12 1${index}:00`)),
      at('g', '13 09:00'),
      at('h', '12 07:00'),
      at('i', '25 09:00'),
    ]);
    const { text, html } = await (await openPages(runner)).get('/campaigns');
    expect(text).toMatch(/Next posts Times in UTC · Calendar Today · 6 posts 10:00 .* 12:00 /);
    expect(text).not.toContain('13 Mar ·');
    const [, next = ''] = /<aside class="card next"(.*?)<\/aside>/s.exec(html) ?? [];
    expect(next.match(/class="pic/g)).toHaveLength(6);
  });

  it('does not wait for the next posts while a large sheet is being read', async () => {
    const runner = await openRunner();
    await runner.importRows([
      videoRow('a', { scheduled_at: new Date(Date.now() + 7_200_000).toISOString() }),
    ]);
    const pages = await openPages(runner);
    const reading = vi.spyOn(Schedules.prototype, 'ofChunk').mockReturnValue(new Promise(() => {}));
    const { text } = await pages.get('/campaigns');
    reading.mockRestore();
    expect(text).toContain('Running 1 test');
    expect(text).not.toContain('Next posts');
  });

  it('shows the queue as one sentence, and its campaigns as lines', async () => {
    const runner = await openRunner();
    const [first, second] = [
      await runner.importRows([videoRow('a')]),
      await runner.importRows([videoRow('b')]),
    ];
    const pages = await openPages(runner);
    const summary = ProgressReader.prototype.summary;
    onTestFinished(() => void vi.restoreAllMocks());
    vi.spyOn(ProgressReader.prototype, 'summary').mockImplementation(async function (
      this: ProgressReader,
      campaign,
    ) {
      const found = await summary.call(this, campaign);
      const turn = { behind: [], least: 25 * 60_000, most: 40 * 60_000 };
      return campaign.id === second ? { ...found, turn } : found;
    });
    const { text, html } = await pages.get('/campaigns');
    expect(text).toContain('Next: test in about 25 min');
    expect(html).toMatch(new RegExp(`<li id="campaign-${first}"><a class="card run"`));
    expect(html).toMatch(new RegExp(`<li id="campaign-${second}">\\s*<span class="posts"`));
  });
});
