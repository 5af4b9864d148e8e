/** `campaigns refresh ID`: looks up posts in the publishing records (contract, section 4.9). */
import type { Refreshed } from '../../app/campaigns/publishing-records.ts';
import { limitOperations } from '../../app/operations/limits.ts';
import { plural } from '../../manifest/wording.ts';
import { campaignId, type Define } from '../flags/common.ts';
import { reportCommand } from '../hints.ts';
import { namesOf, type Output } from '../print/output.ts';
import { inSession } from '../session.ts';

export const refresh: Define = (command) =>
  command
    .argument(...campaignId)
    .addHelpText(
      'after',
      `
Needs the setting api.listPosts. A row in review becomes posted if exactly one record fits it and no other row has that
record. It is never resent. The state of each post goes into the column post_status of the results sheet. The row of a
post that was not published fails; it becomes posted again if its post is published after all.

Example:
  campaigns refresh c1 && campaigns report c1 --out posts.results.csv`,
    )
    .action(
      inSession({ writes: true }, async ({ output, carryOut }, id: string) => {
        print(output, id, await carryOut(limitOperations.refreshCampaign, { id }));
      }),
    );

function print(output: Output, id: string, { rows, posts }: Refreshed): void {
  if (rows.length === 0 && posts.length === 0) {
    output.print('The publishing records show nothing new.');
    return;
  }
  for (const row of rows) {
    const lead = `row ${row.key}  `;
    if (row.state === 'review') output.printText(`${lead}in review  `, row.note);
    else if (row.state === 'posted') output.print(`${lead}-> posted as ${row.postId}`);
    else output.print(`${lead}-> failed: post ${row.postId} was not published`);
  }
  for (const { before, after, posts: count, examples } of posts) {
    const keys = examples.map(({ key }) => key);
    const those = namesOf(keys, keys.length, count);
    output.print(`${plural(count, 'post')} ${before || '(no state)'} -> ${after}: ${those}`);
    for (const { key, failure } of examples) if (failure) output.printText(`  ${key}  `, failure);
  }
  output.print(`Write the sheet again:\n  ${reportCommand(id)}`);
}
