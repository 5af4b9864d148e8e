import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/ports.ts';
import { spawnNode } from '../support/processes/child.ts';
import { projectRoot } from '../support/sheets/manifests.ts';

const script = (name: string): string => join(projectRoot, 'scripts', name);

/** A server on loopback whose every answer has this status. @returns its port. */
async function serverThatAnswers(status: number): Promise<number> {
  const server = createServer((request, response) => response.writeHead(status).end(`${request.url}`));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it.each([
  [200, 0],
  [503, 1],
])('a probe that is answered with %i ends with %i', async (status, code) => {
  const port = await serverThatAnswers(status);
  const probe = spawnNode(script('probe.ts'), [`http://127.0.0.1:${port}/readyz`]);
  expect(await probe.end()).toEqual({ code, signal: null });
});

it('a probe without an answer ends with 1', async () => {
  const probe = spawnNode(script('probe.ts'), [`http://127.0.0.1:${await freePort()}/readyz`]);
  expect(await probe.end()).toEqual({ code: 1, signal: null });
});
