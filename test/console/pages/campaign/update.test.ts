import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Edits } from '../../../../src/app/campaigns/import/edits.ts';
import { startCampaign } from '../../../../src/app/campaigns/import/start.ts';
import { listDrafts } from '../../../../src/app/drafts/drafts.ts';
import { draftViewSchema } from '../../../../src/app/drafts/schemas.ts';
import { callApi } from '../../../support/api.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';
import { writeMedia } from '../../../support/sheets/media.ts';
import { localFiles, videoRow } from '../../../support/sheets/rows.ts';
import { type Cells, writeSheet } from '../../../support/sheets/sheet.ts';
import { open, upload } from './update-scene.ts';

describe('a corrected sheet', () => {
  it('is told to programs without what pages know of its campaign', async () => {
    const scene = await open();
    await upload(scene, [videoRow('a'), videoRow('b')]);
    const [draft] = (await listDrafts(scene.pages.runtime)).drafts;
    const { body } = await callApi(scene.pages.url, `/drafts/${draft?.id}`);
    expect(body).toMatchObject({ state: 'checked', into: scene.id });
    expect(draftViewSchema.safeParse(body).error?.issues ?? []).toEqual([]);
  });

  it('is listed with what is to be fixed, and counts no rows that the campaign has', async () => {
    const scene = await open();
    await upload(scene, [videoRow('a'), videoRow('b', { scheduled_at: 'soon' })]);
    const { text } = await scene.pages.get('/campaigns');
    expect(text).toContain(`to update ${scene.id}, 1 row to fix`);
    expect(text).not.toContain('rows ready');
  });

  it('counts the rows that are sent apart from those that stay', async () => {
    const { page } = await upload(await open(), [videoRow('a'), videoRow('b')]);
    expect(page.text).toContain('1 row to send · 1 unchanged');
    expect(page.text).toContain('Update Plan 1 row to send');
    expect(page.text).not.toContain('rows ready');
  });

  it('shows its plan, and changes nothing before the button', async () => {
    const scene = await open();
    const { page, send } = await upload(scene, [videoRow('a'), videoRow('b')], '../../<b>.csv');
    expect(page.text).toContain('1 row new: added');
    expect(page.text).toContain('1 row waiting, unchanged');
    expect(page.text).toContain('Update 1 row');
    // What happens stands above pictures and columns.
    expect(page.text).toMatch(/1 row new: added.* Posts .*Columns: \d/s);
    expect(page.text).not.toContain('canary');
    expect(page.html).toContain('<h1>&lt;b&gt;.csv into test</h1>');
    expect(await scene.runner.rows(scene.id)).toHaveLength(1);
    expect((await send('start')).text).toContain('1 row updated.');
    expect(await scene.runner.rows(scene.id)).toHaveLength(2);
    expect((await listDrafts(scene.pages.runtime)).drafts).toEqual([]);
  });

  it('shows old and new texts of changed rows, and names rows that are left alone', async () => {
    const scene = await open();
    const { runner, id } = scene;
    const other = await runner.importOrUpdate([videoRow('a'), videoRow('b')]);
    await runner.ledger.campaigns.pause(other, { code: 'paused', message: 'Paused by hand.' });
    const { page } = await upload({ ...scene, id: other }, [
      videoRow('a', { caption: 'Another <b>caption</b>' }),
      videoRow('b'),
    ]);
    expect(page.text).toContain('1 row changed: sent as in the new sheet');
    expect(page.text).toContain(
      'What changes Row Column Was Is a caption Caption a Another &lt;b&gt;caption&lt;/b&gt; ',
    );
    expect(page.text).toContain('the campaign is paused');
    await runner.start();
    await runner.queues.wakeAdmission(id);
    await runner.ended(id);
    const posted = await upload(scene, [videoRow('a', { caption: 'Too late', Status: 'On hold' })]);
    expect(posted.page.text).toContain('1 row already posted or scheduled, unchanged');
    expect(posted.page.text).toContain(
      '1 of these rows was edited in the sheet, but cannot change now: the edit is ignored a',
    );
    expect(posted.page.text).toMatch(
      /Edits that are ignored .* a already posted or scheduled: not put on hold caption Caption a Too late .* already posted/,
    );
    expect(posted.page.text).toContain('2 edits ignored');
    expect(posted.page.text).not.toContain('What changes');
    const { text } = await posted.send('start');
    expect(text).toContain('Results are written into the new sheet.');
    const told =
      /Last update: 2 edits ignored .* a already posted or scheduled: not put on hold caption Caption a Too late/;
    expect((await scene.pages.get(`/campaigns/${id}`)).text).toMatch(told);
    expect((await scene.pages.get(`/campaigns/${id}/rows/a`)).text).toContain(
      'The last update ignored edits. Already posted or scheduled: not put on hold. caption: “Too late” in the sheet, “Caption a” here.',
    );
    await (await upload(scene, [videoRow('a'), videoRow('b')])).send('start');
    expect((await scene.pages.get(`/campaigns/${id}`)).text).not.toContain('Last update');
    const again = await upload(scene, [videoRow('a', { caption: 'Too late' }), videoRow('b')]);
    await again.send('start');
    const { html } = await scene.pages.get(`/campaigns/${id}/results.csv`);
    expect(html).toMatch(/Too late,.*Ignored: the sheet says caption ""Too late"", posted as ""Caption a""/);
  });

  it('says which rows are skipped again, and includes one', async () => {
    const runner = await openRunner();
    const pages = await openPages(runner);
    const rows = [videoRow('a'), videoRow('b'), videoRow('a', { caption: 'Twice' })];
    writeMedia(runner.folder, localFiles(rows));
    const path = join(runner.folder, 'plan.csv');
    writeSheet(path, rows);
    const sheet = { file: path, path, name: 'plan', folder: runner.folder };
    const edits = new Edits([{ leaveOut: [2, 3], at: 0, by: 'ann', of: '' }]);
    const { campaign } = { campaign: undefined, ...(await startCampaign(pages.runtime, sheet, { edits })) };
    const { page, checked, send } = await upload({ runner, pages, id: campaign?.id ?? '' }, rows);
    expect(page.text).toContain('2 rows are skipped again, as in the last version Lines 3 and 4.');
    expect((await send('take-in', { row: '2' })).text).toContain('1 row included again.');
    const text = async () => (await checked()).text;
    await expect.poll(text).toContain('1 row is skipped again, as in the last version Line 4.');
    expect(await text()).toContain('1 row new: added');
  });

  it.each([0, 1])(
    'with nothing new but notes is taken: results have them, and %i rows that it lacks',
    async (lacked) => {
      const runner = await openRunner();
      const absent = [videoRow('x')].slice(0, lacked);
      const id = await runner.importRows([...absent, videoRow('a'), videoRow('b')]);
      const scene = { runner, id, pages: await openPages(runner) };
      const { page, send } = await upload(scene, [videoRow('a', { _remark: 'ask Mira' }), videoRow('b')]);
      expect(page.text).toContain('Use this sheet for the results');
      await send('start');
      const { html } = await scene.pages.get(`/campaigns/${scene.id}/results.csv`);
      expect(html).toContain('ask Mira');
    },
  );

  it('is fixed in its page; its good rows go first, and the others from the same draft', async () => {
    const scene = await open();
    const rows = [
      videoRow('a'),
      videoRow('b', { scheduled_at: 'soon', scheduled_tz: 'UTC' }),
      videoRow('c'),
      videoRow('d', { media: '', ai_prompt: 'A mug', ai_model: 'seedance2.0', ai_seconds: '4' }),
    ];
    const { page, send, checked } = await upload(scene, rows);
    expect(page.text).toContain('2 rows to fix, 2 kinds of problem');
    expect(page.text).toContain('Update 1 row now, and fix the other 2 later');
    const first = await send('start', { skip: 'yes' });
    expect(first.text).toContain('1 row updated. The other rows wait in the draft');
    expect(await scene.runner.rows(scene.id)).toHaveLength(2);
    const cell = /name="(c\.2\.\d+)"/.exec((await checked()).html)?.[1] ?? '';
    const fixed = await send('cells', { [cell]: '2031-03-12 18:00', 'c.4.ai_size': '720x1280' });
    expect(fixed.text).toContain('2 rows edited.');
    await expect.poll(async () => (await checked()).text).toContain('2 rows waiting, unchanged');
    expect((await send('start')).text).toContain('2 rows updated.');
    expect(await scene.runner.rows(scene.id)).toHaveLength(4);
    expect((await scene.pages.get(`/campaigns/${scene.id}/rows/d`)).text).toContain('720x1280');
    expect((await listDrafts(scene.pages.runtime)).drafts).toEqual([]);
    // The row that was there before has fewer cells than the sheet has columns now.
    await scene.runner.start();
    await scene.runner.queues.wakeAdmission(scene.id);
    expect((await scene.runner.ended(scene.id)).counts).toMatchObject({ posted: 4, failed: 0 });
  });

  it('asks before anything is sent: what is sent, what it costs, and what is ignored', async () => {
    const scene = await open();
    await scene.runner.start();
    await scene.runner.queues.wakeAdmission(scene.id);
    await scene.runner.ended(scene.id);
    const rows = [
      videoRow('a', { caption: 'Too late' }),
      videoRow('b', {
        media: '',
        ai_prompt: 'A mug',
        ai_model: 'seedance2.0',
        ai_seconds: '4',
        ai_size: '720x1280',
      }),
      videoRow('c', { scheduled_at: 'soon', scheduled_tz: 'UTC' }),
    ];
    const { send } = await upload(scene, rows);
    const asked = await send('ask', { skip: 'yes' });
    expect(asked.text).toMatch(
      /Update 1 row\? Edits that are ignored .* a caption Caption a Too late 1 row new: added b 1 row already posted or scheduled, unchanged a 1 of these rows was edited in the sheet, but cannot change now: the edit is ignored a .* AI outputs to pay for 1 AI output /,
    );
    expect(asked.text).not.toContain('Canary');
    expect(await scene.runner.rows(scene.id)).toHaveLength(1);
    const fields = [...asked.html.matchAll(/name="(\w+)" value="(\w*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]);
    expect((await send('start', Object.fromEntries(fields))).text).toContain(
      '1 row updated. The other rows wait in the draft',
    );
  });

  it('does not count the rows that its campaign skips by their own status', async () => {
    const { runner, pages } = await open();
    const plan = [videoRow('b', { State: 'Ready' }), videoRow('c', { State: 'On hold' })];
    writeMedia(runner.folder, localFiles(plan));
    const file = join(runner.folder, 'plan.csv');
    writeSheet(file, plan);
    const sheet = { file, path: file, name: 'plan', folder: runner.folder };
    const started = await startCampaign(pages.runtime, sheet, { sheet: { ownStatus: 'skip' } });
    const id = started.kind === 'imported' ? started.campaign.id : '';
    const { page, send } = await upload({ runner, pages, id }, [...plan, videoRow('d', { State: 'Ready' })]);
    expect(page.text).toContain('Update 1 row…');
    expect(page.text).not.toContain('to be posted. .');
    expect((await send('start')).text).toContain('1 row updated.');
  });

  it('takes back keys that a program has changed, with one press', async () => {
    const { runner, pages } = await open();
    const old = ['09', '010'].map((key) => videoRow('a', { key, caption: `For ${key}` }));
    writeMedia(runner.folder, localFiles(old));
    const file = join(runner.folder, 'posts.csv');
    writeSheet(file, old);
    const sheet = { file, path: file, name: 'posts', folder: runner.folder };
    const started = await startCampaign(pages.runtime, sheet);
    const id = started.kind === 'imported' ? started.campaign.id : '';
    const rows = [{ ...old[0], key: '9' }, { ...old[1], key: '10' }, videoRow('b')];
    const { page, checked, send } = await upload({ runner, pages, id }, rows);
    expect(page.text).toContain('2 The campaign has these posts under other keys.');
    expect(page.html).toContain('9 may be 09; 10 may be 010.');
    const [, action = '', use = ''] =
      /formaction="[^"]*\/(take\?[^"]*)"[^>]* value="([^"]*)"[^>]*>Use the old keys/.exec(page.html) ?? [];
    await send(action.replaceAll('&amp;', '&'), { use });
    const text = async () => (await checked()).text;
    await expect.poll(text).toContain('2 rows waiting, unchanged');
    expect(await text()).toContain('Update 1 row');
  });

  it('is not taken if other rows would be sent than the person saw', async () => {
    const scene = await open();
    const { send } = await upload(scene, [videoRow('a'), videoRow('b')]);
    const refused = await send('start', { agreed: '0'.repeat(16) });
    expect(refused.text).toContain('Nothing was started: the campaign has changed since the plan was made');
    expect(await scene.runner.rows(scene.id)).toHaveLength(1);
  });

  it('keeps the count of its rows without a key when some are skipped', async () => {
    const { runner, pages } = await open();
    const plain = (caption: string, cells: Cells = {}) => {
      const { key: _none, ...row } = videoRow(caption, cells);
      return row as Cells;
    };
    const id = await runner.importOrUpdate([plain('x'), plain('y')]);
    const scene = { runner, pages, id };
    const { send } = await upload(scene, [plain('x'), plain('y'), plain('z')]);
    const skipped = await send('leave-out', { row: '1' });
    expect(skipped.text).toContain('1 row skipped.');
    expect(skipped.text).toContain('1 row new: added');
    expect(skipped.text).not.toContain('a problem: see above');
  });
});
