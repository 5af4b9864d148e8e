/** Creators as `campaigns creators` shows them. */
import {
  authSources,
  type CreatorAccount,
  photoPermission,
  videoPermission,
} from '../../api/contract/creators.ts';
import { CommandError } from '../exit.ts';
import type { LookUpColumn } from './look-up.ts';

type AuthSource = (typeof authSources)[number];

/** @throws {CommandError} for one that there is not. */
export function readAuthSource(text: string | undefined): AuthSource | undefined {
  if (text === undefined) return undefined;
  const found = authSources.find((source) => source === text.toUpperCase());
  if (found !== undefined) return found;
  throw new CommandError(`--auth-source ${text}: there is no such source`, {
    cure: `Give ${authSources.join(' or ')}.`,
  });
}

export const creatorColumns: readonly LookUpColumn<CreatorAccount>[] = [
  ['creator', ({ username }) => username],
  ['creator_id', ({ creatorId }) => creatorId],
  ['account_id', ({ id }) => String(id)],
  ['oauth_region', ({ oauthRegion }) => oauthRegion],
  ['shop_region', ({ selectionRegion }) => selectionRegion],
  ['may_post', describePermissions],
  ['authorization', describeAuthorization],
  ['tags', ({ tagNames }) => tagNames?.join('|')],
];

function describePermissions({ permissions = [] }: CreatorAccount): string {
  const kinds = [
    ...(permissions.includes(videoPermission) ? ['videos'] : []),
    ...(permissions.includes(photoPermission) ? ['photos'] : []),
  ];
  return kinds.join('|');
}

function describeAuthorization({ valid, authSource }: CreatorAccount): string {
  if (valid === false) return 'expired';
  return authSource === undefined || authSource === 'SOCIAL_SHOP_CREATOR'
    ? 'valid'
    : `valid, by ${authSource}: cannot publish`;
}
