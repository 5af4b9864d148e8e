/** `campaigns stop`: ends the private Redis of a data directory that a killed process may have left behind. */
import { Command } from 'commander';
import type { CommonOptions } from '../../runtime/runtime.ts';
import { jsonOption } from '../flags/common.ts';

export function stopCommand(): Command {
  return new Command('stop')
    .description(
      'end the private Redis of this data directory (DATA_DIR), and with it whatever uses it; its data stays',
    )
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  campaigns stop')
    .action(stop);
}

async function stop(options: CommonOptions): Promise<void> {
  const [{ readEnvironment }, { stopPrivateRedis }, { createOutput }] = await Promise.all([
    import('../../../config/load.ts'),
    import('../../redis/private-server.ts'),
    import('../print/output.ts'),
  ]);
  const output = createOutput(options.json ?? false);
  const { dataDir } = readEnvironment();
  const { stopped, users } = await stopPrivateRedis(dataDir);
  output.document({ dataDir, stopped, users });
  if (!stopped) output.print(`No private Redis was running for ${dataDir}.`);
  else if (users.length === 0) output.print(`The private Redis of ${dataDir} has ended. Its data stays.`);
  else
    output.print(`The private Redis of ${dataDir} has ended; it was in use by process ${users.join(', ')}.`);
}
