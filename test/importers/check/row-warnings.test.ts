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

test.each([
  [14 * 60, ['2 scheduled_at time_soon']],
  [15 * 60, []],
])('a time %i seconds away: %j', async (seconds, found) => {
  expect((await warningsOf([{ scheduled_at: at(seconds) }])).found).toEqual(found);
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
      { caption: 'a', scheduled_at: at(hour) },
      { caption: 'b', scheduled_at: at(hour) },
      { caption: 'c', scheduled_at: at(hour) },
    ],
    { rateLimits },
  );
  expect(found).toEqual(['4 scheduled_at time_missed']);
  expect(plan.missed).toBe(1);
  expect(warnings.kept[0]?.problem).toContain('2030-01-01T02:00:00.000Z');
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

test('a row with a problem has no warnings', async () => {
  const { warnings } = await check(manifestOf([{ caption: 'Glow' }, { caption: 'Glow', product_id: '' }]));
  expect(warnings.total).toBe(0);
});
