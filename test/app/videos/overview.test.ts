import { describe, expect, it } from 'vitest';
import { checkSettings } from '../../../config/load.ts';
import {
  listOverviewPage,
  type Overview,
  type OverviewQuery,
  readOverview,
} from '../../../src/app/videos/overview.ts';
import { daysOf, readDates } from '../../../src/app/videos/spans.ts';
import { showSpanOfVideo } from '../../../src/app/videos/watch-list.ts';
import { testLedger } from '../../support/ledger.ts';
import { addVideos, videoUrl } from '../../support/videos.ts';
import { addPlayed } from '../../support/watched.ts';

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

describe('days of a span', () => {
  it('begin at midnight of the zone, also on the day of a change of clocks', () => {
    const { starts, before } = daysOf(7, 'Europe/Berlin', Date.UTC(2027, 2, 29, 12));
    expect(starts.map((start) => new Date(start * 1000).toISOString().slice(5, 16))).toEqual([
      ...['03-22T23:00', '03-23T23:00', '03-24T23:00', '03-25T23:00', '03-26T23:00', '03-27T23:00'],
      '03-28T22:00',
    ]);
    expect(new Date(before * 1000).toISOString()).toBe('2027-03-15T23:00:00.000Z');
  });
});

describe('dates of a span', () => {
  const now = Date.UTC(2027, 2, 9, 12);

  it('are thirty days up to today, or from one to the other, and end today at the latest', () => {
    expect(readDates({}, 'UTC', now)).toEqual({ span: 30, until: undefined });
    const february = { since: '2027-02-01', until: '2027-02-28' };
    expect(readDates(february, 'UTC', now)).toEqual({ span: 28, until: '2027-02-28' });
    expect(readDates({ since: '2027-03-09', until: '2027-04-01' }, 'UTC', now)).toMatchObject({ span: 1 });
  });

  it.each([
    ['2027-03-31', undefined, 'begins after it ends'],
    ['2025-01-01', undefined, 'is longer than 400 days'],
    ['2027-02-31', undefined, '"2027-02-31" is not a date'],
    [undefined, 'soon', '"soon" is not a date'],
  ])('from %s to %s are refused', (since, until, why) => {
    expect(() => readDates({ since, until }, 'UTC', now)).toThrow(why);
  });
});

describe('an overview of the watch list', () => {
  it('counts what was gained on the day of the later sample, against the newest one before the span', async () => {
    const tools = open();
    await addPlayed(tools, 'a', {
      samples: [
        [night(9), 100],
        [night(8), 150],
        [night(2), 400],
        [night(0), 390],
      ],
    });
    const { totals } = await readOverview(tools, week);
    expect(totals.daily[0]).toEqual([0, 0, 0, 0, 250, 0, -10]);
    expect(totals.growths[0]?.[0]).toBe(240);
    expect(totals.counts[0]).toBe(390);
  });

  it('of a past span has the figures at its end, and no video that came later', async () => {
    const tools = open();
    await addPlayed(tools, 'a', {
      samples: [
        [night(9), 100],
        [night(5), 400],
        [night(1), 900],
      ],
    });
    await addPlayed(tools, 'later', { samples: [[night(1), 7]] });
    const { totals, days, order } = await readOverview(tools, { span: 3, until: '2027-03-05', zone: 'UTC' });
    expect(days.until).toBe(Date.UTC(2027, 2, 6) / 1000 - 1);
    expect(totals).toMatchObject({ videos: 1, counts: [400, 100, 20, 30, 50], growths: [[300, 0, 0, 0, 0]] });
    expect(totals.daily[0]).toEqual([0, 300, 0]);
    expect(order.size).toBe(1);
  });

  it('counts all plays of a video that was released in the span, and none of an older one that is new on the list', async () => {
    const tools = open();
    await addPlayed(tools, 'new', { meta: { releasedAt: night(3) }, samples: [[night(2), 70]] });
    await addPlayed(tools, 'old', { meta: { releasedAt: night(300) }, samples: [[night(2), 9000]] });
    const { totals } = await readOverview(tools, week);
    expect(totals.growths[0]?.[0]).toBe(70);
    expect(totals.counts[0]).toBe(9070);
  });

  it('measures growth across a night without the figure', async () => {
    const tools = open();
    const huge = 2 ** 50;
    await addPlayed(tools, 'huge', {
      samples: [
        [night(9), huge],
        [night(1), undefined],
        [night(0), huge + 3],
      ],
    });
    const { totals } = await readOverview(tools, week);
    expect(totals.daily[0]?.at(-1)).toBe(3);
    expect(totals.counts[0]).toBe(huge + 3);
  });

  it('compares growth only with a span of the same length that is known from its start', async () => {
    const tools = open();
    const plays = (before: number, middle: number) =>
      [
        [night(before), 1000],
        [night(8), middle],
        [night(7), middle],
        [night(0), middle + 600],
      ] as const;
    await addPlayed(tools, 'known', { samples: plays(14, 1200) });
    await addPlayed(tools, 'short', { samples: plays(12, 1100) });
    await addPlayed(tools, 'slowing', { samples: plays(14, 3400) });
    // It grew most for its size, but by chance: it has few plays.
    await addPlayed(tools, 'few', {
      samples: [
        [night(14), 1],
        [night(8), 2],
        [night(7), 2],
        [night(0), 999],
      ],
    });
    const { movers } = await readOverview(tools, week);
    expect(movers.most).toHaveLength(4);
    expect(movers.slowing.map(({ video, ratio }) => [video.facts.url, ratio])).toEqual([
      [videoUrl('slowing'), 0.25],
    ]);
    expect(movers.fastest.map(({ video, ratio }) => [video.facts.url, ratio])).toEqual([
      [videoUrl('known'), 3],
    ]);
  });

  it('finds by campaign, creator, product and state, and tells what is on the whole list', async () => {
    const tools = open();
    const facts = { campaign: 'c1', creator: 'Anna', product: 'p1' };
    await addPlayed(tools, 'a', {
      facts,
      samples: [
        [night(1), 5],
        [night(0), 9],
      ],
    });
    await addVideos(tools, [videoUrl('b')], { campaign: 'c2', creator: 'ben' });
    for (const query of [
      { campaign: 'c1' },
      { creator: '@anna' },
      { product: 'p1' },
      { state: 'ok' },
    ] as const) {
      const { order, list } = await readOverview(tools, { ...week, ...query });
      expect(order.size).toBe(1);
      expect(list).toMatchObject({
        videos: 2,
        calls: 2,
        creators: 2,
        products: 1,
        states: { ok: 1, new: 1 },
      });
    }
  });

  it('sums by creator, the largest gain first', async () => {
    const tools = open();
    const gained = (plays: number) =>
      [
        [night(8), 0],
        [night(0), plays],
      ] as const;
    await addPlayed(tools, 'a', { facts: { creator: 'anna' }, samples: gained(10) });
    await addPlayed(tools, 'b', { facts: { creator: 'ben' }, samples: gained(30) });
    await addPlayed(tools, 'c', { facts: { creator: 'Anna' }, samples: gained(15) });
    await addPlayed(tools, 'd', { facts: { creator: 'few' }, samples: [[night(1), 4]] });
    await addPlayed(tools, 'e', { facts: { creator: 'more' }, samples: [[night(2), 9]] });
    const { groups, lastAt } = await readOverview(tools, week);
    expect(groups.creator.map(({ name, videos, growths }) => [name, videos, growths[0]?.[0] ?? 0])).toEqual([
      ['ben', 1, 30],
      ['anna', 2, 25],
      ['more', 1, 0],
      ['few', 1, 0],
    ]);
    expect(lastAt).toBe(night(0));
  });

  it('lists a page in the order that was asked for, videos without figures last', async () => {
    const tools = open();
    const ids: Record<string, string> = {};
    for (const [name, plays] of [
      ['few', 1],
      ['many', 99],
      ['some', 50],
    ] as const) {
      ids[name] = await addPlayed(tools, name, { samples: [[night(0), plays]] });
    }
    await addVideos(tools, [videoUrl('never')]);
    const overview = await readOverview(tools, week);
    const page = (descending: boolean, from: number) =>
      listOverviewPage(tools, overview, { sort: { column: 'plays', descending }, from, count: 2 });
    const urls = async (descending: boolean) =>
      [...(await page(descending, 0)), ...(await page(descending, 2))].map(({ video }) => video.video_url);
    expect(await urls(true)).toEqual(['many', 'some', 'few', 'never'].map(videoUrl));
    expect(await urls(false)).toEqual(['few', 'some', 'many', 'never'].map(videoUrl));
    await tools.ledger.videos.list.remove(ids.many ?? '');
    expect(await urls(true)).toEqual(['some', 'few', 'never'].map(videoUrl));
  });
});

it('the figures of a page are those that its totals were read from', async () => {
  const tools = open();
  const figures = async (overview: Overview) => {
    const sort = { column: 'plays', descending: true } as const;
    const [video] = await listOverviewPage(tools, overview, { sort, from: 0, count: 1 });
    return [video?.figures.counts[0], video?.figures.growths[0]?.[0]];
  };
  await addPlayed(tools, 'a', {
    samples: [
      [night(1), 5],
      [night(0), 9],
    ],
  });
  const before = await readOverview(tools, week);
  await addPlayed(tools, 'a', { samples: [[night(0) + 3600, 900]] });
  expect(await figures(before)).toEqual([9, 4]);
  expect(await figures(await readOverview(tools, week))).toEqual([900, 895]);
});

describe('the figures of one video', () => {
  it('tell what fell, a new caption and the first reading', async () => {
    const tools = open();
    const id = await addPlayed(tools, 'a', {
      samples: [
        [night(3), 100, 'one'],
        [night(2), 70, 'one'],
        [night(1), 90, 'two'],
      ],
    });
    const { samples, growth } = await showSpanOfVideo(tools, id, week);
    expect(samples.map(({ fell, isFirst, hasNewCaption }) => [fell[0], isFirst, hasNewCaption])).toEqual([
      [undefined, true, false],
      [30, false, false],
      [undefined, false, true],
    ]);
    expect(growth[0]).toBe(-10);
  });
});
