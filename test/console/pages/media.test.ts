import { existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cancelCampaign, deleteCampaign } from '../../../src/app/campaigns/steer.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { waiting } from '../../support/console/row-pages.ts';
import { serveMedia } from '../../support/file-server.ts';
import { openRunner } from '../../support/in-process.ts';
import { photo } from '../../support/photo.ts';
import { mp4, png } from '../../support/sheets/media.ts';
import { aiVideoRow, videoRow } from '../../support/sheets/rows.ts';
import { addPlayed } from '../../support/watched.ts';

/** The picture's cell in the list of a campaign's rows. */
async function cellOf(pages: Awaited<ReturnType<typeof openPages>>, id: string): Promise<string> {
  const { html } = await pages.get(`/campaigns/${id}`);
  return /<span class="pic">.*?<\/span>/s.exec(html)?.[0] ?? '';
}

describe('/media', () => {
  it('has a video in ranges, for its frame', async () => {
    const { id, pages } = await waiting([videoRow('a')]);
    const address = `${pages.url}/media/campaigns/${id}/a/media/0`;
    const [shown = ''] = /\/media[^"]*/.exec(await cellOf(pages, id)) ?? [];
    expect(shown).toMatch(/^\/media\/campaigns\/c1\/a\/media\/0\?v=[0-9a-f]{12}#t=0\.1$/);
    const kept = await fetch(`${pages.url}${shown}`);
    expect(kept.headers.get('cache-control')).toContain('immutable');
    await kept.arrayBuffer();
    const whole = await fetch(address);
    expect(whole.headers.get('content-type')).toBe('video/mp4');
    expect(whole.headers.get('content-security-policy')).toMatch(/^default-src 'none';.* sandbox$/);
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff');
    const bytes = Buffer.from(await whole.arrayBuffer());
    const part = await fetch(address, { headers: { range: 'bytes=4-7' } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes.subarray(4, 8)]);
    const end = await fetch(address, { headers: { range: 'bytes=-3' } });
    expect(Buffer.from(await end.arrayBuffer())).toEqual(bytes.subarray(-3));
    const statusOf = async (range: string) => {
      const answer = await fetch(address, { headers: { range } });
      await answer.arrayBuffer();
      return answer.status;
    };
    expect(await statusOf(`bytes=${bytes.length}-`)).toBe(416);
    expect(await statusOf('bytes=0-1,4-5')).toBe(200);
    expect((await fetch(`${address}?w=96`)).status).toBe(404);
  });

  it('has a small version of a photograph', async () => {
    const { runner, id, pages } = await waiting([videoRow('a', { media: 'a.jpg', media_type: 'PHOTO' })]);
    const bytes = await photo(1200, 1600);
    writeFileSync(join(runner.folder, 'a.jpg'), bytes);
    const [shown = ''] = /\/media[^"]*/.exec(await cellOf(pages, id)) ?? [];
    expect(shown).toMatch(/^\/media\/small\/root-[0-9a-f]{32}\/[0-9a-f]{32}\?w=96$/);
    const small = await fetch(`${pages.url}${shown}`);
    expect(small.headers.get('content-type')).toBe('image/jpeg');
    expect(small.headers.get('cache-control')).toBe('private, max-age=604800, immutable');
    expect(small.headers.get('content-security-policy')).toMatch(/^default-src 'none';.* sandbox$/);
    expect((await small.arrayBuffer()).byteLength).toBeLessThan(10_000);
  });

  it('has one small picture for all rows of a file, and none once its campaign is deleted', async () => {
    const rows = ['a', 'b', 'c', 'd'].map((key) =>
      videoRow(key, { media: `${'ab'.includes(key) ? 1 : 2}.mp4` }),
    );
    const { runner, id, pages } = await waiting(rows);
    for (const name of ['1', '2']) {
      writeFileSync(join(runner.folder, `${name}.mp4`), mp4(name));
      writeFileSync(join(runner.folder, `${name}.jpg`), await photo(300 + Number(name), 500));
    }
    const { html } = await pages.get(`/campaigns/${id}`);
    const addresses = [...html.matchAll(/<img src="(\/media[^"]*)"/g)].map(([, address]) => address);
    expect(addresses).toHaveLength(4);
    expect(new Set(addresses)).toHaveLength(2);
    expect(html).not.toContain('<video');
    const statuses = async () => {
      const answers = await Promise.all(
        [...new Set(addresses)].map((address) => fetch(`${pages.url}${address}`)),
      );
      return answers.map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 200]);
    const kept = readdirSync(join(runner.folder, 'pictures'), { recursive: true });
    expect(kept.filter((name) => String(name).endsWith('.tiny'))).toHaveLength(2);
    for (const name of ['1', '2']) rmSync(join(runner.folder, `${name}.jpg`));
    await cancelCampaign(pages.runtime, id);
    await deleteCampaign(pages.runtime, id);
    expect(await statuses()).toEqual([404, 404]);
  });

  it.each(['root-1/..%2f..%2fa.mp4', `root-1/${'0'.repeat(32)}`, `${'..%2f'.repeat(3)}etc/passwd`])(
    'has no small picture that no page has named: %s',
    async (name) => {
      const { pages } = await waiting([videoRow('a')]);
      expect((await fetch(`${pages.url}/media/small/${name}?w=96`)).status).toBe(404);
    },
  );

  it('is asked only whether a file has changed, and goes on only within the same file', async () => {
    const { runner, id, pages } = await waiting([videoRow('a')]);
    const address = `${pages.url}/media/campaigns/${id}/a/media/0`;
    const first = await fetch(address);
    await first.arrayBuffer();
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const ask = (headers: Record<string, string>) => fetch(address, { headers });
    expect((await ask({ 'if-none-match': etag })).status).toBe(304);
    expect((await ask({ range: 'bytes=0-3', 'if-range': etag })).status).toBe(206);
    writeFileSync(join(runner.folder, 'a.mp4'), mp4('other'));
    expect((await ask({ 'if-none-match': etag })).status).toBe(200);
    expect((await ask({ range: 'bytes=0-3', 'if-range': etag })).status).toBe(200);
  });

  it.each([
    'a/media/1',
    'a/media/-1',
    'a/media/x',
    'a/caption/0',
    'a/outputs/0',
    'none/media/0',
    '..%2f/media/0',
  ])('has nothing at %s', async (path) => {
    const { id, pages } = await waiting([videoRow('a')]);
    const address = `${pages.url}/media/campaigns/${id}/${path}`;
    expect((await fetch(address)).status).toBe(404);
  });

  it('follows no link out of the media folder', async () => {
    const { runner, id, pages } = await waiting([videoRow('a')]);
    rmSync(join(runner.folder, 'a.mp4'));
    symlinkSync('/etc/passwd', join(runner.folder, 'a.mp4'));
    expect((await fetch(`${pages.url}/media/campaigns/${id}/a/media/0`)).status).toBe(404);
    expect((await pages.get(`/campaigns/${id}`)).html).toContain('aria-label="File missing"');
  });

  it('shows no SVG, and nothing else that a browser could run', async () => {
    const { runner, id, pages } = await waiting([videoRow('a')]);
    writeFileSync(join(runner.folder, 'a.mp4'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const answer = await fetch(`${pages.url}/media/campaigns/${id}/a/media/0`, {
      headers: { accept: 'image/*' },
    });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).not.toContain('svg');
  });

  it('fetches a file of another server when somebody looks at it, and forgets it with its campaign', async (test) => {
    const { url, requests } = await serveMedia(test);
    const media = { allowPrivateAddresses: ['127.0.0.1'] };
    const runner = await openRunner({ queues: [], settings: { media } });
    const id = await runner.importRows([videoRow('a', { media: `${url}/clip.mp4` })]);
    const asked = requests.length;
    const pages = await openPages(runner);
    const { html } = await pages.get(`/campaigns/${id}`);
    expect(html).toContain('aria-label="Remote file"');
    expect(html).toContain(`data-src="/media/campaigns/${id}/a/media/0#t=0.1"`);
    expect(html).not.toContain(`src="${url}`);
    expect(requests).toHaveLength(asked);
    const address = `${pages.url}/media/campaigns/${id}/a/media/0`;
    expect(Buffer.from(await (await fetch(address)).arrayBuffer())).toEqual(mp4('/clip.mp4'));
    expect(requests).toHaveLength(asked + 1);
    expect(await cellOf(pages, id)).toMatch(/media\/0\?v=[0-9a-f]{12}#t=/);
    const kept = join(runner.folder, 'pictures', `campaign-${id}`);
    expect(readdirSync(kept)).toHaveLength(1);
    await cancelCampaign(pages.runtime, id);
    await deleteCampaign(pages.runtime, id);
    expect(existsSync(kept)).toBe(false);
  });

  it('has what was generated for a row', async (test) => {
    const { url } = await serveMedia(test);
    const media = { allowPrivateAddresses: ['127.0.0.1'] };
    const runner = await openRunner({ queues: [], settings: { media } });
    const id = await runner.importRows([aiVideoRow('a')]);
    const pages = await openPages(runner);
    expect((await pages.get(`/campaigns/${id}`)).html).toContain('aria-label="Prompt: no result yet"');
    await runner.admit(id);
    const result = { postId: 'p1', postStatus: 'SCHEDULED', fileIds: [], at: 0 };
    const end = { verdict: 'posted', result, assets: [`${url}/made.mp4`] } as const;
    await runner.ledger.steps.finish({ campaign: id, row: 0, revision: 0, step: 'post', jobId: 'job', end });
    expect((await pages.get(`/campaigns/${id}`)).html).toContain('aria-label="AI video"');
    const made = await fetch(`${pages.url}/media/campaigns/${id}/a/outputs/0`);
    expect(Buffer.from(await made.arrayBuffer())).toEqual(mp4('/made.mp4'));
  });

  it('shows the thumbnail of an AI result that the service names, without fetching the result', async (test) => {
    const { url, requests } = await serveMedia(test);
    const media = { allowPrivateAddresses: ['127.0.0.1'] };
    const runner = await openRunner({ queues: [], settings: { media } });
    const id = await runner.importRows([aiVideoRow('a')]);
    const pages = await openPages(runner);
    await runner.admit(id);
    const result = { postId: 'p1', postStatus: 'SCHEDULED', fileIds: [], at: 0 };
    const made = { assets: [`${url}/made.mp4`], thumbnails: [`${url}/small.png`] };
    const end = { verdict: 'posted', result, ...made } as const;
    await runner.ledger.steps.finish({ campaign: id, row: 0, revision: 0, step: 'post', jobId: 'job', end });
    const [shown = ''] = /\/media[^"]*/.exec(await cellOf(pages, id)) ?? [];
    expect(shown).toBe(`/media/campaigns/${id}/a/thumbnails/0?w=96`);
    const asked = requests.length;
    const small = await fetch(`${pages.url}${shown}`);
    expect(Buffer.from(await small.arrayBuffer())).toEqual(png('/small.png'));
    expect(requests).toHaveLength(asked + 1);
  });

  it('has the cover of a video, which the service names by another URL each night', async (test) => {
    const { url, requests } = await serveMedia(test);
    const runner = await openRunner({ settings: { media: { allowPrivateAddresses: ['127.0.0.1'] } } });
    const id = await addPlayed(runner, 'a', { meta: { coverUrl: `${url}/cover.png` }, samples: [[1, 5]] });
    const pages = await openPages(runner);
    const cover = await fetch(`${pages.url}/media/videos/${id}?w=96`);
    expect(Buffer.from(await cover.arrayBuffer())).toEqual(png('/cover.png'));
    await (await fetch(`${pages.url}/media/videos/${id}`)).arrayBuffer();
    expect(requests).toHaveLength(1);
    expect((await fetch(`${pages.url}/media/videos/none`)).status).toBe(404);
  });
});
