import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findDraft } from '../../../src/campaigns/drafts/drafts.ts';
import { readFiles } from '../../../src/campaigns/drafts/files/record.ts';
import { openPages, type Pages } from '../../support/console-pages.ts';
import { openRunner, type TestRunner } from '../../support/in-process.ts';
import { mp4 } from '../../support/media.ts';
import { videoRow } from '../../support/rows.ts';
import { type Drop, openDrop, sheetOf } from '../../support/uploads.ts';

let runner: TestRunner;
let pages: Pages;
let drop: Drop;

beforeEach(async (test) => {
  runner = await openRunner({}, test);
  pages = await openPages(runner, test);
  drop = await openDrop(pages);
});

const film = mp4('rosewood', 100_000);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const folder = () => join(runner.folder, 'drafts', drop.draft);
const medium = (path: string) => join(folder(), 'media', path);
const stored = async (path: string) => (await readFiles(pages.runtime, drop.draft)).stored.get(path);
const filesPage = () => pages.get(`/campaigns/new/${drop.draft}/files`);

describe('a form with files, without a script', () => {
  const send = (form: FormData, path = '/campaigns/new') => pages.post(path, form);
  const draftsOf = () => readdirSync(join(runner.folder, 'drafts'));

  it('makes a draft of its sheet and its media', async () => {
    const form = new FormData();
    form.set('sheet', new File([new Uint8Array(sheetOf(runner.folder, 'a'))], '春季.csv'));
    form.append('media', new File([new Uint8Array(film)], 'a.mp4'));
    form.append('folder', new File([new Uint8Array(film)], 'rosewood/b "1".mp4'));
    await send(form);
    const [made = ''] = draftsOf().filter((id) => id !== drop.draft);
    expect((await findDraft(pages.runtime, made)).sheet).toMatchObject({
      name: '春季.csv',
      sha256: sha256(sheetOf(runner.folder, 'a')),
    });
    expect([...(await readFiles(pages.runtime, made)).stored.values()]).toMatchObject([
      { path: 'a.mp4', sha256: sha256(film) },
      { path: 'rosewood/b "1".mp4', sha256: sha256(film) },
    ]);
  });

  it('adds files to a draft, and says which were not taken', async () => {
    const form = new FormData();
    form.append('media', new File(['no video'], 'a.mp4'));
    form.append('media', new File([new Uint8Array(film)], 'b.mp4'));
    form.set('sheet', new File([new Uint8Array(sheetOf(runner.folder, 'a'))], 'posts.csv'));
    await send(form, `/campaigns/new/${drop.draft}/files`);
    expect((await filesPage()).text).toContain('The file a.mp4 was not taken');
    expect(await stored('b.mp4')).toMatchObject({ sha256: sha256(film) });
  });

  it('is refused without its proof, before a byte is stored', async () => {
    const form = new FormData();
    form.append('sheet', new File([new Uint8Array(sheetOf(runner.folder, 'a'))], 'posts.csv'));
    const answer = await fetch(`${pages.url}/campaigns/new`, {
      method: 'POST',
      body: form,
      redirect: 'manual',
    });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('This form is too old');
    expect(draftsOf()).toEqual([drop.draft]);
  });

  it('that breaks off leaves nothing half behind', async () => {
    const body = `--x\r\ncontent-disposition: form-data; name="_csrf"\r\n\r\n${drop.proof}\r\n--x\r\ncontent-disposition: form-data; name="media"; filename="a.mp4"\r\n\r\n${film.toString('latin1')}`;
    const answer = await fetch(`${pages.url}/campaigns/new/${drop.draft}/files`, {
      method: 'POST',
      body: Buffer.from(body, 'latin1'),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    expect(answer.status).toBe(400);
    expect(readdirSync(medium('.incoming'))).toEqual([]);
  });

  it.each(['key', '编号'])(
    'leads a results sheet with the header %s to the plan of its campaign, and keeps no draft',
    async (header) => {
      const id = await runner.importRows([videoRow('a')]);
      const results = await fetch(`${pages.url}/campaigns/${id}/results.csv`);
      const form = new FormData();
      form.set('sheet', new File([(await results.text()).replace('key', header)], 'mended.csv'));
      expect((await send(form)).text).toContain('mended.csv into test');
      expect(draftsOf()).toEqual([drop.draft]);
    },
  );
});
