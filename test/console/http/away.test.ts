/** Redis stops answering, and answers again. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { get, type ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readAudit } from '../../../src/app/access/audit.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { hidden, Visitor } from '../../support/console/visitor.ts';
import { openRunner, type RunnerOptions } from '../../support/in-process.ts';
import { listPostsSetting } from '../../support/processes/scene.ts';
import { photoRow, videoRow } from '../../support/sheets/rows.ts';

const patienceMs = 400;
const pause = '/queues/post/pause';

async function open(options: RunnerOptions = {}) {
  const runner = await openRunner(options);
  const { url } = await openPages(runner, undefined, { patienceMs });
  const visitor = new Visitor(url);
  const _csrf = hidden((await visitor.get('/queues')).text, '_csrf');
  /** Its answers do not come any more. */
  const leave = () => void runner.redis.stream.pause();
  const comeBack = () => void runner.redis.stream.resume();
  return { runner, visitor, url, _csrf, leave, comeBack };
}

describe('while Redis does not answer', () => {
  it('a page says so, loads again by itself, and comes back', async () => {
    const { visitor, leave, comeBack } = await open();
    leave();
    const page = await visitor.get('/campaigns');
    expect([page.status, page.headers['retry-after']]).toEqual([503, '5']);
    expect(page.text).toContain('Redis does not answer');
    expect(page.text).toContain('<meta http-equiv="refresh" content="5">');
    comeBack();
    expect((await visitor.get('/campaigns')).status).toBe(200);
  });

  it('a form changes nothing, and can be sent again with the typed texts', async () => {
    const { visitor, runner, _csrf, leave, comeBack } = await open();
    leave();
    const page = await visitor.post(pause, { _csrf, why: 'they <b>asked</b>' });
    expect(page.status).toBe(503);
    expect(page.text).toContain('Nothing was changed. This is what you typed:');
    expect(page.text).toContain('<dd>they &lt;b&gt;asked&lt;/b&gt;</dd>');
    expect(page.text).toContain(`method="post" action="${pause}"`);
    comeBack();
    expect(await runner.queues.paused()).toEqual([]);
    const again = { _csrf: hidden(page.text, '_csrf'), why: hidden(page.text, 'why') };
    expect((await visitor.post(pause, again)).status).toBe(303);
    expect(await runner.queues.paused()).toEqual(['post']);
  });

  it('a password is not shown, and a file is not kept', async () => {
    const { visitor, _csrf, leave, comeBack } = await open();
    leave();
    const secret = 'a password that was typed';
    const user = await visitor.post('/users', { _csrf, name: 'lin', password: secret });
    expect(user.status).toBe(503);
    expect(user.text).not.toContain(secret);
    const type = { 'content-type': 'multipart/form-data; boundary=x' };
    const file = await visitor.post('/videos/import', '--x--', type);
    for (const { text } of [user, file]) {
      expect(text).toContain('Nothing was changed. Go back, and send it again in a moment.');
    }
    comeBack();
  });

  it('a dialog says so, and a stream and a program get the status', async () => {
    const { visitor, leave, comeBack } = await open();
    leave();
    const accept = 'text/html, text/event-stream';
    const part = await visitor.get('/queues/post/pause', { 'hx-request': 'true', accept });
    expect([part.status, part.text.includes('<html'), part.text.includes('data-back')]).toEqual([
      503,
      false,
      true,
    ]);
    const stream = await visitor.get('/queues/events', { accept: 'text/event-stream' });
    expect([stream.status, stream.text]).toEqual([503, '']);
    const program = await visitor.get('/api/v1/campaigns');
    expect([program.status, program.headers['content-type']]).toEqual([503, 'application/problem+json']);
    comeBack();
  });

  it('a change that was begun is of unknown outcome, goes on later, and is noted', async () => {
    const { visitor, runner, _csrf, leave, comeBack } = await open({
      settings: { api: { listPosts: listPostsSetting() } },
      queues: ['showcase', 'upload', 'post'],
    });
    const { sandbox, ledger } = runner;
    sandbox.faults.add({ operation: 'createCreatorPost', kind: 'reset' });
    sandbox.faults.add({ operation: 'listPosts', kind: 'hold' });
    const id = await runner.importRows([videoRow('a')]);
    await runner.admit(id);
    await runner.start();
    await runner.ended(id);
    const answer = visitor.post('/review/look', { _csrf, row: `${id}.0` });
    await sandbox.whenHeld('listPosts');
    leave();
    expect(await answer).toMatchObject({
      status: 503,
      text: expect.stringContaining('It is not known yet whether the change was made'),
    });
    sandbox.release('listPosts');
    comeBack();
    await runner.until(
      async () =>
        (await readAudit({ ledger })).entries.some(({ what }) =>
          what.startsWith('Searched the publishing records for 1 row'),
        ),
      'the change to be noted',
    );
  });

  it.runIf(process.platform === 'linux')(
    'a file that is opened when nobody waits for it any more is closed',
    async () => {
      const { visitor, runner, leave, comeBack } = await open();
      const warn = watchWarnings();
      const id = await runner.importRows([photoRow('a', 1)]);
      const path = `/api/v1/campaigns/${id}/rows/a/media/media/0`;
      const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const find = runner.ledger.campaigns.find.bind(runner.ledger.campaigns);
      const held = vi.spyOn(runner.ledger.campaigns, 'find').mockImplementationOnce(async (campaign) => {
        asked.resolve();
        await goOn.promise;
        return find(campaign);
      });
      const answer = visitor.get(path);
      await asked.promise;
      leave();
      expect((await answer).status).toBe(503);
      comeBack();
      goOn.resolve();
      await held.mock.results[0]?.value;
      // Its file is opened after that of the first.
      expect((await visitor.get(path)).status).toBe(200);
      const isOpen = (descriptor: string) => pathOf(descriptor).startsWith(runner.folder);
      await runner.until(() => !readdirSync('/proc/self/fd').some(isOpen), 'the file to be closed');
      expect(warn).not.toHaveBeenCalled();
    },
  );
});

it
  .runIf(process.platform === 'linux')
  .each(['/api/v1/campaigns/ID/rows/a/media/media/0', '/media/campaigns/ID/a/media/0'])(
  'a file for a reader who has left is closed: %s',
  async (address) => {
    const { visitor, runner, url } = await open();
    const warn = watchWarnings();
    const id = await runner.importRows([photoRow('a', 1)]);
    const path = address.replace('ID', id);
    const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const find = runner.ledger.campaigns.find.bind(runner.ledger.campaigns);
    vi.spyOn(runner.ledger.campaigns, 'find').mockImplementationOnce(async (campaign) => {
      asked.resolve();
      await goOn.promise;
      return find(campaign);
    });
    const answered = Promise.withResolvers<ServerResponse>();
    const start = (message: unknown) => answered.resolve((message as { response: ServerResponse }).response);
    subscribe('http.server.request.start', start);
    onTestFinished(() => void unsubscribe('http.server.request.start', start));
    const sent = get(`${url}${path}`).on('error', () => undefined);
    await asked.promise;
    sent.destroy();
    await once(await answered.promise, 'close');
    goOn.resolve();
    // Its file is opened after that of the first.
    expect((await visitor.get(path)).status).toBe(200);
    const isOpen = (descriptor: string) => pathOf(descriptor).startsWith(runner.folder);
    await runner.until(() => !readdirSync('/proc/self/fd').some(isOpen), 'the file to be closed');
    expect(warn).not.toHaveBeenCalled();
  },
);

/** Node warns of a file that is closed with its garbage. */
function watchWarnings() {
  const warn = vi.fn();
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  return warn;
}

function pathOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}
