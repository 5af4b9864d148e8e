/** Options that would be dropped without a word are wrong usage, before anything is opened. */

import { expect, it } from 'vitest';
import { exitCodes } from '../../../src/cli/exit.ts';
import { CliCommand } from '../../../src/cli/flags/common.ts';
import { addImportOptions } from '../../../src/cli/flags/import.ts';
import { createProgram } from '../../../src/cli/program.ts';

async function given(line: string): Promise<void> {
  const args = line.split(' ');
  const program = await createProgram(args);
  await program.parseAsync(args, { from: 'user' });
}

/** A value that each option of a sheet takes. */
const values: Readonly<Record<string, string>> = {
  canary: '3',
  stopAfter: '5',
  delimiter: ';',
  encoding: 'utf-8',
  headerLine: '2',
  ownStatus: 'skip',
  hidden: 'post',
  lead: '2d',
  approve: 'all',
  timezone: 'Asia/Shanghai',
};
const ofSheet = addImportOptions(new CliCommand()).options.map((option) =>
  [option.long, ...(option.required ? [values[option.attributeName()] ?? 'x'] : [])].join(' '),
);

it.each(ofSheet)('run without a sheet refuses %s', async (option) => {
  const [name = ''] = option.split(' ');
  await expect(given(`run ${option}`)).rejects.toMatchObject({
    message: `${name} needs a sheet`,
    exitCode: exitCodes.usage,
  });
});

it.each([
  ['run posts.csv --dry-run --into c1 --out x.csv', '--out cannot go with --dry-run'],
  ['import posts.csv --dry-run --into c1 --watch', '--watch cannot go with --dry-run'],
  ['decide c1 --not-posted --unchecked', '--unchecked needs a row'],
  ['decide c1 42 --undo --unchecked', '--unchecked cannot go with --undo'],
  ['journal --dry-run --yes', '--dry-run and --yes need --accept'],
  ['rate-limits reset createCreatorPost --burst 3', '--burst cannot go with reset'],
  ['videos report --format csv', '--format needs --out'],
  ['worker --health-host 0.0.0.0', '--health-host needs --health-port'],
])('campaigns %s', async (line, message) => {
  await expect(given(line)).rejects.toMatchObject({ message, exitCode: exitCodes.usage });
});
