/** The settings for the sandbox, used by the real client. */
import { describe, expect, it } from 'vitest';
import { loadSettings } from '../../config/load.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { createServiceClient, type ServiceClient } from '../../src/service/client.ts';
import { contractHash, testSandbox, uploadTo, videoPost } from '../support/sandbox.ts';

const { api } = loadSettings(new URL('../../config/sandbox.json', import.meta.url).pathname);

async function setup() {
  const sandbox = await testSandbox();
  const { timeout: timeoutMs, ...templates } = api;
  const client = createServiceClient({ baseUrl: sandbox.url, apiKey: sandbox.apiKey, timeoutMs, templates });
  const close = async () => {
    await client.close();
    await sandbox.close();
  };
  return { sandbox, client, [Symbol.asyncDispose]: close };
}

async function post(sandbox: Sandbox, client: ServiceClient, title: string) {
  const creatorId = sandbox.creators()[0]?.creatorId ?? '';
  const fileId = await uploadTo(sandbox, Buffer.from('a video'));
  const body = videoPost(fileId, creatorId, title);
  const { productInfo } = body.socialShop;
  await client.posts.create({
    ...body,
    businessType: 'FILE',
    platform: 'SOCIAL_SHOP',
    mediaType: 'VIDEO',
    socialShop: { productInfo: { ...productInfo, source: 'SHOP' } },
  });
  return creatorId;
}

describe('the settings for the sandbox', () => {
  it('confirm an upload and read its URL', async () => {
    await using scene = await setup();
    const { sandbox, client } = scene;
    const bytes = Buffer.from('bytes');
    const file = {
      fileName: 'a.mp4',
      contentType: 'video/mp4',
      size: bytes.length,
      hash: contractHash(bytes),
    };
    const { fileId, uploadUrl, url } = await client.files.presign(file);
    await fetch(uploadUrl ?? '', { method: 'PUT', body: bytes, headers: { 'content-type': 'video/mp4' } });
    expect(await client.files.confirm({ fileId })).toEqual({ url });
    expect(sandbox.effects().files).toMatchObject([{ fileId, state: 'confirmed' }]);
  });

  it('upload a cover and read its URI', async () => {
    await using scene = await setup();
    const fileId = await uploadTo(scene.sandbox, Buffer.from('image'), 'image/png', 'a.png');
    const { coverUri } = await scene.client.covers.upload({ fileId, accountId: 1001 });
    expect(scene.sandbox.effects().covers).toMatchObject([{ uri: coverUri, fileId }]);
  });

  it('search music over all pages', async () => {
    await using scene = await setup();
    const titles = [];
    for await (const track of scene.client.music.search('a')) titles.push(track.title);
    expect(new Set(titles).size).toBe(60);
  });

  it('find the publishing record of a post by creator and caption', async () => {
    await using scene = await setup();
    const { sandbox, client } = scene;
    await post(sandbox, client, 'one');
    const creatorId = await post(sandbox, client, 'two');
    const found = [];
    for await (const record of client.posts.list({ creatorId, title: 'two' })) found.push(record);
    const [, second] = sandbox.effects().posts;
    expect(found).toMatchObject([
      { postId: second?.postId, title: 'two', creatorId, businessId: second?.businessId },
    ]);
  });
});
