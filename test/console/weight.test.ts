import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { openPage } from '../support/console/browser.ts';
import { openPages } from '../support/console/console-pages.ts';
import { openRunner } from '../support/in-process.ts';
import { asIf } from '../support/ledger.ts';
import { videoRow } from '../support/sheets/rows.ts';

/** What a browser may load to show a campaign first, in bytes over the wire. */
const mostBytes = 90_000;
const minuteMs = 60_000;

async function open() {
  const clock = { now: Date.now() };
  const runner = await openRunner({ now: () => clock.now });
  const rows = Array.from({ length: 60 }, (_row, index) => videoRow(`spring-${index}`));
  const id = await runner.importRows(rows);
  const first = Math.floor(clock.now / minuteMs);
  const minutes = Array.from({ length: 30 }, (_minute, index) => [first + index, 3] as const);
  await asIf(runner).postedIn(id, minutes);
  clock.now += 30 * minuteMs;
  return { runner, id, pages: await openPages(runner) };
}

/** Asks as browsers do, and reads no more than the head of the answer. */
async function headOf(url: string, accepts: string) {
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>();
  const sent = request(url, { headers: { 'accept-encoding': accepts, accept: 'text/html' } }, resolve);
  sent.on('error', reject).end();
  const answer = await promise;
  answer.on('error', () => undefined);
  sent.destroy();
  return answer.headers;
}

describe('what pages weigh', () => {
  it('a campaign is shown with less than 90 KB, in its own font', async (test) => {
    const { page, complaints } = await openPage(test);
    const { id, pages } = await open();

    const wire = await page.context().newCDPSession(page);
    await wire.send('Network.enable');
    const asked = new Map<string, string>();
    let bytes = 0;
    wire.on('Network.requestWillBeSent', ({ requestId, request: { url } }) => asked.set(requestId, url));
    wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      // Pictures, and what draws them, come after the page.
      if (!/\/media\/|pictures\.js$/.test(asked.get(requestId) ?? '')) bytes += encodedDataLength;
    });
    await page.goto(`${pages.url}/campaigns/${id}`, { waitUntil: 'load' });
    await page.locator('#clock[data-state="live"]').waitFor();
    const names = () => [...asked.values()].map((url) => url.split('/').at(-1));
    expect(names()).toContain('inter.woff2');
    const scripts = names().filter((name) => name?.endsWith('.js') && name !== 'pictures.js');
    expect(scripts).toEqual(['page.js', 'live.js', 'htmx.js']);
    expect(bytes).toBeGreaterThan(48_000);
    expect(bytes).toBeLessThan(mostBytes);
    expect(await page.evaluate(`document.fonts.check('600 15px "Inter Variable"')`)).toBe(true);
    await page.goto(`${pages.url}/campaigns`);
    expect(await page.content()).not.toContain('plots.js');
    expect(complaints).toEqual([]);
  });

  it('pages and files come compressed as the browser takes them; files are kept for ever', async () => {
    const { pages } = await open();
    const { html } = await pages.get('/queues');
    const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    const codings = async (accepts: string) =>
      Promise.all(
        ['/queues', ...files].map(
          async (path) => (await headOf(`${pages.url}${path}`, accepts))['content-encoding'],
        ),
      );
    const isFont = ['/queues', ...files].map((path) => path.endsWith('.woff2'));
    for (const [accepts, coding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', undefined],
    ] as const)
      expect(await codings(accepts)).toEqual(isFont.map((each) => (each ? undefined : coding)));
    for (const path of files) {
      const answer = await fetch(`${pages.url}${path}`);
      const hash = createHash('sha256').update(new Uint8Array(await answer.arrayBuffer()));
      expect(path).toContain(hash.digest('base64url').slice(0, 12));
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it('a stream is not compressed, so that its events do not wait for others', async () => {
    const { id, pages } = await open();
    const { html } = await pages.get(`/campaigns/${id}`);
    const [, stream = ''] = /hx-sse:connect="([^"]+)"/.exec(html) ?? [];
    const headers = await headOf(`${pages.url}${stream.replaceAll('&amp;', '&')}`, 'gzip, br');
    expect(headers['content-type']).toContain('text/event-stream');
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('the token of forms is another text in each answer, and each of them is taken', async () => {
    const { pages } = await open();
    const tokens = await Promise.all(
      [1, 2].map(
        async () => /name="_csrf" value="([^"]*)"/.exec((await pages.get('/queues')).html)?.[1] ?? '',
      ),
    );
    expect(tokens[0]).not.toBe(tokens[1]);
    const answers = tokens.map((_csrf) =>
      fetch(`${pages.url}/queues/post/pause`, {
        method: 'POST',
        body: new URLSearchParams({ _csrf, why: 'a test' }),
        redirect: 'manual',
      }),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([303, 303]);
    const wrong = await fetch(`${pages.url}/queues/post/pause`, {
      method: 'POST',
      body: new URLSearchParams({ _csrf: `${tokens[0]?.slice(0, -2)}AA`, why: 'a test' }),
      redirect: 'manual',
    });
    expect(wrong.status).toBe(403);
  });
});
