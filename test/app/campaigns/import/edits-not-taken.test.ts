/** Edits of hers that an import did not take, and that the next version of her sheet still has: they are no fixes of the campaign. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { updateCampaign } from '../../../../src/app/campaigns/import/update.ts';
import { asIf } from '../../../support/ledger.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { type Cells, sheetText } from '../../../support/sheets/sheet.ts';
import { bring, contents, openPlan, results } from './plan-versions.ts';

type Scene = Awaited<ReturnType<typeof openPlan>>;

async function update({ runtime, runner }: Scene, rows: readonly Cells[], options = {}) {
  const path = join(runner.folder, 'plan-2.csv');
  writeFileSync(path, sheetText(rows));
  const manifest = { file: path, path, name: 'plan-2.csv', folder: runner.folder };
  const updated = await updateCampaign(runtime, 'c1', manifest, { problemsFile: null, ...options });
  expect(updated.kind).toBe('updated');
}

const ended = ({ runner }: Scene, rows: readonly number[], state: string) =>
  asIf(runner).ended(
    'c1',
    rows.map((row) => ({ row, state: state as 'failed' })),
  );

/** More than are listed. */
const many = Array.from({ length: 25 }, (_, index) => `r${index}`);

it('those of a row with a problem come in once that is fixed', async (test) => {
  const rows = ['a', 'b', 'c'].map((key) => videoRow(key, { scheduled_at: '2026-05-01 10:00Z' }));
  const scene = await openPlan(test, rows, {});
  const second = rows.with(1, { ...rows[1], caption: 'Her new words', scheduled_at: 'tbc' });
  await update(scene, second, { skipInvalid: true });
  await bring(scene, 'plan-3.csv', second.with(1, { ...second[1], scheduled_at: '2026-05-02 10:00Z' }));
  expect((await contents(scene))[1]).toMatchObject({
    caption: 'Her new words',
    scheduled_at: '2026-05-02 10:00Z',
  });
});

it('those of many running rows come in once these have failed', async (test) => {
  const scene = await openPlan(
    test,
    many.map((key) => videoRow(key)),
    {},
  );
  const rows = [...many.keys()];
  await ended(scene, rows, 'running');
  const second = many.map((key) => videoRow(key, { caption: `${key} v2` }));
  await bring(scene, 'plan-2.csv', second);
  await ended(scene, rows, 'failed');
  expect(await bring(scene, 'plan-3.csv', second)).toMatchObject({ counts: { changed: many.length } });
});

it('that of a row that a worker began during the import comes in once it has failed', async (test) => {
  const rows = ['a', 'b', 'c'].map((key) => videoRow(key));
  const scene = await openPlan(test, rows, {});
  const second = rows.with(1, { ...rows[1], caption: 'Her new words' });
  await update(scene, second, { onPlan: () => ended(scene, [1], 'running') });
  await ended(scene, [1], 'failed');
  await bring(scene, 'plan-3.csv', second);
  expect((await contents(scene))[1]).toMatchObject({ caption: 'Her new words' });
});

it('those of many rows that were put on hold come in once they are released', async (test) => {
  const plan = (Status: string, caption: string) =>
    many.map((key) => videoRow(key, { Status, caption: `${caption} ${key}` }));
  const scene = await openPlan(test, plan('Ready', 'Old'), {});
  await bring(scene, 'plan-2.csv', plan('On hold', 'New'));
  await bring(scene, 'plan-3.csv', plan('Ready', 'New'));
  const captions = (await contents(scene)).map(({ caption = '' }) => caption);
  expect(captions.filter((caption) => caption.startsWith('Old'))).toEqual([]);
});

it('that of a posted row is told in the results', async (test) => {
  const rows = ['a', 'b'].map((key) => videoRow(key, { scheduled_at: '2026-05-01 10:00Z', Status: 'Ready' }));
  const scene = await openPlan(test, rows, {});
  await ended(scene, [0], 'posted');
  const edit = { caption: 'Her new words', scheduled_at: '1.5.2026 10:00Z', Status: 'Online' };
  await bring(scene, 'plan-2.csv', rows.with(0, { ...rows[0], ...edit }));
  expect(await results(scene)).toMatchObject([
    {
      caption: 'Her new words',
      Status: 'Online',
      posted_with: '',
      note: 'Ignored: the sheet says caption "Her new words", posted as "Caption a".',
    },
    { note: '' },
  ]);
});

it.for([
  ['keys', true],
  ['no keys', false],
] as const)('a fix of one of several rows that say the same is no edit: %s', async ([, hasKeys], test) => {
  const same = { media: 'same.mp4', caption: 'Same', product_id: 'p-same', creator: '' };
  const rows = ['a', 'b', 'c'].map((key): Cells => {
    const { key: own, ...row } = videoRow(key, same);
    return hasKeys ? { key: own ?? '', ...row } : row;
  });
  const position = Object.keys(rows[0] ?? {}).indexOf('creator');
  const cells = ['demo_anna', 'demo_ben', 'demo_carla'].map((text, at) => ({ row: at + 1, position, text }));
  const scene = await openPlan(test, rows, { cells });
  await ended(scene, [0, 1], 'posted');
  const { problems, ignored, counts } = await bring(scene, 'plan-2.csv', rows);
  expect({ problems, ignored, counts }).toEqual({
    problems: [],
    ignored: [],
    counts: { posted: 2, unchanged: 1 },
  });
});
