import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readAudit } from '../../../src/app/access/audit.ts';
import { findDraft } from '../../../src/app/drafts/drafts.ts';
import { admitFile } from '../../../src/app/drafts/files/admit.ts';
import { readFiles } from '../../../src/app/drafts/files/record.ts';
import { quickUser } from '../../support/console/access.ts';
import { type DropScene, film, openDropScene, sha256 } from '../../support/console/drop-scene.ts';
import { Visitor } from '../../support/console/visitor.ts';
import { mp4 } from '../../support/sheets/media.ts';

let scene: DropScene;

beforeEach(async (test) => {
  scene = await openDropScene(test);
});

describe('a file that is uploaded', () => {
  it('comes in parts, is hashed meanwhile, and lands in its folder', async () => {
    const id = await scene.drop.begin('玫瑰木/take 01.mp4', film.length);
    expect(await scene.drop.patch(id, 0, film.subarray(0, 60_000))).toMatchObject({
      status: 204,
      offset: 60_000,
    });
    expect((await scene.drop.request('HEAD', id)).offset).toBe(60_000);
    expect(existsSync(scene.medium('玫瑰木/take 01.mp4'))).toBe(false);
    expect((await scene.drop.patch(id, 60_000, film.subarray(60_000))).status).toBe(204);
    expect(readFileSync(scene.medium('玫瑰木/take 01.mp4'))).toEqual(film);
    expect(await scene.stored('玫瑰木/take 01.mp4')).toMatchObject({
      bytes: film.length,
      sha256: sha256(film),
    });
  });

  it('is noted in the audit, as new or as a replacement, and so is one that is stopped', async () => {
    const { ledger } = scene.runner;
    const { draft } = scene.drop;
    await scene.drop.send('clips/a.mp4', film);
    await scene.drop.send('clips/a.mp4', mp4('other', 5000), 2);
    await scene.drop.send('posts.csv', Buffer.from('key\n1\n'));
    await scene.drop.send('posts.csv', Buffer.from('key\n2\n'), 2);
    const id = await scene.drop.begin('b.mp4', film.length);
    await scene.drop.request('DELETE', id);
    const { entries } = await readAudit({ ledger });
    const by = `/campaigns/new/${draft}/uploads`;
    const noted = entries.filter((each) => each.by === by).map(({ what }) => what);
    expect(noted.toReversed()).toEqual([
      `Uploaded the file clips/a.mp4 to draft ${draft}.`,
      `Replaced the file clips/a.mp4 of draft ${draft}.`,
      `Uploaded the sheet posts.csv to draft ${draft}.`,
      `Replaced the sheet posts.csv of draft ${draft}.`,
      `Stopped the upload of b.mp4 to draft ${draft}.`,
    ]);
  });

  it('comes with its first request, which may be sent once more', async () => {
    const headers = {
      'upload-length': String(film.length),
      'upload-metadata': `path ${btoa('a.mp4')},modified ${btoa('1')}`,
      'content-type': 'application/offset+octet-stream',
    };
    const first = await scene.drop.request('POST', '', headers, new Uint8Array(film.subarray(0, 50_000)));
    expect(first).toMatchObject({ status: 201, offset: 50_000 });
    expect((await scene.drop.request('POST', '', headers, new Uint8Array(film))).status).toBe(201);
    expect(await scene.stored('a.mp4')).toMatchObject({ sha256: sha256(film) });
  });

  it('that is empty is refused before it is sent, and the page says so to everybody', async () => {
    for (let time = 0; time < 2; time += 1)
      expect(await scene.drop.post('empty.mp4', 0)).toMatchObject({ status: 422 });
    expect((await scene.filesPage()).text).toContain('1 file was not accepted The file empty.mp4 is empty.');
    await scene.drop.send('empty.mp4', film);
    expect((await scene.filesPage()).text).not.toContain('not accepted');
  });

  it('that is refused is remembered for as many as a thousand names, a page at a time', async () => {
    const { pages, drop } = scene;
    const names = Array.from({ length: 1300 }, (_, index) => `empty-${String(index).padStart(4, '0')}.mp4`);
    for (const path of names) {
      const admitted = admitFile(pages.runtime, drop.draft, { path, bytes: 0, modifiedAt: 1 }, 'anna');
      await expect(admitted).rejects.toMatchObject({ code: 'upload_refused' });
    }
    const { refused } = await readFiles(pages.runtime, drop.draft);
    expect([refused.size, refused.has(names[299] ?? ''), refused.has(names[300] ?? '')]).toEqual([
      1000,
      false,
      true,
    ]);
    const list = async (query: string) => {
      const answer = await fetch(`${pages.url}/api/v1/drafts/${drop.draft}/files${query}`);
      return (await answer.json()) as { refused: { path: string }[]; refusedTotal: number };
    };
    const [first, last] = [await list(''), await list('?from=990&limit=500')];
    expect([first.refused.length, first.refused[0]?.path, first.refusedTotal]).toEqual([
      50,
      names[300],
      1000,
    ]);
    expect(last.refused.map(({ path }) => path)).toEqual(names.slice(-10));
  });

  it('goes on after a restart where it stopped', async () => {
    const id = await scene.drop.begin('a.mp4', film.length);
    writeFileSync(scene.medium(`.incoming/${id}`), film.subarray(0, 70_000));
    expect((await scene.drop.request('HEAD', id)).offset).toBe(70_000);
    expect((await scene.drop.patch(id, 70_000, film.subarray(70_000))).status).toBe(204);
    expect(await scene.stored('a.mp4')).toMatchObject({ sha256: sha256(film) });
  });

  it('is put in its place after a restart between its last byte and its place', async () => {
    const id = await scene.drop.begin('a.mp4', film.length);
    writeFileSync(scene.medium(`.incoming/${id}`), film);
    expect((await scene.drop.request('HEAD', id)).offset).toBe(film.length);
    expect(readFileSync(scene.medium('a.mp4'))).toEqual(film);
    expect(readdirSync(scene.medium('.incoming'))).toEqual([]);
  });

  it('keeps the bytes received before the connection was lost', async () => {
    const long = mp4('long', 4_000_000);
    const id = await scene.drop.begin('a.mp4', long.length);
    const first = scene.drop.patchOpen(id, long.subarray(0, 2_500_000));
    const part = scene.medium(`.incoming/${id}`);
    await scene.runner.until(async () => statSync(part).size > 2_000_000, 'most of the part');
    first.lose();
    await first.answer;
    const { offset } = await scene.drop.request('HEAD', id);
    expect(offset).toBeGreaterThan(2_000_000);
    expect((await scene.drop.patch(id, offset, long.subarray(offset))).status).toBe(204);
    expect(await scene.stored('a.mp4')).toMatchObject({ sha256: sha256(long) });
  });

  it('is taken over by a request that comes while another one is still open', async () => {
    const long = mp4('long', 4_000_000);
    const id = await scene.drop.begin('a.mp4', long.length);
    const first = scene.drop.patchOpen(id, long.subarray(0, 2_500_000));
    const part = scene.medium(`.incoming/${id}`);
    await scene.runner.until(async () => statSync(part).size > 2_000_000, 'most of the part');
    const { offset } = await scene.drop.request('HEAD', id);
    expect(offset).toBeGreaterThan(2_000_000);
    const taken = await first.answer;
    expect([taken?.status, Number(taken?.headers.get('upload-offset'))]).toEqual([204, offset]);
    expect((await scene.drop.patch(id, offset, long.subarray(offset))).status).toBe(204);
    expect(await scene.stored('a.mp4')).toMatchObject({ sha256: sha256(long) });
  });

  it('is named among those that are there, so that it is not sent again', async () => {
    await scene.drop.send('a.mp4', film);
    const answer = await scene.drop.request('GET', '');
    expect(JSON.parse(answer.text)).toEqual([{ path: 'a.mp4', bytes: film.length, modifiedAt: 1 }]);
  });

  it('tells how much of it there is once it is complete', async () => {
    const id = await scene.drop.begin('a.mp4', film.length);
    await scene.drop.patch(id, 0, film);
    expect((await scene.drop.request('HEAD', id)).offset).toBe(film.length);
  });

  it('ends the upload of another file that would have its place', async () => {
    const first = await scene.drop.begin('a.mp4', film.length, 1);
    await scene.drop.patch(first, 0, film.subarray(0, 50_000));
    const other = mp4('other', 100_000);
    await scene.drop.send('a.mp4', other, 2);
    expect(readFileSync(scene.medium('a.mp4'))).toEqual(other);
    expect((await scene.drop.request('HEAD', first)).status).toBe(404);
    expect(readdirSync(scene.medium('.incoming'))).toEqual([]);
  });

  it('changes the agreed version only if a row would post other media than before', async () => {
    const version = async () => (await findDraft(scene.pages.runtime, scene.drop.draft)).version;
    const before = await version();
    // From the first medium on, the folder of the draft is the media root.
    await scene.drop.send('a.mp4', film);
    await scene.drop.send('b.mp4', film);
    expect(await version()).toBe(before + 1);
    await scene.drop.send('a.mp4', film, 2);
    expect(await version()).toBe(before + 2);
  });

  it('is refused when its bytes do not match its name, and the page says so', async () => {
    const answer = await scene.drop.send('take.mp4', Buffer.from('<html>this is a page</html>'.repeat(100)));
    expect(answer).toMatchObject({ status: 422 });
    expect(answer.text).toContain('The file take.mp4 was not accepted');
    expect(existsSync(scene.medium('take.mp4'))).toBe(false);
    expect((await scene.filesPage()).text).toContain(
      '1 file was not accepted The file take.mp4 was not accepted',
    );
  });

  it('is refused under a name that is none', async () => {
    const bad = [
      ...['../a.mp4', '..\\a.mp4', 'x/../../a.mp4', '/etc/a.mp4', 'C:\\a.mp4', 'x//a.mp4'],
      ...['.a.mp4', 'x/.incoming/a.mp4', ' ', 'a\0.mp4', 'a\u202e4pm.mp4', `${'x'.repeat(251)}.mp4`],
    ];
    for (const name of bad) {
      expect([name, (await scene.drop.post(name, film.length)).status]).toEqual([name, 422]);
    }
    expect((await readFiles(scene.pages.runtime, scene.drop.draft)).stored.size).toBe(0);
    expect(
      readdirSync(scene.runner.folder, { recursive: true }).filter((name) => /mp4|part$/.test(String(name))),
    ).toEqual([]);
  });

  it('keeps a name that looks like an option, and has one place for two spellings of the same name', async () => {
    await scene.drop.send('-rf.mp4', film);
    await scene.drop.send(`${'x'.repeat(236)}.mp4`, film);
    await scene.drop.send('cafe\u0301.mp4', film);
    const other = mp4('other', 100_000);
    await scene.drop.send('caf\u00e9.mp4', other, 2);
    expect(readdirSync(scene.medium('')).sort()).toEqual([
      '-rf.mp4',
      '.incoming',
      'caf\u00e9.mp4',
      `${'x'.repeat(236)}.mp4`,
    ]);
    expect(await scene.stored('caf\u00e9.mp4')).toMatchObject({ sha256: sha256(other) });
  });

  it('may come from two tabs at once', async () => {
    const id = await scene.drop.begin('a.mp4', film.length);
    const half = scene.drop.patch(id, 0, film.subarray(0, 50_000));
    const whole = scene.drop.patch(id, 0, film);
    const answers = await Promise.all([half, whole]);
    expect(answers.every(({ status }) => [204, 400, 404, 409, 422, 423].includes(status))).toBe(true);
    const { offset } = await scene.drop.request('HEAD', id);
    if (offset < film.length) await scene.drop.patch(id, offset, film.subarray(offset));
    expect(await scene.stored('a.mp4')).toMatchObject({ sha256: sha256(film) });
    expect(readFileSync(scene.medium('a.mp4'))).toEqual(film);
  });

  it('that was replaced during its upload is noticed by its hash', async () => {
    const id = await scene.drop.begin('a.mp4', film.length);
    await scene.drop.patch(id, 0, film.subarray(0, 50_000));
    await scene.drop.patch(id, 50_000, Buffer.alloc(film.length - 50_000, 'x'));
    const mixed = readFileSync(scene.medium('a.mp4'));
    expect(mixed).not.toEqual(film);
    expect(await scene.stored('a.mp4')).toMatchObject({ sha256: sha256(mixed) });
  });

  it('follows no link out of the folder of the draft', async () => {
    const outside = join(scene.runner.folder, 'outside');
    mkdirSync(outside);
    mkdirSync(scene.medium(''), { recursive: true });
    symlinkSync(outside, scene.medium('link'));
    expect((await scene.drop.send('link/a.mp4', film)).status).toBe(422);
    expect(readdirSync(outside)).toEqual([]);
    rmdirSync(scene.medium('.incoming'));
    symlinkSync(outside, scene.medium('.incoming'));
    expect((await scene.drop.post('b.mp4', film.length)).status).toBe(507);
    expect(readdirSync(outside)).toEqual([]);
  });

  it('is accepted only from operators with a valid session', async () => {
    const id = await scene.drop.begin('a.mp4', film.length);
    await quickUser(scene.runner, 'vera', 'viewer');
    const path = `/campaigns/new/${scene.drop.draft}/uploads/${id}`;
    const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '0', origin: scene.pages.url };
    const type = { 'content-type': 'application/offset+octet-stream' };
    const visitor = new Visitor(scene.pages.url, headers);
    expect((await visitor.send('PATCH', path, type, 'x')).status).toBe(401);
    await visitor.signIn('vera');
    expect((await visitor.send('PATCH', path, type, 'x')).status).toBe(403);
    expect((await visitor.send('HEAD', path)).status).toBe(403);
    expect((await visitor.send('GET', `/campaigns/new/${scene.drop.draft}/uploads`)).status).toBe(403);
    expect(readdirSync(join(scene.runner.folder, 'drafts'))).toEqual([scene.drop.draft]);
    expect((await visitor.get(`/campaigns/new/${scene.drop.draft}/files`)).text).not.toContain('type="file"');
  });

  it('is not taken from a request without the proof of the page', async () => {
    const id = await scene.drop.begin('a.mp4', film.length);
    const path = `/campaigns/new/${scene.drop.draft}/uploads/${id}`;
    await quickUser(scene.runner, 'olga', 'operator');
    const olga = new Visitor(scene.pages.url, { 'tus-resumable': '1.0.0', origin: scene.pages.url });
    await olga.signIn('olga');
    const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
    for (const proof of [{}, { 'x-csrf-token': 'other' }]) {
      expect((await olga.send('PATCH', path, { ...type, ...proof }, 'x')).status).toBe(403);
      expect((await olga.send('DELETE', path, proof)).status).toBe(403);
    }
    const own = { 'x-csrf-token': await olga.csrf() };
    expect((await olga.send('DELETE', path, { ...own, origin: 'http://evil.example' })).status).toBe(403);
    expect((await olga.send('DELETE', path, own)).status).toBe(204);
  });

  it('says which header a request lacks', async () => {
    const id = await scene.drop.begin('a.mp4', film.length);
    const path = `/campaigns/new/${scene.drop.draft}/uploads/${id}`;
    const visitor = new Visitor(scene.pages.url, { 'tus-resumable': '1.0.0' });
    const ask = async (headers: Readonly<Record<string, string>>) => {
      const answer = await visitor.send('DELETE', path, headers);
      return `${answer.status} ${answer.text}`;
    };
    await quickUser(scene.runner, 'olga', 'operator');
    expect(await ask({})).toMatch(/^401 The request has no token\. .*Bearer TOKEN/);
    expect(await ask({ authorization: 'Bearer none' })).toMatch(/^401 The token is not valid\./);
    expect(await ask({ cookie: 'campaigns_session=gone' })).toMatch(/^401 Your session has ended\./);
    await visitor.signIn('olga');
    expect(await ask({})).toMatch(/^403 The header x-csrf-token is missing\. .*Bearer TOKEN/);
  });

  it('needs no proof as long as the console has no users, but another site sends nothing', async () => {
    const path = `${scene.pages.url}/campaigns/new/${scene.drop.draft}/uploads`;
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-length': String(film.length),
      'upload-metadata': `path ${btoa('a.mp4')},modified ${btoa('1')}`,
      'content-type': 'application/offset+octet-stream',
    };
    const send = (origin?: Record<string, string>) =>
      fetch(path, { method: 'POST', headers: { ...headers, ...origin }, body: new Uint8Array(film) });
    expect((await send({ origin: 'http://evil.example' })).status).toBe(403);
    expect((await send()).status).toBe(201);
    expect(await scene.stored('a.mp4')).toMatchObject({ sha256: sha256(film) });
  });
});
