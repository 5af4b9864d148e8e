import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { readAudit } from '../../../src/app/access/audit.ts';
import { findDraft } from '../../../src/app/drafts/drafts.ts';
import { type DropScene, film, openDropScene, sha256 } from '../../support/console/drop-scene.ts';
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
});
