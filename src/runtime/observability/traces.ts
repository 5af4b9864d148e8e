/**
 * Traces of jobs, sent by OTLP over HTTP. Loaded only if their endpoint is set. The meter of `bullmq-otel` stays off, because
 * its metrics have a label for each job name.
 */
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Telemetry } from 'bullmq';
import { BullMQOtel } from 'bullmq-otel';

const name = 'campaign-runner';
/** A collector that does not answer must not hold up the end of a process. Milliseconds. */
const longestSendMs = 5000;

export interface Traces extends AsyncDisposable {
  /** Receives the spans of queues and workers. */
  readonly telemetry: Telemetry;
}

/** @param url endpoint for traces. @returns a handle that sends the remaining traces when disposed. */
export function openTraces(url: string, version: string): Traces {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: longestSendMs });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': name, 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return {
    telemetry: new BullMQOtel({ tracerName: name, version }),
    async [Symbol.asyncDispose]() {
      // Traces that cannot be sent are lost: they are a help, not a record.
      await provider.shutdown().catch(() => undefined);
      trace.disable();
      propagation.disable();
      context.disable();
    },
  };
}
