/** `campaigns stop`: ends a private Redis, such as one that a killed process left behind. */
import { stopPrivateRedis } from '../../app/runtime/redis.ts';
import type { Define } from '../flags/common.ts';
import { createOutput } from '../print/output.ts';
import type { CommonOptions } from '../session.ts';

export const stop: Define = (command) =>
  command.notes('\nCommands that use this Redis end, too.\n\nExample:\n  campaigns stop').action(stopRedis);

async function stopRedis({ json = false }: CommonOptions): Promise<void> {
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
