import { describe, expect, it } from 'vitest';
import { addVideos, scrapeEnded, videoUrl } from '../../../support/videos.ts';
import { now, open } from './video-pages.ts';

describe('/videos', () => {
  it('asks how many calls it takes, then reads all videos with the workers', async () => {
    const { runner, pages } = await open();
    const { ledger } = runner;
    await addVideos(runner, [videoUrl('a'), videoUrl('b')]);
    const asked = await pages.get('/videos/read');
    expect(asked.text).toContain('Update 2 videos now? At least 2 calls');
    expect(await ledger.videos.scrapes.list(1)).toEqual([]);
    const alone = await pages.post('/videos/read', {});
    expect(alone.text).toContain('Updating 2 videos. No running worker can update them.');
    expect((await pages.post('/videos/read', {})).text).toContain(
      'Nothing was started: an update has been running since',
    );
    await runner.start();
    const scrape = await scrapeEnded(runner, 1);
    expect(scrape).toMatchObject({ state: 'ended', done: 2 });
    expect((await pages.get('/videos')).text).toContain('last updated 15:00 · no schedule');
  });

  it('counts the videos that a reading asks for, on the button and when it has begun', async () => {
    const { runner, pages } = await open();
    const { list, history, scrapes } = runner.ledger.videos;
    const [id = ''] = await addVideos(runner, [videoUrl('a'), videoUrl('b')]);
    const { run } = await scrapes.start('manual');
    const [video] = await list.read([id]);
    if (!video) throw new Error('the video is missing');
    await history.gone(run, video, { since: 0, answers: 99, askAgainAt: 0 });
    await scrapes.stop(run, { code: 'test', message: 'ended by the test' });
    expect((await pages.get('/videos/read')).text).toContain('Update 1 video now?');
    const { text } = await pages.post('/videos/read', {});
    expect(text).toContain('Updating 1 video. Skips 1 video: the service has answered too often');
  });

  it('tells why videos were not read', async () => {
    const { runner, pages } = await open();
    const { scrapes, history, list } = runner.ledger.videos;
    const [id = ''] = await addVideos(runner, [videoUrl('a')]);
    const { run } = await scrapes.start('scheduled');
    const [video] = await list.read([id]);
    const failure = { code: 'server_error', message: 'It <fell> over', fix: 'Wait.', at: now };
    await history.fail(run, video as NonNullable<typeof video>, failure);
    await scrapes.stop(run, { code: 'key_refused', message: 'The key is refused', fix: 'Set it anew.' });
    const { text } = await pages.get('/videos');
    expect(text).toContain('1 video: It &lt;fell&gt; over server_error Wait.');
    expect(text).toContain('The key is refused key_refused Set it anew.');
    expect((await pages.get(`/videos/${id}`)).text).toContain('The last update failed: It &lt;fell&gt; over');
  });

  it('sets the schedule, every night or by cron, and switches it off', async () => {
    const { runner, pages } = await open();
    const set = await pages.post('/videos/schedule', { at: '03:05', tz: 'Asia/Shanghai' });
    expect(set.text).toContain('every night at 03:05 (Asia/Shanghai)');
    expect(set.html).toMatch(/name="at" value="03:05"/);
    expect(await (await runner.queues.scrapes()).scheduled()).toMatchObject({ pattern: '5 3 * * *' });
    const weekly = await pages.post('/videos/schedule', { cron: '0 2 * * 1', tz: 'UTC' });
    expect(weekly.text).toContain('every Monday at 02:00 (UTC)');
    await pages.post('/videos/schedule', { off: '1', at: '', tz: 'UTC' });
    expect(await (await runner.queues.scrapes()).scheduled()).toBeUndefined();
  });

  it('tells beside its field what is wrong with a schedule, and keeps what was typed', async () => {
    const { runner, pages } = await open();
    const late = await pages.post('/videos/schedule', { at: '25:00', tz: 'Asia/Shanghai' });
    expect(late.status).toBe(422);
    expect(late.html).toMatch(/name="at" value="25:00" required aria-invalid="true"/);
    expect(late.html).toContain('<option value="Asia/Shanghai" selected>');
    expect(late.text).toContain('No updates yet.');
    expect(late.text).toContain('"25:00" is not a time of day. Write it as hours and minutes');
    const soon = await pages.post('/videos/schedule', { cron: 'soon', tz: 'UTC' });
    expect(soon.html).toMatch(/<details open>.*name="cron" value="soon"[^>]* aria-invalid="true"/s);
    expect(soon.text).toContain('"soon" is not a schedule: it needs five fields.');
    const nowhere = await pages.post('/videos/schedule', { cron: '0 2 * * *', tz: 'Mars/One' });
    expect(nowhere.html).toMatch(
      /<select name="tz" aria-invalid="true"[^>]*><option value="Mars\/One" selected>/,
    );
    expect(await (await runner.queues.scrapes()).scheduled()).toBeUndefined();
  });
});
