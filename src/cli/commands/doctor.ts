/** `campaigns doctor`: looks at all that a run needs, and says what is wrong and how to mend it. */
import { Command } from 'commander';
import type { CommonOptions } from '../../runtime/runtime.ts';
import { configOption, jsonOption } from '../flags/common.ts';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('look at all that a run needs: settings, Redis, service, key, clock, disk, workers')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
It changes nothing, and calls the service once, to read.

Exit codes: 0 no problem (there may be warnings), 2 a problem.

Example:
  campaigns doctor`,
    )
    .action(doctor);
}

const colours = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

async function doctor(options: CommonOptions): Promise<void> {
  const [{ examine }, { createOutput, plural }, { exitCodes }] = await Promise.all([
    import('../doctor/examine.ts'),
    import('../print/output.ts'),
    import('../exit.ts'),
  ]);
  const output = createOutput(options.json ?? false);
  const findings = await examine(options, output);
  const problems = findings.filter(({ verdict }) => verdict === 'problem').length;
  output.document({ problems, findings });
  for (const { verdict, text, cure } of findings) {
    output.printText(`${output.paint(colours[verdict], verdict.padEnd(8))} `, text);
    if (cure !== undefined) output.printText('         ', cure);
  }
  output.print(
    problems === 0 ? '\nNothing stands in the way of a run.' : `\n${plural(problems, 'problem')}.`,
  );
  process.exitCode = problems === 0 ? exitCodes.ok : exitCodes.usage;
}
