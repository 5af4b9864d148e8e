/** Creator accounts and their showcases: `listCreatorAccounts`, `addSocialShowcaseProducts`, `listSocialShowcaseProducts`. */
import { z } from 'zod';
import {
  answeredId,
  flag,
  incidental,
  incidentalCount,
  integerId,
  listOf,
  listUpTo,
  nullable,
  pageInfo,
} from './envelope.ts';
import { label, message, pageToken, textual } from './texts.ts';
import { answeredUrl, uri } from './uri.ts';

export const authSources = ['SOCIAL_SHOP_CREATOR', 'SOCIAL_LOGIN_KIT'] as const;
export const photoPermission = 'PHOTO_SHOPPABLE_PERMISSION_PRODUCT';
export const videoPermission = 'VIDEO_SHOPPABLE_PERMISSION';

export const listCreatorAccountsRequest = z.strictObject({
  pageSize: z.int().min(1),
  pageNumber: z.int().min(1),
  valid: z.boolean().optional(),
  authSource: z.enum(authSources).optional(),
  usernames: z.array(z.string().min(1)).optional(),
  selectionRegion: z.string().min(1).optional(),
  hasPhotoPermission: z.boolean().optional(),
});

export const creatorAccount = z.object({
  id: answeredId,
  creatorId: textual,
  username: incidental(textual),
  authSource: incidental(label),
  oauthRegion: incidental(label),
  registerRegion: incidental(label),
  selectionRegion: incidental(label),
  targetMarket: incidental(label),
  valid: incidental(flag),
  tagNames: incidental(listOf(label)),
  permissions: incidental(listOf(label)),
});

export const listCreatorAccountsResponse = z.object({ list: listOf(creatorAccount), ...pageInfo });

/** Which page of creator accounts, and which of them (contract, section 4.5). */
export type ListCreatorAccounts = z.infer<typeof listCreatorAccountsRequest>;
export type CreatorAccount = z.infer<typeof creatorAccount>;
export type CreatorAccountPage = z.infer<typeof listCreatorAccountsResponse>;

export const maxProductsPerCall = 20;
/** Envelope code: the creator's authorization has expired; the creator must authorize again. */
export const authorizationExpiredCode = 40101;
/** Code of one entry of `data.errors`: the product is unavailable for this creator. */
export const productUnavailableCode = 16001001;

export const addSocialShowcaseProductsRequest = z.discriminatedUnion('addType', [
  z.strictObject({
    id: integerId,
    addType: z.literal('PRODUCT_ID'),
    productIds: z.array(z.string().min(1)).min(1).max(maxProductsPerCall),
  }),
  z.strictObject({ id: integerId, addType: z.literal('PRODUCT_LINK'), productLink: uri }),
]);

/** Several errors for each of 20 products; more are no help. */
const mostErrors = 200;

/** Each entry says that a product was not added, even one that says nothing else. */
const showcaseError = z
  .object({
    /** A number; beyond 2^53 a text of its digits. Another text is none of the contract, but kept as it is. */
    code: incidental(z.union([answeredId, z.int(), textual])),
    message: incidental(message),
    detail: incidental(z.object({ productId: incidental(textual) })),
  })
  .catch({});

/** An empty object when all were added; `errors` when some failed, with code 0. No object says nothing of the products. */
export const addSocialShowcaseProductsResponse = z.object({
  errors: nullable(listUpTo(mostErrors, showcaseError)),
});

export const listSocialShowcaseProductsRequest = z.strictObject({
  id: integerId,
  origin: z.literal('SHOWCASE'),
  pageSize: z.int().min(1),
  pageToken: z.string().min(1).optional(),
});

export const showcaseProduct = z.object({
  id: textual,
  title: incidental(message),
  price: incidental(z.object({ amount: incidental(textual), currency: incidental(label) })),
  images: incidental(
    listOf(z.object({ url: incidental(answeredUrl), width: incidentalCount, height: incidentalCount })),
  ),
});

export const listSocialShowcaseProductsResponse = z.object({
  products: listOf(showcaseProduct),
  /** An empty text ends the list, like none. */
  nextPageToken: nullable(pageToken),
  totalCount: incidentalCount,
});

/** Products to add to a showcase (contract, section 4.4). */
export type AddSocialShowcaseProducts = z.infer<typeof addSocialShowcaseProductsRequest>;
/** A product that was not added, and why (contract, section 4.4). `code` is a number; beyond 2^53 a text of its digits. */
export type ShowcaseError = z.infer<typeof showcaseError>;
/** Which page of a showcase (contract, section 4.7). */
export type ListSocialShowcaseProducts = z.infer<typeof listSocialShowcaseProductsRequest>;
/** A product in a showcase (contract, section 4.7). */
export type ShowcaseProduct = z.infer<typeof showcaseProduct>;
export type ShowcaseProductPage = z.infer<typeof listSocialShowcaseProductsResponse>;
