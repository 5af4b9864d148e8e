/** `campaigns import FILE`: hands a manifest to workers elsewhere. */

import { campaignDocument } from '../../app/campaigns/find.ts';
import { commandLine } from '../../app/runtime/command-line.ts';
import { type Define, refuseBeside } from '../flags/common.ts';
import { addImportOptions, type ImportFlags } from '../flags/import.ts';
import { importOrUpdate, printImport } from '../import-sheet.ts';
import { inSession, type Session } from '../session.ts';
import { watchCampaign } from './watch.ts';

export const importSheet: Define = (command) =>
  addImportOptions(command)
    .argument('<file>', 'CSV, JSON or XLSX, an https address, or - (stdin)')
    .option('--watch', 'follow it until it ends or is paused')
    .addHelpText(
      'after',
      `
The sheet is checked first. Nothing is sent while it has problems. Workers (campaigns worker) start right away.

Exit codes: 0 imported, 1 problems, 2 usage or settings; with --watch also 3 not all posted, 4 paused.

Example:
  campaigns import posts.csv --watch
  campaigns import posts.results.csv --into c1 --dry-run`,
    )
    .action(
      inSession({ writes: true }, importFile, (_file, flags) => {
        if (flags.dryRun) refuseBeside(flags, ['watch'], '--dry-run');
      }),
    );

type WatchedImport = ImportFlags & { readonly watch?: boolean };

async function importFile(session: Session, file: string, flags: WatchedImport): Promise<void> {
  const { runtime, output } = session;
  const imported = printImport(output, 'import', await importOrUpdate(session, file, flags), flags);
  if (imported === undefined) return;
  const { campaign, update } = imported;
  if (campaign.state === 'running') await runtime.queues.wakeAdmission(campaign.id);
  if (flags.watch) {
    process.exitCode = await watchCampaign(session, 'import', campaign);
    return;
  }
  output.document('import', { ...campaignDocument(campaign), ...update });
  const [lead, verb] =
    campaign.state === 'paused' ? ['It is paused. Resume it', 'resume'] : ['Follow it', 'watch'];
  output.print(`${lead}:\n  ${commandLine(verb, { own: [campaign.id] })}`);
}
