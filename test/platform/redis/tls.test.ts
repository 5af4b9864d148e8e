import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { openRedisServer } from '../../../src/platform/redis/choose-redis.ts';
import { RedisUnreachableError, RedisUrlError } from '../../../src/platform/redis/errors.ts';
import { type Certificates, makeCertificates } from '../../support/certificates.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { freePort } from '../../support/ports.ts';
import { needsRedisWith } from '../../support/redis/redis-features.ts';
import { socketIn, startRedisServer } from '../../support/redis/redis-server.ts';

interface TlsServer extends Certificates {
  readonly port: number;
  readonly socket: string;
}

async function tlsServer(context: TestContext, settings: Record<string, string> = {}): Promise<TlsServer> {
  needsRedisWith('TLS', context);
  const folder = temporaryFolder();
  const files = makeCertificates(folder);
  const port = await freePort();
  const home = join(folder, 'r');
  mkdirSync(home);
  const server = await startRedisServer(home, {
    unixsocket: socketIn(home),
    'tls-port': String(port),
    'tls-cert-file': files.cert,
    'tls-key-file': files.key,
    'tls-ca-cert-file': files.ca,
    'tls-auth-clients': 'no',
    appendonly: 'yes',
    appendfsync: 'always',
    ...settings,
  });
  onTestFinished(() => server.stop());
  return { ...files, port, socket: socketIn(home) };
}

async function open(url: string) {
  const server = await openRedisServer({ url, dataDir: '/nowhere', warn: () => {}, answerMs: 1500 });
  onTestFinished(() => server.close());
  return server;
}

test('a server by TLS is taken when its authority is named', async (context) => {
  const { port, ca } = await tlsServer(context);
  const server = await open(`rediss://localhost:${port}/0?ca=${ca}`);
  expect(await server.connect('test').ping()).toBe('PONG');
  expect(server.description).toBe(`Redis at localhost:${port} (TLS)`);
});

test('one whose authority nobody knows is refused, with the reason', async (context) => {
  const { port } = await tlsServer(context);
  const refusal = open(`rediss://localhost:${port}`);
  await expect(refusal).rejects.toBeInstanceOf(RedisUnreachableError);
  await expect(refusal).rejects.toMatchObject({ reason: expect.stringMatching(/certificate/i) });
});

test('one that wants a certificate of ours gets it', async (context) => {
  const { port, ca, cert, key } = await tlsServer(context, { 'tls-auth-clients': 'yes' });
  const server = await open(`rediss://localhost:${port}?ca=${ca}&cert=${cert}&key=${key}`);
  expect(await server.connect('test').ping()).toBe('PONG');
});

test('a user of an access list signs in by the URL, and a wrong password is told', async (context) => {
  const { port, ca, socket } = await tlsServer(context);
  const admin = new Redis({ path: socket });
  onTestFinished(() => admin.disconnect());
  await admin.acl('SETUSER', 'runner', 'on', '>s3cret:/@', 'allkeys', 'allchannels', 'allcommands');
  await admin.acl('SETUSER', 'default', 'off');
  const server = await open(`rediss://runner:s3cret%3A%2F%40@localhost:${port}?ca=${ca}`);
  expect(await server.connect('test').acl('WHOAMI')).toBe('runner');
  const wrong = open(`rediss://runner:wr0ng@localhost:${port}?ca=${ca}`);
  await expect(wrong).rejects.toMatchObject({ reason: expect.stringContaining('WRONGPASS') });
});

test('an unreadable certificate is reported with its path', async () => {
  const refusal = open('rediss://localhost:1?ca=/nowhere/ca.pem');
  await expect(refusal).rejects.toBeInstanceOf(RedisUrlError);
  await expect(refusal).rejects.toThrow('/nowhere/ca.pem');
});
