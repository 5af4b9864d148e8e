import { expect, it } from 'vitest';
import { openDraft } from '../../../support/console/draft-page.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

it('offers to hold rows whose time is open before it offers to post them at once', async () => {
  const rows = [
    videoRow('a', { scheduled_at: 'à confirmer' }),
    videoRow('b', { scheduled_at: 'tbc' }),
    videoRow('c'),
  ];
  const { checked, send, ...draft } = await openDraft(rows);
  const { html, text } = await checked();
  const cell = html.split('class="edit"')[1]?.split('</td>')[0] ?? '';
  const buttons = [...cell.matchAll(/<button[^>]*>([^<]+)/g)].map(([, name]) => name);
  expect(buttons).toEqual([
    'Hold it: skip this row for now',
    'Post now, without a time',
    'Hold 2 rows: skip them for now',
    'Post now, without a time, 2 rows',
  ]);
  expect(text).not.toContain('sure fix');
  const { text: after } = await send('leave-out', { group: '', row: '1' });
  expect(after).toContain('1 row skipped.');
  expect((await draft.kind()).text).toContain('Hold 1 row: skip it for now');
});

it('offers once to hold a single row whose time of day is open', async () => {
  const rows = [
    videoRow('a', { scheduled_at: '2031-05-06', scheduled_time: 'tbc' }),
    videoRow('b', { scheduled_at: '2031-05-07', scheduled_time: '18:00' }),
  ];
  const { html } = await (await openDraft(rows)).checked();
  expect(html.match(/Hold (?:it|1 row)/g)).toHaveLength(1);
});

it('holds all rows whose time is open with one press, whatever of it is, and each with one button', async () => {
  const split = (scheduled_at: string, scheduled_time: string) => ({ scheduled_at, scheduled_time });
  const timed = ['01', '02', '03', '04', '05'].map((day) => split(`2031-05-${day}`, '18:00'));
  const open = [split('2031-05-06', 'tbc'), split('à confirmer', ''), split('', ''), split('tbd', 'tbc')];
  const draft = await openDraft(
    [...open, ...timed].map((time, at) => videoRow(`k${at}`, { ...time, scheduled_tz: 'Europe/Paris' })),
  );
  const { html, text } = await draft.checked();
  expect(text).toContain('4 rows to fix, 1 kind of problem');
  expect(text).toContain('The time is still open.');
  expect(html.split('Hold it: skip this row for now')).toHaveLength(5);
  const { group, band } = draft.fieldsOf(html);
  const { text: held } = await draft.send(`leave-out?group=${group}&band=${band}`);
  expect(held).toContain('4 rows skipped.');
  expect(held).toContain('Nothing to fix');
});
