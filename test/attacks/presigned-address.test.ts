/** A service that has files sent into the private network of the runner, by presigned URLs. */
import type { buildConnector } from 'undici';
import { expect, test } from 'vitest';
import { checkSettings } from '../../config/load.ts';
import { storageConnector } from '../../src/app/runtime/connect-service.ts';
import { examineStorage } from '../../src/cli/doctor/service.ts';
import { UploadAddressRefusedError } from '../../src/service/errors.ts';
import { Storage } from '../../src/service/storage.ts';
import { rejection } from '../support/client.ts';
import { patienceMs } from '../support/events.ts';
import { openRunner } from '../support/in-process.ts';
import { videoRow } from '../support/sheets/rows.ts';
import { httpAnswer, wireServer } from '../support/wire-server.ts';

/** PUTs to a server on loopback. @param serviceUrl where the service is. */
async function put(host: string, serviceUrl: string, allowPrivateAddresses: readonly string[] = []) {
  const server = await wireServer((_, socket) => socket.write(httpAnswer(200)));
  const settings = checkSettings({ media: { allowPrivateAddresses } });
  await using cleanup = new AsyncDisposableStack();
  const storage = new Storage({ timeoutMs: patienceMs, serviceUrl, connector: storageConnector(settings) });
  cleanup.defer(() => storage.close());
  const uploadUrl = `http://${host}:${server.port}/latest/meta-data`;
  const sending = storage.put({ uploadUrl, contentType: 'video/mp4', size: 3, body: Buffer.from('abc') });
  const error = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, requests: server.requests.length, connections: server.connections() };
}

test.each(['127.0.0.1', 'localhost', '0x7f000001', '127.1', '[::ffff:127.0.0.1]'])(
  'no bytes go to %s for a service elsewhere, and the error says whom to ask',
  async (host) => {
    const { error, connections } = await put(host, 'https://api.example.com');

    expect(error).toBeInstanceOf(UploadAddressRefusedError);
    expect(error).toMatchObject({ code: 'upload_address_refused' });
    expect((error as UploadAddressRefusedError).fix).toContain('Ask an operator');
    expect(connections).toBe(0);
  },
);

test.each([
  ['the same host', 'http://127.0.0.1:8080'],
  ['another name of this machine', 'http://localhost:8080'],
  ['IPv6', 'http://[::1]:8080'],
])('a service on a private host may have its storage there: %s', async (_, serviceUrl) => {
  expect(await put('127.0.0.1', serviceUrl)).toMatchObject({ error: undefined, requests: 1 });
});

test('an address that the settings allow is sent to', async () => {
  const { error, requests } = await put('127.0.0.1', 'https://api.example.com', ['127.0.0.0/8']);

  expect({ error, requests }).toEqual({ error: undefined, requests: 1 });
});

test('other errors of the connection stay what they are', async () => {
  const failing = (): buildConnector.connector => (_options, callback) => callback(new Error('down'), null);
  const storage = new Storage({ timeoutMs: patienceMs, connector: failing });
  const sending = storage.put({
    uploadUrl: 'https://x/',
    contentType: 'video/mp4',
    size: 3,
    body: Buffer.from('abc'),
  });

  expect(await rejection(sending)).toMatchObject({ code: 'upload_failed' });
  await storage.close();
});

test('a row whose presigned URL leads elsewhere fails at once, and nothing was sent there', async () => {
  const server = await wireServer((_, socket) => socket.write(httpAnswer(200)));
  const runner = await openRunner({
    settings: { media: { allowPrivateAddresses: [] } },
    relay: {
      answered: (text) =>
        text.replace(/"uploadUrl":"[^"]*"/, `"uploadUrl":"http://10.0.0.1:${server.port}/x"`),
    },
  });
  const id = await runner.importOrUpdate([videoRow('a', { product_source: 'SHOP' })]);
  await runner.start();
  await runner.ended(id);

  expect(await runner.rows(id)).toMatchObject([
    { state: 'failed', error: { code: 'upload_address_refused' } },
  ]);
  expect(runner.sandbox.calls('createFileUpload')).toHaveLength(1);
});

test.each([
  ['a private service', ['http://10.1.2.3'], [], 'warning'],
  ['a private service that the settings allow', ['http://10.1.2.3'], ['10.0.0.0/8'], 'ok'],
  ['a public service', ['https://8.8.8.8/v1'], [], 'ok'],
  ['a public and a private service', ['https://8.8.8.8', 'http://[fd00::1]:80'], [], 'warning'],
] as const)('the doctor judges %s', async (_, urls, allowed, verdict) => {
  const [finding] = await Array.fromAsync(examineStorage(urls, allowed));

  expect(finding?.verdict).toBe(verdict);
  if (verdict === 'warning') expect(finding?.fix).toContain('media.allowPrivateAddresses');
});
