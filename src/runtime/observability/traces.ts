/**
 * Traces, sent by OTLP over HTTP: one from a request or a command over import, admission and steps to each call of the service. Loaded
 * only if their endpoint is set. Spans have ids and outcomes, but no texts of planners, no queries and no bodies.
 *
 * A job carries the `traceparent` of what added it. BullMQ only hands it on: it makes a span of every command of a queue, with the
 * messages of errors. Nothing is registered for the whole process, so a program that uses the package keeps its own tracing.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  createContextKey,
  context as global,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
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
import type { Job, Telemetry } from 'bullmq';
import type { TraceSampling } from '../../../config/traces.ts';
import type { TraceCall } from '../../api/transport/transport.ts';
import type { FinishedJob, TraceJob } from '../../processors/runner/context.ts';
import { campaignQueue, groupOfJobId } from '../../queues/campaign-jobs.ts';
import { periodicJobNames } from '../../queues/queues.ts';
import { rowOfJobId } from '../../queues/row-jobs.ts';
import { nightJobName, scrapeJobName } from '../../queues/scrape.ts';

const name = 'campaign-runner';
/** A collector that does not answer must not hold up the end of a process. Milliseconds. */
const longestSendMs = 5000;
/** Longer than any `traceparent` of today. */
const longestParent = 100;
/** The first rows of a campaign are traced, and then some, so that the trace of a million rows can be looked at. */
const firstRows = 100;
const oneOfRows = 1000;
/** Polls and admissions come back for days. Later ones are not traced, but what they lead to is. */
const firstRuns = 100;
/** Marks the work of such a poll: its call is not traced. */
const isQuiet = createContextKey('quiet');

export interface TracesOptions {
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

/** A request that was begun. */
export interface TracedRequest {
  /** Does its work. */
  run(work: () => void): void;
  /** @param route as declared, such as `/campaigns/:id`; undefined if there is none. */
  end(status: number, route: string | undefined): void;
}

export interface Traces extends AsyncDisposable {
  /** Hands traces on through jobs. */
  readonly telemetry: Telemetry;
  readonly job: TraceJob;
  readonly call: TraceCall;
  /** Adds what became of a job to its span. Called at the end of its work. */
  finished(job: FinishedJob): void;
  /** @param parent `traceparent` of the caller. */
  request(method: string, parent: string | undefined): TracedRequest;
}

/** @returns a handle that sends the remaining traces when disposed. */
export function openTraces({ url, version, sampling, command, parent }: TracesOptions): Traces {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: longestSendMs });
  const batch = new BatchSpanProcessor({ exporter });
  /** Spans of jobs that called the service or added jobs, and of those that came back without it, such as while a campaign is paused. */
  const busy = new WeakSet<object>();
  const idle = new WeakSet<object>();
  const root = new TraceIdRatioBasedSampler(sampling.share);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': name, 'service.version': version }),
    sampler: new ParentBasedSampler({ root }),
    spanProcessors: [
      {
        onStart: () => undefined,
        onEnd: (span) => (idle.has(span) ? undefined : batch.onEnd(span)),
        forceFlush: () => batch.forceFlush(),
        shutdown: () => batch.shutdown(),
      },
    ],
  });
  const tracer = provider.getTracer(name, version);
  const store = new AsyncLocalStorage<Context>();
  const ofCommand =
    command === undefined
      ? undefined
      : tracer.startSpan(`campaigns ${command}`, { kind: SpanKind.INTERNAL }, calledBy(parent));
  const base = ofCommand && trace.setSpan(ROOT_CONTEXT, ofCommand);
  // The program that uses the package may have a span at work.
  const active = () => store.getStore() ?? base ?? global.active();

  function markBusy(): void {
    const span = trace.getSpan(active());
    if (span) busy.add(span);
  }

  /** What somebody else asks for. Whether it is sampled is for them to say only if the settings let them. */
  function calledBy(text: string | undefined): Context {
    const caller = contextOf(text);
    const span = trace.getSpanContext(caller);
    if (span === undefined || sampling.followsCaller) return caller;
    const { decision } = root.shouldSample(caller, span.traceId);
    return withFlags(caller, decision === SamplingDecision.RECORD_AND_SAMPLED);
  }

  async function inSpan<T>(
    title: string,
    { kind, attributes, from }: { kind: SpanKind; attributes: Attributes; from: Context },
    work: (span: Span) => Promise<T>,
  ): Promise<T> {
    const span = tracer.startSpan(title, { kind, attributes }, from);
    try {
      return await store.run(trace.setSpan(from, span), () => work(span));
    } finally {
      span.end();
    }
  }

  return {
    telemetry: {
      tracer: { startSpan: () => noSpan },
      contextManager: {
        active,
        with: (_context, work) => work(),
        fromMetadata: active,
        getMetadata() {
          markBusy();
          return traceparentOf(active()) ?? '';
        },
      },
    },
    job(job, work) {
      const from = isPeriodic(job) ? ROOT_CONTEXT : contextOf(job.opts.telemetry?.metadata);
      if (!isShown(job)) return store.run(withFlags(from, false), work);
      const isLate = job.attemptsStarted > firstRuns;
      if (isLate && !isStep(job)) return store.run(from, work);
      const within = isLate && job.queueName === 'poll' ? from.setValue(isQuiet, true) : from;
      const attributes = { 'campaigns.queue': job.queueName, 'campaigns.job': job.id };
      return inSpan(`process ${job.queueName}`, { kind: SpanKind.CONSUMER, attributes, from: within }, work);
    },
    finished({ campaign, row, step, outcome, code, attempt, waitMs }) {
      const span = trace.getSpan(active());
      span?.setAttributes({
        'campaigns.campaign': campaign,
        'campaigns.row': row,
        'campaigns.step': step,
        'campaigns.outcome': outcome,
        'campaigns.code': code,
        'campaigns.attempt': attempt,
        'campaigns.wait_ms': waitMs,
      });
      if (isFailure(outcome)) span?.setStatus({ code: SpanStatusCode.ERROR });
      if (span && (outcome === 'again' || outcome === 'snooze') && !busy.has(span)) idle.add(span);
    },
    call({ operation, method, origin, path }, send) {
      if (active().getValue(isQuiet)) return send();
      markBusy();
      const { hostname, port, protocol } = new URL(origin);
      const attributes = {
        'http.request.method': method,
        'server.address': hostname,
        'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
        'url.scheme': protocol.slice(0, -1),
        'url.path': path,
      };
      return inSpan(operation, { kind: SpanKind.CLIENT, attributes, from: active() }, async (span) => {
        try {
          const answer = await send();
          span.setAttribute('http.response.status_code', answer.status);
          if (answer.status >= 400) span.setStatus({ code: SpanStatusCode.ERROR });
          return answer;
        } catch (error) {
          // Its message may be of the service.
          span.setAttribute('error.type', error instanceof Error ? error.name : 'error');
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        }
      });
    },
    request(method, text) {
      const from = calledBy(text);
      const attributes = { 'http.request.method': method };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, from);
      return {
        run: (work) => store.run(trace.setSpan(from, span), work),
        end(status, route) {
          if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
          span.setAttribute('http.response.status_code', status);
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    async [Symbol.asyncDispose]() {
      ofCommand?.end();
      // Traces that cannot be sent are lost: they are a help, not a record.
      await provider.shutdown().catch(() => undefined);
    },
  };
}

const noSpan: ReturnType<Telemetry<Context>['tracer']['startSpan']> = {
  setSpanOnContext: (context) => context,
  setAttribute: () => undefined,
  setAttributes: () => undefined,
  addEvent: () => undefined,
  recordException: () => undefined,
  end: () => undefined,
};

/** @param text from outside: from a request, or from Redis. What is no `traceparent` begins a trace. */
function contextOf(text: unknown): Context {
  const span = typeof text === 'string' && text.length <= longestParent ? parseTraceParent(text) : null;
  return span ? trace.setSpanContext(ROOT_CONTEXT, { ...span, isRemote: true }) : ROOT_CONTEXT;
}

function traceparentOf(context: Context): string | undefined {
  const span = trace.getSpanContext(context);
  if (span === undefined) return undefined;
  const { traceId, spanId, traceFlags } = span;
  return `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
}

/** The same trace, sampled or not from here on. A trace that is to begin without being sampled has an id that nobody sees. */
function withFlags(context: Context, isSampled: boolean): Context {
  const { traceId, spanId } = trace.getSpanContext(context) ?? unseen;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(context, { traceId, spanId, traceFlags, isRemote: true });
}

const unseen = { traceId: `${'0'.repeat(31)}1`, spanId: `${'0'.repeat(15)}1` };

/** They serve all campaigns, and never end: each run is a trace of its own. */
function isPeriodic({ name: of }: Job): boolean {
  return of === nightJobName || periodicJobNames.some((each) => each === of);
}

function isStep({ queueName, name: of }: Pick<Job, 'queueName' | 'name'>): boolean {
  return queueName !== campaignQueue && of !== scrapeJobName;
}

/** Whether the row or group of a job is among those that are traced. */
function isShown({ id = '' }: Job): boolean {
  const number = rowOfJobId(id)?.r ?? groupOfJobId(id)?.g ?? 0;
  return number < firstRows || number % oneOfRows === 0;
}

const failures: readonly FinishedJob['outcome'][] = [
  'retry',
  'refused',
  'unknown',
  'damaged',
  'creator-expired',
  'error',
];

function isFailure(outcome: FinishedJob['outcome']): boolean {
  return failures.includes(outcome);
}
