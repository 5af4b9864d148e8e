/** Spans of queues and jobs, where the process traces. */
import type { Telemetry } from 'bullmq';

const name = 'campaign-runner';
/** Where the API of OpenTelemetry keeps what an SDK has registered, for all its copies in a process. */
const registered = Symbol.for('opentelemetry.js.api.1');

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
