import { beforeEach, describe, expect, it } from 'vitest';
import { callSandbox, uploadTo, videoPost } from '../support/sandbox.ts';
import { creatorIdOf, now, path, photoPost, setup } from './post-scene.ts';

describe('createCreatorPost', () => {
  it('accepts a video post and answers what the contract says', async () => {
    await using scene = await setup();
    const { sandbox, video, anna } = scene;
    const reply = await callSandbox(sandbox, path, { ...videoPost(video, anna), scheduledAt: now + 1000 });
    const [post] = sandbox.effects().posts;
    expect(reply).toMatchObject({ status: 200, code: 0 });
    expect(reply.data).toEqual({
      id: post?.id,
      postId: post?.postId,
      platform: 'SOCIAL_SHOP',
      title: 'A caption',
      videoUrl: `${sandbox.url}/files/${video}/clip.mp4`,
      status: 'SCHEDULED',
    });
  });

  it('makes a second post for the same call: repetitions are not detected', async () => {
    await using scene = await setup();
    const { sandbox, video, anna } = scene;
    const first = await callSandbox(sandbox, path, videoPost(video, anna));
    const second = await callSandbox(sandbox, path, videoPost(video, anna));
    expect(first.data.postId).not.toBe(second.data.postId);
    expect(sandbox.effects().posts).toHaveLength(2);
  });

  it('takes up to 15 images and one product as a photo post', async () => {
    await using scene = await setup();
    const { sandbox, image, anna } = scene;
    const images = Array.from({ length: 15 }, () => image);
    expect(await callSandbox(sandbox, path, photoPost(images, anna))).toMatchObject({ code: 0 });
    const tooMany = await callSandbox(sandbox, path, photoPost([...images, image], anna));
    expect(tooMany).toMatchObject({ status: 400, data: { field: 'socialShopPhoto.businessIds' } });
  });

  it('infers the media type where it is left out', async () => {
    await using scene = await setup();
    const { sandbox, video, image, anna } = scene;
    const { mediaType: _video, ...ofVideo } = videoPost(video, anna);
    const { mediaType: _photo, ...ofPhoto } = photoPost([image], anna);
    await callSandbox(sandbox, path, ofVideo);
    await callSandbox(sandbox, path, ofPhoto);
    expect(sandbox.effects().posts.map((post) => post.request.mediaType)).toEqual(['VIDEO', 'PHOTO']);
  });

  it('answers 40101 for a creator whose authorization has expired, though it looks valid', async () => {
    await using scene = await setup();
    const { sandbox, video } = scene;
    const reply = await callSandbox(sandbox, path, videoPost(video, creatorIdOf(sandbox, 'demo_ines')));
    expect(reply).toMatchObject({
      status: 200,
      code: 40101,
      data: {},
      message: expect.stringContaining('授权'),
    });
    expect(sandbox.effects().posts).toEqual([]);
  });

  it('takes an uploaded custom cover, and only with its file', async () => {
    await using scene = await setup();
    const { sandbox, video, image, anna } = scene;
    const cover = await callSandbox(sandbox, '/v1/creator/socialshop/uploadPhoto', { fileId: image });
    const post = videoPost(video, anna);
    const socialShop = { ...post.socialShop, coverUri: cover.data.uri };
    expect(await callSandbox(sandbox, path, { ...post, coverFileId: image, socialShop })).toMatchObject({
      code: 0,
    });
    const other = await uploadTo(sandbox, Buffer.from('another'), 'image/png', 'b.png');
    expect(await callSandbox(sandbox, path, { ...post, coverFileId: other, socialShop })).toMatchObject({
      status: 400,
      data: { field: 'socialShop.coverUri' },
    });
  });
});

describe('a post is refused with 400 and the name of the field', () => {
  let scene: Awaited<ReturnType<typeof setup>>;
  beforeEach(async () => {
    scene = await setup();
    return () => scene.sandbox.close();
  });
  type Post = ReturnType<typeof videoPost>;
  const shop = (post: Post, change: object) => ({ ...post, socialShop: { ...post.socialShop, ...change } });
  const product = (post: Post, change: object) =>
    shop(post, { productInfo: { ...post.socialShop.productInfo, ...change } });

  it.each<[string, string, (post: Post) => object]>([
    ['a caption of 4,001 characters', 'title', (post) => ({ ...post, title: 'x'.repeat(4001) })],
    ['no caption', 'title', ({ title: _, ...post }) => post],
    ['a creator that nobody knows', 'creatorId', (post) => ({ ...post, creatorId: '1001' })],
    ['a file that nobody knows', 'businessId', (post) => ({ ...post, businessId: '77' })],
    ['a file id as a number', 'businessId', (post) => ({ ...post, businessId: Number(post.businessId) })],
    ['another platform', 'platform', (post) => ({ ...post, platform: 'ELSEWHERE' })],
    ['a time that is past', 'scheduledAt', (post) => ({ ...post, scheduledAt: now - 61_000 })],
    ['a time in seconds', 'scheduledAt', (post) => ({ ...post, scheduledAt: Math.floor(now / 1000) + 9000 })],
    ['a zone that does not exist', 'scheduledTz', (post) => ({ ...post, scheduledTz: 'Moon/Base' })],
    [
      'an anchor title of 31',
      'socialShop.productInfo.title',
      (post) => product(post, { title: 'x'.repeat(31) }),
    ],
    ['an unknown source', 'socialShop.productInfo.source', (post) => product(post, { source: 'SHELF' })],
    [
      '599 seconds of pre-check',
      'socialShop.preCheckOvertime',
      (post) => shop(post, { preCheckOvertime: 599 }),
    ],
    [
      '3601 seconds of pre-check',
      'socialShop.preCheckOvertime',
      (post) => shop(post, { preCheckOvertime: 3601 }),
    ],
    ['music without an id', 'socialShop.musicInfo.id', (post) => shop(post, { musicInfo: { title: 'x' } })],
    [
      'both ways of a cover',
      'socialShop.coverTimestampMs',
      (post) => ({
        ...shop(post, { coverUri: 'cover/x', coverTimestampMs: 1 }),
        coverFileId: 1,
      }),
    ],
    ['a cover URI without its file', 'coverFileId', (post) => shop(post, { coverUri: 'cover/x' })],
    ['a field that does not exist', 'colour', (post) => ({ ...post, colour: 'red' })],
    ['no options', 'socialShop', ({ socialShop: _, ...post }) => post],
  ])('%s', async (_, field, change) => {
    const { sandbox, video, anna } = scene;
    const reply = await callSandbox(sandbox, path, change(videoPost(video, anna)));
    expect(reply).toMatchObject({ status: 400, data: { field } });
    expect(reply.message).toContain(field);
    expect(sandbox.effects().posts).toEqual([]);
  });

  it('an image in a video post', async () => {
    const { sandbox, image, anna } = scene;
    const reply = await callSandbox(sandbox, path, videoPost(image, anna));
    expect(reply).toMatchObject({ status: 400, data: { field: 'businessId' } });
  });

  it('a file that was never confirmed', async () => {
    const { sandbox, anna } = scene;
    const hash = 'ab'.repeat(32);
    const file = { fileName: 'x.mp4', contentType: 'video/mp4', size: 3, hash };
    const { data } = await callSandbox(sandbox, '/v1/file/presign', file);
    const reply = await callSandbox(sandbox, path, videoPost(Number(data.fileId), anna));
    expect(reply).toMatchObject({ status: 400, data: { field: 'businessId' } });
  });

  it('a photo post by a creator without the permission', async () => {
    const { sandbox, image } = scene;
    const reply = await callSandbox(sandbox, path, photoPost([image], creatorIdOf(sandbox, 'demo_tom')));
    expect(reply).toMatchObject({ status: 400, data: { field: 'creatorId' } });
  });

  it('a creator that logs in by another kit', async () => {
    const { sandbox, video } = scene;
    const reply = await callSandbox(sandbox, path, videoPost(video, creatorIdOf(sandbox, 'demo_jack')));
    expect(reply).toMatchObject({ status: 400, data: { field: 'creatorId' } });
  });

  it('a photo post whose first image is another', async () => {
    const { sandbox, image, video, anna } = scene;
    const reply = await callSandbox(sandbox, path, {
      ...photoPost([image], anna),
      businessId: String(video),
    });
    expect(reply).toMatchObject({ status: 400, data: { field: 'businessId' } });
  });
});

describe('listPosts', () => {
  it('shows how a post goes on from scheduled to published', async () => {
    await using scene = await setup();
    const { sandbox, video, anna } = scene;
    await callSandbox(sandbox, path, { ...videoPost(video, anna), scheduledAt: now + 60_000 });
    const statuses = [];
    for (const wait of [0, 60_000, 60_000]) {
      sandbox.clock.advance(wait);
      const { data } = await callSandbox(sandbox, '/v1/creator/post/pageList?pageSize=10&pageNumber=1');
      statuses.push(...(data.list as { status: string }[]).map((post) => post.status));
    }
    expect(statuses).toEqual(['SCHEDULED', 'PUBLISHING', 'PUBLISHED']);
  });

  it('pages newest first, within its cap, and filters by creator, caption and status', async () => {
    await using scene = await setup();
    const { sandbox, video, anna } = scene;
    const ben = creatorIdOf(sandbox, 'demo_ben');
    for (const title of ['one', 'two', 'three'])
      await callSandbox(sandbox, path, videoPost(video, anna, title));
    await callSandbox(sandbox, path, videoPost(video, ben, 'two'));
    const titles = async (query: string) => {
      const { data } = await callSandbox(sandbox, `/v1/creator/post/pageList?${query}`);
      return {
        titles: (data.list as { title: string }[]).map((post) => post.title),
        totalPages: data.totalPages,
      };
    };
    expect(await titles('pageSize=2&pageNumber=2')).toEqual({ titles: ['two', 'one'], totalPages: 2 });
    expect(await titles(`pageSize=9&pageNumber=1&creatorId=${ben}`)).toMatchObject({ titles: ['two'] });
    expect(await titles(`pageSize=9&pageNumber=1&creatorId=${anna}&title=two`)).toMatchObject({
      titles: ['two'],
    });
    expect(await titles('pageSize=9&pageNumber=1&status=FAILED')).toMatchObject({ titles: [] });
  });
});
