/** `campaigns refresh ID`: looks up posts in the publishing records (contract, section 4.9). */
import type { Command } from 'commander';
import { type Refreshed, refreshCampaign } from '../../campaigns/records.ts';
import { plural } from '../../runtime/wording.ts';
import type { Output } from '../print/output.ts';
import { type CommonOptions, openSession } from '../session.ts';

export function define(command: Command): Command {
  return command
    .argument('<id>', 'campaign id, as `campaigns list` shows it')
    .addHelpText(
      'after',
      `
Needs the setting api.listPosts. A row in review becomes posted if exactly one record fits it and no other row has that
record. It is never sent again. The state of each post goes into the column post_status of the results sheet. The row of a
post that was not published fails; it is posted once more if its post is published after all.

Example:
  campaigns refresh c1 && campaigns report c1 --out posts.results.csv`,
    )
    .action(refresh);
}

async function refresh(id: string, flags: CommonOptions): Promise<void> {
  await using session = await openSession(flags, { writes: true });
  const refreshed = await refreshCampaign(session.runtime, id);
  session.output.document('refresh', { id, ...refreshed });
  print(session.output, id, refreshed);
}

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
    const keys = examples.map(({ key }) => key).join(', ');
    const more = count > examples.length ? ', ...' : '';
    output.print(`${plural(count, 'post')} ${before || '(no state)'} -> ${after}: ${keys}${more}`);
    for (const { key, failure } of examples) if (failure) output.printText(`  ${key}  `, failure);
  }
  output.print(`Write the sheet again:\n  campaigns report ${id} --out FILE`);
}
