import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeDraft, findDraft } from '../../../src/campaigns/drafts/drafts.ts';
import { readFiles } from '../../../src/campaigns/drafts/files/record.ts';
import { addMend, readingId, readMends } from '../../../src/campaigns/drafts/mends.ts';
import { quickUser } from '../../support/access.ts';
import { openPages, type Pages } from '../../support/console-pages.ts';
import { openRunner, type TestRunner } from '../../support/in-process.ts';
import { mp4 } from '../../support/media.ts';
import { videoRow } from '../../support/rows.ts';
import { writeSheet } from '../../support/sheet.ts';
import { type Drop, openDrop } from '../../support/uploads.ts';
import { Visitor } from '../../support/visitor.ts';

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

function sheetOf(...keys: readonly string[]): Buffer {
  const path = join(runner.folder, 'sheet.csv');
  writeSheet(
    path,
    keys.map((key) => videoRow(key)),
  );
  return readFileSync(path);
}

describe('a file that is uploaded', () => {
  it('comes in parts, is hashed meanwhile, and lands in its folder', async () => {
    const { id } = await drop.offer('玫瑰木/take 01.mp4', film.length);
    expect(await drop.patch(String(id), 0, film.subarray(0, 60_000))).toMatchObject({
      status: 204,
      offset: 60_000,
    });
    expect((await drop.request('HEAD', String(id))).offset).toBe(60_000);
    expect(existsSync(medium('玫瑰木/take 01.mp4'))).toBe(false);
    expect((await drop.patch(String(id), 60_000, film.subarray(60_000))).status).toBe(204);
    expect(readFileSync(medium('玫瑰木/take 01.mp4'))).toEqual(film);
    expect(await stored('玫瑰木/take 01.mp4')).toMatchObject({ bytes: film.length, sha256: sha256(film) });
  });

  it('comes with its first request, which may be sent once more', async () => {
    const headers = {
      'upload-length': String(film.length),
      'upload-metadata': `path ${btoa('a.mp4')},modified ${btoa('1')}`,
      'content-type': 'application/offset+octet-stream',
    };
    const first = await drop.request('POST', '', headers, new Uint8Array(film.subarray(0, 50_000)));
    expect(first).toMatchObject({ status: 201, offset: 50_000 });
    expect((await drop.request('POST', '', headers, new Uint8Array(film))).status).toBe(201);
    expect(await stored('a.mp4')).toMatchObject({ sha256: sha256(film) });
  });

  it('goes on after a restart where it stopped', async () => {
    const { id } = await drop.offer('a.mp4', film.length);
    mkdirSync(medium('.incoming'), { recursive: true });
    writeFileSync(medium(`.incoming/${id}.part`), film.subarray(0, 70_000));
    expect(await drop.offer('a.mp4', film.length)).toMatchObject({ kind: 'upload', id, arrived: 70_000 });
    expect((await drop.patch(String(id), 70_000, film.subarray(70_000))).status).toBe(204);
    expect(await stored('a.mp4')).toMatchObject({ sha256: sha256(film) });
  });

  it('is put in its place after a restart between its last byte and its place', async () => {
    const { id } = await drop.offer('a.mp4', film.length);
    mkdirSync(medium('.incoming'), { recursive: true });
    writeFileSync(medium(`.incoming/${id}.part`), film);
    expect((await drop.request('HEAD', String(id))).offset).toBe(film.length);
    expect(readFileSync(medium('a.mp4'))).toEqual(film);
  });

  it('keeps what came before the connection was lost', async () => {
    const long = mp4('long', 4_000_000);
    const { id } = await drop.offer('a.mp4', long.length);
    const part = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(long.subarray(0, 2_500_000))),
    });
    const lost = new AbortController();
    const sent = fetch(`${pages.url}/campaigns/new/${drop.draft}/uploads/${id}`, {
      method: 'PATCH',
      headers: {
        ...{ 'tus-resumable': '1.0.0', 'x-csrf-token': drop.proof, 'upload-offset': '0' },
        'content-type': 'application/offset+octet-stream',
      },
      body: part,
      duplex: 'half',
      signal: lost.signal,
    } as RequestInit).catch(() => undefined);
    const arrived = async () => Number((await drop.offer('a.mp4', long.length)).arrived);
    await runner.until(async () => (await arrived()) > 2_000_000, 'most of the part');
    lost.abort();
    await sent;
    const { offset } = await drop.request('HEAD', String(id));
    expect(offset).toBeGreaterThan(2_000_000);
    expect((await drop.patch(String(id), offset, long.subarray(offset))).status).toBe(204);
    expect(await stored('a.mp4')).toMatchObject({ sha256: sha256(long) });
  });

  it('is not sent again when it is dropped again', async () => {
    await drop.send('a.mp4', film);
    expect(await drop.offer('a.mp4', film.length)).toMatchObject({ kind: 'here' });
  });

  it('makes room for one that was changed meanwhile', async () => {
    const first = await drop.offer('a.mp4', film.length, 1);
    await drop.patch(String(first.id), 0, film.subarray(0, 50_000));
    const other = mp4('other', 100_000);
    await drop.send('a.mp4', other, 2);
    expect(readFileSync(medium('a.mp4'))).toEqual(other);
    expect((await drop.request('HEAD', String(first.id))).status).toBe(404);
    expect(readdirSync(medium('.incoming'))).toEqual([]);
  });

  it('is refused when its bytes are not what the name says, and the page says so', async () => {
    const answer = await drop.send('take.mp4', Buffer.from('<html>this is a page</html>'.repeat(100)));
    expect(answer).toMatchObject({ status: 422 });
    expect(answer.text).toContain('The file take.mp4 was not taken');
    expect(existsSync(medium('take.mp4'))).toBe(false);
    expect((await filesPage()).text).toContain('1 file was not taken The file take.mp4 was not taken');
  });

  it('is refused under a name that is none, by whichever door it comes', async () => {
    const bad = [
      ...['../a.mp4', '..\\a.mp4', 'x/../../a.mp4', '/etc/a.mp4', 'C:\\a.mp4', 'x//a.mp4'],
      ...['.a.mp4', 'x/.incoming/a.mp4', ' ', 'a\0.mp4', 'a\u202e4pm.mp4', `${'x'.repeat(251)}.mp4`],
    ];
    for (const name of bad) {
      expect([name, (await drop.offer(name, film.length)).kind]).toEqual([name, 'refused']);
      const headers = {
        'upload-length': String(film.length),
        'upload-metadata': `path ${Buffer.from(name).toString('base64')}`,
      };
      expect([name, (await drop.request('POST', '', headers)).status]).toEqual([name, 422]);
    }
    const form = new FormData();
    form.set('_csrf', '');
    for (const name of bad) form.append('media', new File([new Uint8Array(film)], name));
    await pages.post(`/campaigns/new/${drop.draft}/files`, form);
    expect((await readFiles(pages.runtime, drop.draft)).stored.size).toBe(0);
    expect(
      readdirSync(runner.folder, { recursive: true }).filter((name) => /mp4|part$/.test(String(name))),
    ).toEqual([]);
  });

  it('keeps a name that looks like an option, and has one place for two spellings of the same name', async () => {
    await drop.send('-rf.mp4', film);
    await drop.send(`${'x'.repeat(236)}.mp4`, film);
    await drop.send('cafe\u0301.mp4', film);
    const other = mp4('other', 100_000);
    await drop.send('caf\u00e9.mp4', other, 2);
    expect(readdirSync(medium('')).sort()).toEqual([
      '-rf.mp4',
      '.incoming',
      'caf\u00e9.mp4',
      `${'x'.repeat(236)}.mp4`,
    ]);
    expect(await stored('caf\u00e9.mp4')).toMatchObject({ sha256: sha256(other) });
  });

  it('may come from two tabs at once', async () => {
    const { id } = await drop.offer('a.mp4', film.length);
    const half = drop.patch(String(id), 0, film.subarray(0, 50_000));
    const whole = drop.patch(String(id), 0, film);
    const answers = await Promise.all([half, whole]);
    expect(answers.every(({ status }) => [204, 400, 404, 409, 422, 423].includes(status))).toBe(true);
    const { offset } = await drop.request('HEAD', String(id));
    if (offset < film.length) await drop.patch(String(id), offset, film.subarray(offset));
    expect(await stored('a.mp4')).toMatchObject({ sha256: sha256(film) });
    expect(readFileSync(medium('a.mp4'))).toEqual(film);
  });

  it('that is another one after it went on is told by its hash, which is that of the bytes here', async () => {
    const { id } = await drop.offer('a.mp4', film.length);
    await drop.patch(String(id), 0, film.subarray(0, 50_000));
    await drop.patch(String(id), 50_000, Buffer.alloc(film.length - 50_000, 'x'));
    const mixed = readFileSync(medium('a.mp4'));
    expect(mixed).not.toEqual(film);
    expect(await stored('a.mp4')).toMatchObject({ sha256: sha256(mixed) });
  });

  it('follows no link out of the folder of the draft', async () => {
    const outside = join(runner.folder, 'outside');
    mkdirSync(outside);
    mkdirSync(medium(''), { recursive: true });
    symlinkSync(outside, medium('link'));
    expect((await drop.send('link/a.mp4', film)).status).toBe(422);
    expect(readdirSync(outside)).toEqual([]);
    rmdirSync(medium('.incoming'));
    symlinkSync(outside, medium('.incoming'));
    expect((await drop.send('b.mp4', film)).status).toBe(507);
    expect(readdirSync(outside)).toEqual([]);
  });

  it('is taken from operators only, and from nobody whose session has ended', async () => {
    const { id } = await drop.offer('a.mp4', film.length);
    await quickUser(runner, 'vera', 'viewer');
    const path = `/campaigns/new/${drop.draft}/uploads/${id}`;
    const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '0', origin: pages.url };
    const type = { 'content-type': 'application/offset+octet-stream' };
    const visitor = new Visitor(pages.url, headers);
    expect((await visitor.send('PATCH', path, type, 'x')).status).toBe(401);
    await visitor.signIn('vera');
    expect((await visitor.send('PATCH', path, type, 'x')).status).toBe(403);
    expect((await visitor.send('HEAD', path)).status).toBe(403);
    const form = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await visitor.send('POST', '/campaigns/new', form, '--x--')).to).toBe('/campaigns/new');
    expect(readdirSync(join(runner.folder, 'drafts'))).toEqual([drop.draft]);
    expect((await visitor.get(`/campaigns/new/${drop.draft}/files`)).text).not.toContain('type="file"');
  });

  it('is not taken from a request without the proof of the page', async () => {
    const { id } = await drop.offer('a.mp4', film.length);
    const headers = { 'x-csrf-token': 'other', 'upload-offset': '0' };
    expect((await drop.request('PATCH', String(id), headers, 'x')).status).toBe(403);
    expect((await drop.request('DELETE', String(id), headers)).status).toBe(403);
    expect((await drop.request('DELETE', String(id), { origin: 'http://evil.example' })).status).toBe(403);
  });
});

describe('the sheet', () => {
  it('stays as it is kept, with what was mended, when the same one is dropped again', async () => {
    const bytes = sheetOf('a');
    await drop.send('春季口红.csv', bytes);
    const draft = await findDraft(pages.runtime, drop.draft);
    expect(draft.sheet).toMatchObject({ name: '春季口红.csv', bytes: bytes.length, sha256: sha256(bytes) });
    expect(readFileSync(join(folder(), 'sheet'))).toEqual(bytes);
    await mend();
    await drop.send('春季口红.csv', bytes, 2);
    expect(await isLeftOut()).toBe(true);
  });

  it('takes the place of the earlier one, whose mends are void', async () => {
    await drop.send('posts.csv', sheetOf('a'));
    await mend();
    await drop.send('posts.csv', sheetOf('a', 'b'), 2);
    expect(await isLeftOut()).toBe(false);
    expect(readFileSync(join(folder(), 'sheet'))).toEqual(sheetOf('a', 'b'));
  });

  const mend = () =>
    changeDraft(pages.runtime, drop.draft, { by: 'anna', version: undefined, what: 'a row' }, (draft) =>
      addMend(pages.runtime, draft, { at: 1, by: 'anna', of: readingId(draft) ?? '', leaveOut: [1] }),
    );
  const isLeftOut = async () =>
    (await readMends(pages.runtime, await findDraft(pages.runtime, drop.draft))).leavesOut(1);
});

describe('the page of the files', () => {
  it('tells how far they have come', async () => {
    await drop.offer('posts.csv', 500);
    await drop.send('a.mp4', film);
    const { id } = await drop.offer('b.mp4', film.length);
    await drop.patch(String(id), 0, film.subarray(0, 50_000));
    const { text } = await filesPage();
    expect(text).toContain('posts.csv 0 of 0.5 KB');
    expect(text).toContain('1 of 2 files, 150 of 200.1 KB');
  });

  it('removes a file', async () => {
    await drop.send('rosewood/a.mp4', film);
    const done = await pages.post(`/campaigns/new/${drop.draft}/files/remove`, { path: 'rosewood/a.mp4' });
    expect(done.text).toContain('rosewood/a.mp4 removed.');
    expect(existsSync(medium('rosewood'))).toBe(false);
  });

  it('discards the draft with all that it wrote, after a question, and nothing else', async () => {
    await drop.send('posts.csv', sheetOf('a'));
    await drop.send('rosewood/a.mp4', film);
    writeFileSync(medium('theirs.txt'), 'not ours');
    const question = await pages.get(`/campaigns/new/${drop.draft}/discard`);
    expect(question.text).toContain('1 uploaded file (100 KB)');
    await pages.post(`/campaigns/new/${drop.draft}/discard`, {});
    expect(existsSync(medium('rosewood/a.mp4'))).toBe(true);
    await pages.post(`/campaigns/new/${drop.draft}/discard`, { sure: 'yes' });
    expect((await filesPage()).status).toBe(404);
    expect(readdirSync(folder(), { recursive: true })).toEqual(['media', 'media/theirs.txt']);
  });
});

describe('a form with files, without a script', () => {
  const send = async (form: FormData, path = '/campaigns/new') => {
    const fields = new FormData();
    fields.set('_csrf', '');
    for (const [name, value] of form) fields.append(name, value);
    return pages.post(path, fields);
  };
  const draftsOf = () => readdirSync(join(runner.folder, 'drafts'));

  it('makes a draft of its sheet and its media', async () => {
    const form = new FormData();
    form.set('sheet', new File([new Uint8Array(sheetOf('a'))], '春季.csv'));
    form.append('media', new File([new Uint8Array(film)], 'a.mp4'));
    form.append('folder', new File([new Uint8Array(film)], 'rosewood/b "1".mp4'));
    await send(form);
    const [made = ''] = draftsOf().filter((id) => id !== drop.draft);
    expect((await findDraft(pages.runtime, made)).sheet).toMatchObject({
      name: '春季.csv',
      sha256: sha256(sheetOf('a')),
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
    form.set('sheet', new File([new Uint8Array(sheetOf('a'))], 'posts.csv'));
    await send(form, `/campaigns/new/${drop.draft}/files`);
    expect((await filesPage()).text).toContain('The file a.mp4 was not taken');
    expect(await stored('b.mp4')).toMatchObject({ sha256: sha256(film) });
  });

  it('is refused without its proof, before a byte is stored', async () => {
    const form = new FormData();
    form.append('sheet', new File([new Uint8Array(sheetOf('a'))], 'posts.csv'));
    const answer = await fetch(`${pages.url}/campaigns/new`, {
      method: 'POST',
      body: form,
      redirect: 'manual',
    });
    expect(answer.headers.get('location')).toBe('/campaigns/new');
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
