/** `campaigns stop`: ends a private Redis, such as one that a killed process left behind. */
import type { Command } from 'commander';
import { stopPrivateRedis } from '../../runtime/redis/end-private.ts';
import { createOutput } from '../print/output.ts';
import type { CommonOptions } from '../session.ts';

export const readsSettings = false;

export function define(command: Command): Command {
  return command
    .addHelpText('after', '\nCommands that use this Redis end, too.\n\nExample:\n  campaigns stop')
    .action(stop);
}

async function stop({ json = false }: CommonOptions): Promise<void> {
  const output = createOutput(json);
  const { dataDir, stopped, users } = await stopPrivateRedis();
  output.document('stop', { dataDir, stopped, users });
  if (!stopped) output.print(`No private Redis was running for ${dataDir}.`);
  else if (users.length === 0) output.print(`The private Redis of ${dataDir} was stopped. Its data stays.`);
  else
    output.print(
      `The private Redis of ${dataDir} was stopped. It was in use by process ${users.join(', ')}.`,
    );
}
