/** What the demo prints around the run itself: where things are, whether all went as meant, and what to try next. */
import { join, relative } from 'node:path';
import { campaignDocument } from '../../campaigns/documents/campaign.ts';
import type { Campaign } from '../../ledger/campaigns.ts';
import { packagePath } from '../../runtime/package-facts.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { FinishedCampaign } from '../finish.ts';
import type { Output } from '../print/output.ts';
import { type DemoFiles, exampleFolder } from './folder.ts';
import { type Finding, isAsMeant } from './observer.ts';

/** A demo at work. */
export interface Demo {
  readonly runtime: Runtime;
  readonly output: Output;
  readonly sandbox: Sandbox;
  readonly files: DemoFiles;
}

export function introduce({ runtime: { redis }, output, sandbox }: Demo): void {
  output.print(
    output.paint('bold', 'The campaign of examples/, against a service of its own on this machine'),
  );
  output.print(`  sandbox   ${sandbox.url}`);
  output.print(`  Redis     ${redis.description}`);
  output.print();
}

export function reportDemo(
  { output, sandbox, files }: Demo,
  { campaign, causes, results }: FinishedCampaign,
  findings: readonly Finding[],
): void {
  const asMeant = isAsMeant(findings);
  output.document('demo', {
    asMeant,
    findings,
    campaign: campaignDocument(campaign),
    causes,
    results,
    sandbox: { url: sandbox.url, adminUrl: sandbox.adminUrl },
    environment: files.shell,
  });
  output.print();
  output.print(output.paint('bold', "Held against the sandbox's own record"));
  for (const { claim, differences } of findings) {
    const mark = differences.length === 0 ? output.paint('green', '✓') : output.paint('red', '✗');
    output.print(`  ${mark} ${claim}`);
    for (const difference of differences) output.print(`      ${difference}`);
  }
  output.print();
  output.print(
    asMeant
      ? output.paint('green', 'Everything went as it is meant to.')
      : output.paint('red', 'Not everything went as it is meant to: see above.'),
  );
}

/** Commands that work as they are printed, in the folder that the demo was started in. */
export function printHints(demo: Demo, { id }: Campaign, { kept }: { readonly kept: boolean }): void {
  const { output } = demo;
  const point = [`. ${nearPath(demo.files.shell)}`, 'points a shell at the demo'] as const;
  output.print();
  if (kept) {
    output.print(`${output.paint('bold', 'What to try next')}, in another terminal and in this folder`);
    printCommands(demo, [
      point,
      [`campaigns show ${id}`, 'the counts and causes again'],
      [`campaigns retry ${id} --row generation`, 'another generation, which comes through'],
      [`curl ${demo.sandbox.adminUrl}/stats`, 'what the sandbox was asked for'],
    ]);
    output.print(`  The sandbox has a page at ${demo.sandbox.url}/`);
    output.print();
    output.print('The demo stays up, and works off what is retried. Ctrl-C ends it.');
    return;
  }
  output.print(output.paint('bold', 'What to try next'));
  printCommands(demo, [
    [
      `${nearPath(packagePath('bin', 'campaigns'))} demo --keep`,
      'the same again; it stays up, and rows can be retried',
    ],
    point,
    [`campaigns show ${id}`, 'the counts and causes again'],
  ]);
  output.print(`  What each row is there to show: ${nearPath(join(exampleFolder, 'README.md'))}`);
}

function printCommands({ output }: Demo, commands: readonly (readonly [string, string])[]): void {
  const width = Math.max(...commands.map(([command]) => command.length));
  for (const [command, purpose] of commands) {
    output.print(`  ${output.paint('cyan', command.padEnd(width))}  ${output.paint('dim', purpose)}`);
  }
}

/** The shorter way to write a path that lies under the current folder. */
function nearPath(path: string): string {
  const near = relative('', path);
  return near.startsWith('../..') ? path : near;
}
