/** Adds products to a creator's showcase (contract, section 4.4). */
import type { z } from 'zod';
import {
  type addSocialShowcaseProductsRequest,
  productUnavailableCode,
} from '../../api/contract/showcase.ts';
import { badField, success } from '../http/answer.ts';
import { showcaseScope, videoScope } from '../store/creators.ts';
import { refuseCreator, requireShopCreator } from './creator-authorization.ts';
import { type CallFacts, faultOf, route } from './route.ts';

/** Products with this prefix are unavailable to everybody; all others exist. */
export const unavailablePrefix = 'unavailable-';

export const addSocialShowcaseProducts = route('addSocialShowcaseProducts', (request, call, { store }) => {
  const id = Number(request.id);
  const creator = store.creators.byId(id);
  requireShopCreator(creator, 'id');
  const refusal = refuseCreator(creator, [showcaseScope, videoScope], call.at);
  if (refusal) return refusal;

  const asked = productsOf(request);
  const refused = asked.filter((productId) => isUnavailable(productId, call));
  const added = asked.filter((productId) => !refused.includes(productId));
  store.showcases.record({ call: call.number, at: call.at, id, added, refused });
  if (refused.length === 0) return success({}, call.at);
  const code = faultOf(call, 'product-errors')?.code ?? productUnavailableCode;
  const message = 'the product is unavailable for this creator';
  return success({ errors: refused.map((productId) => ({ code, message, detail: { productId } })) }, call.at);
});

function isUnavailable(productId: string, call: CallFacts): boolean {
  if (productId.startsWith(unavailablePrefix)) return true;
  const fault = faultOf(call, 'product-errors');
  return fault !== undefined && (fault.productIds === undefined || fault.productIds.includes(productId));
}

/** The product of a link is the last part of its path, else its host. @throws {Refusal} 400 for a URI that leads nowhere. */
function productsOf(request: z.output<typeof addSocialShowcaseProductsRequest>): string[] {
  if (request.addType === 'PRODUCT_ID') return [...new Set(request.productIds)];
  const { pathname = '', host = '' } = URL.parse(request.productLink) ?? {};
  const product = pathname.split('/').findLast((part) => part !== '') ?? host;
  if (product === '') throw badField('productLink', 'must be the URL of a product');
  return [decoded(product)];
}

/** Escapes may stand for any bytes; those that are not UTF-8 stay as they are. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
