/** What a person filled in stays with its post when the next version of the plan has its keys at other rows. */
import { describe, expect, it } from 'vitest';
import { asIf } from '../../../support/ledger.ts';
import { bring, captions, numbered, openPlan, postOf, slotted } from './plan-versions.ts';

it('a fix is not carried into another post with the key of its row', async (test) => {
  const rows = [postOf('One'), { ...postOf('Two'), creator: '' }];
  const fixed = { row: 2, position: Object.keys(rows[0] ?? {}).indexOf('creator'), text: 'demo_ben' };
  const scene = await openPlan(test, rows, { cells: [fixed] });
  const other = { ...postOf('Other'), key: 'Two', creator: '' };
  scene.media([other]);
  expect((await bring(scene, 'plan-2.csv', [postOf('One'), other])).problems).toEqual(['missing_value']);
});

const positionOf = (column: string) => Object.keys(postOf('One')).indexOf(column);

it('creators that a person filled in stay with their videos when a row is removed', async (test) => {
  const rows = numbered(
    ['One', 'Two', 'Three'].map((name) => ({ ...postOf(name), creator: '', caption: 'Shop now' })),
  );
  const cells = ['demo_anna', 'demo_ben', 'demo_carla'].map((text, at) => ({
    row: at + 1,
    position: positionOf('creator'),
    text,
  }));
  const scene = await openPlan(test, rows, { cells });
  const { counts, problems, absent } = await bring(scene, 'plan-2.csv', numbered(rows.slice(1)));
  expect({ counts, problems }).toEqual({ counts: { unchanged: 2 }, problems: [] });
  expect(absent.keys).toEqual(['1']);
});

it('creators that come with the next version move no post to another row', async (test) => {
  const whole = captions.map(postOf);
  const rows = numbered(whole.map((row) => ({ ...row, creator: '' })));
  const cells = rows.map((_row, at) => ({ row: at + 1, position: positionOf('creator'), text: 'demo_anna' }));
  const scene = await openPlan(test, rows, { cells });
  await asIf(scene.runner).ended('c1', [{ row: 2, state: 'posted' }]);
  const added = postOf('Between');
  scene.media([added]);
  const { counts, problems } = await bring(scene, 'plan-2.csv', numbered(whole.toSpliced(1, 0, added)));
  expect({ counts, problems }).toEqual({ counts: { unchanged: 4, posted: 1, new: 1 }, problems: [] });
});

it('the file that a person chose stays with the creator, product and time when the caption is edited', async (test) => {
  const rows = slotted([postOf('One'), { ...postOf('Two'), media: 'Two final.mp4' }]);
  const chosen = { row: 2, position: positionOf('media'), text: 'One.mp4' };
  const scene = await openPlan(test, rows, { cells: [chosen] });
  await asIf(scene.runner).ended('c1', [{ row: 1, state: 'posted' }]);
  const next = rows.with(1, { ...rows[1], caption: 'New words' });
  const { ignored } = await bring(scene, 'plan-2.csv', next);
  expect(ignored.flatMap(({ cells }) => cells.map(({ column }) => column))).toEqual(['caption']);
});

describe('a time that a person wrote for', () => {
  const tbc = (name: string) => ({ ...postOf(name), caption: 'Shop now', scheduled_at: 'tbc' });
  const slot = {
    row: 1,
    position: Object.keys(tbc('One')).indexOf('scheduled_at'),
    text: '2026-05-01 10:00Z',
  };

  it('one video is not that of another with its key', async (test) => {
    const scene = await openPlan(test, [tbc('One'), { ...tbc('Two'), scheduled_at: '' }], { cells: [slot] });
    const next = [
      { ...tbc('Other'), key: 'One' },
      { ...tbc('Two'), scheduled_at: '' },
    ];
    scene.media(next);
    expect((await bring(scene, 'plan-2.csv', next)).problems).toEqual(['invalid_time']);
  });

  it('one video stays with it when the caption is edited', async (test) => {
    const scene = await openPlan(test, [tbc('One'), { ...tbc('Two'), scheduled_at: '' }], { cells: [slot] });
    const next = [
      { ...tbc('One'), caption: 'Buy it now' },
      { ...tbc('Two'), scheduled_at: '' },
    ];
    expect(await bring(scene, 'plan-2.csv', next)).toMatchObject({
      problems: [],
      changes: [{ cells: [{ column: 'caption' }] }],
    });
  });
});
