/**
 * The demo: the campaign of `examples/`, from the manifest to the results sheet, against a sandbox and a Redis of its own.
 * It ends by holding what was meant to happen against what the sandbox has recorded.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { openManifest } from '../../campaigns/hand-in/manifest-file.ts';
import { startCampaign } from '../../campaigns/hand-in/start.ts';
import { drainMs } from '../../campaigns/work-off.ts';
import { readConfiguration } from '../../runtime/configuration.ts';
import { openRuntime } from '../../runtime/runtime.ts';
import { createWorkers } from '../../runtime/workers.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { CommandError, exitCodes } from '../exit.ts';
import { type FinishedCampaign, finishCampaigns } from '../finish.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { createOutput } from '../print/output.ts';
import { printPlan, printProblems } from '../print/problems.ts';
import { demoFolder, exampleFolder, layOut, withDemoFolder } from './folder.ts';
import { isAsMeant, lostAnswerKey, observeDemo, readSheet } from './observer.ts';
import { type Demo, introduce, printHints, reportDemo } from './report.ts';

export interface DemoOptions {
  /** Stays up until Ctrl-C, to be looked at and worked with. */
  readonly keep: boolean;
  readonly json: boolean;
}

/** How many times faster than at a leisurely pace the sandbox generates: an image takes a second. */
const sandboxSpeed = 20;

/**
 * Runs the demo. Whatever it started has ended when the promise settles.
 * @returns the exit code: 0 when everything went as it is meant to, 1 when not, 130 when it was interrupted.
 * @throws {CommandError} when it cannot begin.
 */
export async function runDemo({ keep, json }: DemoOptions): Promise<number> {
  const folder = demoFolder();
  const output = createOutput(json);
  return withDemoFolder(folder, async () => {
    await using sandbox = await startSandbox({ speed: sandboxSpeed });
    const files = await layOut(folder, sandbox);
    // Nothing of the caller's environment counts.
    const configuration = readConfiguration(undefined, files.variables);
    await using runtime = await openRuntime({ configuration, notify: output.say });
    using interrupt = listenForInterrupt(runtime);
    const demo = { runtime, output, sandbox, files };
    introduce(demo);
    await loseAnswer(demo);
    const finished = await carryOut(demo);
    if (!finished || interrupt.signal.aborted) {
      output.document('demo', { interrupted: true });
      output.say('Interrupted. Sandbox and Redis of the demo have been ended.');
      return exitCodes.interrupted;
    }
    const findings = observeDemo(readSheet(await readFile(files.results, 'utf8')), sandbox.effects());
    reportDemo(demo, finished, findings);
    printHints(demo, finished.campaign, { kept: keep });
    if (keep) await stayUp(demo, interrupt.signal);
    return isAsMeant(findings) ? exitCodes.ok : exitCodes.problems;
  });
}

/** The service will accept the post of one row, and its answer will never arrive. */
async function loseAnswer({ sandbox, files }: Demo): Promise<void> {
  const rows = readSheet(await readFile(files.manifest, 'utf8'));
  const title = rows.find(({ key }) => key === lostAnswerKey)?.caption;
  if (title === undefined) {
    throw new CommandError(`examples/campaign.csv has no row "${lostAnswerKey}"`, {
      cure: 'Restore the file: the demo loses the answer to the post of that row.',
    });
  }
  sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', match: { title } });
}

/** Checks, imports and works off, as `campaigns run` does. @returns undefined when it was interrupted. */
async function carryOut(demo: Demo): Promise<FinishedCampaign | undefined> {
  const { runtime, output, files } = demo;
  await using manifest = await openManifest(files.manifest, { dataDir: runtime.environment.dataDir });
  const started = await startCampaign(runtime, manifest, { name: 'examples', mediaRoot: exampleFolder });
  if (started.kind === 'problems') {
    printProblems(output, started.check);
    throw new CommandError('examples/campaign.csv has problems; nothing was sent', {
      exitCode: exitCodes.problems,
    });
  }
  if (started.kind === 'imported') printPlan(output, started.check);
  const finished = await finishCampaigns({ runtime, output }, [started.campaign], () => ({
    to: files.results,
  }));
  return finished?.[0];
}

/** Works off what other commands ask for meanwhile, until Ctrl-C or `campaigns stop`. */
async function stayUp({ runtime, output }: Demo, signal: AbortSignal): Promise<void> {
  const workers = await createWorkers(runtime);
  await workers.start();
  if (!signal.aborted) await once(signal, 'abort');
  await workers.stop(drainMs);
  output.say('Sandbox and Redis of the demo have been ended.');
}
