import type { CreatorAccount } from '../../../src/service/contract/creators.ts';

/** An account that can publish. */
export function account(changes: Partial<CreatorAccount> = {}): CreatorAccount {
  return {
    id: 1,
    creatorId: 'c-1',
    username: 'mia',
    authSource: 'SOCIAL_SHOP_CREATOR',
    oauthRegion: 'US',
    registerRegion: undefined,
    selectionRegion: undefined,
    targetMarket: undefined,
    valid: true,
    tagNames: undefined,
    permissions: ['PHOTO_SHOPPABLE_PERMISSION_PRODUCT'],
    ...changes,
  };
}
