/** The log of a process: JSON lines, whose fields are named one by one, so that no secret gets into it. */
import { join } from 'node:path';
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type { Environment } from '../../config/load.ts';

/** `file`: `campaigns.log` in the data directory, for commands whose terminal shows progress. */
export type LogTarget = 'stderr' | 'file';

export function createLog(
  { logLevel, dataDir }: Pick<Environment, 'logLevel' | 'dataDir'>,
  to: LogTarget,
): Logger {
  const target: DestinationStream =
    to === 'stderr'
      ? destination({ dest: 2, sync: true })
      : destination({ dest: join(dataDir, 'campaigns.log'), mkdir: true, sync: true });
  return pino({ level: logLevel, base: { pid: process.pid } }, target);
}
