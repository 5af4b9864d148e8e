/**
 * The demo: runs the campaign of `examples/`, from the manifest to the results sheet, with a sandbox and a Redis of its own.
 * At the end it compares the results with the sandbox's record, and looks up the published posts on a few simulated nights.
 */
import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { startCampaign } from '../../app/campaigns/import/start.ts';
import { readConfiguration } from '../../app/runtime/configuration.ts';
import { readinessOf } from '../../app/runtime/health.ts';
import { type HttpServer, listen } from '../../app/runtime/http-server.ts';
import { readPackageFacts } from '../../app/runtime/package.ts';
import { createWorkers } from '../../app/runtime/workers.ts';
import { createConsoleApp } from '../../console/app.ts';
import { openManifest } from '../../importers/open/manifest-file.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { CommandError, exitCodes, listenForInterrupt, untilAborted } from '../exit.ts';
import { type FinishedCampaign, finishCampaigns } from '../finish.ts';
import type { Define } from '../flags/common.ts';
import { createOutput, type Output } from '../print/output.ts';
import { printPlan, printProblems } from '../print/problems.ts';
import { openUntilEnded } from '../session.ts';
import { demoFolder, exampleFolder, layOut, withDemoFolder } from './folder.ts';
import { isAsMeant, lostAnswerKey, observeDemo, readSheet } from './observer.ts';
import { type Demo, introduce, printHints, reportDemo, scrapeNights } from './report.ts';

export const demo: Define = (command) =>
  command
    .option('--keep', 'keep it running afterwards, until Ctrl-C')
    .notes(`
Some rows fail on purpose, and the answer to one post is lost. At the end the demo compares the results sheet with the
sandbox's own record. Nothing leaves this machine. The demo ignores all settings but DATA_DIR: it works in DATA_DIR/demo
(default: .data/demo), and empties that folder first.

Exit codes: 0 all as expected, 1 something differs, 2 it could not start, 130 interrupted.

Example:
  campaigns demo --keep`)
    .action(async ({ keep = false, json = false }: Partial<DemoOptions>) => {
      process.exitCode = await runDemo({ keep, json });
    });

interface DemoOptions {
  /** Keeps running until Ctrl-C. */
  readonly keep: boolean;
  readonly json: boolean;
}

/** At this speed the sandbox generates an image in one second. */
const sandboxSpeed = 20;

/**
 * Runs the demo. Everything that it started has ended when the promise settles.
 * @returns the exit code: 0 if all went as expected, 1 if not, 130 if interrupted.
 * @throws {CommandError} if it cannot start.
 */
async function runDemo({ keep, json }: DemoOptions): Promise<number> {
  const { folder, kept } = demoFolder();
  const output = createOutput(json);
  if (kept !== undefined) output.say(`Drafts of an earlier demo stay in ${kept}. This one is in ${folder}.`);
  return withDemoFolder(folder, async () => {
    await using sandbox = await startSandbox({ speed: sandboxSpeed, strict: true });
    const files = await layOut(folder, sandbox);
    // Ignore the caller's environment.
    const configuration = readConfiguration(undefined, files.variables);
    await using runtime = await openUntilEnded({ configuration, notify: output.say });
    using interrupt = listenForInterrupt(runtime);
    const demo = { runtime, output, sandbox, files };
    introduce(demo);
    await loseAnswer(demo);
    const finished = await carryOut(demo);
    if (!finished || interrupt.signal.aborted) return interrupted(output);
    const rows = readSheet(await readFile(files.results, 'utf8'));
    const findings = observeDemo(rows, sandbox.effects());
    const videos = await scrapeNights(demo, rows, interrupt.signal);
    if (!videos) return interrupted(output);
    reportDemo(demo, finished, { findings, videos });
    if (keep) await stayUp(demo, finished.campaign, interrupt.signal);
    else printHints(demo, finished.campaign);
    return isAsMeant(findings) ? exitCodes.ok : exitCodes.problems;
  });
}

function interrupted(output: Output): number {
  output.document('demo', { interrupted: true });
  output.say('Interrupted. The sandbox and the Redis of the demo have ended.');
  return exitCodes.interrupted;
}

/** Makes the sandbox accept the post of one row and lose the answer. */
async function loseAnswer({ sandbox, files }: Demo): Promise<void> {
  const rows = readSheet(await readFile(files.manifest, 'utf8'));
  const title = rows.find(({ key }) => key === lostAnswerKey)?.caption;
  if (title === undefined) {
    throw new CommandError(`examples/campaign.csv has no row "${lostAnswerKey}"`, {
      fix: 'Restore the file: the demo needs that row.',
    });
  }
  sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', match: { title } });
}

/** Checks, imports and works off, as `campaigns run` does. @returns undefined if interrupted. */
async function carryOut(demo: Demo): Promise<FinishedCampaign | undefined> {
  const { runtime, output, files } = demo;
  await using manifest = await openManifest(runtime, files.manifest);
  const started = await startCampaign(runtime, manifest, { name: 'examples', mediaRoot: exampleFolder });
  if (started.kind === 'problems') {
    printProblems(output, started.check);
    throw new CommandError('examples/campaign.csv has problems; nothing was sent', {
      exitCode: exitCodes.problems,
    });
  }
  if (started.kind === 'imported') printPlan(output, started.check, started.campaign.timezone);
  const targetOf = () => ({ to: files.results });
  const finished = await finishCampaigns({ runtime, output }, [started.campaign], targetOf);
  return finished?.[0];
}

/** Serves the console and works off what people ask for, until Ctrl-C or `campaigns stop`. */
async function stayUp(demo: Demo, campaign: Campaign, signal: AbortSignal): Promise<void> {
  const { runtime, output, sandbox } = demo;
  const workers = await createWorkers(runtime);
  const app = createConsoleApp({
    runtime,
    readiness: readinessOf(runtime, workers),
    secrets: [sandbox.apiKey],
    version: readPackageFacts().version,
    until: signal,
  });
  await using server = await listenNearby(app);
  await workers.start();
  printHints(demo, campaign, `${server.url}/campaigns/${campaign.id}`);
  await untilAborted(signal);
  await workers.stop();
  output.say('The sandbox and the Redis of the demo have ended.');
}

/** Listens on the usual port of the console, or on a free one if that is taken. */
async function listenNearby(app: RequestListener): Promise<HttpServer> {
  try {
    return await listen(app, { host: '127.0.0.1', port: 3000 });
  } catch (error) {
    if (!(error instanceof UseCaseError)) throw error;
    return listen(app, { host: '127.0.0.1', port: 0 });
  }
}
