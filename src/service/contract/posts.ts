/**
 * Publishing tasks: `createCreatorPost`; how long their texts may be, and how many photos they have (contract, section 4.1). Public metrics
 * of published videos: `fetchPublicVideoData`.
 */
import { z } from 'zod';
import { answeredId, asInteger, incidental, incidentalCount, integerId } from './envelope.ts';
import { caption, label, textual } from './texts.ts';
import { isTimeZone } from './time-zone.ts';
import { answeredUrl, httpUri } from './uri.ts';

export const maxCaptionLength = 4000;
export const maxAnchorTitleLength = 30;
export const maxPhotos = 15;
export const preCheckOvertimeRange = { min: 600, max: 3600 } as const;

const surrogatePairs = /[\ud800-\udbff][\udc00-\udfff]/g;

/** The length of a text in characters: code points, as JSON Schema counts. An emoji may be several. */
export function charactersOf(text: string): number {
  // Most texts have no pair: a match costs less than an iterator.
  return text.length - (text.match(surrogatePairs)?.length ?? 0);
}

/** A text of 1 to so many characters. */
function textUpTo(most: number) {
  return z
    .string()
    .min(1)
    .refine(
      (text) => text.length <= most || charactersOf(text) <= most,
      `must have at most ${most} characters`,
    )
    .meta({ maxLength: most });
}

export const productSources = ['SHOP', 'SHOWCASE'] as const;
export const mediaTypes = ['VIDEO', 'PHOTO'] as const;
export type MediaType = (typeof mediaTypes)[number];

const productAnchor = z.strictObject({
  productId: z.string().min(1),
  title: textUpTo(maxAnchorTitleLength),
  source: z.enum(productSources),
});

const musicInfo = z.strictObject({
  id: z.string().min(1),
  title: z.string().optional(),
  author: z.string().optional(),
  duration: z.string().optional(),
});

const socialShop = z
  .strictObject({
    preCheck: z.boolean().optional(),
    preCheckOvertime: z.int().min(preCheckOvertimeRange.min).max(preCheckOvertimeRange.max).optional(),
    isAiGenerated: z.boolean().optional(),
    coverUri: z.string().min(1).optional(),
    coverTimestampMs: z.int().nonnegative().optional(),
    musicInfo: musicInfo.optional(),
    productInfo: productAnchor,
  })
  .refine((shop) => shop.coverUri === undefined || shop.coverTimestampMs === undefined, {
    path: ['coverTimestampMs'],
    error: 'must be omitted when coverUri is given',
  });

const socialShopPhoto = z.strictObject({
  postType: z.literal('MULTI_PHOTO_ONE_ANCHOR'),
  businessIds: z.array(z.string().min(1)).min(1).max(maxPhotos),
  productLinks: z.array(productAnchor).length(1),
  musicInfo: musicInfo.optional(),
});

const postFields = {
  businessId: z.string().min(1),
  businessType: z.literal('FILE'),
  creatorId: z.string().min(1),
  title: textUpTo(maxCaptionLength),
  platform: z.literal('SOCIAL_SHOP'),
  scheduledAt: z.int().optional(),
  scheduledTz: z.string().refine(isTimeZone, 'must be the name of an IANA time zone').optional(),
  oauthRegion: z.string().min(1).optional(),
};

const videoPost = z
  .strictObject({
    ...postFields,
    mediaType: z.literal('VIDEO').default('VIDEO'),
    coverFileId: z.union([integerId, z.string().min(1)]).optional(),
    socialShop,
  })
  .refine((post) => (post.coverFileId === undefined) === (post.socialShop.coverUri === undefined), {
    path: ['coverFileId'],
    error: 'must be given together with socialShop.coverUri',
  });

const photoPost = z
  .strictObject({
    ...postFields,
    mediaType: z.literal('PHOTO').default('PHOTO'),
    coverFileId: z.undefined('must be omitted from photo posts').optional(),
    socialShopPhoto,
  })
  .refine((post) => post.businessId === post.socialShopPhoto.businessIds[0], {
    path: ['businessId'],
    error: 'must equal socialShopPhoto.businessIds[0]',
  });

/** A missing `mediaType` is inferred from the options, as the service does. */
export const createCreatorPostRequest = z.preprocess(
  (body: z.input<typeof videoPost> | z.input<typeof photoPost>) => {
    if (typeof body !== 'object' || body === null) return body;
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    return { mediaType: 'socialShopPhoto' in given ? 'PHOTO' : 'VIDEO', ...given };
  },
  z.discriminatedUnion('mediaType', [videoPost, photoPost]),
);

export const createCreatorPostResponse = z.object({
  id: incidental(answeredId),
  postId: textual,
  platform: incidental(label),
  title: incidental(caption),
  videoUrl: incidental(answeredUrl),
  status: incidental(textual),
});

/** A post to create (contract, section 4.1). */
export type CreateCreatorPost = z.input<typeof createCreatorPostRequest>;
/** The same after the check: its media type is known. */
export type CheckedCreatorPost = z.output<typeof createCreatorPostRequest>;
export type CreatorPost = z.infer<typeof createCreatorPostResponse>;

export const fetchPublicVideoDataRequest = z.strictObject({ videoUrl: httpUri });

/** A counter has no bound: beyond 2^53 it is a `bigint`. */
const counter = incidental(
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,100}$/.test(value) ? asInteger(value) : value),
    z.union([z.int().nonnegative(), z.bigint().nonnegative()]),
  ),
);

export const fetchPublicVideoDataResponse = z.object({
  videoId: incidental(textual),
  uniqueId: incidental(textual),
  playCount: counter,
  diggCount: counter,
  commentCount: counter,
  shareCount: counter,
  collectCount: counter,
  coverUrl: incidental(answeredUrl),
  videoDesc: incidental(caption),
  /** Unix epoch; seconds in the contract's example. */
  releaseAt: incidentalCount,
});

/** Public metrics of a video (contract, section 4.8). */
export type PublicVideoData = z.infer<typeof fetchPublicVideoDataResponse>;
