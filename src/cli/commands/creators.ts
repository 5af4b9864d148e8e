/** `campaigns creators`: the authorized accounts, and what they may post (contract, section 4.5). */
import type { Command } from 'commander';
import { listCreators } from '../../campaigns/look-up.ts';
import { accountOption, configOption, csvOption, jsonOption } from '../flags/common.ts';
import { creatorColumns, readAuthSource } from '../print/creator-table.ts';
import { type LookUpFlags, printEntries } from '../print/look-up.ts';
import { openSession } from '../session.ts';

interface CreatorFlags extends LookUpFlags {
  readonly valid?: boolean;
  readonly photo?: boolean;
  readonly username?: string[];
  readonly region?: string;
  readonly authSource?: string;
}

export function define(command: Command): Command {
  return command
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
  const { valid, photo: hasPhotoPermission, username, region: selectionRegion } = flags;
  const authSource = readAuthSource(flags.authSource);
  const usernames = username?.map((name) => name.replace(/^@/, ''));
  await using session = await openSession(flags);
  const query = { valid, hasPhotoPermission, usernames, selectionRegion, authSource };
  const found = await listCreators(session.runtime, query, flags);
  session.output.document('creators', { creators: found });
  printEntries(session.output, 'creator', found, creatorColumns, flags);
}
