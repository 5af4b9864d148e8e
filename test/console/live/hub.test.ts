import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import express, { type Response } from 'express';
import { html } from 'hono/html';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LiveHub, type LiveParts, type LiveView } from '../../../src/console/live.ts';
import { UseCaseError } from '../../../src/manifest/problems/use-case-error.ts';
import { waitUntil } from '../../support/events.ts';

/** A hub that ticks fast, on a server: each request opens a stream of the view that its path names. */
async function openHub(views: Readonly<Record<string, () => Promise<LiveParts>>>) {
  const hub = new LiveHub(pino({ level: 'silent' }), { tickMs: 5 });
  const app = express();
  const opened: Response[] = [];
  app.get('/:key', ({ params, headers }, response) => {
    const { key } = params;
    const view: LiveView = { key, read: views[key] ?? (async () => ({})) };
    opened.push(response);
    hub.open(view, response, headers['last-event-id'] as string | undefined);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    hub.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { hub, port, opened, watch: (key: string, headers = {}) => Watch.open(port, key, headers) };
}

/** A browser that reads a stream. */
class Watch {
  text = '';
  hasEnded = false;
  readonly #leave: AbortController;

  private constructor(answer: globalThis.Response, leave: AbortController) {
    this.#leave = leave;
    const read = async () => {
      for await (const piece of answer.body ?? []) this.text += new TextDecoder().decode(piece);
    };
    void read()
      .catch(() => undefined)
      .finally(() => {
        this.hasEnded = true;
      });
  }

  static async open(port: number, key: string, headers: Readonly<Record<string, string>>): Promise<Watch> {
    const leave = new AbortController();
    onTestFinished(() => leave.abort());
    const { signal } = leave;
    return new Watch(await fetch(`http://127.0.0.1:${port}/${key}`, { headers, signal }), leave);
  }

  /** Waits for a text, and forgets what came up to it. */
  async sees(what: string): Promise<void> {
    const end = await waitUntil(() => {
      const at = this.text.indexOf(what);
      return at >= 0 && { at: at + what.length };
    }, what);
    this.text = this.text.slice(end.at);
  }

  close(): void {
    this.#leave.abort();
  }
}

const part = (id: string, text: string): LiveParts => ({ [id]: html`<p id="${id}">${text}</p>` });

describe('the live parts', () => {
  it('come whole at first, then only those that have changed', async () => {
    const shown = { a: 'one', b: 'two' };
    const { watch } = await openHub({ page: async () => ({ ...part('a', shown.a), ...part('b', shown.b) }) });
    const browser = await watch('page');
    await browser.sees('<p id="b">two</p>');
    shown.a = 'three';
    await browser.sees('<p id="a">three</p>');
    expect(browser.text).not.toContain('id="b"');
  });

  it('that were read before a browser came are not sent to it', async () => {
    const readings = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    let begun = 0;
    const { hub, watch } = await openHub({
      page: async () => {
        const reading = readings[Math.min(begun, 1)];
        begun += 1;
        return part('a', (await reading?.promise) ?? '');
      },
    });
    await watch('page');
    await waitUntil(() => begun === 1, 'the first reading');
    const late = await watch('page');
    await waitUntil(() => hub.size === 2, 'both streams');
    readings[0]?.resolve('before');
    readings[1]?.resolve('after');
    await waitUntil(() => late.text.includes('after'), 'the second reading');
    expect(late.text).not.toContain('before');
  });

  it('are read once for all viewers of the same page', async () => {
    let readings = 0;
    const { watch } = await openHub({
      page: async () => {
        readings += 1;
        return part('a', String(readings));
      },
    });
    const [one, other] = [await watch('page'), await watch('page')];
    const last = readings + 3;
    await Promise.all([one, other].map((each) => each.sees(`<p id="a">${last}</p>`)));
    expect(readings).toBeLessThan(last + 20);
  });

  it('do not come again to a browser that has them', async () => {
    const { watch } = await openHub({ page: async () => part('a', 'one') });
    const first = await watch('page');
    await waitUntil(() => first.text.includes('one'), 'the first message');
    const [, id = ''] = /^id: (.*)$/m.exec(first.text) ?? [];
    const again = await watch('page', { 'last-event-id': id });
    await again.sees('event: alive');
    expect(again.text).not.toContain('one');
  });

  it('of a page whose campaign was deleted end; others go on', async () => {
    let gone = false;
    let seen = 'one';
    const { hub, watch } = await openHub({
      deleted: async () => {
        if (gone) throw new UseCaseError('campaign_not_found', 'there is no campaign c1');
        return part('a', 'here');
      },
      other: async () => part('b', seen),
    });
    const [deleted, other] = [await watch('deleted'), await watch('other')];
    await deleted.sees('here');
    gone = true;
    await deleted.sees('event: gone');
    await waitUntil(() => deleted.hasEnded, 'the stream to end');
    seen = 'two';
    await other.sees('two');
    expect(other.text).not.toContain('away');
    expect(hub.size).toBe(1);
  });

  it('of a page that cannot be read do not say that Redis is away', async () => {
    let readings = 0;
    const { watch } = await openHub({
      damaged: async () => {
        throw new Error('the chunk is damaged');
      },
      other: async () => {
        readings += 1;
        return part('b', 'here');
      },
    });
    const [damaged, other] = [await watch('damaged'), await watch('other')];
    await other.sees('here');
    const before = readings;
    await waitUntil(() => readings > before + 20, 'many ticks');
    expect(damaged.text + other.text).not.toContain('away');
  });

  it('while Redis is away, say since when, and go on by themselves', async () => {
    const back = Promise.withResolvers<void>();
    let reading: () => Promise<LiveParts> = async () => part('a', 'before');
    const { watch } = await openHub({ page: () => reading() });
    const browser = await watch('page');
    await browser.sees('before');
    reading = async () => {
      await back.promise;
      return part('a', 'after');
    };
    await browser.sees('event: away');
    await browser.sees(`data: ${new Date().getUTCFullYear()}-`);
    back.resolve();
    await browser.sees('<p id="a">after</p>');
    expect(browser.hasEnded).toBe(false);
  });
});

describe('a stream', () => {
  it('is freed when the tab is closed, and nothing is read for it any more', async () => {
    let readings = 0;
    const { hub, watch } = await openHub({
      page: async () => {
        readings += 1;
        return part('a', String(readings));
      },
      other: async () => part('b', String(readings)),
    });
    const browser = await watch('page');
    await browser.sees('id="a"');
    browser.close();
    await waitUntil(() => hub.size === 0, 'the stream to be freed');
    const other = await watch('other');
    const before = readings;
    await other.sees('event: alive');
    expect(readings).toBe(before);
  });

  it('is not begun for a tab that is closed already', async () => {
    const { hub, port, opened, watch } = await openHub({ page: async () => part('a', 'one') });
    const browser = await watch('page');
    browser.close();
    await waitUntil(() => hub.size === 0, 'the stream to be freed');
    const [response] = opened;
    if (response === undefined) throw new Error(`no stream on ${port}`);
    hub.open({ key: 'page', read: async () => ({}) }, response, undefined);
    expect(hub.size).toBe(0);
  });

  it('ends when a browser does not read it', async () => {
    let readings = 0;
    const { hub, port, watch } = await openHub({
      page: async () => {
        readings += 1;
        return part('a', String(readings).repeat(500_000));
      },
      other: async () => part('b', String(readings)),
    });
    const slow = connect(port, '127.0.0.1');
    onTestFinished(() => void slow.destroy());
    slow.on('error', () => undefined).pause();
    slow.write('GET /page HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    const other = await watch('other');
    await waitUntil(() => hub.size === 2, 'both streams');
    await waitUntil(() => hub.size === 1, 'the slow stream to end');
    await other.sees('id="b"');
    expect(other.hasEnded).toBe(false);
  });

  it('whose session ended while its browser does not read is written to no more', async () => {
    let readings = 0;
    const { hub, port, opened, watch } = await openHub({
      page: async () => {
        readings += 1;
        // Its session ends when something waits to be sent, but not so much that the stream is ended for it.
        if ((opened[0]?.writableLength ?? 0) > 0) opened[0]?.end();
        return part('a', String(readings % 10).repeat(100_000));
      },
      other: async () => part('b', String(readings)),
    });
    const uncaught: unknown[] = [];
    const note = (error: unknown) => uncaught.push(error);
    process.on('uncaughtException', note);
    onTestFinished(() => void process.off('uncaughtException', note));
    const slow = connect(port, '127.0.0.1');
    onTestFinished(() => void slow.destroy());
    slow.on('error', () => undefined).pause();
    slow.write('GET /page HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    await waitUntil(() => hub.size === 1, 'the stream to begin');
    const other = await watch('other');
    await waitUntil(() => hub.size === 1, 'the stream to be freed');
    await other.sees('id="b"');
    expect(uncaught).toEqual([]);
  });
});
