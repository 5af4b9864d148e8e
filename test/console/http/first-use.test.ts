import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import { expect, it } from 'vitest';
import { onFirstUse } from '../../../src/console/app.ts';

it('a part that could not be loaded is loaded by the next request, once', async (test) => {
  let loads = 0;
  const part = onFirstUse(async () => {
    loads += 1;
    if (loads === 1) throw new Error('too many open files');
    return (_request, response) => void response.end('here');
  });
  const failed: ErrorRequestHandler = (_error, _request, response, _next) => void response.status(500).end();
  const server = express().use(part, failed).listen(0, '127.0.0.1');
  test.onTestFinished(() => void server.close());
  await once(server, 'listening');
  const ask = async () => (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).status;
  expect([await ask(), await ask(), await ask()]).toEqual([500, 200, 200]);
  expect(loads).toBe(2);
});
