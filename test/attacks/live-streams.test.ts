/** One user who opens live pages until nobody else gets any, or until the console only reads for them. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { LiveHub } from '../../src/console/live.ts';
import { quickUser } from '../support/console/access.ts';
import { openConsoleApp } from '../support/console/console-app.ts';
import { Visitor } from '../support/console/visitor.ts';
import { waitUntil } from '../support/events.ts';

/** Opens streams one after the other. @returns their statuses. */
async function open(urls: readonly string[], headers: Readonly<Record<string, string>> = {}) {
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  const statuses: number[] = [];
  for (const url of urls) statuses.push((await fetch(url, { headers, signal: leave.signal })).status);
  return { statuses, leave: () => leave.abort() };
}

const many = (count: number, of: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => of(at));
const ofStatus = (statuses: readonly number[], status: number) =>
  statuses.filter((each) => each === status).length;

it('a user has 30 live pages at most, and others have theirs', async () => {
  const { server, ledger } = await openConsoleApp();
  const cookies: string[] = [];
  for (const name of ['lin', 'anna']) {
    await quickUser({ ledger }, name, 'viewer');
    const visitor = new Visitor(server.url);
    await visitor.signIn(name);
    cookies.push(`campaigns_session=${visitor.cookies.get('campaigns_session')}`);
  }
  const [lin = '', anna = ''] = cookies;
  const url = `${server.url}/review/events?rows=0`;
  const first = await open(
    many(32, () => url),
    { cookie: lin },
  );
  expect([ofStatus(first.statuses, 200), ofStatus(first.statuses, 503)]).toEqual([30, 2]);
  expect((await open([url], { cookie: anna })).statuses).toEqual([200]);
  first.leave();
  // The server notices a moment later that a browser has left.
  await waitUntil(async () => (await open([url], { cookie: lin })).statuses[0] === 200, 'a free stream');
});

it('there is a bound on different views; one that is watched takes more', async () => {
  const hub = new LiveHub(pino({ level: 'silent' }), { mostViews: 3 });
  const app = express();
  app.get('/:key', ({ params: { key } }, response) =>
    hub.open({ key, read: async () => ({}) }, response, undefined),
  );
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    hub.close();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { statuses } = await open(many(4, (index) => `${url}/view-${index}`));
  expect([ofStatus(statuses, 200), statuses.at(-1)]).toEqual([3, 503]);
  expect((await open([`${url}/view-0`])).statuses).toEqual([200]);
});
