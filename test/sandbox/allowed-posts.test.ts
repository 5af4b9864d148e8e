import { describe, expect, it } from 'vitest';
import { callSandbox, uploadTo, videoPost } from '../support/sandbox.ts';
import { creatorIdOf, path, photoPost, setup } from './post-scene.ts';

describe('what the contract allows', () => {
  type Change = (post: ReturnType<typeof videoPost>) => object;
  const shop = (change: object): Change => {
    return (post) => ({ ...post, socialShop: { ...post.socialShop, ...change } });
  };
  const inShowcase = (productId: string) => {
    return shop({ productInfo: { productId, title: 'One', source: 'SHOWCASE' } });
  };

  it.each<[string, string, Change, string[]]>([
    ['a time that is past', 'scheduledAt', (post) => ({ ...post, scheduledAt: 0 }), ['scheduledAt: ']],
    [
      'a product that is not in the showcase',
      'socialShop.productInfo.productId',
      inShowcase('1729'),
      ['socialShop.productInfo.productId: '],
    ],
    ['an empty caption', 'title', (post) => ({ ...post, title: '' }), []],
    ['a field that nobody knows', 'socialShop.colour', shop({ colour: 'red' }), []],
  ])('is refused if strict, else accepted and noted: %s', async (_, field, change, notes) => {
    for (const strict of [true, false]) {
      await using scene = await setup(strict);
      const { sandbox, video, anna } = scene;
      const reply = await callSandbox(sandbox, path, change(videoPost(video, anna)));
      expect(reply).toMatchObject(strict ? { status: 400, data: { field } } : { status: 200, code: 0 });
      const noted = notes.map((note) => expect.stringContaining(note));
      expect(sandbox.effects().posts.map((post) => post.notes)).toEqual(strict ? [] : [noted]);
    }
  });

  it('includes a video by a creator without the permission: the contract asks for it only for photos', async () => {
    for (const strict of [true, false]) {
      await using scene = await setup(strict);
      const { sandbox, video } = scene;
      const reply = await callSandbox(sandbox, path, videoPost(video, creatorIdOf(sandbox, 'demo_frida')));
      expect(reply.status).toBe(strict ? 400 : 200);
    }
  });

  it('does not include a cover of a photo post, a wrong type, or what is required and missing', async () => {
    await using scene = await setup(false);
    const { sandbox, image, anna } = scene;
    const post = photoPost([image], anna);
    const { title, ...untitled } = post;
    for (const [field, body] of [
      ['coverFileId', { ...post, coverFileId: image }],
      ['title', { ...post, title: 1 }],
      ['title', untitled],
    ] as const) {
      expect(await callSandbox(sandbox, path, body)).toMatchObject({ status: 400, data: { field } });
    }
  });

  it('is a SHOWCASE anchor of a product in the showcase, also when strict', async () => {
    await using scene = await setup();
    const { sandbox, video, anna } = scene;
    const reply = await callSandbox(sandbox, path, inShowcase('1729430001')(videoPost(video, anna)));
    expect(reply).toMatchObject({ code: 0 });
    expect(sandbox.effects().posts).toMatchObject([{ notes: [] }]);
  });

  it('is any image, but the thumbnail of a generation is not meant: refused if strict, else noted', async () => {
    for (const strict of [true, false]) {
      await using scene = await setup(strict);
      const { sandbox, anna } = scene;
      const params = { prompt: 'a lamp', model: 'gpt-image-2', aspectRatio: '9:16' };
      const generation = { type: 'IMAGE_GENERATION', params, nums: 1 };
      const { data } = await callSandbox(sandbox, '/v1/ai/schedule/create', generation);
      sandbox.clock.advance(3_600_000);
      const thumbnail = await fetch(`${sandbox.url}/assets/${data.scheduleId}/0.thumbnail.png`);
      const bytes = Buffer.from(await thumbnail.arrayBuffer());
      const fileId = await uploadTo(sandbox, bytes, 'image/png', 'a.png');
      const reply = await callSandbox(sandbox, path, photoPost([fileId], anna));
      expect(reply.status).toBe(strict ? 400 : 200);
      const noted = sandbox.effects().posts.map(({ notes }) => notes);
      expect(noted).toEqual(strict ? [] : [[expect.stringContaining('thumbnail')]]);
    }
  });
});
