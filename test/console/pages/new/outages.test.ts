/** A draft while Redis is away, after the session has ended, and for those who may only look. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { describe, expect, it, vi } from 'vitest';
import { findDraft } from '../../../../src/app/drafts/drafts.ts';
import { readFiles } from '../../../../src/app/drafts/files/record.ts';
import { draftFiles, draftFolder, draftMediaFolder } from '../../../../src/app/drafts/folder.ts';
import { draftOperations } from '../../../../src/app/operations/drafts.ts';
import { draftRoutes } from '../../../../src/console/pages/new/routes.ts';
import { openTestDraft } from '../../../app/drafts/test-draft.ts';
import { quickUser } from '../../../support/console/access.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openDrop } from '../../../support/console/uploads.ts';
import { hidden, Visitor } from '../../../support/console/visitor.ts';
import { mp4 } from '../../../support/sheets/media.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

const patienceMs = 400;
const film = mp4('film', 3_000_000);
const tus = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' };

async function open() {
  const testDraft = await openTestDraft([videoRow('a')]);
  const { runner, id } = testDraft;
  const pages = await openPages(runner, undefined, { patienceMs });
  /** The answers of Redis do not come any more. */
  const leave = () => void runner.redis.stream.pause();
  const comeBack = () => void runner.redis.stream.resume();
  const path = `/campaigns/new/${id}`;
  const page = await runner.until(async () => {
    const { html } = await pages.get(path);
    return html.includes('name="posts"') && html;
  }, 'the check to end');
  return { ...testDraft, pages, leave, comeBack, path, page };
}

const startForm = (page: string) => ({
  _csrf: hidden(page, '_csrf'),
  version: hidden(page, 'version'),
  posts: '1',
  name: 'Spring, as typed',
});

describe('while Redis is away', () => {
  it('bytes of an upload that has begun are taken, and the rest is when it is back', async () => {
    const { runner, pages, leave, comeBack } = await open();
    const drop = await openDrop(pages);
    const id = await drop.begin('a.mp4', film.length);
    const { promise: half, resolve: takeHalf } = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new Uint8Array(film.subarray(0, 1_500_000)));
        await half;
        controller.enqueue(new Uint8Array(film.subarray(1_500_000, 2_000_000)));
        controller.close();
      },
    });
    const sent = fetch(`${pages.url}/campaigns/new/${drop.draft}/uploads/${id}`, {
      method: 'PATCH',
      body,
      duplex: 'half',
      headers: { ...tus, 'x-csrf-token': drop.proof, 'upload-offset': '0', origin: pages.url },
    } as RequestInit);
    const part = join(draftMediaFolder(pages.runtime, drop.draft), '.incoming', id);
    await runner.until(async () => statSync(part).size > 1_000_000, 'some of the bytes');
    leave();
    takeHalf();
    const answer = await sent;
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, '2000000']);
    expect((await drop.patch(id, 2_000_000, film.subarray(2_000_000))).status).toBe(503);
    comeBack();
    expect((await drop.patch(id, 2_000_000, film.subarray(2_000_000))).status).toBe(204);
    expect((await readFiles(pages.runtime, drop.draft)).stored.get('a.mp4')?.bytes).toBe(film.length);
  });

  it('a start is not begun, and the form can be sent once more', async () => {
    const { runtime, pages, id, path, page, leave, comeBack } = await open();
    const visitor = new Visitor(pages.url);
    leave();
    const answer = await visitor.post(`${path}/start`, startForm(page));
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('Nothing was changed. This is what you typed:');
    expect(answer.text).toContain('Spring, as typed');
    expect(await findDraft(runtime, id)).toMatchObject({ version: Number(hidden(page, 'version')) });
    expect((await findDraft(runtime, id)).starting).toBeUndefined();
    comeBack();
    const names = ['_csrf', 'version', 'posts', 'name'] as const;
    const again = Object.fromEntries(names.map((name) => [name, hidden(answer.text, name)]));
    expect((await visitor.post(`${path}/start`, again)).to).toMatch(/^\/campaigns\/c\d+$/);
  });

  it('what was typed comes back in its fields, and is not saved yet', async () => {
    const { runtime, pages, id, path, page, leave, comeBack } = await open();
    const visitor = new Visitor(pages.url);
    leave();
    const answer = await visitor.post(`${path}/options`, startForm(page));
    expect(answer.text).toContain(`data-page="${path}" data-typed="${path}/typed"`);
    expect(answer.text).toMatch(/<script type="module" src="[^"]*comes-back\.js">/);
    comeBack();
    const back = await visitor.post(`${path}/typed`, startForm(page));
    expect(back.status).toBe(200);
    expect(back.text).toContain('It is not saved yet: press the button again.');
    expect(back.text).toContain('value="Spring, as typed"');
    expect((await findDraft(runtime, id)).version).toBe(Number(hidden(page, 'version')));
  });

  it('a start that had begun is completed once, when it is back', async () => {
    const { runner, runtime, pages, id, path, page, leave, comeBack } = await open();
    const visitor = new Visitor(pages.url);
    const isMarked = () => readFileSync(draftFiles(runtime, id).draft, 'utf8').includes('"starting":true');
    // The mark goes once the campaign is there: the first command after it is held back.
    const { sendCommand } = runner.redis;
    vi.spyOn(runner.redis, 'sendCommand').mockImplementation(function (this: Redis, ...sent) {
      if (isMarked()) leave();
      return sendCommand.apply(this, sent);
    });
    const answer = await visitor.post(`${path}/start`, startForm(page));
    vi.restoreAllMocks();
    expect([answer.status, answer.text.includes('It is not known yet')]).toEqual([503, true]);
    comeBack();
    const campaign = await runner.until(async () => (await findDraft(runtime, id)).campaign, 'the campaign');
    const second = await visitor.post(`${path}/start`, startForm(page));
    expect(second.to).toBe(`/campaigns/${campaign}`);
    expect(await runner.ledger.campaigns.list()).toHaveLength(1);
  });

  it('a check waits for it', async () => {
    const { pages, path, leave, comeBack, drafts, id } = await open();
    await drafts.checkAgain(id);
    leave();
    const looked = drafts.look(id, { waitMs: 2 ** 31 - 1 });
    expect((await new Visitor(pages.url).get(path)).status).toBe(503);
    comeBack();
    expect(await looked).toMatchObject({ state: 'checked', failure: undefined });
  });
});

describe('after the session has ended', () => {
  async function signedIn() {
    const opened = await open();
    await quickUser(opened.runner, 'ann', 'operator');
    const ann = new Visitor(opened.pages.url);
    await ann.signIn('ann');
    return { ...opened, ann };
  }

  it('an upload says so, and goes on with the next one where it stopped', async () => {
    const { pages, path, id: draft, ann } = await signedIn();
    const begin = async () => {
      const metadata = { 'upload-length': String(film.length), 'upload-metadata': `path ${btoa('b.mp4')}` };
      const headers = { 'tus-resumable': '1.0.0', ...metadata, 'x-csrf-token': await ann.csrf() };
      return ann.send('POST', `${path}/uploads`, headers);
    };
    const send = (id: string, proof: string, from: number, to: number) =>
      fetch(`${pages.url}${path}/uploads/${id}`, {
        method: 'PATCH',
        headers: {
          ...tus,
          'x-csrf-token': proof,
          'upload-offset': String(from),
          cookie: [...ann.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        },
        body: new Uint8Array(film.subarray(from, to)),
      });
    const id = (await begin()).to.split('/').at(-1) ?? '';
    const proof = await ann.csrf();
    expect((await send(id, proof, 0, 1_000_000)).status).toBe(204);
    // Another tab may have taken the cookie along, or not.
    const cookies = [...ann.cookies];
    await ann.post('/sign-out', { _csrf: proof });
    const gone = await send(id, proof, 1_000_000, film.length);
    expect(await gone.text()).toContain('Sign in, and drop the same files again');
    for (const [name, value] of cookies) ann.cookies.set(name, value);
    const ended = await send(id, proof, 1_000_000, film.length);
    expect(ended.status).toBe(401);
    expect(await ended.text()).toContain('Sign in, and drop the same files again: only the rest is sent.');
    await ann.signIn('ann');
    const head = await ann.send('HEAD', `${path}/uploads/${id}`, {
      'tus-resumable': '1.0.0',
      'x-csrf-token': await ann.csrf(),
    });
    expect(head.headers['upload-offset']).toBe('1000000');
    expect((await send(id, await ann.csrf(), 1_000_000, film.length)).status).toBe(204);
    expect((await readFiles(pages.runtime, draft)).stored.get('b.mp4')?.bytes).toBe(film.length);
  });

  it('a cell that was typed is shown again after the sign-in, and can be saved', async () => {
    const { path, ann, page, drafts, id } = await signedIn();
    const typed = { row: '1', 'c.1.3': 'A caption, as typed', version: hidden(page, 'version') };
    await ann.post('/sign-out', { _csrf: await ann.csrf() });
    const refused = await ann.post(`${path}/cells`, typed);
    expect(refused.text).toContain('What you typed is shown again after you have signed in.');
    const fields = Object.fromEntries(
      [...refused.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
      ),
    );
    const back = await ann.post('/sign-in', { ...fields, user: 'ann', password: 'four words of a test' });
    const shown = back.status === 303 ? await ann.get(back.to) : back;
    expect(shown.text).toContain('A caption, as typed');
    const again = { ...typed, _csrf: hidden(shown.text, '_csrf') };
    expect((await ann.post(`${path}/cells`, again)).status).toBe(303);
    await drafts.look(id, { waitMs: 2 ** 31 - 1 });
    expect((await drafts.window(id, 'all', 0, 1)).rows[0]?.cells[3]).toBe('A caption, as typed');
  });
});

it('viewers change nothing of a draft, by no route', async () => {
  const { runner, runtime, pages, id, page } = await open();
  const folder = draftFolder(runtime, id);
  const stored = () => [
    readFileSync(draftFiles(runtime, id).draft, 'utf8'),
    readdirSync(join(folder, '..')),
    readdirSync(folder),
  ];
  await quickUser(runner, 'vera', 'viewer');
  const vera = new Visitor(pages.url);
  await vera.signIn('vera');
  const _csrf = hidden((await vera.get('/campaigns')).text, '_csrf');
  const fill = (path: string) => path.replace(/[:{](draft|id)\}?/, id).replaceAll(/:\w+/g, '1');
  const before = stored();
  const posted = [...draftRoutes].filter(({ method }) => method === 'post');
  expect(posted.length).toBeGreaterThan(15);
  const fields = { _csrf, version: hidden(page, 'version'), sure: 'yes', posts: '1', row: '1', 'c.1.3': 'x' };
  for (const { path } of posted)
    expect([path, (await vera.post(fill(path), fields)).status]).toEqual([path, 403]);
  const changes = Object.values(draftOperations).filter(({ method }) => method !== 'get');
  expect(changes.length).toBeGreaterThan(6);
  const json = { 'content-type': 'application/json', 'x-csrf-token': _csrf };
  for (const { method, path } of changes) {
    const answer = await vera.send(
      method.toUpperCase(),
      `/api/v1${fill(path)}${path === '/drafts' ? '?file=a.csv' : ''}`,
      json,
      method === 'delete' ? undefined : '{"version":1}',
    );
    expect([path, answer.status]).toEqual([path, 403]);
  }
  for (const method of ['POST', 'HEAD', 'PATCH', 'DELETE']) {
    const headers = { ...tus, 'upload-length': '3', 'upload-offset': '0', 'x-csrf-token': _csrf };
    const upload = `/campaigns/new/${id}/uploads${method === 'POST' ? '' : `/${'a'.repeat(32)}`}`;
    expect([method, (await vera.send(method, upload, headers)).status]).toEqual([method, 403]);
  }
  expect(stored()).toEqual(before);
});
