/** Whether a creator may be acted for (contract, sections 4.4 and 5). */
import { authorizationExpiredCode } from '../../api/contract/showcase.ts';
import { type Answer, badField, businessError } from '../answer.ts';
import type { CreatorProfile } from '../store/creators.ts';

/** "Authorization expired, please authorize again." */
const expiredMessage = '授权已过期，请重新授权';
/** Business code of ours, as the contract shows none: the authorization lacks a scope. */
const missingScopeCode = 40301;

/** The answer that refuses a creator whose authorization has expired or lacks a scope; undefined when all is well. */
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

/** @throws {Refusal} 400 naming the field, for an account that cannot publish to the shop. */
export function requireShopCreator(
  creator: CreatorProfile | undefined,
  field: string,
): asserts creator is CreatorProfile {
  if (!creator) throw badField(field, 'there is no such creator');
  if (creator.authSource !== 'SOCIAL_SHOP_CREATOR') {
    throw badField(
      field,
      `the creator's authSource is ${creator.authSource}: it must be SOCIAL_SHOP_CREATOR`,
    );
  }
}
