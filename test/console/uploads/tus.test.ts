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
import { findDraft } from '../../../src/drafts/drafts.ts';
import { readFiles } from '../../../src/drafts/files/record.ts';
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
    const { id } = await scene.drop.offer('玫瑰木/take 01.mp4', film.length);
    expect(await scene.drop.patch(String(id), 0, film.subarray(0, 60_000))).toMatchObject({
      status: 204,
      offset: 60_000,
    });
    expect((await scene.drop.request('HEAD', String(id))).offset).toBe(60_000);
    expect(existsSync(scene.medium('玫瑰木/take 01.mp4'))).toBe(false);
    expect((await scene.drop.patch(String(id), 60_000, film.subarray(60_000))).status).toBe(204);
    expect(readFileSync(scene.medium('玫瑰木/take 01.mp4'))).toEqual(film);
    expect(await scene.stored('玫瑰木/take 01.mp4')).toMatchObject({
      bytes: film.length,
      sha256: sha256(film),
    });
  });

  it('returns a digest of the bytes received, so that another file of the same name does not continue the upload', async () => {
    const { id } = await scene.drop.offer('a.mp4', film.length);
    await scene.drop.patch(String(id), 0, film.subarray(0, 60_000));
    const wants = { 'upload-want-digest': '1' };
    const ofPiece = createHash('sha256').update(film.subarray(0, 60_000)).digest();
    const { digest } = await scene.drop.request('HEAD', String(id), wants);
    expect(digest).toBe(createHash('sha256').update(ofPiece).digest('hex'));
    expect((await scene.drop.request('HEAD', String(id))).digest).toBeNull();
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
      expect(await scene.drop.offer('empty.mp4', 0)).toMatchObject({ kind: 'refused' });
    expect((await scene.filesPage()).text).toContain('1 file was not accepted The file empty.mp4 is empty.');
    await scene.drop.offer('empty.mp4', film.length);
    expect((await scene.filesPage()).text).not.toContain('not accepted');
  });

  it('goes on after a restart where it stopped', async () => {
    const { id } = await scene.drop.offer('a.mp4', film.length);
    mkdirSync(scene.medium('.incoming'), { recursive: true });
    writeFileSync(scene.medium(`.incoming/${id}.part`), film.subarray(0, 70_000));
    expect(await scene.drop.offer('a.mp4', film.length)).toMatchObject({
      kind: 'upload',
      id,
      arrived: 70_000,
    });
    expect((await scene.drop.patch(String(id), 70_000, film.subarray(70_000))).status).toBe(204);
    expect(await scene.stored('a.mp4')).toMatchObject({ sha256: sha256(film) });
  });

  it('is put in its place after a restart between its last byte and its place', async () => {
    const { id } = await scene.drop.offer('a.mp4', film.length);
    mkdirSync(scene.medium('.incoming'), { recursive: true });
    writeFileSync(scene.medium(`.incoming/${id}.part`), film);
    expect((await scene.drop.request('HEAD', String(id))).offset).toBe(film.length);
    expect(readFileSync(scene.medium('a.mp4'))).toEqual(film);
  });

  it('keeps the bytes received before the connection was lost', async () => {
    const long = mp4('long', 4_000_000);
    const { id } = await scene.drop.offer('a.mp4', long.length);
    const first = scene.drop.patchOpen(String(id), long.subarray(0, 2_500_000));
    const arrived = async () => Number((await scene.drop.offer('a.mp4', long.length)).arrived);
    await scene.runner.until(async () => (await arrived()) > 2_000_000, 'most of the part');
    first.lose();
    await first.answer;
    const { offset } = await scene.drop.request('HEAD', String(id));
    expect(offset).toBeGreaterThan(2_000_000);
    expect((await scene.drop.patch(String(id), offset, long.subarray(offset))).status).toBe(204);
    expect(await scene.stored('a.mp4')).toMatchObject({ sha256: sha256(long) });
  });

  it('is taken over by a request that comes while another one is still open', async () => {
    const long = mp4('long', 4_000_000);
    const { id } = await scene.drop.offer('a.mp4', long.length);
    const first = scene.drop.patchOpen(String(id), long.subarray(0, 2_500_000));
    const arrived = async () => Number((await scene.drop.offer('a.mp4', long.length)).arrived);
    await scene.runner.until(async () => (await arrived()) > 2_000_000, 'most of the part');
    const { offset } = await scene.drop.request('HEAD', String(id));
    expect(offset).toBe(2_500_000);
    expect((await first.answer)?.status).toBe(400);
    expect((await scene.drop.patch(String(id), offset, long.subarray(offset))).status).toBe(204);
    expect(await scene.stored('a.mp4')).toMatchObject({ sha256: sha256(long) });
  });

  it('is not sent again when it is dropped again', async () => {
    await scene.drop.send('a.mp4', film);
    expect(await scene.drop.offer('a.mp4', film.length)).toMatchObject({ kind: 'here' });
  });

  it('makes room for one that was changed meanwhile', async () => {
    const first = await scene.drop.offer('a.mp4', film.length, 1);
    await scene.drop.patch(String(first.id), 0, film.subarray(0, 50_000));
    const other = mp4('other', 100_000);
    await scene.drop.send('a.mp4', other, 2);
    expect(readFileSync(scene.medium('a.mp4'))).toEqual(other);
    expect((await scene.drop.request('HEAD', String(first.id))).status).toBe(404);
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

  it('is refused under a name that is none, by whichever door it comes', async () => {
    const bad = [
      ...['../a.mp4', '..\\a.mp4', 'x/../../a.mp4', '/etc/a.mp4', 'C:\\a.mp4', 'x//a.mp4'],
      ...['.a.mp4', 'x/.incoming/a.mp4', ' ', 'a\0.mp4', 'a\u202e4pm.mp4', `${'x'.repeat(251)}.mp4`],
    ];
    for (const name of bad) {
      expect([name, (await scene.drop.offer(name, film.length)).kind]).toEqual([name, 'refused']);
      const headers = {
        'upload-length': String(film.length),
        'upload-metadata': `path ${Buffer.from(name).toString('base64')}`,
      };
      expect([name, (await scene.drop.request('POST', '', headers)).status]).toEqual([name, 422]);
    }
    const form = new FormData();
    form.set('_csrf', '');
    for (const name of bad) form.append('media', new File([new Uint8Array(film)], name));
    await scene.pages.post(`/campaigns/new/${scene.drop.draft}/files`, form);
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
    const { id } = await scene.drop.offer('a.mp4', film.length);
    const half = scene.drop.patch(String(id), 0, film.subarray(0, 50_000));
    const whole = scene.drop.patch(String(id), 0, film);
    const answers = await Promise.all([half, whole]);
    expect(answers.every(({ status }) => [204, 400, 404, 409, 422, 423].includes(status))).toBe(true);
    const { offset } = await scene.drop.request('HEAD', String(id));
    if (offset < film.length) await scene.drop.patch(String(id), offset, film.subarray(offset));
    expect(await scene.stored('a.mp4')).toMatchObject({ sha256: sha256(film) });
    expect(readFileSync(scene.medium('a.mp4'))).toEqual(film);
  });

  it('that was replaced during its upload is noticed by its hash', async () => {
    const { id } = await scene.drop.offer('a.mp4', film.length);
    await scene.drop.patch(String(id), 0, film.subarray(0, 50_000));
    await scene.drop.patch(String(id), 50_000, Buffer.alloc(film.length - 50_000, 'x'));
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
    expect((await scene.drop.send('b.mp4', film)).status).toBe(507);
    expect(readdirSync(outside)).toEqual([]);
  });

  it('is accepted only from operators with a valid session', async () => {
    const { id } = await scene.drop.offer('a.mp4', film.length);
    await quickUser(scene.runner, 'vera', 'viewer');
    const path = `/campaigns/new/${scene.drop.draft}/uploads/${id}`;
    const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '0', origin: scene.pages.url };
    const type = { 'content-type': 'application/offset+octet-stream' };
    const visitor = new Visitor(scene.pages.url, headers);
    expect((await visitor.send('PATCH', path, type, 'x')).status).toBe(401);
    await visitor.signIn('vera');
    expect((await visitor.send('PATCH', path, type, 'x')).status).toBe(403);
    expect((await visitor.send('HEAD', path)).status).toBe(403);
    const form = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await visitor.send('POST', '/campaigns/new', form, '--x--')).status).toBe(403);
    expect(readdirSync(join(scene.runner.folder, 'drafts'))).toEqual([scene.drop.draft]);
    expect((await visitor.get(`/campaigns/new/${scene.drop.draft}/files`)).text).not.toContain('type="file"');
  });

  it('is not taken from a request without the proof of the page', async () => {
    const { id } = await scene.drop.offer('a.mp4', film.length);
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
    const { id } = await scene.drop.offer('a.mp4', film.length);
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
