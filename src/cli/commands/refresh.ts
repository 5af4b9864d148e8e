/** `campaigns refresh ID`: asks the publishing records what became of posts (contract, section 4.9). */
import { Command } from 'commander';
import type { Reconciled } from '../../processors/records/reconcile.ts';
import type { CommonOptions } from '../../runtime/runtime.ts';
import { configOption, jsonOption } from '../flags/common.ts';

export function refreshCommand(): Command {
  return new Command('refresh')
    .description('look into the publishing records: rows in review are settled, and posts followed')
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

async function refresh(id: string, options: CommonOptions): Promise<void> {
  const [{ findCampaign, openLedger }, { withRecords }, { followPosts }, { reconcileRows }, report] =
    await Promise.all([
      import('../../runtime/runtime.ts'),
      import('../../campaigns/records.ts'),
      import('../../processors/records/follow-posts.ts'),
      import('../../processors/records/reconcile.ts'),
      import('../print/refresh-report.ts'),
    ]);
  await using session = await openLedger(options);
  const campaign = await findCampaign(session, id);
  const rows: Reconciled[] = [];
  const posts = new report.PostTransitions();
  await withRecords(session, campaign, async (tools) => {
    for await (const row of reconcileRows(tools, campaign, { all: true })) rows.push(row);
    for await (const post of followPosts(tools, campaign, { all: true })) posts.add(post);
  });
  session.output.document({ id, rows, posts: posts.list() });
  report.printRefresh(session.output, id, rows, posts.list());
}
