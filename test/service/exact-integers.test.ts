/** Ids beyond 2^53 keep their digits, in answers and in requests. */
import { expect, test } from 'vitest';
import { parseJson, writeJson } from '../../src/service/contract/json.ts';
import type { OperationTemplate } from '../../src/service/contract/templates.ts';
import { noTemplates, testClient } from '../support/client.ts';
import { collect } from '../support/collect.ts';
import { httpAnswer, wireServer } from '../support/wire-server.ts';

const one = '9007199254740993';
const other = '9007199254740992';
const long = '123456789012345678901234567890';

test.each([
  [one, one],
  [`-${one}`, `-${one}`],
  [`{"a":[${long}, ${one}]}`, { a: [long, one] }],
  ['[9007199254740991,7,-3]', [9007199254740991, 7, -3]],
  [`{"text":"id ${long}, or ,${long}"}`, { text: `id ${long}, or ,${long}` }],
  ['[1.5,1e30,1234567890123456.5]', [1.5, 1e30, 1234567890123456.5]],
  [`\ufeff{"a":${one}}`, { a: one }],
])('%s is read with all its digits', (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test('a bigint is written as an integer', () => {
  expect(writeJson({ id: BigInt(long), text: long, list: [1n] })).toBe(
    `{"id":${long},"text":"${long}","list":[1]}`,
  );
});

/** A server that answers with this `data`, written by hand: the digits must not go through a number. */
function serverOf(data: string) {
  return wireServer((_, socket) => socket.write(httpAnswer(200, `{"code":0,"data":${data}}`)));
}

function template(given: Partial<OperationTemplate>): OperationTemplate {
  return { method: 'POST', path: '/v1/x', encoding: 'json', result: {}, ...given };
}

test('accounts whose ids differ beyond 2^53 stay two, and none vanishes', async () => {
  const server = await serverOf(
    `{"list":[{"id":${one},"creatorId":"a"},{"id":${other},"creatorId":${long}}],"total":2}`,
  );
  const accounts = await collect(testClient(server.origin).creators.all({}));

  expect(accounts.map(({ id, creatorId }) => [id, creatorId])).toEqual([
    [one, 'a'],
    [other, long],
  ]);
});

test('the account id is sent as the integer that it is', async () => {
  const server = await serverOf('{"products":[]}');
  const { showcase } = testClient(server.origin);
  await showcase.add({ id: one, addType: 'PRODUCT_ID', productIds: ['1'] });
  await showcase.list({ id: one, pageSize: 10 });

  expect(String(server.requests[0]?.body)).toContain(`"id":${one}`);
  expect(server.requests[1]?.target).toContain(`id=${one}&`);
});

test('a file id is read, and confirmed as an integer', async () => {
  const server = await serverOf(`{"fileId":${one},"isNew":false}`);
  const confirmUpload = template({ body: { fileId: '{fileId}', name: 'file {fileId}' } });
  const { files } = testClient(server.origin, { templates: { ...noTemplates, confirmUpload } });
  const file = { fileName: 'a.mp4', contentType: 'video/mp4', size: 1, hash: 'a'.repeat(64) };
  const { fileId } = await files.presign(file);
  await files.confirm({ fileId });

  expect(fileId).toBe(one);
  expect(String(server.requests[1]?.body)).toBe(`{"fileId":${one},"name":"file ${one}"}`);
});

test('a cover is asked for with integers', async () => {
  const server = await serverOf('{"uri":"u"}');
  const uploadCover = template({
    body: { id: '{accountId}', fileId: '{fileId}' },
    result: { coverUri: '/data/uri' },
  });
  const { covers } = testClient(server.origin, { templates: { ...noTemplates, uploadCover } });
  await covers.upload({ accountId: one, fileId: long });

  expect(String(server.requests[0]?.body)).toBe(`{"id":${one},"fileId":${long}}`);
});

test('post ids of the publishing records stay apart', async () => {
  const server = await serverOf(`{"list":[{"postId":${one},"businessIds":[${long}]},{"postId":${other}}]}`);
  const listPosts = template({ method: 'GET', result: { list: '/data/list' } });
  const { posts } = testClient(server.origin, { templates: { ...noTemplates, listPosts } });
  const records = await collect(posts.list({}));

  expect(records.map(({ postId }) => postId)).toEqual([one, other]);
  expect(records[0]?.businessIds).toEqual([long]);
});

test('music and products keep their ids', async () => {
  const searchMusic = template({ method: 'GET', result: { list: '/data/products' } });
  const server = await serverOf(`{"products":[{"id":${one}},{"id":${other}}]}`);
  const client = testClient(server.origin, { templates: { ...noTemplates, searchMusic } });

  expect((await collect(client.music.search('x'))).map(({ id }) => id)).toEqual([one, other]);
  expect((await collect(client.showcase.all({ id: 1 }))).map(({ id }) => id)).toEqual([one, other]);
});

test('a post id that comes as an integer is a post id', async () => {
  const server = await serverOf(`{"id":${long},"postId":${one}}`);
  const post = await testClient(server.origin).posts.create({
    businessId: '7',
    businessType: 'FILE',
    creatorId: 'c1',
    title: 't',
    platform: 'SOCIAL_SHOP',
    mediaType: 'VIDEO',
    socialShop: { productInfo: { productId: '1', title: 'A product', source: 'SHOP' } },
  });

  expect(post).toMatchObject({ id: long, postId: one });
});

test('the code of a product that was not added is a number, and beyond 2^53 a text of its digits', async () => {
  const codes = [16001001, -1, one, '"16001002"', '"UNAVAILABLE"', '1.5'];
  const server = await serverOf(`{"errors":[${codes.map((code) => `{"code":${code}}`).join(',')}]}`);
  const { showcase } = testClient(server.origin);
  const { errors } = await showcase.add({ id: 1, addType: 'PRODUCT_ID', productIds: ['1'] });

  expect(errors?.map(({ code }) => code)).toEqual([16001001, -1, one, 16001002, 'UNAVAILABLE', undefined]);
});
