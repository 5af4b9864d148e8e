import { describe, expect, it } from 'vitest';
import { readAudit } from '../../../src/app/access/audit.ts';
import { systemUser } from '../../../src/app/runtime/machine.ts';
import { quickUser } from '../../support/console/access.ts';
import { openConsoleApp } from '../../support/console/console-app.ts';
import { Visitor } from '../../support/console/visitor.ts';

describe('Bull Board', () => {
  async function openBoard() {
    const app = await openConsoleApp();
    await quickUser(app, 'anna', 'operator');
    await quickUser(app, 'lin', 'viewer');
    const anna = new Visitor(app.server.url);
    await anna.signIn('anna');
    await anna.get('/board');
    return { ...app, anna, proof: anna.cookies.get('XSRF-TOKEN') ?? '' };
  }
  const pause = '/board/api/queues/post/pause';

  it('takes changes of an operator with the proof of the session, and notes them', async () => {
    const { anna, proof, queues, ledger } = await openBoard();
    expect((await anna.send('PUT', pause, { 'x-xsrf-token': proof })).status).toBe(200);
    expect(await queues.paused()).toEqual(['post']);
    expect((await readAudit({ ledger })).entries[0]).toMatchObject({
      who: 'anna',
      from: '127.0.0.1',
      what: 'Bull Board: PUT /board/api/queues/post/pause',
    });
  });

  it('takes none without the proof, or with that of another session', async () => {
    const { anna, queues, server } = await openBoard();
    const other = new Visitor(server.url);
    await other.signIn('anna');
    await other.get('/board');
    for (const proof of ['', 'x', other.cookies.get('XSRF-TOKEN') ?? 'missing']) {
      expect((await anna.send('PUT', pause, { 'x-xsrf-token': proof })).status).toBe(403);
    }
    expect(await queues.paused()).toEqual([]);
  });

  it('takes none of a viewer, and hides the buttons', async () => {
    const { queues, server, anna } = await openBoard();
    const lin = new Visitor(server.url);
    await lin.signIn('lin');
    expect((await lin.get('/board/api/queues')).status).toBe(200);
    const answer = await lin.send('PUT', pause, { 'x-xsrf-token': lin.cookies.get('XSRF-TOKEN') ?? '' });
    expect([answer.status, answer.text]).toEqual([
      403,
      expect.stringContaining('Only operators and admins may start, retry, stop, decide or delete.'),
    ]);
    expect(await queues.paused()).toEqual([]);
    const hides = "[class*='queueActions'], [class*='jobActions'], [role='menuitem'] { display: none; }";
    expect((await lin.get('/board/console.css')).text).toContain(hides);
    expect((await anna.get('/board/console.css')).text).not.toContain(hides);
  });

  it('of an open console counts by the user of the system', async () => {
    const { board, ledger } = await openConsoleApp();
    await board.change('PUT', 'post/pause');
    expect((await readAudit({ ledger })).entries).toMatchObject([{ who: systemUser() }]);
  });
});
