import { describe, expect, it } from 'vitest';
import { fileIdsOf } from '../../../src/ledger/rows/row-progress.ts';
import { type PostRequestInput, postRequest } from '../../../src/processors/steps/post.ts';
import { createCreatorPostRequest } from '../../../src/service/contract/posts.ts';
import { creator, filesAt, images, known, photosOf, videoOf } from '../../support/sheets/row-values.ts';

/** The request, which the contract must allow. */
function requestOf(input: Partial<PostRequestInput>) {
  const request = postRequest({
    row: videoOf(),
    creator,
    fileIds: ['70'],
    cover: undefined,
    unscheduled: false,
    ...input,
  });
  expect(createCreatorPostRequest.safeParse(request).error).toBeUndefined();
  return request;
}

const schedule = { at: Date.UTC(2036, 0, 1), tz: 'Asia/Shanghai' };

describe('the request of a post', () => {
  it('names the video, the product and nothing that the row does not say', () => {
    expect(requestOf({})).toEqual({
      businessId: '70',
      businessType: 'FILE',
      creatorId: '7493',
      title: 'A caption',
      platform: 'SOCIAL_SHOP',
      mediaType: 'VIDEO',
      socialShop: {
        productInfo: { productId: 'p1', title: 'A product', source: 'SHOWCASE' },
      },
    });
  });

  it('lists photos in order, with no cover and exactly one product', () => {
    const request = requestOf({ row: photosOf(3), fileIds: ['70', '71', '72'] });
    expect(request).toMatchObject({
      businessId: '70',
      mediaType: 'PHOTO',
      socialShopPhoto: {
        postType: 'MULTI_PHOTO_ONE_ANCHOR',
        businessIds: ['70', '71', '72'],
        productLinks: [{ productId: 'p1', title: 'A product', source: 'SHOWCASE' }],
      },
    });
    expect(request).not.toHaveProperty('socialShop');
    expect(request).not.toHaveProperty('coverFileId');
  });

  it('takes a frame as the cover', () => {
    const request = requestOf({ row: videoOf({ cover: { kind: 'frame', timestampMs: 1500 } }) });
    expect(request).toMatchObject({ socialShop: { coverTimestampMs: 1500 } });
    expect(request).not.toHaveProperty('coverFileId');
  });

  it.for([
    [
      'uploaded for this row',
      { cover: { fileId: '9', uri: 'u' }, row: videoOf({ cover: { kind: 'file', source: 'c.png' } }) },
    ],
    ['uploaded before', { row: videoOf({ cover: { kind: 'uploaded', fileId: '9', uri: 'u' } }) }],
  ] as const)('takes a cover that was %s by its file and URI, never with a frame', ([, input]) => {
    const request = requestOf(input);
    expect(request).toMatchObject({ coverFileId: '9', socialShop: { coverUri: 'u' } });
    expect(request).not.toHaveProperty('socialShop.coverTimestampMs');
  });

  it('schedules in milliseconds, with the zone where there is one', () => {
    expect(requestOf({ row: videoOf({ schedule }) })).toMatchObject({
      scheduledAt: schedule.at,
      scheduledTz: 'Asia/Shanghai',
    });
    expect(requestOf({ row: videoOf({ schedule: { at: schedule.at } }) })).not.toHaveProperty('scheduledTz');
  });

  it('leaves the schedule out when the row is late and posted now', () => {
    const request = requestOf({ row: videoOf({ schedule }), unscheduled: true });
    expect(request).not.toHaveProperty('scheduledAt');
    expect(request).not.toHaveProperty('scheduledTz');
  });

  it('has the region and the label of the row, if it has any', () => {
    const row = videoOf({ oauthRegion: 'GB', isAiGenerated: false });
    expect(requestOf({ row })).toMatchObject({ oauthRegion: 'GB', socialShop: { isAiGenerated: false } });
  });

  it('carries music with the id as its one must', () => {
    expect(requestOf({ row: videoOf({ music: { id: 'm' } }) })).toMatchObject({
      socialShop: { musicInfo: { id: 'm' } },
    });
    const photos = requestOf({ row: photosOf(1, { music: { id: 'm', title: 'Song' } }) });
    expect(photos).toMatchObject({ socialShopPhoto: { musicInfo: { id: 'm', title: 'Song' } } });
  });
});

describe('the files of a post', () => {
  it('are those of all its media, in order', () => {
    expect(fileIdsOf(photosOf(3), known({ files: filesAt(2, 0, 1) }))).toEqual(['70', '71', '72']);
  });

  it('are not known while one is missing', () => {
    expect(fileIdsOf(photosOf(3), known({ files: filesAt(0, 2) }))).toBeUndefined();
  });

  it('are as many as the generation has outputs', () => {
    const row = photosOf(0, { generation: images });
    expect(fileIdsOf(row, known({ files: filesAt(0, 1) }))).toBeUndefined();
    expect(fileIdsOf(row, known({ files: filesAt(0, 1, 2) }))).toHaveLength(3);
  });
});
