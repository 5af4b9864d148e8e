/** How jobs take part in the traces of a process that was started with OpenTelemetry. Nothing is set up here. */
import { isSpanContextValid, trace } from '@opentelemetry/api';
import type { Telemetry } from 'bullmq';
import { BullMQOtel } from 'bullmq-otel';

const name = 'campaign-runner';

/** @returns spans of queues and jobs for the tracing that the process has; undefined without any, so that jobs carry nothing. */
export function queueTelemetry(): Telemetry | undefined {
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
