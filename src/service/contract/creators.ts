/** Creator accounts: `listCreatorAccounts`. */
import { z } from 'zod';
import { answeredId, flag, incidental, listOf, pageInfo } from './envelope.ts';
import { label, textual } from './texts.ts';

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
