/** `campaigns doctor`: checks all that a run needs, and says what is wrong and how to mend it. */
import type { Command } from 'commander';
import { plural } from '../../runtime/wording.ts';
import { examine } from '../doctor/examine.ts';
import { exitCodes } from '../exit.ts';
import { createOutput } from '../print/output.ts';
import type { CommonOptions } from '../session.ts';

export function define(command: Command): Command {
  return command
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
    .action(doctor);
}

const colours = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

interface DoctorFlags extends CommonOptions {
  readonly notify?: boolean;
}

async function doctor({ json = false, config, notify = false }: DoctorFlags): Promise<void> {
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
