/** Templates of operations that the contract does not show are checked when the settings are read. */
import { expect, test } from 'vitest';
import { checkSettings } from '../../config/load.ts';

const post = { method: 'POST', path: '/v1/x' };
const list = { list: '/data/list' };
const paged = { method: 'GET', path: '/v1/x', query: { token: '{pageToken}' } };

test.each([
  [{ ...post, body: { fileId: '{fileId:string}', tag: '"{etag}"', at: '{uploadUrl}' } }],
  [{ ...post, method: 'PATCH', path: '/v1/files/{fileId}', query: { h: '{hash}', n: '{size}' } }],
  [{ ...post, encoding: 'urlencoded', body: { id: '{fileId}', url: '{url}', list: ['a', 'b'] } }],
  [{ ...post, path: '/v1/x?kind=file', body: { query: '{ id file { fileIds } }', json: '{ "a": 1 }' } }],
])('%j confirms an upload', (confirmUpload) => {
  expect(checkSettings({ api: { confirmUpload } }).api.confirmUpload).toMatchObject(confirmUpload);
});

test('a cover can be told with facts about its file, and records page by page with a token', () => {
  const uploadCover = {
    ...post,
    encoding: 'multipart',
    body: { photo: '{file}', size: '{size}', hash: '{hash}', url: '{url}' },
    result: { coverUri: '/data/uri' },
  };
  const listPosts = { ...paged, result: { ...list, nextPageToken: '/data/next' } };
  expect(checkSettings({ api: { uploadCover, listPosts } }).api).toMatchObject({ uploadCover, listPosts });
});

const names = '{fileId}, {fileName}, {contentType}, {size}, {hash}, {url}, {uploadUrl}, {etag}';

test.each([
  ['body.id: "{fileid}": {fileid} is unknown; use', { ...post, body: { id: '{fileid}' } }],
  [
    `body.list.1: "x-{file-id}": {file-id} is unknown; use ${names}`,
    { ...post, body: { list: [1, 'x-{file-id}'] } },
  ],
  [
    'query.q: "{keyword}": {keyword} has no value for confirmUpload; use',
    { ...post, query: { q: '{keyword}' } },
  ],
  ['path: "/v1/{postId}": {postId} has no value for confirmUpload; use', { ...post, path: '/v1/{postId}' }],
  ['body.id: "{{fileId}}": write {fileId}, with one pair of braces', { ...post, body: { id: '{{fileId}}' } }],
  ['result.urll: "/data": is unknown; use url', { ...post, result: { urll: '/data' } }],
  ['body.id: "{ fileId }": write {fileId} without spaces', { ...post, body: { id: '{ fileId }' } }],
  [
    'body.id: "{fileId:text}": {fileId:text} is unknown: only :string may follow',
    { ...post, body: { id: '{fileId:text}' } },
  ],
  ['body.{fileId}: 1: {fileId} cannot be the name of a field', { ...post, body: { '{fileId}': 1 } }],
  ['method: "DELETE": must be one of GET, POST, PUT, PATCH', { ...post, method: 'DELETE' }],
  ['method: "GET": takes no body and no encoding: use "query"', { ...post, method: 'GET', body: {} }],
  ['encoding: "xml": must be one of json, multipart, urlencoded', { ...post, encoding: 'xml' }],
  [
    'body: "{fileId}": must be an object of fields, because the encoding is urlencoded',
    { ...post, encoding: 'urlencoded', body: '{fileId}' },
  ],
  [
    'body: missing: must be an object of fields, because the encoding is multipart',
    { ...post, encoding: 'multipart' },
  ],
  ['path: "/v1/a b": must begin with /, and hold ASCII characters', { ...post, path: '/v1/a b' }],
  ['path: "/v1/x?a=1": has a ? although there is "query"', { ...post, path: '/v1/x?a=1', query: { b: '2' } }],
])('api.confirmUpload.%s', (message, confirmUpload) => {
  expect(() => checkSettings({ api: { confirmUpload } })).toThrow(`\n  api.confirmUpload.${message}`);
});

const file = '{file} must be the whole value of a field of "body", with "encoding": "multipart"';
const cover = { ...post, encoding: 'multipart', result: { coverUri: '/u' } };

test.each([
  [`body.photo: "{file}": ${file}`, { ...cover, encoding: 'urlencoded', body: { photo: '{file}' } }],
  [`body.photo: "x{file}": ${file}`, { ...cover, body: { photo: 'x{file}' } }],
  [`body.photo.of: "{file}": ${file}`, { ...cover, body: { photo: { of: '{file}' } } }],
  [
    'body.tag: "{etag}": {etag} has no value for uploadCover; use',
    { ...post, ...cover, body: { tag: '{etag}' } },
  ],
  ['result.coverUri: missing: must be a JSON pointer into the answer', { ...post, body: { id: '{fileId}' } }],
])('api.uploadCover.%s', (message, uploadCover) => {
  expect(() => checkSettings({ api: { uploadCover } })).toThrow(`\n  api.uploadCover.${message}`);
});

test.each([
  ['.result.nextPageToken: missing: must be a JSON pointer to the token', { ...paged, result: list }],
  [
    '.result.nextPageToken: "/t": is of no use without {pageToken}',
    { ...paged, query: {}, result: { ...list, nextPageToken: '/t' } },
  ],
  [
    '.query.token: "t-{pageToken}": {pageToken} must be a whole value',
    { ...paged, query: { token: 't-{pageToken}' }, result: { ...list, nextPageToken: '/t' } },
  ],
  [
    '.path: "/{pageToken}": {pageToken} must be a whole value',
    { ...paged, path: '/{pageToken}', query: {}, result: { ...list, nextPageToken: '/t' } },
  ],
  [
    ': {"method"',
    {
      ...paged,
      query: { token: '{pageToken}', page: '{pageNumber}' },
      result: { ...list, nextPageToken: '/t' },
    },
  ],
])('api.listPosts%s', (message, listPosts) => {
  expect(() => checkSettings({ api: { listPosts } })).toThrow(`\n  api.listPosts${message}`);
});
