/** The spans of a process, sent by OTLP over HTTP, and the contexts that tell which span is at work. */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  context as global,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TraceSampling } from '../../../config/traces.ts';

const name = 'campaign-runner';
/** A collector that does not answer must not hold up the end of a process. Milliseconds. */
const longestSendMs = 5000;
/** Longer than any `traceparent` of today. */
const longestParent = 100;

export interface SpansOptions {
  /** Endpoint for traces. */
  readonly url: string;
  /** Version of the runner. */
  readonly version: string;
  readonly sampling: TraceSampling;
  /** Name of the command that this process carries out, which is one span; undefined for a process that serves until it is stopped. */
  readonly command?: string | undefined;
  /** `traceparent` of the program that started the command. */
  readonly parent?: string | undefined;
}

interface SpanOptions {
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  readonly from: Context;
}

/** The spans of this process: which one is at work, and which of them are sent. */
export class Spans implements AsyncDisposable {
  readonly tracer: Tracer;
  readonly #provider: TracerProvider;
  readonly #root: TraceIdRatioBasedSampler;
  readonly #followsCaller: boolean;
  /** Span of the command that this process carries out. */
  readonly #command: Span | undefined;
  readonly #base: Context | undefined;
  readonly #store = new AsyncLocalStorage<Context>();
  /** Spans of jobs that called the service or added jobs, and of those that came back without it, such as while a campaign is paused. */
  readonly #busy = new WeakSet<object>();
  readonly #idle = new WeakSet<object>();

  constructor({ url, version, sampling, command, parent }: SpansOptions) {
    const exporter = new OTLPTraceExporter({ url, timeoutMillis: longestSendMs });
    const batch = new BatchSpanProcessor({ exporter });
    this.#root = new TraceIdRatioBasedSampler(sampling.share);
    this.#followsCaller = sampling.followsCaller;
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': name, 'service.version': version }),
      sampler: new ParentBasedSampler({ root: this.#root }),
      spanProcessors: [
        {
          onStart: () => undefined,
          onEnd: (span) => (this.#idle.has(span) ? undefined : batch.onEnd(span)),
          forceFlush: () => batch.forceFlush(),
          shutdown: () => batch.shutdown(),
        },
      ],
    });
    this.tracer = this.#provider.getTracer(name, version);
    if (command === undefined) return;
    const options = { kind: SpanKind.INTERNAL };
    this.#command = this.tracer.startSpan(`campaigns ${command}`, options, this.calledBy(parent));
    this.#base = trace.setSpan(ROOT_CONTEXT, this.#command);
  }

  /** The program that uses the package may have a span at work. */
  active(): Context {
    return this.#store.getStore() ?? this.#base ?? global.active();
  }

  get span(): Span | undefined {
    return trace.getSpan(this.active());
  }

  markBusy(): void {
    if (this.span) this.#busy.add(this.span);
  }

  /** Keeps the span at work from being sent, unless something was done in it. */
  dropUnlessBusy(): void {
    if (this.span && !this.#busy.has(this.span)) this.#idle.add(this.span);
  }

  /** What somebody else asks for. Whether it is sampled is for them to say only if the settings let them. */
  calledBy(text: string | undefined): Context {
    const caller = contextOf(text);
    const span = trace.getSpanContext(caller);
    if (span === undefined || this.#followsCaller) return caller;
    const { decision } = this.#root.shouldSample(caller, span.traceId);
    return withFlags(caller, decision === SamplingDecision.RECORD_AND_SAMPLED);
  }

  run<T>(context: Context, work: () => T): T {
    return this.#store.run(context, work);
  }

  async inSpan<T>(
    title: string,
    { kind, attributes, from }: SpanOptions,
    work: (span: Span) => Promise<T>,
  ): Promise<T> {
    const span = this.tracer.startSpan(title, { kind, attributes }, from);
    try {
      return await this.run(trace.setSpan(from, span), () => work(span));
    } finally {
      span.end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#command?.end();
    // Traces that cannot be sent are lost: they are a help, not a record.
    await this.#provider.shutdown().catch(() => undefined);
  }
}

/** @param text from outside: from a request, or from Redis. What is no `traceparent` begins a trace. */
export function contextOf(text: unknown): Context {
  const span = typeof text === 'string' && text.length <= longestParent ? parseTraceParent(text) : null;
  return span ? trace.setSpanContext(ROOT_CONTEXT, { ...span, isRemote: true }) : ROOT_CONTEXT;
}

export function traceparentOf(context: Context): string | undefined {
  const span = trace.getSpanContext(context);
  if (span === undefined) return undefined;
  const { traceId, spanId, traceFlags } = span;
  return `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
}

/** The same trace, sampled or not from here on. A trace that is to begin without being sampled has an id that nobody sees. */
export function withFlags(context: Context, isSampled: boolean): Context {
  const { traceId, spanId } = trace.getSpanContext(context) ?? unseen;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(context, { traceId, spanId, traceFlags, isRemote: true });
}

const unseen = { traceId: `${'0'.repeat(31)}1`, spanId: `${'0'.repeat(15)}1` };
