/** `campaigns creators`: the authorized accounts, and what they may post (contract, section 4.5). */
import { Command } from 'commander';
import { accountOption, configOption, csvOption, jsonOption } from '../flags/common.ts';
import type { LookUpOptions } from '../print/look-up.ts';

interface CreatorFlags extends LookUpOptions {
  readonly valid?: boolean;
  readonly photo?: boolean;
  readonly username?: string[];
  readonly region?: string;
  readonly authSource?: string;
}

export function creatorsCommand(): Command {
  return new Command('creators')
    .description('list the creators that have authorized the service, and what each may post')
    .option('--valid', 'only those whose authorization is valid')
    .option('--photo', 'only those that may post photos')
    .option('--username <name...>', 'only these')
    .option('--region <region>', 'only those of this target shop region')
    .option(
      '--auth-source <source>',
      'only those that authorized so: SOCIAL_SHOP_CREATOR or SOCIAL_LOGIN_KIT',
    )
    .addOption(accountOption())
    .addOption(csvOption())
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  campaigns creators --valid --photo --csv > creators.csv')
    .action(creators);
}

async function creators(flags: CreatorFlags): Promise<void> {
  const [{ lookUp, printEntries }, { creatorColumns, readAuthSource }] = await Promise.all([
    import('../print/look-up.ts'),
    import('../print/creator-table.ts'),
  ]);
  const authSource = readAuthSource(flags.authSource);
  await lookUp(flags, 'creators could not be looked up', async ({ client, through }, { output }) => {
    const { valid, photo: hasPhotoPermission, username, region: selectionRegion } = flags;
    const usernames = username?.map((name) => name.replace(/^@/, ''));
    const query = { valid, hasPhotoPermission, usernames, selectionRegion, authSource };
    const found = await Array.fromAsync(client.creators.all(query, { through }));
    output.document({ creators: found });
    printEntries(output, 'creator', found, creatorColumns, flags);
  });
}
