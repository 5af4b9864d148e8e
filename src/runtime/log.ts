/** The log of a process: JSON lines. Every call names its fields one by one, so that no secret gets in. */
import { join } from 'node:path';
import { destination, type Logger, pino } from 'pino';
import type { Environment } from '../../config/load.ts';
import { presentableJson } from '../manifest/presentable.ts';

/** `stderr` may be a terminal, and so may the reader of the file. `file`: `campaigns.log` in the data directory, for commands whose terminal shows progress. */
export type LogTarget = 'stderr' | 'file';

export function createLog(
  { logLevel, dataDir }: Pick<Environment, 'logLevel' | 'dataDir'>,
  to: LogTarget,
): Logger {
  const dest = to === 'stderr' ? 2 : join(dataDir, 'campaigns.log');
  return pino(
    { level: logLevel, base: { pid: process.pid }, hooks: { streamWrite: presentableJson } },
    destination({ dest, mkdir: true, sync: true }),
  );
}
