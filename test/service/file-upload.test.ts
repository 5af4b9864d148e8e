/** Presign, PUT, confirm: against the real sandbox, or a server of the test where the sandbox cannot. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { checkSettings } from '../../config/load.ts';
import sandboxSettings from '../../config/sandbox.json' with { type: 'json' };
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { createServiceClient, type ServiceClient } from '../../src/service/client.ts';
import { NotConfiguredError, UploadUrlExpiredError } from '../../src/service/errors.ts';
import { uploadFile } from '../../src/service/file-upload.ts';
import { noTemplates, rejection, testClient } from '../support/client.ts';
import { patienceMs } from '../support/events.ts';
import { testSandbox } from '../support/sandbox.ts';
import { envelopeAnswer, httpAnswer, wireServer } from '../support/wire-server.ts';

const templates = checkSettings(sandboxSettings).api;

function clientOf(
  sandbox: Sandbox,
  given = templates as typeof templates | typeof noTemplates,
): ServiceClient {
  const client = createServiceClient({
    baseUrl: sandbox.url,
    apiKey: sandbox.apiKey,
    timeoutMs: patienceMs,
    templates: given,
  });
  onTestFinished(() => client.close());
  return client;
}

function file(text = 'some bytes') {
  const bytes = Buffer.from(text);
  const hash = createHash('sha256').update(bytes.toString('hex')).digest('hex');
  return { fileName: 'a.mp4', contentType: 'video/mp4', size: bytes.length, hash, bytes };
}

test('a new file is presigned, sent and confirmed', async () => {
  await using sandbox = await testSandbox();
  const uploaded = await uploadFile(clientOf(sandbox), file());

  expect(uploaded.uploaded).toBe(true);
  expect(uploaded.url).toMatch(/^http/);
  expect(sandbox.counts()).toMatchObject({ createFileUpload: 1, putFile: 1, confirmUpload: 1 });
  expect(sandbox.effects().files).toMatchObject([{ fileId: uploaded.fileId, state: 'confirmed' }]);
});

test.each([
  ['"5d41-x"', '5d41-x'],
  ['W/"5d41"', '5d41'],
  ['5d41', '5d41'],
  [undefined, undefined],
  [`"${'x'.repeat(300)}"`, undefined],
  ['"a\u00e9b"', undefined],
])('a confirmation can have where the bytes went, and the ETag %s', async (given, etag) => {
  const server = await wireServer(({ method }, socket) => {
    const headers: Record<string, string> = given === undefined ? {} : { ETag: given };
    if (method === 'PUT') return void socket.write(httpAnswer(200, '', headers));
    socket.write(envelopeAnswer({ fileId: 7, uploadUrl: `${server.origin}/put?sig=1`, isNew: true }));
  });
  const body = { etag: '{etag}', at: '{uploadUrl}' };
  const confirmUpload = { method: 'POST', path: '/confirm', encoding: 'json', body, result: {} } as const;
  await uploadFile(testClient(server.origin, { templates: { confirmUpload } }), file());

  const sent = server.requests.find(({ target }) => target === '/confirm');
  expect(JSON.parse(String(sent?.body))).toEqual({
    ...(etag !== undefined && { etag }),
    at: `${server.origin}/put?sig=1`,
  });
});

test('a stream is sent as well', async () => {
  await using sandbox = await testSandbox();
  const { bytes, ...declared } = file('streamed bytes');
  const { fileId } = await uploadFile(clientOf(sandbox), { ...declared, open: () => Readable.from([bytes]) });

  expect(sandbox.effects().files).toMatchObject([{ fileId, state: 'confirmed' }]);
});

test('a file that the service already has is neither sent nor confirmed', async () => {
  await using sandbox = await testSandbox();
  const first = await uploadFile(clientOf(sandbox), file());
  const second = await uploadFile(clientOf(sandbox), file());

  expect(second).toMatchObject({ fileId: first.fileId, uploaded: false });
  expect(sandbox.counts()).toMatchObject({ createFileUpload: 2, putFile: 1, confirmUpload: 1 });
});

test('a URL that the storage refuses is presigned again', async () => {
  await using sandbox = await testSandbox();
  sandbox.faults.add({ kind: 'status', operation: 'putFile', status: 403, times: 2 });
  const uploaded = await uploadFile(clientOf(sandbox), file());

  expect(uploaded.uploaded).toBe(true);
  expect(sandbox.counts()).toMatchObject({ createFileUpload: 3, putFile: 3, confirmUpload: 1 });
});

test('a URL is not presigned endlessly', async () => {
  await using sandbox = await testSandbox();
  sandbox.faults.add({ kind: 'status', operation: 'putFile', status: 403, times: 'always' });

  expect(await rejection(uploadFile(clientOf(sandbox), file()))).toBeInstanceOf(UploadUrlExpiredError);
  expect(sandbox.counts()).toMatchObject({ createFileUpload: 3, putFile: 3 });
});

test('a URL that expired before its use is presigned again, without sending the bytes', async () => {
  let presigned = 0;
  const server = await wireServer(({ method }, socket) => {
    if (method === 'PUT') return void socket.write(httpAnswer(200));
    presigned += 1;
    const expiresAt = presigned === 1 ? '2026-01-01T00:00:00Z' : '2026-01-01T02:00:00Z';
    const data = { fileId: presigned, uploadUrl: `${server.origin}/${presigned}`, isNew: true, expiresAt };
    socket.write(envelopeAnswer(data));
  });
  const client = testClient(server.origin, { templates });
  const now = () => Date.UTC(2026, 0, 1, 1);
  const uploaded = await uploadFile(client, file(), { now });

  expect(uploaded.fileId).toBe(2);
  expect(server.requests.filter(({ method }) => method === 'PUT').map(({ target }) => target)).toEqual([
    '/2',
  ]);
});

test('with a wrong clock the last URL is still tried', async () => {
  await using sandbox = await testSandbox();
  const now = () => Date.now() + 365 * 24 * 3_600_000;
  const uploaded = await uploadFile(clientOf(sandbox), file(), { now });

  expect(uploaded.uploaded).toBe(true);
  expect(sandbox.counts()).toMatchObject({ createFileUpload: 3, putFile: 1 });
});

test('bytes that could not be confirmed are not sent', async () => {
  await using sandbox = await testSandbox();

  expect(await rejection(uploadFile(clientOf(sandbox, noTemplates), file()))).toBeInstanceOf(
    NotConfiguredError,
  );
  expect(sandbox.counts().putFile ?? 0).toBe(0);
});

test('each call of the service waits for its rate limit', async () => {
  await using sandbox = await testSandbox();
  const turns: string[] = [];
  await uploadFile(clientOf(sandbox), file(), { pace: async (operation) => void turns.push(operation) });

  expect(turns).toEqual(['createFileUpload', 'confirmUpload']);
});
