/** Checks the authorization of a creator (contract, sections 4.4 and 5). */
import { authorizationExpiredCode } from '../../api/contract/showcase.ts';
import { type Answer, badField, businessError } from '../http/answer.ts';
import type { CreatorProfile } from '../store/creators.ts';

/** "Authorization expired, please authorize again." */
const expiredMessage = '授权已过期，请重新授权';
/** The authorization lacks a scope. The contract names no code for this; it is ours. */
const missingScopeCode = 40301;

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
  if (creator.authSource !== 'SOCIAL_SHOP_CREATOR') {
    throw badField(
      field,
      `the creator's authSource is ${creator.authSource}: it must be SOCIAL_SHOP_CREATOR`,
    );
  }
}
