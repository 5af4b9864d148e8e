/** Examines all that a run needs, from the machine to the service. One problem does not hide the others. */
import { type Configuration, readConfiguration, readPackageFacts } from '../../runtime/configuration.ts';
import { openRuntime, type Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { plural } from '../../runtime/wording.ts';
import { exitCodes } from '../exit.ts';
import type { Define } from '../flags/common.ts';
import { cureHere } from '../hints.ts';
import { createOutput } from '../print/output.ts';
import type { CommonOptions } from '../session.ts';
import {
  examineCampaigns,
  examineOwnClock,
  examinePeriodicJobs,
  examineQueues,
  examineRedis,
  examineWorkers,
  examineWrites,
} from './ledger.ts';
import {
  examineDataDir,
  examineMediaRoot,
  examineNode,
  examineOpenFiles,
  type Finding,
  ok,
  problem,
} from './machine.ts';
import { examineReceivers, examineService, examineStorage, examineUploads } from './service.ts';

const doctor: Define = (command) =>
  command
    .option('--notify', 'send a test message to every receiver of notifications')
    .addHelpText(
      'after',
      `
It changes nothing. It calls the service once per account, only to read. With --notify, every receiver in the setting
notify gets a signed test message (event doctor.test).

It checks settings, Redis, the service, the key, the clock, the disk and the workers.

Exit codes: 0 no problems (warnings are possible), 2 problems.

Examples:
  campaigns doctor
  campaigns doctor --notify`,
    )
    .action(printFindings);

const colours = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

interface DoctorFlags extends CommonOptions {
  readonly notify?: boolean;
}

async function printFindings({ json = false, config, notify = false }: DoctorFlags): Promise<void> {
  const output = createOutput(json);
  const findings = await examine(config, notify);
  const problems = findings.filter(({ verdict }) => verdict === 'problem').length;
  output.document('doctor', { problems, findings });
  for (const { verdict, text, cure } of findings) {
    output.printText(`${output.paint(colours[verdict], verdict.padEnd(8))} `, text);
    if (cure !== undefined) output.printText('         ', cure);
  }
  output.print(problems === 0 ? '\nNo problems: a run can start.' : `\n${plural(problems, 'problem')}.`);
  process.exitCode = problems === 0 ? exitCodes.ok : exitCodes.usage;
}

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

export const commands = { doctor };
