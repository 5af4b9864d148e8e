/** `campaigns demo`: runs the example campaign against a sandbox of its own. */
import type { Command } from 'commander';
import { runDemo } from '../demo/demo.ts';

interface DemoFlags {
  readonly keep?: boolean;
  readonly json?: boolean;
}

export const readsSettings = false;

export function define(command: Command): Command {
  return command
    .option('--keep', 'keep it running afterwards, until Ctrl-C')
    .addHelpText(
      'after',
      `
Some rows fail on purpose, and the answer to one post gets lost. At the end the demo compares the results sheet with the
sandbox's own record. Nothing leaves this machine. The demo ignores all settings but DATA_DIR: it works in DATA_DIR/demo
(default: .data/demo), and empties that folder first.

Exit codes: 0 all as expected, 1 something differs, 2 it could not start, 130 interrupted.

Example:
  campaigns demo --keep`,
    )
    .action(demo);
}

async function demo({ keep = false, json = false }: DemoFlags): Promise<void> {
  process.exitCode = await runDemo({ keep, json });
}
