/** Results in the next version of a planner's sheet that names columns in another way: they are found by what they mean. */
import { expect, it } from 'vitest';
import { editRow } from '../../../../src/app/campaigns/rows/edit.ts';
import { noteMark } from '../../../../src/manifest/headers/column-map.ts';
import { photoRow } from '../../../support/sheets/rows.ts';
import { bring, openPlan, results } from '../import/plan-versions.ts';

const rows = ['a', 'b'].map((key) => photoRow(key, 2));

it('a renamed column is not written a second time, and comes back unchanged', async (test) => {
  const scene = await openPlan(test, rows, {});
  const next = rows.map(({ media = '', caption = '', ...row }) => ({ ...row, images: media, text: caption }));
  await bring(scene, 'plan-2.csv', next);
  const written = await results(scene);
  expect(written[0]).toMatchObject({ images: 'a-1.png|a-2.png', text: 'Caption a' });
  expect(written[0]).not.toHaveProperty('media');
  expect(written[0]).not.toHaveProperty('caption');
  expect(await bring(scene, 'results.csv', written)).toMatchObject({
    kind: 'updated',
    counts: { unchanged: 2 },
  });
});

it('a list of media that has become two columns is told as one once it was edited', async (test) => {
  const scene = await openPlan(test, rows, {});
  const next = rows.map(({ media = '', ...row }) => {
    const [first = '', second = ''] = media.split('|');
    return { ...row, 'media 1': first, 'media 2': second };
  });
  await bring(scene, 'plan-2.csv', next);
  const edit = {
    campaign: 'c1',
    key: 'a',
    revision: 0,
    cells: new Map([['media', 'b-1.png|b-2.png']] as const),
  };
  await editRow(scene.runtime, edit, { dryRun: false, by: 'ann' });
  expect(await results(scene)).toMatchObject([
    { 'media 1': 'a-1.png', 'media 2': 'a-2.png', posted_with: 'media 1: b-1.png|b-2.png' },
    { 'media 1': 'b-1.png', 'media 2': 'b-2.png', posted_with: '' },
  ]);
});

it('a note with another name is one in all versions after the one that said so', async (test) => {
  const of = (note: string) => rows.map((row) => ({ ...row, caption: note, [note]: 'ask Mira' }));
  const isNote = (name: string) => ({ map: new Map([[name, noteMark] as const]) });
  const scene = await openPlan(test, of('Wer fragt'), {}, isNote('Wer fragt'));
  const next = await bring(scene, 'plan-2.csv', of('Rückfrage'), undefined, isNote('Rückfrage'));
  expect(next.kind).toBe('updated');
  expect((await bring(scene, 'plan-3.csv', of('Rückfrage'))).problems).toEqual([]);
});
