/** Rows that a planner's own status holds, or that were skipped, in the next versions of the sheet. */
import { expect, it } from 'vitest';
import { asIf } from '../../../support/ledger.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { bring, fixes, keyed, openPlan } from './plan-versions.ts';

it('a row that her status now holds is named each time if it is accepted or waits, and no older one', async (test) => {
  const state = (texts: readonly string[]) => texts.map((Status, at) => videoRow(`${at}`, { Status }));
  const scene = await openPlan(test, state(['Ready', 'Ready', 'Ready']), {});
  await asIf(scene.runner).ended('c1', [{ row: 0, state: 'posted' }]);
  const held = (key: string, line: number, note: string) => ({
    line,
    key,
    note,
    cells: [{ column: 'Status', was: 'Ready', is: 'On hold' }],
  });
  const ignored = [
    held('0', 2, 'already posted: not put on hold'),
    held('1', 3, 'waiting: not put on hold, it will be sent. Pause the campaign to stop it'),
  ];
  for (const version of ['plan-2.csv', 'plan-3.csv'])
    expect(await bring(scene, version, state(['On hold', 'On hold', 'Posted']))).toMatchObject({
      kind: 'updated',
      problems: [],
      counts: { posted: 1, unchanged: 2, edited: 2 },
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
  expect(await bring(scene, 'plan-2.csv', keyed)).toMatchObject({ problems: [], counts: { unchanged: 2 } });
  const edited = keyed.with(2, { ...keyed[2], caption: 'Now it is good' });
  expect(await bring(scene, 'plan-3.csv', edited)).toMatchObject({ counts: { unchanged: 2, new: 1 } });
});

it.for([
  ['released, is new', 'freigegeben', { unchanged: 2, new: 1 }],
  ['rejected instead, stays skipped', 'abgelehnt', { unchanged: 2 }],
] as const)('a row that was skipped as a draft, and is %s', async ([, status, counts], test) => {
  const rows = ['a', 'b', 'c'].map((key) => ({
    ...videoRow(key),
    Status: key === 'c' ? 'Entwurf' : 'freigegeben',
  }));
  const scene = await openPlan(test, rows, { leaveOut: [3] });
  const next = [...rows.slice(0, 2), { ...videoRow('c'), Status: status }];
  expect(await bring(scene, 'plan-2.csv', next)).toMatchObject({ problems: [], counts });
});
