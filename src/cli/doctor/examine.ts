/** Examines all that a run needs, from the machine to the service. One problem does not hide the others. */

import { readConfiguration } from '../../app/runtime/configuration.ts';
import { readPackageFacts } from '../../app/runtime/package.ts';
import type { Runtime } from '../../app/runtime/runtime.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { plural } from '../../manifest/wording.ts';
import { Proxies } from '../../platform/net/proxy.ts';
import { exitCodes } from '../exit.ts';
import type { Define } from '../flags/common.ts';
import { fixHere } from '../hints.ts';
import { createOutput } from '../print/output.ts';
import { type CommonOptions, openUntilEnded } from '../session.ts';
import {
  examineCampaigns,
  examineJournal,
  examineKeys,
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
  examineTimezone,
  type Findings,
  ok,
  problem,
} from './machine.ts';
import {
  examineProxies,
  examineReceivers,
  examineService,
  examineStorage,
  examineUploads,
} from './service.ts';

export const doctor: Define = (command) =>
  command
    .option('--notify', 'send a test message to every webhook endpoint')
    .notes(`
Checks settings, Redis, the service, the key, the clock, the disk and the workers. Changes nothing, and makes
one read-only call. With --notify, every webhook endpoint in the setting notify gets a signed test message
(event doctor.test).

Exit codes: 0 no problems (warnings are possible), 2 problems.

Examples:
  campaigns doctor
  campaigns doctor --notify`)
    .action(printFindings);

const colours = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

interface DoctorFlags extends CommonOptions {
  readonly notify?: boolean;
}

async function printFindings({ json = false, config, notify = false }: DoctorFlags): Promise<void> {
  const output = createOutput(json);
  const findings = await Array.fromAsync(examine(config, notify));
  const problems = findings.filter(({ verdict }) => verdict === 'problem').length;
  output.document('doctor', { problems, findings });
  for (const { verdict, text, fix } of findings) {
    const lines = fix === undefined ? text : `${text}\n${fix}`;
    output.printText(`${output.paint(colours[verdict], verdict.padEnd(8))} `, lines);
  }
  output.print(problems === 0 ? '\nNo problems: a run can start.' : `\n${plural(problems, 'problem')}.`);
  process.exitCode = problems === 0 ? exitCodes.ok : exitCodes.usage;
}

/**
 * @param file settings file; default: the one in `CAMPAIGNS_CONFIG`.
 * @param isNotifyTest sends a test message to every webhook endpoint.
 */
async function* examine(file: string | undefined, isNotifyTest: boolean): Findings {
  yield* examineNode(process.versions.node, readPackageFacts().node);
  let check = 'settings';
  try {
    const configuration = readConfiguration(file);
    const { environment, settings } = configuration;
    const settingsFile = file ?? environment.configFile;
    yield ok(check, settingsFile ? `settings file ${settingsFile}` : 'no settings file: the defaults apply');
    yield* examineTimezone(settings.timezone, Date.now());
    yield* examineDataDir(environment.dataDir);
    yield* examineMediaRoot(settings.media.root);
    yield* examineOpenFiles();
    yield* examineUploads(settings.api.confirmUpload);
    const services = environment.apiUrl === undefined ? [] : [environment.apiUrl];
    const proxies = new Proxies(environment.proxies);
    yield* examineProxies(services, proxies);
    yield* examineStorage(services, settings.media.allowPrivateAddresses);
    check = 'redis';
    const warnings: string[] = [];
    const notify = (message: string) => void warnings.push(message);
    await using runtime = await openUntilEnded({ configuration, notify });
    yield* examineRunning(runtime, warnings);
    yield* examineReceivers(runtime, isNotifyTest, proxies);
  } catch (error) {
    if (!(error instanceof UseCaseError)) throw error;
    const next = 'Fix this first. Then run the doctor again to check service, workers and campaigns.';
    yield problem(check, error.message, fixHere(error.fix) ?? (check === 'redis' ? next : undefined));
  }
}

async function* examineRunning(runtime: Runtime, warnings: readonly string[]): Findings {
  const refusing = await Array.fromAsync(examineWrites(runtime));
  const isRefusing = refusing.length > 0;
  // The refusal was told as a warning, too.
  yield* examineRedis(runtime, isRefusing ? [] : warnings);
  yield* isRefusing ? refusing : examineService(runtime);
  yield* examineOwnClock(runtime);
  yield* examineQueues(runtime);
  yield* examineJournal(runtime);
  const damaged = await Array.fromAsync(examineKeys(runtime));
  yield* damaged;
  // Nothing more can be read of its campaigns.
  if (damaged.length > 0) return;
  if (!isRefusing) {
    yield* examineWorkers(runtime);
    yield* examinePeriodicJobs(runtime);
  }
  yield* examineCampaigns(runtime);
}
