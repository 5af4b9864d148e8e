/** Rows that a planner's own status holds, or that were skipped, in the next versions of the sheet. */
import { expect, it } from 'vitest';
import { asIf } from '../../../support/ledger.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { bring, fixes, keyed, openPlan } from './plan-versions.ts';

it('a row that her status now holds is named each time, also if it says that it is posted', async (test) => {
  const state = (texts: readonly string[]) => texts.map((Status, at) => videoRow(`${at}`, { Status }));
  const scene = await openPlan(test, state(['Ready', 'Ready', 'Ready']), {});
  await asIf(scene.runner).ended('c1', [{ row: 0, state: 'posted' }]);
  const held = (key: string, line: number, note: string, is = 'On hold') => ({
    line,
    key,
    note,
    cells: [{ column: 'Status', was: 'Ready', is }],
  });
  const waits = 'still waiting: it will be sent, unless you cancel it';
  const ignored = [
    held('0', 2, 'already posted or scheduled: not put on hold'),
    held('1', 3, waits),
    held('2', 4, waits, 'Posted'),
  ];
  for (const version of ['plan-2.csv', 'plan-3.csv'])
    expect(await bring(scene, version, state(['On hold', 'On hold', 'Posted']))).toMatchObject({
      kind: 'updated',
      problems: [],
      counts: { posted: 1, unchanged: 2, edited: 3 },
      ignored,
    });
});

it('a waiting row that her status now holds is not sent with her other edits of it', async (test) => {
  const scene = await openPlan(test, keyed, fixes);
  const next = keyed.with(2, { ...keyed[2], caption: 'Better', Status: 'Cancelled' });
  expect(
    await bring(
      scene,
      'plan-2.csv',
      next.map((row) => ({ Status: '', ...row })),
    ),
  ).toMatchObject({
    counts: { unchanged: 3, edited: 1 },
    changes: [],
    ignored: [{ key: 'c', cells: [{ column: 'caption' }, { column: 'Status', was: '', is: 'Cancelled' }] }],
  });
});

it('a row that was skipped stays skipped until it is edited', async (test) => {
  const scene = await openPlan(test, keyed, { cells: fixes.cells, leaveOut: [3] });
  expect(await bring(scene, 'plan-2.csv', keyed)).toMatchObject({
    problems: [],
    counts: { unchanged: 2 },
    lines: [
      'Changes to c1: 2 unchanged',
      '  skipped again, as in the last version: line 4. To post one, edit it in the sheet.',
    ],
  });
  const edited = keyed.with(2, { ...keyed[2], caption: 'Now it is good' });
  expect(await bring(scene, 'plan-3.csv', edited)).toMatchObject({ counts: { unchanged: 2, new: 1 } });
});

const skips = (...lines: readonly number[]) => ({
  problems: [],
  counts: { unchanged: 3 - lines.length },
  changes: [],
  skippedAgain: { count: lines.length, rows: lines.map((line) => expect.objectContaining({ line })) },
});

it('a row that was skipped is skipped again if a program writes its time in another way, and not at another time', async (test) => {
  const late = (scheduled_at: string) => keyed.with(2, { ...keyed[2], scheduled_at });
  const scene = await openPlan(test, late('2026-05-02 10:00Z'), { ...fixes, leaveOut: [3] });
  expect(await bring(scene, 'plan-2.csv', late('2026-05-02T12:00:00+02:00'))).toMatchObject(skips(4));
  expect(await bring(scene, 'plan-3.csv', late('2026-05-03 10:00Z'))).toMatchObject({
    counts: { unchanged: 2, new: 1 },
    skippedAgain: { count: 0 },
  });
});

it.for([3, 1])(
  'row %i, which was skipped because another one has its key, is skipped again',
  async (row, test) => {
    const rows = [videoRow('a'), videoRow('b'), videoRow('a', { caption: 'Other' })];
    const scene = await openPlan(test, rows, { leaveOut: [row] });
    for (const version of ['plan-2.csv', 'plan-3.csv'])
      expect(await bring(scene, version, rows)).toMatchObject(skips(row + 1));
  },
);

it('of rows with the same text, the one that was skipped is skipped again, and further ones too', async (test) => {
  const rows = ['a', 'b', 'a'].map((key) => videoRow(key));
  const scene = await openPlan(test, rows, { leaveOut: [3] });
  expect(await bring(scene, 'plan-2.csv', rows)).toMatchObject(skips(4));
  expect(await bring(scene, 'plan-3.csv', [...rows, videoRow('a')])).toMatchObject({
    problems: [],
    skippedAgain: { count: 2, rows: [{ line: 4 }, { line: 5 }] },
  });
});

it('without keys, a row that repeats another one is skipped again, wherever it is', async (test) => {
  const rows = ['a', 'b', 'a'].map((name) => {
    const { key: _key, ...row } = videoRow(name, { caption: name });
    return row;
  });
  const scene = await openPlan(test, rows, { leaveOut: [3] });
  expect(await bring(scene, 'plan-2.csv', [rows[1] ?? {}, rows[0] ?? {}, rows[2] ?? {}])).toMatchObject(
    skips(4),
  );
});

it('a row of the campaign that an update skipped is skipped again, until it is edited', async (test) => {
  const scene = await openPlan(test, keyed, fixes);
  const worse = keyed.with(2, { ...keyed[2], caption: '' });
  const edits = { cells: fixes.cells, leaveOut: [3] };
  expect(await bring(scene, 'plan-2.csv', worse, edits)).toMatchObject({
    ...skips(4),
    skippedAgain: { count: 0 },
  });
  expect(await bring(scene, 'plan-3.csv', worse)).toMatchObject(skips(4));
  const better = keyed.with(2, { ...keyed[2], caption: 'Better' });
  expect(await bring(scene, 'plan-4.csv', better)).toMatchObject({
    counts: { unchanged: 2, changed: 1 },
    changes: [{ key: 'c', cells: [{ column: 'caption', was: 'Third', is: 'Better' }] }],
  });
});

it.for([
  ['released, is new', 'freigegeben', { unchanged: 2, new: 1 }],
  ['rejected instead, stays skipped', 'abgelehnt', { unchanged: 2 }],
  ['posted by hand, stays skipped', 'gepostet', { unchanged: 2 }],
  ['without a status now, stays skipped', '', { unchanged: 2 }],
  ['waiting by a remark, stays skipped', 'wartet noch auf Kunde', { unchanged: 2 }],
  ['without a column of states, stays skipped', undefined, { unchanged: 2 }],
] as const)('a row that was skipped as a draft, and is %s', async ([, status, counts], test) => {
  const rows = ['a', 'b', 'c'].map((key) => ({
    ...videoRow(key),
    Status: key === 'c' ? 'Entwurf' : 'freigegeben',
  }));
  const scene = await openPlan(test, rows, { leaveOut: [3] });
  const next = [...rows.slice(0, 2), { ...videoRow('c'), Status: status ?? '' }];
  const cells = status === undefined ? next.map(({ Status: _none, ...row }) => row) : next;
  expect(await bring(scene, 'plan-2.csv', cells)).toMatchObject({ problems: [], counts });
});

it('a waiting row that a tick says is posted is named', async (test) => {
  const ticked = (tick: string) => [videoRow('a', { 'Posted?': tick })];
  const scene = await openPlan(test, ticked('FALSE'), {});
  const { ignored } = await bring(scene, 'plan-2.csv', ticked('TRUE'));
  expect(ignored).toMatchObject([{ key: 'a', note: expect.stringContaining('it will be sent') }]);
});

it('a rejected post stays rejected until it is edited; any other failed row is retried', async (test) => {
  const scene = await openPlan(test, keyed, fixes);
  const rejected = { code: 'rejected', message: 'The logo is old.' };
  await asIf(scene.runner).ended('c1', [
    { row: 0, state: 'failed', error: rejected },
    { row: 1, state: 'failed' },
    { row: 2, state: 'failed', error: rejected },
  ]);
  const next = keyed.with(2, { ...keyed[2], caption: 'With the new logo' });
  expect(await bring(scene, 'plan-2.csv', next)).toMatchObject({
    counts: { rejected: 1, redone: 1, changed: 1 },
    ignored: [],
    lines: [
      'Changes to c1: 1 changed; 1 retried; 1 rejected by a person, unchanged',
      '  changed: c',
      '    line 4, c, caption: “Third” becomes “With the new logo”',
      '  retried: b',
    ],
  });
});

it('a waiting row that is skipped on the page of an update is said to be sent', async (test) => {
  const rows = keyed.slice(2).concat(videoRow('d'));
  const scene = await openPlan(test, rows, {});
  const next = rows.with(1, { ...videoRow('d'), caption: 'Not now' });
  const { counts, absent, lines } = await bring(scene, 'plan-2.csv', next, { leaveOut: [2] });
  expect({ counts, absent }).toEqual({ counts: { unchanged: 1 }, absent: { count: 1, keys: ['d'] } });
  expect(lines).toContain(
    '  1 row of the campaign is skipped or on hold in the sheet: d. It stays in the campaign, and will still be sent if it waits.',
  );
  expect((await bring(scene, 'plan-3.csv', next)).absent).toEqual({ count: 1, keys: ['d'] });
});
