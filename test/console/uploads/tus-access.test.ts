import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { quickUser } from '../../support/console/access.ts';
import { type DropScene, film, openDropScene, sha256 } from '../../support/console/drop-scene.ts';
import { Visitor } from '../../support/console/visitor.ts';

let scene: DropScene;

beforeEach(async (test) => {
  scene = await openDropScene(test);
});

describe('a file that is uploaded', () => {
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
