/** The creator's showcase: `addSocialShowcaseProducts` and `listSocialShowcaseProducts`. */
import { z } from 'zod';
import { httpUrl, integerId, listOf, nullable } from './envelope.ts';

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
  z.strictObject({ id: integerId, addType: z.literal('PRODUCT_LINK'), productLink: httpUrl }),
]);

export const showcaseError = z.looseObject({
  code: nullable(z.int()),
  message: nullable(z.string()),
  detail: nullable(z.looseObject({ productId: nullable(z.string()) })),
});

/** An empty object when all were added; `errors` when some failed, although the envelope's code is 0. */
export const addSocialShowcaseProductsResponse = z.preprocess(
  (value) => value ?? {},
  z.looseObject({ errors: nullable(z.array(showcaseError)) }),
);

export const listSocialShowcaseProductsRequest = z.strictObject({
  id: integerId,
  origin: z.literal('SHOWCASE'),
  pageSize: z.int().min(1),
  pageToken: z.string().min(1).optional(),
});

export const showcaseProduct = z.looseObject({
  id: z.string().min(1),
  title: nullable(z.string()),
  price: nullable(z.looseObject({ amount: nullable(z.string()), currency: nullable(z.string()) })),
  images: nullable(
    z.array(
      z.looseObject({ url: nullable(z.string()), width: nullable(z.int()), height: nullable(z.int()) }),
    ),
  ),
});

export const listSocialShowcaseProductsResponse = z.looseObject({
  products: listOf(showcaseProduct),
  nextPageToken: nullable(z.string()),
  totalCount: nullable(z.int()),
});

export type AddSocialShowcaseProducts = z.infer<typeof addSocialShowcaseProductsRequest>;
export type ShowcaseError = z.infer<typeof showcaseError>;
export type ListSocialShowcaseProducts = z.infer<typeof listSocialShowcaseProductsRequest>;
export type ShowcaseProduct = z.infer<typeof showcaseProduct>;
export type ShowcaseProductPage = z.infer<typeof listSocialShowcaseProductsResponse>;
