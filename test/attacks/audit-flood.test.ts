/** Sign-ins, which everybody with a password can repeat, must not push changes out of the audit. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { readAudit } from '../../src/app/access/audit.ts';
import { auditEntriesKept } from '../../src/ledger/access/audit.ts';

const { signIns: signInsKept, uploads: uploadsKept } = auditEntriesKept;

import { openAccess, quickUser } from '../support/console/access.ts';
import { openConsoleApp } from '../support/console/console-app.ts';
import { Visitor } from '../support/console/visitor.ts';

const entry = (what: string) => ({ who: 'lin', from: '10.0.0.1', what, by: '/campaigns/c1/pause' });

it('sign-ins and sign-outs of the console are kept apart from changes, and shown with them', async () => {
  const { server, ledger, connect, prefix } = await openConsoleApp();
  await quickUser({ ledger }, 'anna', 'operator');
  const anna = new Visitor(server.url);
  await anna.signIn('anna');
  await anna.post('/sign-out', { _csrf: await anna.csrf() });
  const redis = connect();
  expect(await redis.xlen(`${prefix}:audit`)).toBe(0);
  redis.disconnect();
  const { entries, total } = await readAudit({ ledger });
  expect([entries.map(({ what }) => what), total]).toEqual([['Signed out.', 'Signed in.'], 2]);
});

it('very many sign-ins remove the oldest of them, and no change', async () => {
  const access = openAccess();
  await access.ledger.access.audit.add(entry('paused'));
  const fill = `for index = 1, ${signInsKept} do redis.call('XADD', KEYS[1], '*', 'at', 0, 'what', 'in') end`;
  await access.redis.eval(fill, 1, `${access.prefix}:audit:sign-ins`);
  await access.ledger.access.audit.add(entry('in again'), 'signIns');
  const { total, entries } = await readAudit(access, undefined, signInsKept + 1);
  expect([total, entries.at(0)?.what, entries.at(-1)?.what]).toEqual([signInsKept + 1, 'in again', 'paused']);
});

it('pages lose no entry where a change and a sign-in have the same id', async () => {
  const access = openAccess();
  const add = (list: string, id: string, what: string) =>
    access.redis.xadd(`${access.prefix}:${list}`, id, 'at', '0', 'what', what);
  for (const ms of [1, 2, 3]) {
    await add('audit', `${ms}-0`, `change ${ms}`);
    await add('audit:sign-ins', `${ms}-0`, `sign-in ${ms}`);
  }
  await add('audit', '10-0', 'change 10');
  const seen: string[] = [];
  for (let before: string | undefined, more = true; more; ) {
    const page = await readAudit(access, before, 4);
    expect(page.entries.length).toBeLessThanOrEqual(4);
    seen.push(...page.entries.map(({ what }) => what));
    before = page.next;
    more = before !== undefined;
  }
  expect(seen.toSorted()).toEqual(
    ['change 10', ...[1, 2, 3].flatMap((ms) => [`change ${ms}`, `sign-in ${ms}`])].toSorted(),
  );
  expect(seen[0]).toBe('change 10');
});

it('very many uploaded files remove the oldest of them, and no other change', async () => {
  const access = openAccess();
  await access.ledger.access.audit.add(entry('paused'));
  const fill = `for index = 1, ${uploadsKept} do redis.call('XADD', KEYS[1], '*', 'at', 0, 'what', 'file') end`;
  await access.redis.eval(fill, 1, `${access.prefix}:audit:uploads`);
  await access.ledger.access.audit.add(entry('one more'), 'uploads');
  const { total, entries } = await readAudit(access, undefined, uploadsKept + 1);
  expect([total, entries.at(0)?.what, entries.at(-1)?.what]).toEqual([uploadsKept + 1, 'one more', 'paused']);
});

/** Sends a request and hangs up at once. */
async function hangUp(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const { host, port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}\r\n`);
  await once(socket, 'finish');
  socket.resetAndDestroy();
}

it('a change by Bull Board is noted, in the audit and in the log, also if its sender hangs up', async () => {
  const { server, ledger, logged, queues } = await openConsoleApp();
  // The answer waits, so that nobody is there when it comes.
  const queue = await queues.queue('post');
  const pause = queue.pause.bind(queue);
  const gone = Promise.withResolvers<void>();
  queue.pause = async () => {
    await gone.promise;
    await pause();
  };
  await hangUp(server.url, 'PUT', '/board/api/queues/post/pause');
  setTimeout(gone.resolve, 200);
  const what = 'Bull Board: PUT /board/api/queues/post/pause';
  await expect
    .poll(async () => (await readAudit({ ledger })).entries.map((each) => each.what))
    .toEqual([what]);
  expect(await queues.paused()).toEqual(['post']);
  expect(logged).toContainEqual(expect.objectContaining({ msg: 'changed', what, from: '127.0.0.1' }));
});

it('a refused change by Bull Board is not noted as one, nor is a question about methods', async () => {
  const { ledger, board, server } = await openConsoleApp();
  expect((await board.change('PUT', 'post/empty')).status).toBe(403);
  expect((await fetch(`${server.url}/board/api/queues/post/pause`, { method: 'OPTIONS' })).status).toBe(200);
  expect((await readAudit({ ledger })).entries).toEqual([]);
});
