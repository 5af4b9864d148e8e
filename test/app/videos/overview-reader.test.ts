import { describe, expect, it, vi } from 'vitest';
import { checkSettings } from '../../../config/load.ts';
import { type OverviewQuery, readOverview } from '../../../src/app/videos/overview.ts';
import { OverviewReader } from '../../../src/app/videos/overview-reader.ts';
import { testLedger } from '../../support/ledger.ts';
import { addVideos, idOf, videoUrl } from '../../support/videos.ts';
import { addPlayed, holdLists } from '../../support/watched.ts';

const day = 86_400;
const today = Date.UTC(2027, 2, 9) / 1000;
/** Two in the night, so many days ago. */
const night = (daysAgo: number) => today - daysAgo * day + 2 * 3600;
const week: OverviewQuery = { span: 7, zone: 'UTC' };

function open() {
  const { ledger, clock, redis } = testLedger();
  clock.now = (today + 15 * 3600) * 1000;
  return { ledger, clock, redis, settings: checkSettings({}), now: () => clock.now };
}

describe('an overview that is kept', () => {
  it('is read once for many, and anew after a change', async () => {
    const tools = open();
    const [id = ''] = await addVideos(tools, [videoUrl('a')]);
    const reader = new OverviewReader(tools);
    const [one, other] = await Promise.all([reader.read(week), reader.read({ ...week })]);
    expect(other).toBe(one);
    expect(await reader.read(week)).toBe(one);
    await addVideos(tools, [videoUrl('b')]);
    expect((await reader.read(week)).list.videos).toBe(2);
    await tools.ledger.videos.list.remove(id);
    expect((await reader.show(week)).overview?.list.videos).toBe(1);
  });

  it('tells how many calls a reading takes: a video that is given up takes none', async () => {
    const tools = { ...open(), settings: checkSettings({ videos: { gone: { after: 2 } } }) };
    const { list, history, scrapes } = tools.ledger.videos;
    const ids = await addVideos(tools, [videoUrl('once'), videoUrl('twice')], { campaign: 'c1' });
    const { run } = await scrapes.start('manual');
    for (const [index, video] of (await list.read(ids)).entries()) {
      if (video) await history.gone(run, video, { answers: index + 1, since: 0, askAgainAt: 0 });
    }
    const overview = await readOverview(tools, week);
    expect(overview.list).toMatchObject({ calls: 1, states: { gone: 2 } });
    expect(overview.list.callsByCampaign.get('c1')).toBe(1);
  });

  it('has another stamp after each outcome of a scrape', async () => {
    const { list, history, scrapes } = open().ledger.videos;
    const stamps: string[] = [];
    const note = async () => stamps.push((await list.stamp()).scrapes);
    await note();
    const ids = ['a', 'b'].map((name) => idOf(videoUrl(name)));
    await list.add(ids.map((id) => ({ id, facts: { url: 'https://video.example/1' } })));
    const { run } = await scrapes.start('manual');
    await note();
    const [a, b] = await list.read(ids);
    if (!a || !b) throw new Error('no videos');
    await history.gone(run, a, { answers: 1, since: 0, askAgainAt: 0 });
    await note();
    await history.fail(run, b, { code: 'server_error', message: 'HTTP 500', at: 0 });
    await note();
    await scrapes.stop(run, { code: 'test', message: '' });
    await note();
    expect(new Set(stamps).size).toBe(5);
  });

  it('is read anew on the next day', async () => {
    const tools = open();
    const reader = new OverviewReader(tools);
    await addPlayed(tools, 'a', { samples: [[night(0), 5]] });
    const first = await reader.read(week);
    tools.clock.now += day * 1000;
    expect(await reader.read(week)).not.toBe(first);
  });

  it('of a large list is not waited for: the former one is shown while it is read', async () => {
    const tools = open();
    await addPlayed(tools, 'a', { samples: [[night(0), 5]] });
    const reader = new OverviewReader(tools, { small: 0 });
    const former = await reader.read(week);
    await addVideos(tools, [videoUrl('b')]);
    const release = holdLists(tools);
    expect(await reader.show(week)).toMatchObject({ overview: former, isCurrent: false });
    expect(await reader.show({ ...week, span: 14 })).toMatchObject({ overview: undefined, isCurrent: false });
    release();
    expect((await reader.read(week)).list.videos).toBe(2);
  });
});

describe('overviews of a large list, each with filters of its own,', () => {
  const zones = ['UTC', 'Asia/Tokyo', 'Asia/Shanghai', 'Europe/Berlin', 'Europe/London', 'America/Lima'];
  const inZones = zones.map((zone): OverviewQuery => ({ ...week, zone }));

  async function openLarge() {
    const tools = open();
    await addPlayed(tools, 'a', { samples: [[night(0), 5]] });
    return { tools, reader: new OverviewReader(tools, { small: 0 }) };
  }

  it('are read four at a time: one more is refused, or comes later to a page', async () => {
    const { tools, reader } = await openLarge();
    const release = holdLists(tools);
    const reading = inZones.slice(0, 4).map((query) => reader.read(query));
    const [fifth = week, sixth = week] = inZones.slice(4);
    await expect(reader.read(fifth)).rejects.toMatchObject({ code: 'figures_busy' });
    expect(await reader.show(sixth)).toMatchObject({ overview: undefined, isCurrent: false, isBusy: true });
    release();
    expect((await Promise.all(reading)).map(({ query }) => query.zone)).toEqual(zones.slice(0, 4));
    expect((await reader.read(fifth)).query.zone).toBe(fifth.zone);
    expect(await reader.show(sixth)).toMatchObject({ isBusy: false });
  });

  it('are kept only a few at a time', async () => {
    const { reader } = await openLarge();
    const read = [];
    for (const query of inZones) read.push(await reader.read(query));
    expect(await reader.read(inZones[5] ?? week)).toBe(read[5]);
    expect(await reader.read(inZones[0] ?? week)).not.toBe(read[0]);
  });

  it('are left out if nobody waits for them when their turn comes', async () => {
    const { tools, reader } = await openLarge();
    const passes = vi.spyOn(tools.ledger.videos.list, 'all');
    const release = holdLists(tools);
    const left = new AbortController();
    const [first = week, second = week, third = week] = inZones;
    const staying = [reader.read(first), reader.read(second, left.signal), reader.read(third)];
    const gone = expect(staying[1]).rejects.toThrow('left');
    left.abort(new Error('left'));
    await gone;
    release();
    await Promise.all([staying[0], staying[2]]);
    expect(passes).toHaveBeenCalledTimes(2);
    expect((await reader.read(second)).query.zone).toBe(second.zone);
  });
});
