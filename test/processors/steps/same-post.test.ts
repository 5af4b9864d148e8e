/** Rows whose files turn out to be the same once they are uploaded. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import { type StartOptions, startCampaign } from '../../../src/app/campaigns/import/start.ts';
import { updateCampaign } from '../../../src/app/campaigns/import/update.ts';
import { editRow } from '../../../src/app/campaigns/rows/edit.ts';
import { deleteCampaign } from '../../../src/app/campaigns/steer.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { serveMedia } from '../../support/file-server.ts';
import { openRunner } from '../../support/in-process.ts';
import { writeMedia } from '../../support/sheets/media.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { type Cells, sheetText } from '../../support/sheets/sheet.ts';

async function openHall(test: TestContext) {
  const runner = await openRunner({}, test);
  const { runtime } = await openPages(runner, test);
  const { url } = await serveMedia(test);
  await runner.start();
  let sheets = 0;
  const write = (rows: readonly Cells[]) => {
    sheets += 1;
    const name = `sheet-${sheets}`;
    const path = join(runner.folder, `${name}.csv`);
    writeFileSync(path, sheetText(rows.map((row) => ({ ...row, _sheet: name }))));
    return { file: path, path, name, folder: runner.folder };
  };
  const ended = async (id: string) => {
    await runner.queues.wakeAdmission(id);
    await runner.ended(id);
    return (await runner.rows(id)).map(({ state, error }) => `${state} ${error?.code ?? ''}`.trim());
  };
  const play = async (rows: readonly Cells[], options: StartOptions = {}) => {
    const started = await startCampaign(runtime, write(rows), { problemsFile: null, ...options });
    if (started.kind !== 'imported') throw new Error(JSON.stringify(started));
    return { id: started.campaign.id, ended: await ended(started.campaign.id) };
  };
  /** The same post, from another address in each folder. */
  const from = (folder: string, cells: Cells = {}) =>
    videoRow('a', { key: folder, media: `${url}/${folder}/mug.mp4?as=mug.mp4`, ...cells });
  return { runner, runtime, write, ended, play, from };
}

it('of two addresses of the same bytes, one row is posted, and the other fails and names it', async (test) => {
  const { runner, play, from } = await openHall(test);
  const { id, ended } = await play([from('one'), from('two'), from('three', { caption: 'Another' })]);
  expect(ended.toSorted()).toEqual(['failed already_posted', 'posted', 'posted']);
  const failed = (await runner.rows(id)).find(({ state }) => state === 'failed');
  expect(failed?.error?.message).toMatch(/Not sent: row (one|two) of c1 has the same post/);
  expect(runner.sandbox.effects().posts).toHaveLength(2);
});

it('counts rows of other campaigns and files of any name, but no deleted campaigns', async (test) => {
  const { runner, runtime, play, from } = await openHall(test);
  writeMedia(runner.folder, ['mug.mp4']);
  copyFileSync(join(runner.folder, 'mug.mp4'), join(runner.folder, 'copy.mp4'));
  const { id } = await play([from('one', { media: 'copy.mp4' })]);
  expect((await play([from('two')])).ended).toEqual(['failed already_posted']);
  await deleteCampaign(runtime, id, { force: false });
  await deleteCampaign(runtime, 'c2', { force: false });
  expect((await play([from('three')])).ended).toEqual(['posted']);
});

it('posts the same again if a person says so: at the import, in an update, or in the form of the row', async (test) => {
  const { runner, runtime, write, ended, play, from } = await openHall(test);
  await play([from('one')]);
  expect((await play([from('two')], { again: true })).ended).toEqual(['posted']);
  const { id } = await play([from('three'), from('four', { caption: 'Other' })]);
  const again = { problemsFile: null, again: true };
  await updateCampaign(runtime, id, write([from('three'), from('five')]), again);
  expect(await ended(id)).toEqual(['posted', 'posted', 'posted']);
  const last = await play([from('six')]);
  const edit = { campaign: last.id, key: 'six', revision: 0, cells: new Map() };
  const { plan } = await editRow(runtime, edit, { dryRun: false, by: 'anna' });
  expect(plan).toMatchObject({ kind: 'problems', problems: [{ code: 'already_posted' }] });
  await editRow(runtime, { ...edit, again: true }, { dryRun: false, by: 'anna' });
  expect(await ended(last.id)).toEqual(['posted']);
  expect(runner.sandbox.effects().posts).toHaveLength(6);
});

it('sends a row after the one with the same post has failed, and then not that one', async (test) => {
  const { runner, play, ended, from } = await openHall(test);
  runner.sandbox.faults.add({ kind: 'status', status: 422, operation: 'createCreatorPost', times: 1 });
  const first = await play([from('one')]);
  expect(first.ended).toEqual(['failed 42200']);
  expect((await play([from('two')])).ended).toEqual(['posted']);
  await runner.ledger.rows.redo(first.id, [{ row: 0, revision: 0 }]);
  expect(await ended(first.id)).toEqual(['failed already_posted']);
});
