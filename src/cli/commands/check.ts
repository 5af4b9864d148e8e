/** `campaigns check FILE`: all problems of a manifest, and the plan. Sends nothing but look-ups of creators. */
import { Command } from 'commander';
import type { CommonOptions } from '../ledger-session.ts';
import { configOption, jsonOption, sheetOption } from '../options.ts';

interface CheckFlags extends CommonOptions {
  readonly mediaRoot?: string;
  readonly allowUnknownColumns?: boolean;
  readonly problems?: string;
  readonly sheet?: string;
}

export function checkCommand(): Command {
  return new Command('check')
    .description('check a manifest: all problems, and the plan; nothing is posted')
    .argument('<file>', 'the manifest (CSV or XLSX)')
    .addOption(sheetOption())
    .option('--media-root <dir>', "folder that media paths are relative to (default: the manifest's)")
    .option('--allow-unknown-columns', 'keep columns that are not known instead of refusing them')
    .option('--problems <file>', 'write the rows with problems to a sheet, with what is wrong')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  campaigns check posts.csv --problems posts.problems.csv')
    .action(run);
}

async function run(file: string, options: CheckFlags): Promise<void> {
  const [{ openLedger }, { openService }, { checkWithSheet }, print, { checkReport }, { exitCodes }] =
    await Promise.all([
      import('../ledger-session.ts'),
      import('../runner.ts'),
      import('../manifest.ts'),
      import('../problems.ts'),
      import('../../importers/check-report.ts'),
      import('../exit.ts'),
    ]);
  await using session = await openLedger(options);
  const { output } = session;
  await using service = openService(session);
  const { mediaRoot, allowUnknownColumns, problems, sheet: sheetName } = options;
  const { result, sheet } = await checkWithSheet(session, service, {
    file,
    mediaRoot,
    allowUnknownColumns,
    problems,
    sheet: sheetName,
  });
  output.document(checkReport(result));
  print.printProblems(output, result);
  if (result.problems.total > 0) {
    print.printVerdict(output, result);
    if (sheet) output.print(`The rows with problems: ${sheet}`);
    process.exitCode = exitCodes.problems;
  } else print.printVerdict(output, result);
  output.print();
  print.printPlan(output, result);
  print.printWarnings(output, result);
}
