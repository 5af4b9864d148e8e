/** A service that answers with texts of megabytes, or with lists without an end: they must not fill Redis, log and memory. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createLog } from '../../src/app/runtime/log.ts';
import { createCreatorLookUp } from '../../src/importers/check/creator-look-up.ts';
import { readProgress } from '../../src/processors/steps/assets.ts';
import { envelope } from '../../src/service/contract/envelope.ts';
import type { OperationTemplate } from '../../src/service/contract/templates.ts';
import { MalformedAnswerError, RefusedError } from '../../src/service/errors.ts';
import { numberedPages } from '../../src/service/transport/paging.ts';
import { noTemplates, rejection, testClient } from '../support/client.ts';
import { collect } from '../support/collect.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openRunner } from '../support/in-process.ts';
import { aiVideoRow, videoRow } from '../support/sheets/rows.ts';
import { type Answer, envelopeAnswer, httpAnswer, wireServer } from '../support/wire-server.ts';

const huge = 'x'.repeat(3_900_000);
const generation = {
  type: 'IMAGE_GENERATION',
  params: { prompt: 'a cat', model: 'gpt-image-2', aspectRatio: '9:16' },
  nums: 1,
} as const;

async function clientOf(answer: Buffer | Answer) {
  const server = await wireServer(Buffer.isBuffer(answer) ? (_, socket) => socket.write(answer) : answer);
  return testClient(server.origin);
}

/** Replaces the text of a field in the answers to one path. */
function withField(path: string, name: string, value: string) {
  return (text: string, { target }: { readonly target: string }) =>
    target.startsWith(path)
      ? text.replaceAll(new RegExp(`"${name}":"[^"]*"`, 'g'), `"${name}":"${value}"`)
      : text;
}

async function runOne(
  cells: Parameters<typeof videoRow>[1],
  answered: ReturnType<typeof withField>,
  make = videoRow,
) {
  const runner = await openRunner({ relay: { answered } });
  const id = await runner.importOrUpdate([make('a', { product_source: 'SHOP', ...cells })]);
  await runner.start();
  await runner.ended(id);
  const [row] = await runner.rows(id);
  return { row, effects: runner.sandbox.effects() };
}

test.each([
  ['257 characters', 'x'.repeat(257)],
  ['megabytes', huge],
])('a post id of %s is of no use: the row goes to review, and none of it is kept', async (_, postId) => {
  const { row, effects } = await runOne({}, withField('/v1/creator/post/create', 'postId', postId));

  expect(row).toMatchObject({ state: 'review', error: { code: 'malformed_answer' } });
  expect(row?.error?.message).toContain('data.postId: it has more than 256 characters');
  expect(JSON.stringify(row).length).toBeLessThan(2000);
  expect(effects.posts).toHaveLength(1);
});

test('a post id of 256 characters is taken as it is', async () => {
  const postId = 'x'.repeat(256);
  const { row } = await runOne({}, withField('/v1/creator/post/create', 'postId', postId));

  expect(row).toMatchObject({ state: 'posted', result: { postId } });
});

test('the status of a post is not needed: one of megabytes reads as missing', async () => {
  const { row } = await runOne({}, withField('/v1/creator/post/create', 'status', huge));

  expect(row).toMatchObject({ state: 'posted', result: { postStatus: '' } });
});

test('a schedule id of megabytes is of no use: the row goes to review', async () => {
  const answered = withField('/v1/ai/schedule/create', 'scheduleId', huge);
  const { row, effects } = await runOne({}, answered, aiVideoRow);

  expect(row).toMatchObject({ state: 'review', error: { code: 'malformed_answer' } });
  expect(effects.generations).toHaveLength(1);
});

test('the message of a refusal is cut, and says so', async () => {
  const client = await clientOf(envelopeAnswer({}, 777, 200, huge));
  const error = (await rejection(client.generations.create(generation))) as RefusedError;

  expect(error).toBeInstanceOf(RefusedError);
  expect(error.serviceMessage).toMatch(/^x+… \(cut\)$/);
  expect(error.serviceMessage).toHaveLength(300);
});

test('a message of 300 characters is shown whole', () => {
  const message = 'x'.repeat(300);

  expect(envelope.parse({ code: 0, message }).message).toBe(message);
});

test('escapes of a terminal and marks that turn the direction of writing are taken out of a message', () => {
  const message = '\u001b[31mred\u009b0m\r\nnot \u202eposted';

  expect(envelope.parse({ code: 0, message }).message).toBe('[31mred 0m not posted');
});

test('the message of an error in a success is cut', async () => {
  const errors = [{ code: 1, message: huge, detail: { productId: '1' } }];
  const client = await clientOf(envelopeAnswer({ errors }));
  const answer = await client.showcase.add({ id: 1, addType: 'PRODUCT_ID', productIds: ['1'] });

  expect(answer.errors?.[0]?.message).toHaveLength(300);
});

test('unknown fields are left out', async () => {
  const list = [{ id: 1, creatorId: 'c1', junk: 'x', permissions: ['P'] }];
  const client = await clientOf(envelopeAnswer({ list, junk: 'x' }));
  const { sent, bytes, ...page } = await client.creators.list({ pageSize: 1, pageNumber: 1 });

  expect(page).toEqual({ list: [{ id: 1, creatorId: 'c1', permissions: ['P'] }] });
});

test.each([
  ['that are none', '{}'],
  ['that are ids', '"1"'],
])('a schedule with a hundred thousand task ids %s is known all the same', async (_, taskId) => {
  const taskIds = `[${Array(100_000).fill(taskId).join(',')}]`;
  const body = `{"code":0,"data":{"scheduleId":"s1","taskIds":${taskIds}}}`;
  const client = await clientOf(httpAnswer(200, body));

  expect(await client.generations.create(generation)).toEqual({ scheduleId: 's1' });
});

test('an answer that is nested half a million times is none', async () => {
  const client = await clientOf(httpAnswer(200, `{"code":0,"data":${'['.repeat(5e5)}${']'.repeat(5e5)}}`));

  expect(await rejection(client.generations.create(generation))).toBeInstanceOf(MalformedAnswerError);
});

test.each([
  [3, { scheduleId: 's1' }],
  [4, expect.any(MalformedAnswerError)],
])('an answer that is packed %i times over', async (times, expected) => {
  let body: Buffer = Buffer.from('{"code":0,"data":{"scheduleId":"s1"}}');
  for (let layer = 0; layer < times; layer += 1) body = gzipSync(body);
  const encoding = `content-encoding: ${Array(times).fill('gzip').join(', ')}`;
  const head = `HTTP/1.1 200 OK\r\n${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`;
  const client = await clientOf(Buffer.concat([Buffer.from(head), body]));

  expect(await client.generations.create(generation).catch((error: unknown) => error)).toEqual(expected);
});

test.each([
  ['an answer of a million empty entries', 1_000_000, '250000 values'],
  ['a page of ten thousand entries and one', 10_001, 'data.list: it has more than 10000 entries'],
])('%s is not read', async (_, count, message) => {
  const client = await clientOf(
    httpAnswer(200, `{"code":0,"data":{"list":[${Array(count).fill('{}').join()}]}}`),
  );
  const error = (await rejection(client.creators.list({ pageSize: 1, pageNumber: 1 }))) as Error;

  expect(error).toBeInstanceOf(MalformedAnswerError);
  expect(error.message).toContain(message);
});

test('publishing records of more than ten thousand entries are not read', async () => {
  const template: OperationTemplate = {
    method: 'GET',
    path: '/x',
    encoding: 'json',
    result: { list: '/data' },
  };
  const server = await wireServer((_, socket) =>
    socket.write(envelopeAnswer(Array(10_001).fill({ postId: '1' }))),
  );
  const { posts } = testClient(server.origin, { templates: { ...noTemplates, listPosts: template } });

  expect(await rejection(collect(posts.list({})))).toBeInstanceOf(MalformedAnswerError);
});

test('more errors than an addition of products can have are no success', async () => {
  const client = await clientOf(envelopeAnswer({ errors: Array(201).fill({}) }));
  const adding = client.showcase.add({ id: 1, addType: 'PRODUCT_ID', productIds: ['1'] });

  expect(await rejection(adding)).toBeInstanceOf(MalformedAnswerError);
});

test('the statuses of a long list of tasks are summed up', () => {
  const tasks = Array.from({ length: 1000 }, (_, index) => ({
    taskId: `${index}`,
    status: `S${index % 20}`,
  }));
  const record = { scheduleId: 's', taskIds: [], outputs: 1, since: 0 };
  const names = { failed: [], cancelled: [], expired: [] };

  expect(readProgress(tasks, record, 'IMAGE_GENERATION', names).statuses).toEqual([
    'S0',
    'S1',
    'S2',
    'S3',
    'S4',
  ]);
});

test('a list of accounts is given up when its pages have 64 MB', async () => {
  let pages = 0;
  const padding = ' '.repeat(4_100_000);
  const client = await clientOf((_, socket) => {
    pages += 1;
    const list = `[{"id":${pages},"creatorId":"c"}]${padding}`;
    socket.write(httpAnswer(200, `{"code":0,"data":{"list":${list},"totalPages":1000}}`));
  });
  const error = await rejection(collect(client.creators.all({})));

  expect((error as Error).message).toBe('listCreatorAccounts: the list has more than 64 MB.');
  // Eight pages are asked for before they are read.
  expect(pages).toBeLessThanOrEqual(17 + 8);
});

test('a showcase is given up when its pages have 64 MB', async () => {
  let pages = 0;
  const padding = ' '.repeat(4_100_000);
  const client = await clientOf((_, socket) => {
    pages += 1;
    socket.write(httpAnswer(200, `{"code":0,"data":{"products":[],"nextPageToken":"${pages}"}${padding}}`));
  });

  expect(await rejection(collect(client.showcase.all({ id: 1 })))).toBeInstanceOf(MalformedAnswerError);
  expect(pages).toBe(17);
});

test('an entry counts as 512 bytes at least', async () => {
  const entries = Array.from({ length: 50_000 }, (_, index) => index);
  const page = { entries, bytes: 100_000, totalPages: 100 };
  const list = numberedPages('listCreatorAccounts', 50_000, {}, async () => page);

  expect(await rejection(collect(list))).toBeInstanceOf(MalformedAnswerError);
});

test('a token of the next page is part of a URL: one of megabytes is of no use', async () => {
  const client = await clientOf(envelopeAnswer({ products: [], nextPageToken: huge }));

  expect(await rejection(collect(client.showcase.all({ id: 1 })))).toBeInstanceOf(MalformedAnswerError);
});

test('a hundred thousand accounts are the most that a check looks at, over all its calls', async () => {
  let id = 0;
  const find = createCreatorLookUp(async function* () {
    for (let count = 0; count < 9000; count += 1) yield { id: ++id, creatorId: `c${id}`, username: 'a' };
  });
  const names = Array.from({ length: 1000 }, (_, index) => `name${index}`);

  expect(await rejection(find(names))).toBeInstanceOf(MalformedAnswerError);
  // The calls beside it end with their next account.
  expect(id).toBeLessThan(100_100);
});

test('a field of the log has 2,000 characters at most', () => {
  const dataDir = temporaryFolder();
  const log = createLog({ logLevel: 'info', dataDir }, 'file');
  log.info({ subject: huge, other: huge, row: 3 }, 'said');
  const line = readFileSync(join(dataDir, 'campaigns.log'), 'utf8');

  expect(JSON.parse(line)).toMatchObject({
    row: 3,
    msg: 'said',
    subject: expect.stringMatching(/x… \(cut\)$/),
  });
  expect(line.length).toBeLessThan(4200);
});
