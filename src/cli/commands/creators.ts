/** `campaigns creators`: the authorized accounts, and what they may post (contract, section 4.5). */
import { Command, Option } from 'commander';
import {
  authSources,
  type CreatorAccount,
  photoPermission,
  videoPermission,
} from '../../api/contract/creators.ts';
import type { LookUpColumn, LookUpOptions } from '../look-up.ts';
import { configOption, csvOption, jsonOption } from '../options.ts';

interface CreatorFlags extends LookUpOptions {
  readonly valid?: boolean;
  readonly photo?: boolean;
  readonly username?: string[];
  readonly region?: string;
  readonly authSource?: (typeof authSources)[number];
}

export function creatorsCommand(): Command {
  return new Command('creators')
    .description('list the creators that have authorized the service, and what each may post')
    .option('--valid', 'only those whose authorization is valid')
    .option('--photo', 'only those that may post photos')
    .option('--username <name...>', 'only these')
    .option('--region <region>', 'only those of this target shop region')
    .addOption(new Option('--auth-source <source>', 'only those that authorized so').choices(authSources))
    .addOption(csvOption())
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  campaigns creators --valid --photo --csv > creators.csv')
    .action(creators);
}

async function creators(flags: CreatorFlags): Promise<void> {
  const { lookUp, printEntries } = await import('../look-up.ts');
  await lookUp(flags, 'creators could not be looked up', async ({ client, through }, { output }) => {
    const { valid, photo: hasPhotoPermission, username, region: selectionRegion, authSource } = flags;
    const usernames = username?.map((name) => name.replace(/^@/, ''));
    const query = { valid, hasPhotoPermission, usernames, selectionRegion, authSource };
    const found = await Array.fromAsync(client.creators.all(query, { through }));
    output.document({ creators: found });
    printEntries(output, 'creator', found, columns, flags);
  });
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
