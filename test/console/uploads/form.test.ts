import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findDraft } from '../../../src/drafts/drafts.ts';
import { readFiles } from '../../../src/drafts/files/record.ts';
import { type DropScene, film, openDropScene, sha256 } from '../../support/console/drop-scene.ts';
import { sheetOf } from '../../support/console/uploads.ts';
import { videoRow } from '../../support/sheets/rows.ts';

let scene: DropScene;

beforeEach(async (test) => {
  scene = await openDropScene(test);
});

describe('a form with files, without a script', () => {
  const send = (form: FormData, path = '/campaigns/new') => scene.pages.post(path, form);
  const draftsOf = () => readdirSync(join(scene.runner.folder, 'drafts'));

  it('makes a draft of its sheet and its media', async () => {
    const form = new FormData();
    form.set('sheet', new File([new Uint8Array(sheetOf(scene.runner.folder, 'a'))], '春季.csv'));
    form.append('media', new File([new Uint8Array(film)], 'a.mp4'));
    form.append('folder', new File([new Uint8Array(film)], 'rosewood/b "1".mp4'));
    await send(form);
    const [made = ''] = draftsOf().filter((id) => id !== scene.drop.draft);
    expect((await findDraft(scene.pages.runtime, made)).sheet).toMatchObject({
      name: '春季.csv',
      sha256: sha256(sheetOf(scene.runner.folder, 'a')),
    });
    expect([...(await readFiles(scene.pages.runtime, made)).stored.values()]).toMatchObject([
      { path: 'a.mp4', sha256: sha256(film) },
      { path: 'rosewood/b "1".mp4', sha256: sha256(film) },
    ]);
  });

  it('adds files to a draft, and says which were not taken', async () => {
    const form = new FormData();
    form.append('media', new File(['no video'], 'a.mp4'));
    form.append('media', new File([new Uint8Array(film)], 'b.mp4'));
    form.set('sheet', new File([new Uint8Array(sheetOf(scene.runner.folder, 'a'))], 'posts.csv'));
    await send(form, `/campaigns/new/${scene.drop.draft}/files`);
    expect((await scene.filesPage()).text).toContain('The file a.mp4 was not accepted');
    expect(await scene.stored('b.mp4')).toMatchObject({ sha256: sha256(film) });
  });

  it('is refused without its proof, before a byte is stored', async () => {
    const form = new FormData();
    form.append('sheet', new File([new Uint8Array(sheetOf(scene.runner.folder, 'a'))], 'posts.csv'));
    const answer = await fetch(`${scene.pages.url}/campaigns/new`, {
      method: 'POST',
      body: form,
      redirect: 'manual',
    });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('This form is too old');
    expect(draftsOf()).toEqual([scene.drop.draft]);
  });

  it('that breaks off leaves nothing half behind', async () => {
    const body = `--x\r\ncontent-disposition: form-data; name="_csrf"\r\n\r\n${scene.drop.proof}\r\n--x\r\ncontent-disposition: form-data; name="media"; filename="a.mp4"\r\n\r\n${film.toString('latin1')}`;
    const answer = await fetch(`${scene.pages.url}/campaigns/new/${scene.drop.draft}/files`, {
      method: 'POST',
      body: Buffer.from(body, 'latin1'),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    expect(answer.status).toBe(400);
    expect(readdirSync(scene.medium('.incoming'))).toEqual([]);
  });

  it.each(['key', '编号'])(
    'makes the draft of a results sheet with the header %s the one that updates its campaign',
    async (header) => {
      const id = await scene.runner.importRows([videoRow('a')]);
      const results = await fetch(`${scene.pages.url}/campaigns/${id}/results.csv`);
      const form = new FormData();
      form.set('sheet', new File([(await results.text()).replace('key', header)], 'mended.csv'));
      expect((await send(form)).text).toContain('mended.csv into test');
      const [draft] = draftsOf().filter((each) => each !== scene.drop.draft);
      expect((await findDraft(scene.pages.runtime, draft ?? '')).into).toBe(id);
    },
  );
});
