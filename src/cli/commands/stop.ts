/** `campaigns stop`: ends the private Redis of a data directory that a killed process may have left behind. */
import type { Command } from 'commander';
import { stopPrivateRedis } from '../../runtime/private-redis.ts';
import { jsonOption } from '../flags/common.ts';
import { createOutput } from '../print/output.ts';
import type { CommonOptions } from '../session.ts';

export function define(command: Command): Command {
  return command.addOption(jsonOption()).addHelpText('after', '\nExample:\n  campaigns stop').action(stop);
}

async function stop({ json = false }: CommonOptions): Promise<void> {
  const output = createOutput(json);
  const { dataDir, stopped, users } = await stopPrivateRedis();
  output.document('stop', { dataDir, stopped, users });
  if (!stopped) output.print(`No private Redis was running for ${dataDir}.`);
  else if (users.length === 0) output.print(`The private Redis of ${dataDir} has ended. Its data stays.`);
  else
    output.print(`The private Redis of ${dataDir} has ended; it was in use by process ${users.join(', ')}.`);
}
