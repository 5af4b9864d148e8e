/** The operations that the contract does not show, in the form that settings give them. */
import { expect, test } from 'vitest';
import { createServiceClient } from '../../../src/service/client.ts';
import type { OperationTemplate } from '../../../src/service/contract/templates.ts';
import {
  InvalidRequestError,
  MalformedAnswerError,
  NotConfiguredError,
} from '../../../src/service/errors.ts';
import type { ListExtent } from '../../../src/service/transport/paging.ts';
import { noTemplates, rejection, testClient, testKey } from '../../support/client.ts';
import { collect } from '../../support/collect.ts';
import { envelopeAnswer, wireServer } from '../../support/wire-server.ts';

function template(given: Partial<OperationTemplate>): OperationTemplate {
  return { method: 'POST', path: '/v1/x', encoding: 'json', result: {}, ...given };
}

function clientWith(origin: string, templates: Partial<Record<keyof typeof noTemplates, OperationTemplate>>) {
  return testClient(origin, { templates: { ...noTemplates, ...templates } });
}

test('without a setting there is no call, and the setting is named', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({})));
  const client = testClient(server.origin);

  expect(client.configured).toEqual({
    confirmUpload: false,
    uploadCover: false,
    searchMusic: false,
    listPosts: false,
  });
  expect(await rejection(client.files.confirm({ fileId: 1 }))).toMatchObject({
    code: 'not_configured',
    setting: 'api.confirmUpload',
  });
  expect(server.connections()).toBe(0);
});

test('a confirmation has the form of the setting', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ link: 'https://cdn/x' })));
  const client = clientWith(server.origin, {
    confirmUpload: template({
      method: 'PUT',
      path: '/v2/files/{fileId}',
      query: { h: '{hash}' },
      body: { id: '{fileId}', mime: '{contentType}' },
      result: { url: '/data/link' },
    }),
  });
  const confirmed = await client.files.confirm({ fileId: 12, contentType: 'image/png', hash: 'ab' });

  const [request] = server.requests;
  expect(confirmed).toEqual({ url: 'https://cdn/x' });
  expect([request?.method, request?.target]).toEqual(['PUT', '/v2/files/12?h=ab']);
  expect(JSON.parse(String(request?.body))).toEqual({ id: 12, mime: 'image/png' });
  expect(request?.headers['x-api-key']).toBe(testKey);
});

test('an id can be sent as a text', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({})));
  const client = clientWith(server.origin, {
    confirmUpload: template({
      method: 'PATCH',
      body: { id: '{fileId:string}', of: 'f{fileId:string}', n: '{size}' },
    }),
  });
  await client.files.confirm({ fileId: '90071992547409931', size: 7 });

  const [request] = server.requests;
  expect(request?.method).toBe('PATCH');
  expect(String(request?.body)).toBe('{"id":"90071992547409931","of":"f90071992547409931","n":7}');
});

test('fields can be sent url-encoded, whatever characters they hold', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({})));
  const body = {
    name: '{fileName}',
    hash: '{hash}',
    at: ['{size}', 'x&y'],
    of: { a: null },
    none: null,
    on: true,
  };
  const client = clientWith(server.origin, {
    confirmUpload: template({ encoding: 'urlencoded', body: { ...body, 'a=b': '{fileId}' } }),
  });
  const fileName = 'a&id=2;b=%41+{fileId}\r\nX-Api-Key: \0\ud800 é.mp4';
  await client.files.confirm({ fileId: 1, fileName, size: 7 });

  const [request] = server.requests;
  const sent = String(request?.body);
  expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  expect(Number(request?.headers['content-length'])).toBe(sent.length);
  expect(sent).toMatch(/^[\w.*+%&=-]+$/);
  expect([...new URLSearchParams(sent)]).toEqual([
    ['name', fileName.toWellFormed()],
    ['at', '7'],
    ['at', 'x&y'],
    ['of', '{"a":null}'],
    ['on', 'true'],
    ['a=b', '1'],
  ]);
});

test('a value that is too long for a call is not sent', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({})));
  const client = clientWith(server.origin, {
    searchMusic: template({ encoding: 'urlencoded', body: { q: '{keyword}' }, result: { list: '/data' } }),
  });
  const error = await rejection(collect(client.music.search('a'.repeat(8193))));

  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).toMatchObject({ field: 'keyword' });
  expect(server.connections()).toBe(0);
});

test('a cover takes a file id kept as text', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ uri: 'cover/1' })));
  const client = clientWith(server.origin, {
    uploadCover: template({ body: { fileId: '{fileId}' }, result: { coverUri: '/data/uri' } }),
  });

  expect(await client.covers.upload({ fileId: '44' })).toEqual({ coverUri: 'cover/1' });
  expect(String(server.requests[0]?.body)).toBe('{"fileId":44}');
  expect(client.covers.needsFile).toBe(false);
});

test('a cover can be sent as form data, with a length', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ uri: 'cover/1' })));
  const client = clientWith(server.origin, {
    uploadCover: template({
      encoding: 'multipart',
      body: { photo: '{file}', id: '{accountId}' },
      result: { coverUri: '/data/uri' },
    }),
  });
  const file = {
    bytes: Buffer.from('PNG!'),
    fileName: 'c.png',
    contentType: 'image/png',
    size: 4,
    hash: 'ab',
  };
  await client.covers.upload({ accountId: 3, file });

  const [request] = server.requests;
  expect(client.covers.needsFile).toBe(true);
  expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect(Number(request?.headers['content-length'])).toBe(request?.body.length);
  const form = String(request?.body);
  expect(form).toMatch(/name="photo"; filename="c.png"\r\nContent-Type: image\/png\r\n\r\nPNG!\r\n/i);
  expect(form).toMatch(/name="id"\r\n\r\n3\r\n/);
});

test('a form that needs a file is not sent without it', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ uri: 'cover/1' })));
  const client = clientWith(server.origin, {
    uploadCover: template({
      encoding: 'multipart',
      body: { photo: '{file}' },
      result: { coverUri: '/data/uri' },
    }),
  });
  const error = await rejection(client.covers.upload({ fileId: 1 }));

  expect(error).toBeInstanceOf(NotConfiguredError);
  expect(error).toMatchObject({ setting: 'api.uploadCover' });
  expect(server.connections()).toBe(0);
});

test('an answer without the cover URI is malformed, and the error names the pointer', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({})));
  const client = clientWith(server.origin, {
    uploadCover: template({ body: { fileId: '{fileId}' }, result: { coverUri: '/data/uri' } }),
  });
  const error = await rejection(client.covers.upload({ fileId: 1 }));

  expect(error).toBeInstanceOf(MalformedAnswerError);
  expect((error as Error).message).toContain('/data/uri');
});

test('records are read by pointers into their entries, else by the names of the contract', async () => {
  const list = [
    { post: { key: 91 }, status: 'PUBLISHED', createdAt: '2026-11-20T00:00:00Z', businessIds: [1, '2'] },
    { status: 'without an id' },
  ];
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ list })));
  const client = clientWith(server.origin, {
    listPosts: template({
      method: 'GET',
      query: { creator: '{creatorId}', title: '{title}', page: '{pageNumber}' },
      result: { list: '/data/list', postId: '/post/key' },
    }),
  });
  const records = await collect(client.posts.list({ creatorId: 'c1' }));

  expect(server.requests.map(({ target }) => target)).toEqual(['/v1/x?creator=c1&page=1']);
  expect(records).toHaveLength(1);
  expect(records[0]).toMatchObject({
    postId: '91',
    status: 'PUBLISHED',
    createdAt: Date.UTC(2026, 10, 20),
    businessIds: ['1', '2'],
  });
});

test.each([
  ['to its last page, by the number of entries', { page: '{pageNumber}' }, ['m1', 'm2', 'm3']],
  ['once, without a number of the page to ask for', {}, ['m1']],
])('a list is read %s', async (_, query, ids) => {
  const server = await wireServer(({ target }, socket) => {
    const page = new URLSearchParams(target.split('?')[1]).get('page') ?? 1;
    socket.write(envelopeAnswer({ items: [{ id: `m${page}` }], count: 3 }));
  });
  const result = { list: '/data/items', total: '/data/count' };
  const searchMusic = template({ method: 'GET', query, result });
  const tracks = await collect(clientWith(server.origin, { searchMusic }).music.search('calm'));

  expect(tracks.map(({ id }) => id)).toEqual(ids);
});

test('music is searched through all its pages', async () => {
  const server = await wireServer(({ target }, socket) => {
    const page = new URLSearchParams(target.split('?')[1]).get('page');
    socket.write(envelopeAnswer({ items: [{ id: `m${page}`, title: 'T' }], pages: 3 }));
  });
  const client = clientWith(server.origin, {
    searchMusic: template({
      method: 'GET',
      query: { q: '{keyword}', page: '{pageNumber}' },
      result: { list: '/data/items', totalPages: '/data/pages' },
    }),
  });
  const tracks = await collect(client.music.search('so & so'));

  expect(tracks.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3']);
  expect(server.requests[0]?.target).toBe('/v1/x?q=so+%26+so&page=1');
});

test.each([
  ['numbers', 7, 8],
  ['texts', 'a b&', 'c'],
])('records are read by the token of the next page (%s)', async (_, first, second) => {
  const tokens: (string | null)[] = [];
  const server = await wireServer(({ target }, socket) => {
    const token = new URLSearchParams(target.split('?')[1]).get('token');
    tokens.push(token);
    const next = token === null ? first : token === `${first}` ? second : tokens.length === 3 ? '' : null;
    socket.write(envelopeAnswer({ list: [{ postId: tokens.length }], next }));
  });
  const client = clientWith(server.origin, {
    listPosts: template({
      method: 'GET',
      query: { token: '{pageToken}', of: '{creatorId}' },
      result: { list: '/data/list', nextPageToken: '/data/next' },
    }),
  });

  const ends: ListExtent[] = [];
  const onEnd = (extent: ListExtent) => ends.push(extent);
  const records = await collect(client.posts.list({ creatorId: 'c1' }, { onEnd }));
  expect(records.map(({ postId }) => postId)).toEqual(['1', '2', '3']);
  expect(tokens).toEqual([null, `${first}`, `${second}`]);
  expect(ends).toEqual([{ seen: 3, total: undefined, isWhole: true }]);
});

test.each([[{}], [true], ['x'.repeat(8193)]])(
  'a token of the next page that is %j ends no list',
  async (next) => {
    const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ list: [], next })));
    const client = clientWith(server.origin, {
      listPosts: template({
        body: { token: '{pageToken}' },
        result: { list: '/data/list', nextPageToken: '/data/next' },
      }),
    });
    expect(await rejection(collect(client.posts.list()))).toBeInstanceOf(MalformedAnswerError);
  },
);

test.each([
  ['an unknown placeholder', { body: { id: '{fileid}' } }, 'api.confirmUpload.body.id'],
  ['a placeholder of another operation', { query: { q: '{keyword}' } }, 'api.confirmUpload.query.q'],
])('%s is refused when the client is made', (_, given, setting) => {
  const templates = { ...noTemplates, confirmUpload: template(given) };
  const make = () =>
    createServiceClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k', timeoutMs: 1, templates });

  expect(make).toThrow(NotConfiguredError);
  expect(make).toThrow(expect.objectContaining({ setting }));
});
