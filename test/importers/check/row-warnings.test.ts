import { expect, test } from 'vitest';
import { check, confirmUpload, manifestOf } from '../manifest-source.ts';

const now = Date.parse('2030-01-01T00:00:00Z');
const at = (seconds: number) => new Date(now + seconds * 1000).toISOString().slice(0, 19);

async function warningsOf(
  rows: readonly Readonly<Record<string, string>>[],
  settings: Record<string, unknown> = {},
) {
  const { warnings, plan, found, accepted } = await check(
    manifestOf(
      rows.map((row) => ({ scheduled_at: '', scheduled_tz: row.scheduled_at ? 'UTC' : '', ...row })),
    ),
    { now, settings: { api: { confirmUpload }, ...settings } },
  );
  expect({ found, accepted }).toEqual({ found: [], accepted: rows.length });
  return {
    plan,
    found: warnings.kept.map(({ line, column, code }) => `${line} ${column} ${code}`),
    warnings,
  };
}

test('a repeated caption of the same creator is reported with the earlier line', async () => {
  const { found, warnings } = await warningsOf([
    { caption: 'Glow' },
    { caption: 'Glow', creator: 'demo_ben' },
    { caption: 'Glow' },
  ]);
  expect(found).toEqual(['4 caption caption_repeats']);
  expect(warnings.kept[0]?.problem).toBe('line 2 has the same caption for this creator');
});

test('a time that another post of the same creator has is reported with the earlier line', async () => {
  const time = { scheduled_at: at(3600) };
  const { found, warnings } = await warningsOf([
    { caption: 'One', ...time },
    { caption: 'Two', ...time, creator: 'demo_ben' },
    { caption: 'Three', ...time },
    { caption: 'Four' },
    { caption: 'Five' },
  ]);
  expect(found).toEqual(['4 scheduled_at time_repeats']);
  expect(warnings.kept[0]?.problem).toBe('line 2 has the same time for this creator');
});

test.each([
  ['https://shop.example/view/product/1729432342342341002?from=app', ['2 product_link product_link_differs']],
  ['https://shop.example/view/product/1729432342342341001', []],
  ['https://shop.example/stoneware-mug', []],
])('a row whose id is of another product than its link is pointed out: %s', async (product_link, found) => {
  const row = { product_id: '1729432342342341001', product_link };
  const warned = await warningsOf([row]);
  expect(warned.found).toEqual(found);
  if (found.length > 0)
    expect(warned.warnings.kept[0]?.problem).toBe(
      'product_link leads to product 1729432342342341002, but product_id is 1729432342342341001',
    );
});

test.each([
  [14 * 60, ['2 scheduled_at time_soon']],
  [15 * 60, []],
])('a time %i seconds away: %j', async (seconds, found) => {
  expect((await warningsOf([{ scheduled_at: at(seconds) }])).found).toEqual(found);
});

test.each([
  ['12:00 AM', ['2 scheduled_time time_midnight']],
  ['12 a.m.', ['2 scheduled_time time_midnight']],
  ['12:00 PM', []],
  ['00:00', []],
])('noon may be meant by %s: %j', async (scheduled_time, found) => {
  expect((await warningsOf([{ scheduled_at: '2030-01-02', scheduled_time }])).found).toEqual(found);
});

const day = 24 * 3600;

test.each([
  [366 * day, []],
  [367 * day, ['2 scheduled_at time_far']],
])('a time %i seconds away: %j', async (seconds, found) => {
  expect((await warningsOf([{ scheduled_at: at(seconds) }])).found).toEqual(found);
});

test('a generation that begins more than a year ahead is pointed out', async () => {
  const photos = { media: '', ai_prompt: 'A lamp', ai_model: 'gpt-image-2', ai_aspect_ratio: '9:16' };
  const { found } = await warningsOf([
    { ...photos, is_ai_generated: 'no', ai_exec_at: `${at(367 * day)}Z`, scheduled_tz: 'UTC' },
  ]);
  expect(found).toEqual(['2 ai_exec_at time_far']);
});

test('a time far from those of the other rows is pointed out', async () => {
  const times = [day, 2 * day, 3 * day, 100 * day, 4 * day];
  const { found, warnings } = await warningsOf(
    times.map((seconds, index) => ({ caption: `${index}`, scheduled_at: at(seconds) })),
  );
  expect(found).toEqual(['5 scheduled_at time_apart']);
  expect(warnings.kept[0]?.problem).toBe('this time is 96 days after those of the other rows');
  expect(warnings.kept[0]?.value).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d \(\S+\)$/);
});

test.each([
  ['spread over the year', [day, 90 * day, 180 * day, 270 * day]],
  ['in two groups', [day, 2 * day, 100 * day, 101 * day]],
  ['close to each other', [day, 2 * day, 3 * day, 40 * day]],
  ['too few to tell', [day, 2 * day, 100 * day]],
])('times %s are as they may be', async (_what, times) => {
  const rows = times.map((seconds, index) => ({ caption: `${index}`, scheduled_at: at(seconds) }));
  expect((await warningsOf(rows)).found).toEqual([]);
});

test.each([
  ['--yes', ['2 key key_like_option']],
  ['-1', ['2 key key_like_option']],
  ['spring-1', []],
])('the key %s, which a command may take for an option: %j', async (key, found) => {
  expect((await warningsOf([{ key }])).found).toEqual(found);
});

test('texts that are too long in UTF-16 units only are pointed out', async () => {
  const { found, warnings } = await warningsOf([
    { caption: '😀'.repeat(2001) },
    { product_title: '😀'.repeat(16) },
    { caption: '😀'.repeat(2000), product_title: '😀'.repeat(15) },
  ]);
  expect(found).toEqual(['2 caption long_in_units', '3 product_title long_in_units']);
  expect(warnings.kept[1]?.problem).toContain('16 characters');
});

test('rows with a turn after their time are counted, and the warning says when it comes', async () => {
  const rateLimits = {
    default: { rate: 1000, per: '1s', burst: 1000 },
    createCreatorPost: { rate: 1, per: '1h', burst: 1 },
  };
  const hour = 3600;
  const { found, plan, warnings } = await warningsOf(
    [
      { creator: 'demo_anna', scheduled_at: at(hour) },
      { creator: 'demo_ben', scheduled_at: at(hour) },
      { creator: 'demo_elena', scheduled_at: at(hour) },
    ],
    { rateLimits },
  );
  expect(found).toEqual(['4 scheduled_at time_missed']);
  expect(plan.missed).toBe(1);
  expect(warnings.kept[0]?.problem).toContain('2030-01-01 02:00 (UTC)');
});

test('three question marks in a row are reported in every column but URLs', async () => {
  const { found } = await warningsOf([
    { caption: 'Really???' },
    { caption: 'Really??' },
    { caption: 'Glow', product_title: 'Serum ??? ml', media: 'https://a.example/b.mp4???' },
  ]);
  expect(found).toEqual(['2 caption question_marks', '4 product_title question_marks']);
});

test('generated photos get no label, unless none is wanted', async () => {
  const photos = { media: '', ai_prompt: 'A lamp', ai_model: 'gpt-image-2', ai_aspect_ratio: '9:16' };
  const { found, plan } = await warningsOf([
    { caption: 'a', ...photos },
    { caption: 'b', ...photos, is_ai_generated: 'no' },
    { caption: 'c', media: 'a.png' },
  ]);
  expect(found).toEqual(['2 is_ai_generated ai_photo_unlabelled']);
  expect(plan.unlabelled).toBe(1);
});

test('a zone without a time has no effect', async () => {
  const zone = { scheduled_tz: 'Asia/Shanghai' };
  const { found } = await warningsOf([
    { caption: 'a', ...zone },
    { caption: 'b', ...zone, scheduled_at: at(12 * 3600) },
  ]);
  expect(found).toEqual(['2 scheduled_tz zone_without_time']);
});

test.each([
  ['EST', '2030-08-01 10:00', 'write America/New_York'],
  ['est', '2030-08-01 10:00', 'write America/New_York'],
  ['MST', '2030-08-01 10:00', 'write America/Denver'],
  ['GMT', '2030-08-01 10:00', 'write Europe/London'],
  ['Etc/GMT0', '2030-08-01 10:00', 'write Europe/London'],
])('%s is not the clock of a place at %s', async (scheduled_tz, scheduled_at, fix) => {
  const { found, warnings } = await warningsOf([{ scheduled_at, scheduled_tz }]);
  expect(found).toEqual(['2 scheduled_tz zone_without_summer']);
  expect(warnings.kept[0]?.fix).toContain(fix);
});

test.each([
  ['Etc/GMT+8', 'Etc/GMT+8 is UTC-8', 'If you mean UTC+8, write Etc/GMT-8'],
  ['Etc/GMT-7', 'Etc/GMT-7 is UTC+7', 'If you mean UTC-7, write Etc/GMT+7'],
])('%s is pointed out on every day', async (scheduled_tz, problem, fix) => {
  const { found, warnings } = await warningsOf([{ scheduled_at: at(12 * 3600), scheduled_tz }]);
  expect(found).toEqual(['2 scheduled_tz zone_sign_reversed']);
  expect(warnings.kept[0]).toMatchObject({
    problem: expect.stringContaining(problem),
    fix: expect.stringContaining(fix),
  });
});

test.each([
  ['EST', '2030-02-01 10:00'],
  ['GMT', '2030-02-01 10:00'],
  ['HST', '2030-08-01 10:00'],
  ['UTC', '2030-08-01 10:00'],
  ['CET', '2030-08-01 10:00'],
  ['America/Phoenix', '2030-08-01 10:00'],
  ['Etc/GMT', '2030-02-01 10:00'],
  ['EST', '2030-08-01T10:00-04:00'],
])('%s is what it says at %s', async (scheduled_tz, scheduled_at) => {
  expect((await warningsOf([{ scheduled_at, scheduled_tz }])).found).toEqual([]);
});

test('the zone of the settings, and of a generation, is looked at as well', async () => {
  const photos = { media: '', ai_prompt: 'A lamp', ai_model: 'gpt-image-2', ai_aspect_ratio: '9:16' };
  const { found } = await warningsOf(
    [
      { caption: 'a', scheduled_at: '2030-08-01 10:00', scheduled_tz: '' },
      { caption: 'b', ...photos, is_ai_generated: 'no', ai_exec_at: '2030-08-01 10:00', scheduled_tz: 'EST' },
    ],
    { timezone: 'EST' },
  );
  expect(found).toEqual(['2 scheduled_at zone_without_summer', '3 scheduled_tz zone_without_summer']);
});

test('a row with a problem has no warnings', async () => {
  const { warnings } = await check(manifestOf([{ caption: 'Glow' }, { caption: 'Glow', product_id: '' }]));
  expect(warnings.total).toBe(0);
});
