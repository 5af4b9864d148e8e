/** `campaigns demo`: the campaign of the examples, carried out against a sandbox of its own. */
import type { Command } from 'commander';
import { runDemo } from '../demo/demo.ts';
import { jsonOption } from '../flags/common.ts';

interface DemoFlags {
  readonly keep?: boolean;
  readonly json?: boolean;
}

export function define(command: Command): Command {
  return command
    .option('--keep', 'leave it running afterwards, until Ctrl-C')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Some rows are made to fail, and the answer to one post gets lost. At the end, what the results sheet says is held
against the sandbox's own record. Nothing leaves this machine, and no setting is needed; those that are there do not
count, but for DATA_DIR: the demo's folder is DATA_DIR/demo (default: .data/demo), and is emptied each time.

Exit codes: 0 all went as it is meant to, 1 something did not, 2 it could not begin, 130 interrupted.

Example:
  campaigns demo --keep`,
    )
    .action(demo);
}

async function demo({ keep = false, json = false }: DemoFlags): Promise<void> {
  process.exitCode = await runDemo({ keep, json });
}
