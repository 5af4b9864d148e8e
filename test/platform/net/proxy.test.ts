/** Calls through the proxy that the environment names. */
import { expect, onTestFinished, test } from 'vitest';
import { checkSettings } from '../../../config/load.ts';
import { readProxyVariables } from '../../../config/proxies.ts';
import { storageConnector } from '../../../src/app/runtime/connect-service.ts';
import { Proxies } from '../../../src/platform/net/proxy.ts';
import { WebhookReceiver } from '../../../src/processors/notify/webhook.ts';
import { createServiceClient } from '../../../src/service/client.ts';
import { NotSentError } from '../../../src/service/errors.ts';
import { AddressPolicy } from '../../../src/service/media/addresses.ts';
import { Downloader } from '../../../src/service/media/download.ts';
import { openSpool } from '../../../src/service/media/spool.ts';
import { Storage } from '../../../src/service/storage.ts';
import { rejection } from '../../support/client.ts';
import { patienceMs } from '../../support/events.ts';
import { serveMedia } from '../../support/file-server.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { freePort } from '../../support/ports.ts';
import { proxyServer } from '../../support/proxy-server.ts';
import { testSandbox } from '../../support/sandbox.ts';
import { httpAnswer, wireServer } from '../../support/wire-server.ts';

const owner = { onTestFinished };
const portOf = (url: string) => Number(new URL(url).port);

function proxiesOf(variables: NodeJS.ProcessEnv): Proxies {
  return new Proxies(readProxyVariables(variables));
}

/** A client of a service that only the proxy can find. */
async function clientThrough(
  to: Parameters<typeof proxyServer>[1],
  variables?: (url: string) => NodeJS.ProcessEnv,
) {
  const sandbox = await testSandbox();
  const proxy = await proxyServer(owner, 'port' in to ? { port: portOf(sandbox.url) } : to);
  const client = createServiceClient({
    baseUrl: 'http://service.company.example/',
    apiKey: sandbox.apiKey,
    proxies: proxiesOf(variables?.(proxy.url) ?? { HTTP_PROXY: proxy.url }),
  });
  onTestFinished(() => client[Symbol.asyncDispose]());
  return { client, proxy, sandbox };
}

async function downloaderThrough(variables: NodeJS.ProcessEnv, allowed: readonly string[] = []) {
  const spool = await openSpool({ directory: temporaryFolder(), quotaBytes: 1_000_000 });
  const addresses = new AddressPolicy(allowed, proxiesOf(variables));
  const downloader = new Downloader({ spool, addresses, maxBytes: 100_000 });
  onTestFinished(() => downloader[Symbol.asyncDispose]());
  return downloader;
}

const anywhere = { port: 0 };

test('a call to the service goes through the proxy, to the host and port of its URL', async () => {
  const { client, proxy } = await clientThrough(anywhere);
  expect((await client.creators.list({ pageSize: 1, pageNumber: 1 })).list).toHaveLength(1);
  expect(proxy.asked).toEqual([{ authority: 'service.company.example:80', authorization: undefined }]);
});

test('user and password of the proxy are sent to the proxy only', async () => {
  const { client, proxy, sandbox } = await clientThrough(anywhere, (url) => ({
    HTTP_PROXY: url.replace('://', '://ann:p%40ss@'),
  }));
  await client.creators.list({ pageSize: 1, pageNumber: 1 });
  expect(proxy.asked[0]?.authorization).toBe(`Basic ${Buffer.from('ann:p@ss').toString('base64')}`);
  expect(proxy.bytes().toLowerCase()).not.toContain('proxy-authorization');
  expect(sandbox.calls('listCreatorAccounts')).toHaveLength(1);
});

test.each([
  [403, 'refused a connection to service.company.example:80 (HTTP 403)'],
  [407, 'asks for a user name and password'],
  [502, 'refused a connection'],
])('a proxy that answers %i is told in words, and nothing was sent', async (status, words) => {
  const { client, proxy } = await clientThrough({ status }, (url) => ({
    HTTP_PROXY: url.replace('://', '://ann:secret@'),
  }));
  const error = await rejection(client.creators.list({ pageSize: 1, pageNumber: 1 }));
  expect(error).toBeInstanceOf(NotSentError);
  expect(String(error)).toContain(words);
  expect(String(error)).not.toContain('secret');
  expect(proxy.bytes()).toBe('');
});

test('a proxy that is not there is named', async () => {
  const port = await freePort();
  const client = createServiceClient({
    baseUrl: 'http://service.company.example/',
    apiKey: 'key',
    proxies: proxiesOf({ http_proxy: `127.0.0.1:${port}` }),
  });
  onTestFinished(() => client[Symbol.asyncDispose]());
  const error = await rejection(client.creators.list({ pageSize: 1, pageNumber: 1 }));
  expect(String(error)).toContain(
    `the proxy 127.0.0.1:${port} (http_proxy) cannot be reached (ECONNREFUSED)`,
  );
});

test('media are fetched through the proxy', async () => {
  const { url } = await serveMedia(owner);
  const proxy = await proxyServer(owner, { port: portOf(url) });
  const downloader = await downloaderThrough({ HTTP_PROXY: proxy.url });
  await using fetched = await downloader.fetch('http://cdn.company.example:8080/a.png');
  expect(fetched.size).toBeGreaterThan(0);
  expect(proxy.asked.map(({ authority }) => authority)).toEqual(['cdn.company.example:8080']);
});

test.each([
  'http://10.0.0.1/a.png',
  'http://[fd00::1]/a.png',
  'http://169.254.169.254/a.png',
  'http://printer/a.png',
  'http://nas.local/a.png',
  'http://metadata.google.internal/a.png',
])('%s is refused before the proxy is asked', async (source) => {
  const proxy = await proxyServer(owner, anywhere);
  const downloader = await downloaderThrough({ HTTP_PROXY: proxy.url });
  expect(await rejection(downloader.fetch(source))).toMatchObject({ code: 'media_address_refused' });
  expect(proxy.asked).toEqual([]);
});

test('a private address that the settings allow is asked for through the proxy', async () => {
  const { url } = await serveMedia(owner);
  const proxy = await proxyServer(owner, { port: portOf(url) });
  const downloader = await downloaderThrough({ HTTP_PROXY: proxy.url }, ['10.0.0.0/8']);
  await using _ = await downloader.fetch('http://10.0.0.1/a.png');
  expect(proxy.asked).toHaveLength(1);
});

test('a proxy that refuses a download is told in words', async () => {
  const proxy = await proxyServer(owner, { status: 403 });
  const downloader = await downloaderThrough({ HTTP_PROXY: proxy.url });
  expect(await rejection(downloader.fetch('http://cdn.company.example/a.png'))).toMatchObject({
    code: 'media_download_failed',
    message: expect.stringContaining('refused a connection to cdn.company.example:80 (HTTP 403)'),
  });
});

test('files are uploaded through the proxy', async () => {
  const server = await wireServer((_, socket) => socket.write(httpAnswer(200)));
  const proxy = await proxyServer(owner, { port: portOf(server.origin) });
  const proxies = proxiesOf({ HTTP_PROXY: proxy.url });
  const storage = new Storage({
    timeoutMs: patienceMs,
    connector: storageConnector(checkSettings({}), proxies),
    proxies,
  });
  onTestFinished(() => storage.close());
  const uploadUrl = 'http://bucket.company.example/a?sig=1';
  await storage.put({ uploadUrl, contentType: 'image/png', size: 1, body: Buffer.from('x') });
  expect(proxy.asked.map(({ authority }) => authority)).toEqual(['bucket.company.example:80']);
});

test('notifications go through the proxy', async () => {
  const server = await wireServer((_, socket) => socket.write(httpAnswer(204)));
  const proxy = await proxyServer(owner, { port: portOf(server.origin) });
  const setting = { url: 'http://hooks.company.example/x', events: [], allowPrivateAddresses: [] };
  const receiver = new WebhookReceiver({ ...setting, format: 'standard' } as never, undefined, {
    proxies: proxiesOf({ HTTP_PROXY: proxy.url }),
  });
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  expect(await receiver.send({ id: 'msg_1', body: '{}' }, 0)).toEqual({ kind: 'delivered', status: 204 });
  expect(proxy.asked).toHaveLength(1);
});

test.each([
  ['', 'service.company.example', 80, true],
  ['other.example', 'service.company.example', 80, true],
  ['company.example', 'service.company.example', 80, false],
  ['.company.example', 'Service.Company.example.', 80, false],
  ['*.company.example', 'service.company.example', 80, false],
  ['*.company.example', 'company.example', 80, true],
  ['a.example, company.example:8080', 'company.example', 8080, false],
  ['company.example:8080', 'company.example', 80, true],
  ['pany.example', 'company.example', 80, true],
  ['*', 'company.example', 80, false],
  ['10.1.0.0/16', '10.1.2.3', 80, false],
  ['10.1.0.0/16', '10.2.2.3', 80, true],
  ['fd00::/8', 'fd12::1', 80, false],
  ['[fd12::1]:80', 'fd12::1', 80, false],
  ['fd12::1', 'fd12::1', 80, false],
  ['', 'localhost', 80, false],
  ['', '127.0.0.5', 80, false],
  ['', '::1', 80, false],
])('NO_PROXY=%j: %s:%i through the proxy: %s', (list, hostname, port, isProxied) => {
  const proxies = proxiesOf({ HTTP_PROXY: 'http://proxy.example:3128', NO_PROXY: list });
  expect(proxies.find({ protocol: 'http:', hostname, port: String(port) }) !== undefined).toBe(isProxied);
});

test.each([
  [{ HTTPS_PROXY: 'http://a:1', HTTP_PROXY: 'http://b:2' }, 'a:1', 'b:2'],
  [{ https_proxy: 'http://a:1', HTTPS_PROXY: 'http://c:3' }, 'a:1', undefined],
  [{ https_proxy: '', HTTPS_PROXY: 'http://c:3' }, undefined, undefined],
  [{ HTTP_PROXY: 'b:2' }, undefined, 'b:2'],
  [{ HTTPS_PROXY: 'https://secure.example' }, 'secure.example:443', undefined],
  [{}, undefined, undefined],
])('%j: the proxy for https is %s, for http %s', (variables: NodeJS.ProcessEnv, https, http) => {
  const proxies = proxiesOf(variables);
  const nameFor = (protocol: string) => proxies.find({ protocol, hostname: 'x.example' })?.name;
  expect([nameFor('https:'), nameFor('http:')]).toEqual([https, http]);
});

test.each([
  'socks5://ann:secret@a:1',
  'http://',
  'http://a:99999',
  'http://a/path',
  'http://ann:%zzsecret@a',
])('HTTPS_PROXY=%s is an error that does not show it', (value) => {
  expect(() => readProxyVariables({ HTTPS_PROXY: value })).toThrow(/^HTTPS_PROXY (?:is not|has)/);
  expect(() => readProxyVariables({ HTTPS_PROXY: value })).not.toThrow(/secret/);
});
