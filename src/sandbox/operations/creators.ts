/** Lists creator accounts (contract, section 4.5), checks their authorization (section 5), and keeps their showcases (sections 4.4 and 4.7). */
import {
  authorizationExpiredCode,
  photoPermission,
  productUnavailableCode,
} from '../../service/contract/creators.ts';
import { type CreatorProfile, showcaseScope, videoScope } from '../creators.ts';
import { faultOf } from '../faults/schema.ts';
import { type Answer, badField, businessError, success } from '../http.ts';
import { type CallFacts, type Handlers, pageLimit, pageOf } from './operation.ts';

/** "Authorization expired, please authorize again." */
const expiredMessage = '授权已过期，请重新授权';
/** The authorization lacks a scope. The contract names no code for this; it is ours. */
const missingScopeCode = 40301;
/** Products with this prefix are unavailable to everybody; all others exist. */
const unavailablePrefix = 'unavailable-';

type Operations = 'listCreatorAccounts' | 'addSocialShowcaseProducts' | 'listSocialShowcaseProducts';

export const creatorHandlers: Pick<Handlers, Operations> = {
  listCreatorAccounts(request, _call, parts) {
    const { valid, authSource, selectionRegion, usernames, hasPhotoPermission } = request;
    const found = [...parts.store.creators.values()].filter((creator) => {
      return (
        // `valid` is documented as "only valid authorizations", so false filters nothing.
        (!valid || creator.valid) &&
        (authSource === undefined || creator.authSource === authSource) &&
        (selectionRegion === undefined || creator.selectionRegion === selectionRegion) &&
        (!hasPhotoPermission || creator.permissions.includes(photoPermission)) &&
        (usernames === undefined || usernames.includes(creator.username))
      );
    });
    const sorted = found.sort((one, other) => one.id - other.id);
    // Expiry and scopes are hidden: the contract shows neither, so a caller learns of them when a call fails.
    const { list, ...info } = pageOf(sorted, request, parts);
    return success({ list: list.map(({ expired, scopes, ...account }) => account), ...info });
  },

  addSocialShowcaseProducts(request, call, { store }) {
    const id = Number(request.id);
    const creator = store.creators.get(id);
    requireShopCreator(creator, 'id');
    const refusal = refuseCreator(creator, [showcaseScope, videoScope], call.at);
    if (refusal) return refusal;

    const asked =
      request.addType === 'PRODUCT_ID'
        ? [...new Set(request.productIds)]
        : [productOfLink(request.productLink)];
    const refused = asked.filter((productId) => isUnavailable(productId, call));
    const added = asked.filter((productId) => !refused.includes(productId));
    store.addProducts({ call: call.number, at: call.at, id, added, refused });
    if (refused.length === 0) return success({}, call.at);
    const code = faultOf(call, 'product-errors')?.code ?? productUnavailableCode;
    const message = 'the product is unavailable for this creator';
    const errors = refused.map((productId) => ({ code, message, detail: { productId } }));
    return success({ errors }, call.at);
  },

  listSocialShowcaseProducts(request, _call, parts) {
    const { store, url } = parts;
    const id = Number(request.id);
    const creator = store.creators.get(id);
    requireShopCreator(creator, 'id');
    const refusal = refuseCreator(creator, []);
    if (refusal) return refusal;
    const limit = pageLimit(request.pageSize, parts);
    const from = request.pageToken === undefined ? 0 : readToken(request.pageToken, id);
    const products = [...store.showcase(id)];
    const end = from + limit;
    return success({
      products: products.slice(from, end).map((productId) => describe(productId, url)),
      nextPageToken: end < products.length ? Buffer.from(`${id}:${end}`).toString('base64url') : '',
      totalCount: products.length,
    });
  },
};

/** The refusal for a creator whose authorization has expired or lacks a scope; undefined when it is valid. */
export function refuseCreator(
  creator: CreatorProfile,
  scopes: readonly string[],
  timestamp?: number,
): Answer | undefined {
  if (creator.expired || !creator.valid) {
    return businessError(authorizationExpiredCode, expiredMessage, timestamp);
  }
  const missing = scopes.find((scope) => !creator.scopes.includes(scope));
  if (missing === undefined) return undefined;
  return businessError(missingScopeCode, `the creator's authorization lacks the scope ${missing}`, timestamp);
}

/** @throws {Refusal} 400 with the field, for an account that cannot publish to the shop. */
export function requireShopCreator(
  creator: CreatorProfile | undefined,
  field: string,
): asserts creator is CreatorProfile {
  if (!creator) throw badField(field, 'there is no such creator');
  const { authSource } = creator;
  if (authSource !== 'SOCIAL_SHOP_CREATOR') {
    throw badField(field, `the creator's authSource is ${authSource}: it must be SOCIAL_SHOP_CREATOR`);
  }
}

function isUnavailable(productId: string, call: CallFacts): boolean {
  if (productId.startsWith(unavailablePrefix)) return true;
  const fault = faultOf(call, 'product-errors');
  return fault !== undefined && (fault.productIds === undefined || fault.productIds.includes(productId));
}

/** The product of a link is the last part of its path, else its host. @throws {Refusal} 400 for a URI that leads nowhere. */
function productOfLink(link: string): string {
  const { pathname = '', host = '' } = URL.parse(link) ?? {};
  const product = pathname.split('/').findLast((part) => part !== '') ?? host;
  if (product === '') throw badField('productLink', 'must be the URL of a product');
  try {
    return decodeURIComponent(product);
  } catch {
    // Escapes may stand for any bytes; those that are not UTF-8 stay as they are.
    return product;
  }
}

function describe(productId: string, url: string) {
  const name = encodeURIComponent(productId.toWellFormed());
  const cents = 500 + [...productId].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9500, 7);
  return {
    id: productId,
    title: `Sample product ${productId}`,
    price: { amount: (cents / 100).toFixed(2), currency: 'USD' },
    images: [{ url: `${url}/assets/product/${name}.png`, width: 320, height: 320 }],
  };
}

function readToken(token: string, id: number): number {
  const match = /^(\d+):(\d+)$/.exec(Buffer.from(token, 'base64url').toString());
  if (!match || Number(match[1]) !== id) throw badField('pageToken', 'is not a token of this list');
  return Number(match[2]);
}
