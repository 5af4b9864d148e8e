/** The whole client against the real sandbox. */
import { expect, onTestFinished, test } from 'vitest';
import { checkSettings } from '../../config/load.ts';
import sandboxSettings from '../../config/sandbox.json' with { type: 'json' };
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import {
  createServiceClient,
  type ServiceClient,
  type ServiceClientOptions,
} from '../../src/service/client.ts';
import { KeyRefusedError, OutcomeUnknownError } from '../../src/service/errors.ts';
import type { SmallerPages } from '../../src/service/transport/paging.ts';
import { rejection } from '../support/client.ts';
import { collect } from '../support/collect.ts';
import { patienceMs } from '../support/events.ts';
import { testSandbox, uploadTo, videoPost } from '../support/sandbox.ts';

function clientOf(sandbox: Sandbox, options: Partial<ServiceClientOptions> = {}): ServiceClient {
  const templates = checkSettings(sandboxSettings).api;
  const { url: baseUrl, apiKey } = sandbox;
  const client = createServiceClient({ baseUrl, apiKey, timeoutMs: patienceMs, templates, ...options });
  onTestFinished(() => client.close());
  return client;
}

test('all creators are listed, although the service caps its pages', async () => {
  await using sandbox = await testSandbox({ maxPageSize: 2 });
  const all = await collect(clientOf(sandbox).creators.all({}));

  expect(all.length).toBe(sandbox.creators().length);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});

test.each([
  [49, 20],
  [20, 20],
  [10, 10],
])(
  'a service that refuses more than %i entries a page is asked for %i, as it says once',
  async (most, size) => {
    await using sandbox = await testSandbox({ maxPageSize: most, refuseLargerPages: true });
    const told: SmallerPages[] = [];
    const client = clientOf(sandbox, { smallerPages: (found) => told.push(found) });
    const all = await collect(client.creators.all({}));
    const calls = sandbox.counts().listCreatorAccounts ?? 0;
    await collect(client.creators.all({}));

    expect(all.length).toBe(sandbox.creators().length);
    expect(told).toEqual([{ operation: 'listCreatorAccounts', refused: 100, accepted: size }]);
    // The sizes that were refused are asked for no more.
    expect(sandbox.counts().listCreatorAccounts).toBe(calls + Math.ceil(all.length / size));
  },
);

test('every list of pages finds the size that the service accepts', async () => {
  await using sandbox = await testSandbox({ maxPageSize: 10, refuseLargerPages: true });
  const told: SmallerPages[] = [];
  const client = clientOf(sandbox, { smallerPages: (found) => told.push(found), pageSize: 30 });
  const products = await collect(client.showcase.all({ id: 1001 }));
  await collect(client.posts.list({}));
  await collect(client.music.search('a'));

  expect(products).toHaveLength(45);
  expect(told).toEqual(
    ['listSocialShowcaseProducts', 'listPosts', 'searchMusic'].map((operation) => ({
      operation,
      refused: 30,
      accepted: 10,
    })),
  );
});

test('products that were added are in the showcase, page by page', async () => {
  await using sandbox = await testSandbox({ maxPageSize: 2 });
  const client = clientOf(sandbox);
  const [creator] = await collect(client.creators.all({ valid: true, authSource: 'SOCIAL_SHOP_CREATOR' }));
  const id = creator?.id ?? 0;
  const before = await collect(client.showcase.all({ id }));
  const added = await client.showcase.add({
    id,
    addType: 'PRODUCT_ID',
    productIds: ['900001', '900002', '900003'],
  });
  const after = await collect(client.showcase.all({ id }));

  expect(added.errors).toBeUndefined();
  expect(after.length).toBe(before.length + 3);
});

test('a post is created, and found in the publishing records', async () => {
  await using sandbox = await testSandbox();
  const client = clientOf(sandbox);
  const [creator] = await collect(client.creators.all({ valid: true, authSource: 'SOCIAL_SHOP_CREATOR' }));
  const fileId = await uploadTo(sandbox, Buffer.from('video'));
  const creatorId = creator?.creatorId ?? '';
  const request = videoPost(fileId, creatorId) as Parameters<typeof client.posts.create>[0];
  const post = await client.posts.create(request);
  const records = await collect(client.posts.list({ creatorId }));

  expect(records).toMatchObject([{ postId: post.postId, creatorId, title: 'A caption' }]);
});

test('a generation is created once, and its tasks are listed', async () => {
  await using sandbox = await testSandbox();
  const client = clientOf(sandbox);
  const schedule = await client.generations.create({
    type: 'IMAGE_GENERATION',
    params: { prompt: 'a cat', model: 'gpt-image-2', aspectRatio: '9:16' },
    nums: 2,
  });
  const tasks = (await client.generations.list(schedule.scheduleId)).list;

  expect(tasks).toHaveLength(2);
  expect(sandbox.counts()).toMatchObject({ createAiGenerationSchedule: 1 });
});

test('music is found', async () => {
  await using sandbox = await testSandbox();
  const [track] = await collect(clientOf(sandbox).music.search('a'));

  expect(track?.id).toBeTruthy();
});

test('a wrong key is reported as a key error', async () => {
  await using sandbox = await testSandbox();

  expect(await rejection(clientOf(sandbox, { apiKey: 'wrong' }).generations.list('s'))).toBeInstanceOf(
    KeyRefusedError,
  );
});

test('a lost answer: one effect, outcome unknown', async () => {
  await using sandbox = await testSandbox();
  sandbox.faults.add({ kind: 'lost-answer', operation: 'createAiGenerationSchedule' });
  const error = await rejection(
    clientOf(sandbox).generations.create({
      type: 'IMAGE_GENERATION',
      params: { prompt: 'a cat', model: 'gpt-image-2', aspectRatio: '9:16' },
      nums: 1,
    }),
  );

  expect(error).toBeInstanceOf(OutcomeUnknownError);
  expect(sandbox.counts()).toMatchObject({ createAiGenerationSchedule: 1 });
});
