/** `campaigns creators`: lists authorized creators and what they may post (contract, section 4.5). */
import { type Command, InvalidArgumentError } from 'commander';
import {
  authSources,
  type CreatorAccount,
  photoPermission,
  videoPermission,
} from '../../api/contract/creators.ts';
import { listCreators } from '../../campaigns/look-up.ts';
import { accountOption, csvOption } from '../flags/common.ts';
import { type LookUpColumn, type LookUpFlags, printEntries } from '../print/look-up.ts';
import { openSession } from '../session.ts';

type AuthSource = (typeof authSources)[number];

interface CreatorFlags extends LookUpFlags {
  readonly valid?: boolean;
  readonly photo?: boolean;
  readonly username?: string[];
  readonly region?: string;
  readonly authSource?: AuthSource;
}

export function define(command: Command): Command {
  return command
    .option('--valid', 'list only creators with a valid authorization')
    .option('--photo', 'list only creators who may post photos')
    .option('--username <name...>', 'list only these creators')
    .option('--region <region>', 'list only creators of this target shop region')
    .option('--auth-source <source>', `list only this source: ${authSources.join(' or ')}`, authSource)
    .addOption(accountOption())
    .addOption(csvOption())
    .addHelpText('after', '\nExample:\n  campaigns creators --valid --photo --csv > creators.csv')
    .action(creators);
}

async function creators(flags: CreatorFlags): Promise<void> {
  const { valid, photo: hasPhotoPermission, username, region: selectionRegion, authSource } = flags;
  const usernames = username?.map((name) => name.replace(/^@/, ''));
  await using session = await openSession(flags, { writes: true });
  const query = { valid, hasPhotoPermission, usernames, selectionRegion, authSource };
  const found = await listCreators(session.runtime, query, flags);
  session.output.document('creators', { creators: found });
  printEntries(session.output, 'creator', found, columns, flags);
}

function authSource(text: string): AuthSource {
  const found = authSources.find((source) => source === text.toUpperCase());
  if (found === undefined) throw new InvalidArgumentError(`It must be ${authSources.join(' or ')}.`);
  return found;
}

const columns: readonly LookUpColumn<CreatorAccount>[] = [
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
