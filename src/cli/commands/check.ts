/** `campaigns check FILE`: shows all problems of a manifest, and the plan. It only looks up creators and posts nothing. */

import { checkDocument } from '../../app/campaigns/import/check.ts';
import {
  checkBeforeImport,
  type EarlierImport,
  earlierDocument,
  earlierId,
} from '../../app/campaigns/import/earlier-import.ts';
import { knownNames } from '../../app/drafts/suggestions/known-names.ts';
import { commandLine } from '../../app/runtime/command-line.ts';
import { exitCodes } from '../exit.ts';
import type { Define } from '../flags/common.ts';
import { approveOption, type ImportFlags, keepNow, leadOption } from '../flags/import.ts';
import { requireFormat } from '../flags/results.ts';
import {
  addSheetOptions,
  readSheetOptions,
  refuseToOverwrite,
  type SheetFlags,
  saveColumnMap,
} from '../flags/sheet.ts';
import { openPipeOrFile } from '../import-sheet.ts';
import type { Output } from '../print/output.ts';
import { printFormat, printPlan, printProblems, printVerdict, printWarnings } from '../print/problems.ts';
import { unbroken } from '../print/wrap.ts';
import { type CommonOptions, openSession } from '../session.ts';

interface CheckFlags extends CommonOptions, SheetFlags, Pick<ImportFlags, 'lead' | 'approve'> {
  readonly mediaRoot?: string;
  readonly allowUnknownColumns?: boolean;
  readonly problems?: string;
}

export const check: Define = (command) =>
  addSheetOptions(command)
    .argument('<file>', 'CSV, JSON or XLSX, an https address, or - (stdin)')
    .option('--media-root <dir>', "look for media here (default: the sheet's folder)")
    .option('--allow-unknown-columns', 'keep unknown columns')
    .addOption(leadOption())
    .on('option:lead', keepNow)
    .addOption(approveOption())
    .option('--problems <file>', 'write rows with problems here, with what to do')
    .notes(
      '\nExample:\n  campaigns check posts.csv --problems posts.problems.csv\n  campaigns check posts.csv --lead 2d --approve all\n  campaigns check export.csv --map "Item=product_id" --save-map shop.json\n  generate-posts | campaigns check -',
    )
    .action(run);

async function run(file: string, flags: CheckFlags): Promise<void> {
  if (flags.problems !== undefined) requireFormat(flags.problems, 'the problems file', { formats: ['csv'] });
  await using session = await openSession(flags, { writes: true });
  const { runtime, output } = session;
  refuseToOverwrite(file, '--problems', flags.problems);
  const sheet = await readSheetOptions(flags);
  await using manifest = await openPipeOrFile(runtime, file);
  const names = await knownNames(runtime, manifest, sheet);
  const { check, earlier } = await checkBeforeImport(runtime, manifest, { ...flags, sheet, ...names });
  await saveColumnMap(flags, sheet.map);
  output.document('check', checkDocument(check, earlierDocument(earlier)));
  printFormat(output, check);
  printProblems(output, check);
  printVerdict(output, check, earlier && earlierId(earlier));
  if (check.problemsFile) output.print(`Rows with problems: ${unbroken(check.problemsFile)}`);
  if (check.problems.total > 0) process.exitCode = exitCodes.problems;
  output.print();
  printPlan(output, check, flags.timezone ?? runtime.settings.timezone);
  printWarnings(output, check);
  printEarlier(output, earlier);
}

function printEarlier(output: Output, earlier: EarlierImport | undefined): void {
  if (earlier === undefined) return;
  const refused = '`campaigns run` refuses it without --again.';
  if (earlier.kind === 'deleted') {
    output.print(`\nThis sheet was imported as campaign ${earlier.id}, which was deleted. ${refused}`);
    return;
  }
  const { id, state, cancelledAt } = earlier.campaign;
  const resume = `Resume it:\n  ${commandLine('resume', { own: [id] })}`;
  const next = state === 'paused' ? resume : '`campaigns run` resumes it.';
  const isOver = state === 'ended' || cancelledAt !== undefined;
  output.print(`\nThis sheet is already campaign ${id} (${state}). ${isOver ? refused : next}`);
}
