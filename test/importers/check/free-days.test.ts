import { expect, it, test } from 'vitest';
import { freeDaysIn } from '../../../src/importers/check/free-days.ts';
import { check, manifestOf } from '../manifest-source.ts';

test.each([
  ['Nghỉ 24–25/12: không đăng', ['12-24', '12-25']],
  ['Feiertage 24.-26.12., keine Posts', ['12-24', '12-25', '12-26']],
  ['24. und 25. Dezember: nicht posten', ['12-24', '12-25']],
  ['Xmas break, no posts Dec 24-25', ['12-24', '12-25']],
  ['31/12-1/1 no posting (office closed)', ['12-31', '01-01']],
  ['Pas de publication le 24 et le 25 décembre', ['12-24', '12-25']],
  ['Navidad: sin publicaciones del 24 al 25/12', ['12-24', '12-25']],
  ['12月24日~25日 投稿なし', ['12-24', '12-25']],
  ['2026-12-24 不发', ['12-24']],
  ['งดโพสต์ 24/12', ['12-24']],
  ['libur 24-25 Des, tidak ada posting', ['12-24', '12-25']],
])('%s names %j', (text, days) => expect([...freeDaysIn(text)]).toEqual(days));

test.each(['Christmas week 24–25/12', 'no posts without approval', 'Week 52', '24/12: 3 posts'])(
  '%s keeps no day free',
  (text) => expect([...freeDaysIn(text)]).toEqual([]),
);

it('warns at the rows on such a day, wherever the remark stands', async () => {
  const on = (day: string) => ({ caption: day, scheduled_at: `2026-12-${day}T09:00:00+07:00` });
  const remark = {
    creator: 'Nghỉ 24–25/12: không đăng',
    media: '',
    caption: '',
    product_id: '',
    product_title: '',
  };
  const rows = [on('23'), on('24'), remark, on('25'), on('26')];
  const { warnings } = await check(manifestOf(rows), { now: Date.UTC(2026, 11, 1) });
  expect(warnings.kept.map(({ line, code, problem }) => [line, code, problem])).toEqual([
    [3, 'day_kept_free', 'this day is kept free by line 4: "Nghỉ 24–25/12: không đăng"'],
    [5, 'day_kept_free', 'this day is kept free by line 4: "Nghỉ 24–25/12: không đăng"'],
  ]);
});

test('of a very long remark, the beginning is read', () => {
  expect([...freeDaysIn(`no posts 24 Dec. ${'- 25 Dec '.repeat(20_000)}`)]).toContain('12-24');
});
