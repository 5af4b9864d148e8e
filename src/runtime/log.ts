/** The log of a process: JSON lines. Every call names its fields one by one, so that no secret gets in. */
import { join } from 'node:path';
import { destination, type Logger, pino } from 'pino';
import type { Environment } from '../../config/load.ts';

/** `file`: `campaigns.log` in the data directory, for commands whose terminal shows progress. */
export type LogTarget = 'stderr' | 'file';

/**
 * Characters of one field. Texts of the service are shorter; this is for those of sheets and programs. Collectors refuse long lines.
 */
const longestField = 2000;

const isLong = (value: unknown): value is string => typeof value === 'string' && value.length > longestField;

function bounded(fields: Record<string, unknown>): Record<string, unknown> {
  if (!Object.values(fields).some(isLong)) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      isLong(value) ? `${value.slice(0, longestField)}… (cut)` : value,
    ]),
  );
}

export function createLog(
  { logLevel, dataDir }: Pick<Environment, 'logLevel' | 'dataDir'>,
  to: LogTarget,
): Logger {
  const dest = to === 'stderr' ? 2 : join(dataDir, 'campaigns.log');
  return pino(
    { level: logLevel, base: { pid: process.pid }, formatters: { log: bounded } },
    destination({ dest, mkdir: true, sync: true }),
  );
}
