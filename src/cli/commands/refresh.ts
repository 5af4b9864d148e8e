/** `campaigns refresh ID`: asks the publishing records what became of posts (contract, section 4.9). */
import type { Command } from 'commander';
import { refreshCampaign } from '../../campaigns/records.ts';
import { configOption, jsonOption } from '../flags/common.ts';
import { printRefresh } from '../print/refresh.ts';
import { type CommonOptions, openSession } from '../session.ts';

export function define(command: Command): Command {
  return command
    .argument('<id>', 'campaign, as `campaigns list` names it')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Needs the setting api.listPosts. A row in review becomes posted when exactly one record fits it that no other row has;
it is never sent again. The state of posts goes into post_status of the results sheet.

Example:
  campaigns refresh c1 && campaigns report c1 --out posts.results.csv`,
    )
    .action(refresh);
}

async function refresh(id: string, flags: CommonOptions): Promise<void> {
  await using session = await openSession(flags);
  const refreshed = await refreshCampaign(session.runtime, id);
  session.output.document('refresh', { id, ...refreshed });
  printRefresh(session.output, id, refreshed);
}
