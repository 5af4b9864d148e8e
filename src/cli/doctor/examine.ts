/** Examines all that a run needs, from the machine to the service. One problem does not hide the others. */
import { type Configuration, readConfiguration } from '../../runtime/configuration.ts';
import { readPackageFacts } from '../../runtime/package-facts.ts';
import { openRuntime, type Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { cureHere } from '../hints.ts';
import { type Finding, ok, problem } from './finding.ts';
import {
  examineCampaigns,
  examineOwnClock,
  examinePeriodicJobs,
  examineQueues,
  examineRedis,
  examineWorkers,
  examineWrites,
} from './ledger.ts';
import { examineDataDir, examineMediaRoot, examineNode, examineOpenFiles } from './machine.ts';
import { examineReceivers } from './notify.ts';
import { examineService, examineStorage, examineUploads } from './service.ts';

/**
 * @param file settings file; default: the one in `CAMPAIGNS_CONFIG`.
 * @param isNotifyTest sends a test message to every receiver of notifications.
 */
export async function examine(file: string | undefined, isNotifyTest: boolean): Promise<readonly Finding[]> {
  const node = examineNode(process.versions.node, readPackageFacts().node);
  const configuration = configure(file);
  if ('verdict' in configuration) return [node, configuration];
  const { environment, settings } = configuration;
  const settingsFile = file ?? environment.configFile;
  const machine = [
    await examineDataDir(environment.dataDir),
    await examineMediaRoot(settings.media.root),
    await examineOpenFiles(),
  ];
  return [
    node,
    ok('settings', settingsFile ? `settings file ${settingsFile}` : 'no settings file: the defaults apply'),
    ...machine.filter((finding) => finding !== undefined),
    examineUploads(settings.api.confirmUpload),
    await examineStorage(
      [environment.apiUrl, ...Object.values(settings.accounts).map(({ url }) => url)].filter(
        (url) => url !== undefined,
      ),
      settings.media.allowPrivateAddresses,
    ),
    ...(await examineRuntime(configuration, isNotifyTest)),
  ];
}

function configure(file: string | undefined): Configuration | Finding {
  try {
    return readConfiguration(file);
  } catch (error) {
    if (error instanceof UseCaseError) return problem('settings', error.message, cureHere(error.cure));
    throw error;
  }
}

async function examineRuntime(
  configuration: Configuration,
  isNotifyTest: boolean,
): Promise<readonly Finding[]> {
  const warnings: string[] = [];
  try {
    const notify = (message: string) => void warnings.push(message);
    await using runtime = await openRuntime({ configuration, notify });
    return [...(await examineAll(runtime, warnings)), ...(await examineReceivers(runtime, isNotifyTest))];
  } catch (error) {
    if (!(error instanceof UseCaseError)) throw error;
    const cure =
      cureHere(error.cure) ??
      'Mend this first. Then run the doctor again to check service, workers and campaigns.';
    return [problem('redis', error.message, cure)];
  }
}

async function examineAll(runtime: Runtime, warnings: readonly string[]): Promise<readonly Finding[]> {
  const refusing = await examineWrites(runtime);
  return [
    // The refusal was told as a warning, too.
    ...(await examineRedis(runtime, refusing ? [] : warnings)),
    ...(refusing ? [refusing] : await examineService(runtime)),
    await examineOwnClock(runtime),
    ...(refusing ? [] : [...(await examineWorkers(runtime)), ...(await examinePeriodicJobs(runtime))]),
    await examineQueues(runtime),
    ...(await examineCampaigns(runtime)),
  ];
}
