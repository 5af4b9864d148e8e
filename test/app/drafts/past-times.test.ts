/** Times in the past, and the years that are offered for them. */
import { expect, it } from 'vitest';
import { videoRow } from '../../support/sheets/rows.ts';
import { openTestDraft } from './test-draft.ts';

it('is no question of a row that its own status says is posted, also after an edit', async (test) => {
  const row = videoRow('a', { scheduled_at: '2026-11-29 18:30Z', Status: 'Posted' });
  const { look, edit } = await openTestDraft([row], { now: () => Date.UTC(2026, 11, 1, 9) }, test);
  const codes = async () => (await look()).checked?.groups.map(({ code }) => code);
  expect(await codes()).toEqual(['own_status']);
  const position = Object.keys(row).indexOf('caption');
  await edit({ cells: [{ row: 1, position, text: 'Another' }] });
  expect(await codes()).toEqual(['own_status']);
});

it('no year is offered for rows that their own status says are posted', async (test) => {
  const row = (key: string, day: string, Statut: string) =>
    videoRow(key, { scheduled_at: `${day} 18:30Z`, Statut });
  const rows = [
    row('a', '2026-11-29', 'Publié'),
    row('b', '2026-01-03', 'Validé'),
    row('c', '2027-01-05', 'Validé'),
  ];
  const { drafts, id, look } = await openTestDraft(rows, { now: () => Date.UTC(2026, 11, 1, 9) }, test);
  const { checked } = await look();
  const group = checked?.groups.find(({ code }) => code === 'time_past');
  const found = await drafts.suggestions(id, group?.id ?? '');
  expect(found.map(({ label }) => label)).toEqual([
    'Read 2026-01-03 18:30Z as 3 January 2027, 18:30Z, 1 row',
    'Post now, without a time, 1 row',
  ]);
});
