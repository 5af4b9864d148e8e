/** Examines all that a run needs, from the machine to the service, and finds as much as can be found at once. */

import { readPackageFacts } from '../../runtime/package-facts.ts';
import {
  type CommonOptions,
  type Configuration,
  type LedgerSession,
  openLedgerOf,
  readConfiguration,
} from '../../runtime/runtime.ts';
import { CommandError } from '../exit.ts';
import type { Output } from '../print/output.ts';
import { type Finding, ok, problem } from './finding.ts';
import { examineCampaigns, examineQueues, examineRedis, examineWorkers } from './ledger.ts';
import { examineDataDir, examineMediaRoot, examineNode, examineOpenFiles } from './machine.ts';
import { examineService, examineUploads } from './service.ts';

export async function examine(options: CommonOptions, output: Output): Promise<readonly Finding[]> {
  const node = examineNode(process.versions.node, readPackageFacts().node);
  const configuration = configure(options);
  if ('verdict' in configuration) return [node, configuration];
  const { environment, settings } = configuration;
  const machine = [
    await examineDataDir(environment.dataDir),
    await examineMediaRoot(settings.media.root),
    await examineOpenFiles(),
  ];
  return [
    node,
    ok('settings', describeSettings(options.config ?? environment.configFile)),
    ...machine.filter((finding) => finding !== undefined),
    examineUploads(settings.api.confirmUpload),
    ...(await examineLedger(configuration, output)),
  ];
}

function describeSettings(file: string | undefined): string {
  return file === undefined ? 'no settings file: the defaults apply' : `settings file ${file}`;
}

function configure(options: CommonOptions): Configuration | Finding {
  try {
    return readConfiguration(options);
  } catch (error) {
    if (error instanceof CommandError) return problem('settings', error.message, error.cure);
    throw error;
  }
}

async function examineLedger(configuration: Configuration, output: Output): Promise<readonly Finding[]> {
  const warnings: string[] = [];
  try {
    await using session = await openLedgerOf(configuration, {
      ...output,
      say: (line) => void warnings.push(line),
    });
    return await examineSession(session, warnings);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const cure = error.cure ?? 'Mend this first: service, workers and campaigns are looked at afterwards.';
    return [problem('redis', error.message, cure)];
  }
}

async function examineSession(
  session: LedgerSession,
  warnings: readonly string[],
): Promise<readonly Finding[]> {
  return [
    ...(await examineRedis(session, warnings)),
    ...(await examineService(session)),
    ...(await examineWorkers(session)),
    await examineQueues(session),
    ...(await examineCampaigns(session)),
  ];
}
