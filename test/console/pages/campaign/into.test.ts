import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encoded } from '../../../importers/manifest-source.ts';
import { openPages, type Pages } from '../../../support/console/console-pages.ts';
import { openRunner, type TestRunner } from '../../../support/in-process.ts';
import { writeMedia } from '../../../support/sheets/media.ts';
import { localFiles, videoRow } from '../../../support/sheets/rows.ts';
import { type Cells, sheetText, writeSheet } from '../../../support/sheets/sheet.ts';

/** A campaign with one row that waits, and its pages. */
async function open() {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('a')]);
  const pages = await openPages(runner);
  return { runner, id, pages };
}

async function upload(
  { runner, id, pages }: { runner: TestRunner; id: string; pages: Pages },
  rows: readonly Cells[],
  name = 'mended.csv',
) {
  writeMedia(runner.folder, localFiles(rows));
  const path = join(runner.folder, 'mended.csv');
  writeSheet(path, rows);
  const form = new FormData();
  form.set('sheet', new File([readFileSync(path)], name));
  return pages.post(`/campaigns/${id}/into`, form);
}

/** The form with the button of a plan. */
function agreed(html: string): { path: string; fields: Record<string, string> } {
  const [, path = '', inside = ''] =
    /<form method="post" action="([^"]*\/into\/[^"]*)"[^>]*>([\s\S]*?)<\/form>/.exec(html) ?? [];
  const fields = [...inside.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  return { path, fields: Object.fromEntries(fields) as Record<string, string> };
}

describe('a mended sheet', () => {
  it('shows its plan, and changes nothing before the button', async () => {
    const scene = await open();
    const plan = await upload(scene, [videoRow('a'), videoRow('b')], '../../<b>.csv');
    expect(plan.text).toContain('1 row new: added');
    expect(plan.text).toContain('1 row waiting, unchanged');
    expect(plan.text).toContain('Update 1 row');
    expect(plan.html).toContain('<h1>&lt;b&gt;.csv into test</h1>');
    expect(await scene.runner.rows(scene.id)).toHaveLength(1);
  });

  it('shows old and new texts of changed rows, and names rows that are left alone', async () => {
    const scene = await open();
    const { runner, id } = scene;
    const other = await runner.importOrUpdate([videoRow('a'), videoRow('b')]);
    await runner.ledger.campaigns.pause(other, { code: 'paused', message: 'Paused by hand.' });
    const changed = await upload({ ...scene, id: other }, [
      videoRow('a', { caption: 'Another <b>caption</b>' }),
      videoRow('b'),
    ]);
    expect(changed.text).toContain('1 row changed: sent as in the new sheet');
    expect(changed.text).toContain(
      'What changes Row Column Was Is a caption Caption a Another &lt;b&gt;caption&lt;/b&gt; ',
    );
    await runner.start();
    await runner.queues.wakeAdmission(id);
    await runner.ended(id);
    const posted = await upload(scene, [videoRow('a', { caption: 'Too late' })]);
    expect(posted.text).toContain('1 row already posted, unchanged');
    expect(posted.text).toContain(
      '1 row that stays unchanged was edited in the sheet: the change is ignored a',
    );
    expect(posted.text).not.toContain('What changes');
  });

  it('goes in by the button, and its copy is removed', async () => {
    const scene = await open();
    const { path, fields } = agreed((await upload(scene, [videoRow('a'), videoRow('b')])).html);
    const done = await scene.pages.post(path, fields);
    expect(done.text).toContain('1 row updated.');
    expect(await scene.runner.rows(scene.id)).toHaveLength(2);
    expect(await readdir(join(scene.runner.folder, 'sheets'))).toEqual([]);
    expect((await scene.pages.post(path, fields)).text).toContain('The sheet is no longer kept');
  });

  it('in an encoding that cannot be told is shown, and read as somebody says', async () => {
    const { pages, runner, id } = await open();
    const rows = [videoRow('a'), videoRow('b', { caption: '한국어' })];
    writeMedia(runner.folder, localFiles(rows));
    const form = new FormData();
    form.set('sheet', new File([new Uint8Array(encoded(sheetText(rows), 'euc-kr'))], 'mended.csv'));
    const refused = await pages.post(`/campaigns/${id}/into`, form);
    expect(refused.text).toContain(
      'choose its encoding below, such as euc-kr (a guess). The text then reads: "한국어".',
    );
    const [, path = ''] = /<form method="get" action="([^"]*)"/.exec(refused.html) ?? [];
    const again = agreed((await pages.get(`${path}?name=mended.csv&encoding=euc-kr`)).html);
    expect((await pages.post(again.path, again.fields)).text).toContain('1 row updated.');
    const row = await pages.get(`/campaigns/${id}/rows/b`);
    expect(row.text).toContain('한국어');
  });

  it('comes back with its new plan if the campaign has changed meanwhile', async () => {
    const scene = await open();
    const { path, fields } = agreed((await upload(scene, [videoRow('a'), videoRow('b')])).html);
    const again = await scene.pages.post(path, { ...fields, new: '2' });
    expect(again.text).toContain('The campaign has changed since the plan was made.');
    expect(again.text).toContain('Update 1 row');
    expect(await scene.runner.rows(scene.id)).toHaveLength(1);
  });

  it('shows problems, and offers no button while it has any', async () => {
    const scene = await open();
    const plan = await upload(scene, [videoRow('b', { creator: 'nobody' })]);
    expect(plan.text).toMatch(/1 problem .* b creator nobody /);
    expect(plan.text).not.toContain('Update 1 row');
    expect(plan.text).toContain('The corrected sheet');
  });

  it('shows how far it is read while that takes long, and its plan once it is made', async () => {
    const scene = await open();
    const { creators } = scene.runner.client;
    const list = creators.list.bind(creators);
    const held = Promise.withResolvers<void>();
    creators.list = async (query) => {
      await held.promise;
      return list(query);
    };
    const page = await upload(scene, [videoRow('a'), videoRow('b', { creator: 'demo_ben' })]);
    expect(page.text).toContain('mended.csv is being read. 2 rows so far.');
    const [, events = ''] = /"([^"]*\/events\?[^"]*)"/.exec(page.html) ?? [];
    const left = new AbortController();
    const stream = await fetch(`${scene.pages.url}${events}`, { signal: left.signal });
    const parts = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    const until = async (words: string) => {
      for (let text = ''; !text.includes(words); ) text += (await parts?.read())?.value ?? '';
    };
    await until('2 rows so far');
    held.resolve();
    await until('hx-trigger="load"');
    left.abort();
    const [, path = ''] = /href="([^"]*\/into\/[^"]*)">Look again/.exec(page.html) ?? [];
    expect((await scene.pages.get(path)).text).toContain('1 row new: added');
    expect(await scene.runner.rows(scene.id)).toHaveLength(1);
  });

  it.each([
    ['of another form', '../../secret'],
    ['that does not exist', '0123456789abcdef0123456789abcdef'],
  ])('is not found by a token %s', async (_what, token) => {
    const { pages, id } = await open();
    const answer = await pages.get(`/campaigns/${id}/into/${encodeURIComponent(token)}?name=x`);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('The sheet is no longer kept');
  });
});
