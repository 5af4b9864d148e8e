import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectAgreement } from '../support/agreement.ts';
import { serveMedia } from '../support/file-server.ts';
import { openScene, type Scene } from '../support/processes/scene.ts';
import { aiPhotoRow, aiVideoRow, photoRow, videoRow } from '../support/sheets/rows.ts';

/** A row of every kind that ends well, and three that cannot. */
function mixedRows(mediaUrl: string) {
  return [
    videoRow('video', { cover_timestamp_ms: '1500', music_id: 'music_7001', music_title: 'Bright Morning' }),
    videoRow('covered', { cover: 'covered.png', pre_check: 'yes', pre_check_overtime: '900' }),
    photoRow('photos', 3, { creator: 'demo_ben', oauth_region: 'GB' }),
    videoRow('fetched', {
      creator: 'demo_carla',
      media: `${mediaUrl}/fetched.mp4`,
      product_source: 'SHOP',
    }),
    videoRow('linked', { product_link: 'https://shop.example/product/p-linked' }),
    videoRow('scheduled', { scheduled_at: '2036-12-01 10:00', scheduled_tz: 'Asia/Shanghai' }),
    aiVideoRow('ai-video', { creator: 'demo_david', ai_references: 'reference.png' }),
    aiPhotoRow('ai-photos', 3, { creator: 'demo_elena' }),
    videoRow('unavailable', { product_id: 'unavailable-1' }),
    videoRow('expired', { creator: 'demo_ines' }),
    aiVideoRow('failing', { ai_prompt: '[fail] a video that fails' }),
  ] as const;
}

function postOf(scene: Scene, caption: string) {
  return scene.sandbox.effects().posts.find(({ title }) => title === caption)?.request;
}

describe('campaigns run FILE', () => {
  it('carries rows of every kind to their posts, and says of the others why not', async (test) => {
    const scene = await openScene(test);
    const media = await serveMedia(test);
    const file = scene.manifest(mixedRows(media.url));

    const ended = await scene.run(['run', file, '--json']);
    expect(ended.stderr).not.toContain('defect');
    expect(ended.code).toBe(3);
    const document = JSON.parse(ended.stdout) as Record<string, unknown>;
    expect(document).toMatchObject({
      id: 'c1',
      name: 'posts',
      state: 'ended',
      rows: 11,
      counts: { posted: 8, failed: 3, review: 0, waiting: 0, running: 0, cancelled: 0 },
      leftOut: 0,
      results: join(scene.folder, 'posts.results.csv'),
    });
    expect((document.causes as { code: string }[]).map(({ code }) => code).sort()).toEqual([
      '16001001',
      '40101',
      'generation_failed',
    ]);

    const { columns, rows } = scene.results();
    expect(columns.slice(-12)).toEqual([
      ...['campaign', 'status', 'post_id', 'post_status', 'scheduled_at_utc', 'file_ids', 'asset_urls'],
      ...['video_url', 'step', 'error_code', 'error', 'updated_at'],
    ]);
    const notes = rows.filter(({ note }) => note !== '').map(({ key, note }) => [key, note]);
    expect(notes).toEqual([['ai-photos', expect.stringContaining('Label the post in the social app.')]]);
    const outcomes = Object.fromEntries(rows.map((row) => [row.key, [row.status, row.step, row.error_code]]));
    expect(outcomes).toEqual({
      video: ['posted', '', ''],
      covered: ['posted', '', ''],
      photos: ['posted', '', ''],
      fetched: ['posted', '', ''],
      linked: ['posted', '', ''],
      scheduled: ['posted', '', ''],
      'ai-video': ['posted', '', ''],
      'ai-photos': ['posted', '', ''],
      unavailable: ['failed', 'showcase', '16001001'],
      expired: ['failed', 'showcase', '40101'],
      failing: ['failed', 'poll', 'generation_failed'],
    });
    expect(rows.find(({ key }) => key === 'scheduled')?.scheduled_at_utc).toBe('2036-12-01T02:00:00.000Z');
    expect(rows.find(({ key }) => key === 'ai-photos')?.asset_urls?.split('|')).toHaveLength(3);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('sends exactly what the rows say', async (test) => {
    const scene = await openScene(test);
    const media = await serveMedia(test);
    await scene.run(['run', scene.manifest(mixedRows(media.url))]);
    const files = new Map(scene.results().rows.map((row) => [row.key, row.file_ids.split('|')]));
    const creatorId = (name: string) =>
      scene.sandbox.creators().find(({ username }) => username === name)?.creatorId;
    const product = (key: string) => ({ productId: `p-${key}`, title: 'A product', source: 'SHOWCASE' });
    const common = (key: string, creator: string) => ({
      businessId: files.get(key)?.[0],
      businessType: 'FILE',
      creatorId: creatorId(creator),
      title: `Caption ${key}`,
      platform: 'SOCIAL_SHOP',
    });

    expect(postOf(scene, 'Caption video')).toEqual({
      ...common('video', 'demo_anna'),
      mediaType: 'VIDEO',
      socialShop: {
        coverTimestampMs: 1500,
        musicInfo: { id: 'music_7001', title: 'Bright Morning' },
        productInfo: product('video'),
      },
    });
    const [cover] = scene.sandbox.effects().covers;
    expect(postOf(scene, 'Caption covered')).toEqual({
      ...common('covered', 'demo_anna'),
      mediaType: 'VIDEO',
      coverFileId: String(cover?.fileId),
      socialShop: {
        preCheck: true,
        preCheckOvertime: 900,
        coverUri: cover?.uri,
        productInfo: product('covered'),
      },
    });
    expect(postOf(scene, 'Caption photos')).toEqual({
      ...common('photos', 'demo_ben'),
      oauthRegion: 'GB',
      mediaType: 'PHOTO',
      socialShopPhoto: {
        postType: 'MULTI_PHOTO_ONE_ANCHOR',
        businessIds: files.get('photos'),
        productLinks: [product('photos')],
      },
    });
    expect(files.get('photos')).toHaveLength(3);
    expect(postOf(scene, 'Caption scheduled')).toMatchObject({
      scheduledAt: Date.UTC(2036, 11, 1, 2),
      scheduledTz: 'Asia/Shanghai',
    });
    expect(postOf(scene, 'Caption ai-video')).toMatchObject({ socialShop: { isAiGenerated: true } });

    const generation = (prompt: string) =>
      scene.sandbox.effects().generations.find(({ request }) => request.params.prompt === prompt)?.request;
    expect(generation('Video ai-video')).toEqual({
      taskId: expect.stringMatching(/^[a-z0-9]{8}$/),
      type: 'VIDEO_GENERATION',
      nums: 1,
      params: {
        prompt: 'Video ai-video',
        model: 'seedance2.0',
        seconds: 4,
        size: '720x1280',
        inputReference: expect.stringMatching(/^http.*reference\.png$/),
      },
    });
    expect(generation('Pictures ai-photos')).toMatchObject({
      type: 'IMAGE_GENERATION',
      nums: 3,
      params: { model: 'gpt-image-2', aspectRatio: '9:16' },
    });
  });

  it('calls the service as few times as it can, and shows its key to nobody else', async (test) => {
    const scene = await openScene(test);
    const media = await serveMedia(test);
    await scene.run(['run', scene.manifest(mixedRows(media.url))]);
    const counts = scene.sandbox.counts();
    expect(counts).toMatchObject({
      createCreatorPost: 8,
      createAiGenerationSchedule: 3,
      uploadCover: 1,
      // Anna's ids go together, a link is a call of its own; Ben, David, Elena and the expired one have one each.
      addSocialShowcaseProducts: 6,
    });
    expect(counts.putFile).toBe(counts.confirmUpload);
    expect(media.requests).toHaveLength(1);
    expect(media.requests[0]).not.toHaveProperty('x-api-key');
    expect(
      scene.sandbox.calls().filter(({ operation, withKey }) => !withKey && operation !== 'putFile'),
    ).toEqual(scene.sandbox.calls('getAsset'));
    expect(existsSync(join(scene.dataDir, 'campaigns.log'))).toBe(true);
  });
});
