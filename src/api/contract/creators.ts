/** Creator accounts: `listCreatorAccounts`. */
import { z } from 'zod';
import { integerId, listOf, nullable, pageInfo } from './envelope.ts';

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

export const creatorAccount = z.looseObject({
  id: integerId,
  creatorId: z.string().min(1),
  username: nullable(z.string()),
  authSource: nullable(z.string()),
  oauthRegion: nullable(z.string()),
  registerRegion: nullable(z.string()),
  selectionRegion: nullable(z.string()),
  targetMarket: nullable(z.string()),
  valid: nullable(z.boolean()),
  tagNames: nullable(z.array(z.string())),
  permissions: nullable(z.array(z.string())),
});

export const listCreatorAccountsResponse = z.looseObject({ list: listOf(creatorAccount), ...pageInfo });

export type ListCreatorAccounts = z.infer<typeof listCreatorAccountsRequest>;
export type CreatorAccount = z.infer<typeof creatorAccount>;
export type CreatorAccountPage = z.infer<typeof listCreatorAccountsResponse>;
