import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { updateCampaign } from '../../../../src/app/campaigns/import/update.ts';
import { openPages, type Pages } from '../../../support/console/console-pages.ts';
import { ended, hostile, page, steps, waiting } from '../../../support/console/row-pages.ts';
import { openRunner, type TestRunner } from '../../../support/in-process.ts';
import { writeMedia } from '../../../support/sheets/media.ts';
import { aiVideoRow, photoRow, videoRow } from '../../../support/sheets/rows.ts';
import { writeSheet } from '../../../support/sheets/sheet.ts';

function edit(pages: Pages, id: string, key: string, fields: Readonly<Record<string, string>>) {
  return pages.post(page(id, key, '/edit'), { revision: '0', ...fields });
}

function save(pages: Pages, id: string, key: string, fields: Readonly<Record<string, string>>) {
  return pages.post(page(id, key, '/save'), { revision: '0', ...fields });
}

async function cellsOf({ ledger }: TestRunner, id: string, row: number): Promise<readonly string[]> {
  const campaign = await ledger.campaigns.find(id);
  return (await ledger.store.read(campaign ?? { store: '', sheetVersion: '' }, row)).cells;
}

describe('an edit', () => {
  it('of the media changes the column that the row fills, where videos and photos have one each', async () => {
    const photo = { ...photoRow('f', 1), media: '', Foto: 'wrong.png' };
    const { runner, id, pages } = await waiting([{ ...videoRow('b'), Foto: '' }, photo]);
    writeMedia(runner.folder, ['wrong.png', 'right.png']);
    const shown = await pages.get(page(id, 'f'));
    expect(shown.html).toMatch(/value="wrong\.png"|>wrong\.png</);
    expect(shown.text).not.toContain('(a note)');
    expect((await save(pages, id, 'f', { 'c.media': 'right.png' })).text).toContain('Saved 1 change');
    expect(await cellsOf(runner, id, 1)).toEqual([
      ...Object.values({ ...photo, media: '', Foto: 'right.png' }),
    ]);
    await runner.admit(id);
    await runner.start();
    await runner.ended(id);
    expect((await runner.rows(id)).map(({ state }) => state)).toEqual(['posted', 'posted']);
  });

  it('of a row that waits is no retry, and pays for its outputs once', async () => {
    const { id, pages } = await waiting([aiVideoRow('g')]);
    const open = await pages.get(page(id, 'g'));
    expect(open.text).toContain('Save…');
    expect(open.text).not.toContain('Save and retry');
    const question = await edit(pages, id, 'g', { 'c.caption': 'Another one' });
    expect(question.text).toContain('Save g?');
    expect(question.text).toContain('The changed post is sent when its turn comes.');
    expect(question.text).toMatch(/At least \d calls, pays for 1 AI output\./);
    const saved = await save(pages, id, 'g', { 'c.caption': 'Another one' });
    expect(saved.text).toContain('Saved 1 change. Row g waits, as changed.');
  });

  it('is shown once more, with what it takes, and then sends the row again', async () => {
    const { runner, id, pages } = await ended([videoRow('f'), videoRow('b')]);
    const fields = { 'c.caption': `New ${hostile}`, 'c.product_id': 'p-f' };
    const question = await edit(pages, id, 'f', fields);
    expect(question.text).toContain('Save and retry f?');
    expect(question.html).toContain('<del>Caption f</del>');
    expect(question.html).toContain('<ins>New &lt;script&gt;');
    expect(question.text).toContain('At least 1 call');
    expect(await cellsOf(runner, id, 0)).toContain('Caption f');
    const saved = await save(pages, id, 'f', { 'c.caption': `New ${hostile}` });
    expect(saved.text).toContain('Saved 1 change. Row f is retried.');
    expect(saved.text).toMatch(/Changed .* caption: “Caption f” → “New/);
    expect(await cellsOf(runner, id, 0)).toContain(`New ${hostile}`);
    expect(await cellsOf(runner, id, 1)).toContain('Caption b');
    await runner.admit(id);
    await runner.ended(id);
    expect((await runner.rows(id)).map(({ state }) => state)).toEqual(['posted', 'posted']);
    expect(
      runner.sandbox
        .effects()
        .posts.map(({ title }) => title)
        .sort(),
    ).toEqual(['Caption b', `New ${hostile}`]);
  });

  it('has the lists of a draft, which also work without scripts', async () => {
    const { id, pages } = await ended([videoRow('f')]);
    expect((await pages.get(page(id, 'f'))).html).toContain(page(id, 'f', '/pick/creator'));
    const { html } = await pages.get(`${page(id, 'f', '/pick/creator')}?q=henry`);
    const form = html.slice(html.indexOf('data-fill')).split('</form>')[0] ?? '';
    const [, name = '', value = ''] = /name="([^"]+)" value="([^"]+)"/.exec(form) ?? [];
    const picked = await pages.get(`${page(id, 'f')}?${new URLSearchParams({ [name]: value })}`);
    expect(picked.html).toMatch(/name="c\.creator" value="demo_henry"/);
    const typed = new URLSearchParams({ 'c.creator': '' });
    const products = await pages.get(`${page(id, 'f', '/pick/product')}?${typed}`);
    expect(products.text).toContain('The row has no creator yet');
  });

  it('takes its form off an open page when the row can no longer be edited', async () => {
    const { runner, id, pages } = await waiting([videoRow('a')]);
    const { html } = await pages.get(page(id, 'a'));
    expect(html).toContain('<section id="row-edit"');
    const live = async () => {
      const stream = await fetch(`${pages.url}${page(id, 'a', '/events')}`);
      const reader = stream.body?.getReader();
      const { value } = (await reader?.read()) ?? {};
      await reader?.cancel();
      return new TextDecoder().decode(value);
    };
    expect(await live()).not.toContain('row-edit');
    await runner.admit(id);
    expect(await live()).toMatch(/id="row-edit".*The row is running/s);
  });

  it('with problems shows them as a check does, and keeps the typed texts', async () => {
    const { runner, id, pages } = await waiting([videoRow('a')]);
    const answer = await edit(pages, id, 'a', {
      'c.media': 'b.mp4',
      'c.creator': 'nobody',
      'c.caption': `typed ${hostile}`,
    });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('2 problems.');
    expect(answer.text).toContain('The service has no account with this name or id');
    expect(answer.text).toContain('There is no such file');
    expect(answer.html).toContain('value="b.mp4"');
    expect(answer.html).toContain('typed &lt;script&gt;');
    expect(answer.html.match(/aria-invalid="true"/g)).toHaveLength(2);
    expect((await runner.rows(id))[0]).toMatchObject({ state: 'waiting', revision: 0 });
  });

  it('uploads another file, under another creator, and adds a column that the sheet lacks', async () => {
    const { runner, id, pages } = await ended([videoRow('f'), videoRow('b')]);
    const saved = await save(pages, id, 'f', {
      'c.media': 'b.mp4',
      'c.creator': 'demo_carla',
      'c.cover_timestamp_ms': '1',
    });
    expect(saved.text).toContain('Saved 3 changes.');
    await runner.admit(id);
    await runner.ended(id);
    const post = runner.sandbox.effects().posts.find(({ title }) => title === 'Caption f');
    const other = runner.sandbox.effects().posts.find(({ title }) => title === 'Caption b');
    expect(post?.businessId).toBe(other?.businessId);
    expect(post?.creatorId).not.toBe(other?.creatorId);
    const campaign = await runner.ledger.campaigns.find(id);
    expect(campaign?.header).toContain('cover_timestamp_ms');
  });

  it('of several lines is kept as the sheet has it', async () => {
    const { runner, id, pages } = await waiting([videoRow('a', { caption: 'one\ntwo' })]);
    const same = await save(pages, id, 'a', { 'c.caption': 'one\r\ntwo', 'c.product_title': 'Other' });
    expect(same.text).toContain('Saved 1 change.');
    expect(await cellsOf(runner, id, 0)).toContain('one\ntwo');
  });

  it.each([
    ['a posted row', 'b', {}, 'The row is posted.'],
    ['a row that has changed since', 'f', { revision: '7' }, 'has changed since its page was opened'],
  ])('of %s is refused with the reason', async (_what, key, fields, why) => {
    const { id, pages } = await ended([videoRow('f'), videoRow('b')]);
    const answer = await save(pages, id, key, { 'c.caption': 'New', ...fields });
    expect(answer.status).toBe(409);
    expect(answer.text).toContain(why);
  });

  it('is refused while an import into the campaign runs', async () => {
    const { runner, id, pages } = await waiting([videoRow('a')]);
    const { edits } = runner.ledger;
    const fields = { 'c.caption': 'By hand' };
    {
      await using _import = await edits.announceImport(id);
      const answer = await save(pages, id, 'a', fields);
      expect(answer.status).toBe(409);
      expect(answer.text).toContain('cannot be edited while a sheet is imported into the campaign');
    }
    expect((await save(pages, id, 'a', fields)).text).toContain('Saved 1 change.');
  });

  it('finds an import into the campaign from its start to its end', async () => {
    const { runner, id, pages } = await ended([videoRow('f')]);
    const { edits } = runner.ledger;
    const path = join(runner.folder, 'again.csv');
    writeSheet(path, [videoRow('f', { caption: 'From the sheet' })]);
    const manifest = { file: path, path, name: 'again', folder: runner.folder };
    const seen: Promise<boolean>[] = [];
    const onPlan = () => void seen.push(edits.isImporting(id));
    expect(await updateCampaign(pages.runtime, id, manifest, { onPlan })).toMatchObject({ kind: 'updated' });
    expect(await Promise.all(seen)).toEqual([true]);
    expect(await edits.isImporting(id)).toBe(false);
  });

  it('of two at once, only one is saved', async () => {
    const { runner, id, pages } = await waiting([videoRow('a'), videoRow('b')]);
    const answers = await Promise.all([
      save(pages, id, 'a', { 'c.caption': 'One' }),
      save(pages, id, 'a', { 'c.caption': 'Two' }),
      save(pages, id, 'b', { 'c.caption': 'Three' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409]);
    expect(await cellsOf(runner, id, 1)).toContain('Three');
    const [row] = await runner.rows(id);
    expect(row).toMatchObject({ state: 'waiting', revision: 1 });
  });

  it('leaves a row in review until it is decided', async () => {
    const runner = await openRunner({ queues: steps });
    runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', times: 1 });
    const id = await runner.importRows([videoRow('a')]);
    await runner.admit(id);
    await runner.start();
    await runner.ended(id);
    const pages = await openPages(runner);
    expect((await pages.get(page(id, 'a'))).text).toContain('Decide this row before you edit it.');
    expect((await save(pages, id, 'a', { 'c.caption': 'New' })).status).toBe(409);
    await pages.post('/review/decide', { [`d.${id}.0.0`]: 'not-posted', looked: 'yes' });
    const saved = await save(pages, id, 'a', { revision: '1', 'c.caption': 'New' });
    expect(saved.text).toContain('Saved 1 change.');
  });
});
