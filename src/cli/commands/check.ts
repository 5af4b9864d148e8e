/** `campaigns check FILE`: all problems of a manifest, and the plan. Sends nothing but look-ups of creators. */
import { Command } from 'commander';
import type { CommonOptions } from '../../runtime/runtime.ts';
import { accountOption, configOption, jsonOption } from '../flags/common.ts';
import { addSheetOptions, type SheetFlags } from '../flags/sheet.ts';

interface CheckFlags extends CommonOptions, SheetFlags {
  readonly mediaRoot?: string;
  readonly allowUnknownColumns?: boolean;
  readonly problems?: string;
  readonly sheet?: string;
  readonly account?: string;
}

export function checkCommand(): Command {
  return addSheetOptions(new Command('check'))
    .description('check a manifest: all problems, and the plan; nothing is posted')
    .argument('<file>', 'the manifest (CSV, JSON or XLSX); - for standard input')
    .option('--media-root <dir>', "folder that media paths are relative to (default: the manifest's)")
    .option('--allow-unknown-columns', 'keep columns that are not known instead of refusing them')
    .option('--problems <file>', 'write the rows with problems to a sheet, with what is wrong')
    .addOption(accountOption())
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExample:\n  campaigns check posts.csv --problems posts.problems.csv\n  campaigns check export.csv --map "Product No.=product_id" --save-map shop.json\n  generate-posts | campaigns check -',
    )
    .action(run);
}

async function run(file: string, options: CheckFlags): Promise<void> {
  const [
    { openLedger },
    { openAccounts },
    { checkWithSheet, refuseToOverwrite },
    { withManifest },
    { readSheetOptions, saveColumnMap },
    print,
    { checkReport },
    { exitCodes },
    { defaultAccount },
  ] = await Promise.all([
    import('../../runtime/runtime.ts'),
    import('../../runtime/accounts.ts'),
    import('../../campaigns/hand-in/check.ts'),
    import('../../campaigns/hand-in/spool.ts'),
    import('../flags/read-sheet.ts'),
    import('../print/problems.ts'),
    import('../../importers/check/report.ts'),
    import('../exit.ts'),
    import('../../../config/access.ts'),
  ]);
  await using session = await openLedger(options);
  const { output } = session;
  await using accounts = openAccounts(session);
  const account = accounts.need(options.account ?? defaultAccount);
  const { mediaRoot, allowUnknownColumns, problems } = options;
  refuseToOverwrite(file, '--problems', problems);
  const sheetOptions = await readSheetOptions(options);
  const { result, sheet } = await withManifest(session.environment.dataDir, file, (path) =>
    checkWithSheet(session, account, {
      file,
      path,
      sheet: sheetOptions,
      mediaRoot,
      allowUnknownColumns,
      problems,
    }),
  );
  await saveColumnMap(options, sheetOptions.map);
  output.document(checkReport(result));
  print.printFormat(output, result);
  print.printProblems(output, result);
  if (result.problems.total > 0) {
    print.printVerdict(output, result);
    if (sheet) output.print(`The rows with problems: ${sheet}`);
    process.exitCode = exitCodes.problems;
  } else print.printVerdict(output, result);
  output.print();
  print.printPlan(output, result);
  print.printWarnings(output, result);
  const earlier =
    result.sha256 === null ? undefined : await session.ledger.campaigns.findByManifest(result.sha256);
  if (earlier) {
    const next =
      earlier.state === 'ended' ? 'a run of it is refused, unless with --again' : 'a run goes on with it';
    output.print(`\nThis very manifest is campaign ${earlier.id} already (${earlier.state}): ${next}.`);
  }
  const deleted =
    result.sha256 === null ? undefined : await session.ledger.campaigns.findDeleted(result.sha256);
  if (deleted !== undefined) {
    output.print(
      `\nThis very manifest was campaign ${deleted}, which was deleted: a run of it is refused, unless with --again.`,
    );
  }
}
