/** `campaigns report ID --out FILE`: writes the manifest's rows, each with its result. */

import { findCampaign } from '../../app/campaigns/find.ts';
import { acceptedPosts } from '../../app/campaigns/post-status.ts';
import { writeResults } from '../../app/campaigns/results/write.ts';
import { plural } from '../../manifest/wording.ts';
import { sayOtherFiles } from '../finish.ts';
import { campaignId, type Define } from '../flags/common.ts';
import {
  checkResultsFlags,
  formatOption,
  type OnlyRows,
  onlyOption,
  type ResultsFlags,
  targetOf,
} from '../flags/results.ts';
import { type CommonOptions, openSession } from '../session.ts';

interface ReportFlags extends CommonOptions, ResultsFlags {
  readonly only?: OnlyRows;
  readonly error?: string;
  readonly out: string;
}

export const report: Define = (command) =>
  command
    .argument(...campaignId)
    .requiredOption('--out <file>', 'write to a .csv, .json, .jsonl or .xlsx file; - is stdout')
    .addOption(formatOption())
    .addOption(onlyOption())
    .option('--error <code>', 'write only rows with this error code')
    .notes(`
Example:
  campaigns report c1 --out c1.results.xlsx
  campaigns report c1 --only failed,review --out to-fix.csv
  campaigns report c1 --only scheduled --out to-withdraw.csv
  campaigns report c1 --only failed --error http_400 --out c1.http_400.csv
  campaigns report c1 --out - --format jsonl | jq .post_id`)
    .action(writeReport);

async function writeReport(id: string, flags: ReportFlags): Promise<void> {
  checkResultsFlags(flags);
  await using session = await openSession(flags);
  const { runtime, output } = session;
  const { out, format, only, error } = flags;
  const campaign = await findCampaign(runtime, id);
  const written = await writeResults(runtime, campaign, {
    ...targetOf(out, format),
    ...(typeof only === 'string' ? acceptedPosts(runtime, only) : { state: only }),
    error,
  });
  const { path, rows } = written;
  sayOtherFiles(output, written);
  output.document('report', { id, rows, path });
  output.print(`${plural(rows, 'row')} of ${id} written to ${path ?? 'standard output'}`);
}
