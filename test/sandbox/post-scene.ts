import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { testSandbox, uploadTo } from '../support/sandbox.ts';

export const path = '/v1/creator/post/create';
export const now = Date.UTC(2026, 5, 1);

export function creatorIdOf(sandbox: Sandbox, username: string): string {
  return sandbox.creators().find((creator) => creator.username === username)?.creatorId ?? '';
}

export async function setup(strict = true) {
  const sandbox = await testSandbox({ strict, clock: { now: () => now } });
  const video = await uploadTo(sandbox, Buffer.from('a video'));
  const image = await uploadTo(sandbox, Buffer.from('an image'), 'image/png', 'a.png');
  const anna = creatorIdOf(sandbox, 'demo_anna');
  return { sandbox, video, image, anna, [Symbol.asyncDispose]: () => sandbox.close() };
}

export function photoPost(fileIds: readonly number[], creatorId: string) {
  return {
    businessId: String(fileIds[0]),
    businessType: 'FILE',
    creatorId,
    title: 'Photos',
    platform: 'SOCIAL_SHOP',
    mediaType: 'PHOTO',
    socialShopPhoto: {
      postType: 'MULTI_PHOTO_ONE_ANCHOR',
      businessIds: fileIds.map(String),
      productLinks: [{ productId: '1', title: 'One', source: 'SHOP' }],
    },
  };
}
