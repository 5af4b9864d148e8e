/** `campaigns show ID [KEY]`: one campaign, and why rows failed or need a decision; or one row's history. */
import type { Command } from 'commander';
import { shownCampaignDocument } from '../../campaigns/documents/commands.ts';
import { rowDocument } from '../../campaigns/documents/row.ts';
import { showCampaign } from '../../campaigns/list.ts';
import {
  describeLostJobs,
  describePausedQueues,
  describeUnreachable,
} from '../../campaigns/progress/notes.ts';
import { showRow } from '../../campaigns/rows/show-row.ts';
import { printSummary } from '../print/campaign.ts';
import { printRow } from '../print/row.ts';
import { type CommonOptions, openSession } from '../session.ts';

export function define(command: Command): Command {
  return command
    .argument('<id>', 'campaign id, as `campaigns list` shows it')
    .argument('[key]', 'key of a row, to see its history')
    .addHelpText(
      'after',
      '\nA row that came through at the first try has only its times.\n\nExamples:\n  campaigns show c1\n  campaigns show c1 spring-001',
    )
    .action(show);
}

async function show(id: string, key: string | undefined, flags: CommonOptions): Promise<void> {
  await using session = await openSession(flags);
  const { runtime, output } = session;
  if (key !== undefined) {
    const row = await showRow(runtime, id, key);
    output.document('show', rowDocument(id, row));
    printRow(output, row);
    return;
  }
  const shown = await showCampaign(runtime, id);
  const { isUnderWay, campaign, causes, rowsWithoutJobs, pausedQueues, unreachable } = shown;
  output.document('show', shownCampaignDocument(shown));
  printSummary(output, campaign, causes);
  const lost = describeLostJobs(id, rowsWithoutJobs);
  if (lost !== undefined) output.print(`\n${lost}`);
  const note = describePausedQueues(pausedQueues);
  if (note !== undefined && isUnderWay) output.print(`\n${note}`);
  for (const service of unreachable) output.print(`\n${describeUnreachable(service)}`);
}
