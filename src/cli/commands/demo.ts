/** `campaigns demo`: the campaign of the examples, carried out against a sandbox of its own. */
import { Command } from 'commander';
import { jsonOption } from '../flags/common.ts';

export function demoCommand(): Command {
  return new Command('demo')
    .description(
      'carry the campaign of examples/ through a sandbox and a private Redis, and check what came of it',
    )
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

async function demo({ keep = false, json = false }: { readonly keep?: boolean; readonly json?: boolean }) {
  const { runDemo } = await import('../demo/demo.ts');
  process.exitCode = await runDemo({ keep, json, dataDir: process.env.DATA_DIR });
}
