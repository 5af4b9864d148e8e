/** Her kept sheet, after something has updated the campaign that this machine does not know of, or could not keep. */
import { cpSync, mkdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { updateCampaign } from '../../../../src/app/campaigns/import/update.ts';
import { writeResults } from '../../../../src/app/campaigns/results/write.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { type Cells, sheetText } from '../../../support/sheets/sheet.ts';
import { bring, contents, openPlan, results } from './plan-versions.ts';

type Scene = Awaited<ReturnType<typeof openPlan>>;
type Updated = Parameters<typeof updateCampaign>;

const rows = [videoRow('a'), videoRow('b')];
const more = videoRow('c');

async function update(
  { runner }: Scene,
  runtime: Updated[0],
  next: readonly Cells[],
  options: Updated[3] = {},
) {
  const path = join(runner.folder, 'plan-2.csv');
  writeFileSync(path, sheetText(next));
  const manifest = { file: path, path, name: 'plan-2.csv', folder: runner.folder };
  expect((await updateCampaign(runtime, 'c1', manifest, { problemsFile: null, ...options })).kind).toBe(
    'updated',
  );
}

/** With a data directory of its own. */
function elsewhere({ runtime, runner }: Scene): Scene['runtime'] {
  const dataDir = join(runner.folder, 'other');
  mkdirSync(dataDir);
  return Object.assign(Object.create(runtime), { environment: { ...runtime.environment, dataDir } });
}

it('results have the rows that came by another machine, and say that they are a new sheet', async (test) => {
  const scene = await openPlan(test, rows, {});
  const to = join(scene.runner.folder, 'results.csv');
  expect(await writeResults(scene.runtime, 'c1', { to })).toMatchObject({ notOwn: undefined });
  scene.media([more]);
  await update(scene, elsewhere(scene), [...rows, more]);
  expect(await writeResults(scene.runtime, 'c1', { to })).toMatchObject({ notOwn: 'outdated' });
  expect((await results(scene)).map(({ key }) => key)).toEqual(['a', 'b', 'c']);
});

it('a text that the kept sheet has is an edit if another machine has updated it since', async (test) => {
  const scene = await openPlan(test, rows, {});
  await update(scene, elsewhere(scene), rows.with(0, { ...rows[0], caption: 'Other' }));
  await bring(scene, 'plan-3.csv', rows);
  expect((await contents(scene))[0]?.caption).toBe('Caption a');
});

it('a sheet that was gone before it was kept leaves results of all rows', async (test) => {
  const scene = await openPlan(test, rows, {});
  scene.media([more]);
  const gone = () => unlinkSync(join(scene.runner.folder, 'plan-2.csv'));
  await update(scene, scene.runtime, [...rows, more], { onPlan: gone });
  expect((await results(scene)).map(({ key }) => key)).toEqual(['a', 'b', 'c']);
});

it('an edit that was saved while the sheet was imported comes in with the next import', async (test) => {
  const scene = await openPlan(test, rows, {});
  const saved = rows.with(1, { ...rows[1], caption: 'Saved meanwhile' });
  const save = () => writeFileSync(join(scene.runner.folder, 'plan-2.csv'), sheetText(saved));
  await update(scene, scene.runtime, rows.with(0, { ...rows[0], caption: 'First' }), { onPlan: save });
  await bring(scene, 'plan-2.csv', saved);
  expect((await contents(scene))[1]?.caption).toBe('Saved meanwhile');
});

it.for(['known', 'unknown'])(
  'without keys, a new row comes in once, if the import ended before the sheet was kept: %s',
  async (kind, test) => {
    const bare = (of: readonly Cells[]) => of.map(({ key: _key, ...row }) => row);
    const scene = await openPlan(test, bare(rows), {});
    scene.media([more]);
    const kept = join(scene.runtime.environment.dataDir, 'sheets');
    const copy = () => cpSync(kept, `${kept}-copy`, { recursive: true });
    if (kind === 'unknown') copy();
    // The record of the import is written before its rows.
    const finish = scene.runtime.ledger.leftOut.remember;
    scene.runtime.ledger.leftOut.remember = async (...given) => {
      if (kind === 'known') copy();
      return finish.apply(scene.runtime.ledger.leftOut, given);
    };
    await update(scene, scene.runtime, bare([...rows, more]));
    rmSync(kept, { recursive: true });
    cpSync(`${kept}-copy`, kept, { recursive: true });
    expect(await bring(scene, 'plan-3.csv', bare([...rows, more]))).toMatchObject({
      counts: { unchanged: 3 },
    });
  },
);
