/**
 * The log of a process: JSON lines. Every call names its fields one by one, so that no secret is logged. Spans of
 * queues and jobs, where the process traces.
 */

import { join } from 'node:path';
import type { Telemetry } from 'bullmq';
import { destination, type Logger, pino } from 'pino';
import type { Environment } from '../../../config/load.ts';
import { printableJson } from '../../manifest/printable.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { describeFileError } from '../../platform/files/disk.ts';
import { openToAppend } from '../../platform/files/write-file.ts';

/** `file`: `campaigns.log` in the data directory, for commands whose terminal shows progress. Lines are safe for terminals. */
export type LogTarget = 'stderr' | 'file';

/** Characters. Bounds texts of sheets and programs, because collectors refuse long lines. */
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

/** @throws {UseCaseError} `settings_invalid` if the file cannot be opened, or is a link of another user, a pipe or a device. */
export function createLog(
  { logLevel, dataDir }: Pick<Environment, 'logLevel' | 'dataDir'>,
  to: LogTarget,
): Logger {
  return logTo(to === 'stderr' ? 2 : openLogFile(join(dataDir, 'campaigns.log')), logLevel);
}

/** Most bytes of lines that wait for a full disk. Later lines are dropped. */
const mostWaiting = 256 * 1024;

/** Failures to write, such as on a full disk, stop nothing: it resumes when there is room. @param descriptor of an open file. */
export function logTo(descriptor: number, level: string): Logger {
  const to = destination({ dest: descriptor, sync: true, maxLength: mostWaiting });
  // Without a listener, the call that logs would throw.
  to.on('error', () => undefined);
  return pino(
    {
      level,
      base: { pid: process.pid },
      formatters: { log: bounded },
      hooks: { streamWrite: printableJson },
    },
    to,
  );
}

function openLogFile(path: string): number {
  try {
    return openToAppend(path);
  } catch (error) {
    throw new UseCaseError(
      'settings_invalid',
      `the log ${path} cannot be opened: ${describeFileError(error)}`,
      {
        fix: 'Fix that, or set DATA_DIR to another folder.',
        cause: error,
      },
    );
  }
}

const name = 'campaign-runner';
/** Where the API of OpenTelemetry keeps what an SDK has registered, for all its copies in a process. */
const registered = Symbol.for('opentelemetry.js.api.1');

/** Keeps the address of the request at work out of its span. */
export async function hideFromTraces(): Promise<void> {
  if (!(registered in globalThis)) return;
  const { trace } = await import('@opentelemetry/api');
  const hidden = '/…';
  // Of the conventions of today, and of those before.
  trace.getActiveSpan()?.setAttributes({ 'url.path': hidden, 'http.target': hidden, 'http.url': hidden });
}

/** @returns spans for the tracing that the process has; undefined without any, so that jobs carry nothing. */
export async function queueTelemetry(): Promise<Telemetry | undefined> {
  if (!(registered in globalThis)) return undefined;
  const [{ isSpanContextValid, trace }, { BullMQOtel }] = await Promise.all([
    import('@opentelemetry/api'),
    import('bullmq-otel'),
  ]);
  // Without an SDK, the API makes spans without an id.
  if (!isSpanContextValid(trace.getTracer(name).startSpan('start').spanContext())) return undefined;
  const telemetry = new BullMQOtel({ tracerName: name });
  const { contextManager } = telemetry;
  const read = contextManager.fromMetadata.bind(contextManager);
  // What others wrote into a job must not keep it from running.
  contextManager.fromMetadata = (active, metadata) => {
    try {
      return read(active, metadata);
    } catch {
      return active;
    }
  };
  return telemetry;
}
