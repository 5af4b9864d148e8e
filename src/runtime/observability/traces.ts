/**
 * Traces, sent by OTLP over HTTP: one from a request or a command over import, admission and steps to each call of the service. Loaded
 * only if their endpoint is set. Spans have ids and outcomes, but no texts of planners, no queries and no bodies.
 *
 * A job carries the `traceparent` of what added it. BullMQ only hands it on: it makes a span of every command of a queue, with the
 * messages of errors. Nothing is registered for the whole process, so a program that uses the package keeps its own tracing.
 */
import {
  type Context,
  createContextKey,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Job, Telemetry } from 'bullmq';
import type { TraceCall, TracedCall } from '../../api/transport/transport.ts';
import type { FinishedJob, TraceJob } from '../../processors/runner/context.ts';
import { campaignQueue, groupOfJobId } from '../../queues/campaign-jobs.ts';
import { periodicJobNames } from '../../queues/queues.ts';
import { rowOfJobId } from '../../queues/row-jobs.ts';
import { nightJobName, scrapeJobName } from '../../queues/scrape.ts';
import { contextOf, Spans, type SpansOptions, traceparentOf, withFlags } from './spans.ts';

/** The first rows of a campaign are traced, and then some, so that the trace of a million rows can be looked at. */
const firstRows = 100;
const oneOfRows = 1000;
/** Polls and admissions come back for days. Later ones are not traced, but what they lead to is. */
const firstRuns = 100;
/** Marks the work of such a poll: its call is not traced. */
const isQuiet = createContextKey('quiet');

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
export function openTraces(options: SpansOptions): Traces {
  const spans = new Spans(options);
  return {
    telemetry: telemetryOf(spans),
    job: (job, work) => traceJob(spans, job, work),
    finished: (job) => addOutcome(spans, job),
    call: (call, send) => traceCall(spans, call, send),
    request: (method, parent) => traceRequest(spans, method, parent),
    [Symbol.asyncDispose]: () => spans[Symbol.asyncDispose](),
  };
}

function telemetryOf(spans: Spans): Telemetry {
  return {
    tracer: { startSpan: () => noSpan },
    contextManager: {
      active: () => spans.active(),
      with: (_context, work) => work(),
      fromMetadata: () => spans.active(),
      getMetadata() {
        spans.markBusy();
        return traceparentOf(spans.active()) ?? '';
      },
    },
  };
}

function traceJob<T>(spans: Spans, job: Job, work: () => Promise<T>): Promise<T> {
  const from = isPeriodic(job) ? ROOT_CONTEXT : contextOf(job.opts.telemetry?.metadata);
  if (!isShown(job)) return spans.run(withFlags(from, false), work);
  const isLate = job.attemptsStarted > firstRuns;
  if (isLate && !isStep(job)) return spans.run(from, work);
  const within = isLate && job.queueName === 'poll' ? from.setValue(isQuiet, true) : from;
  const attributes = { 'campaigns.queue': job.queueName, 'campaigns.job': job.id };
  return spans.inSpan(
    `process ${job.queueName}`,
    { kind: SpanKind.CONSUMER, attributes, from: within },
    work,
  );
}

function addOutcome(
  spans: Spans,
  { campaign, row, step, outcome, code, attempt, waitMs }: FinishedJob,
): void {
  spans.span?.setAttributes({
    'campaigns.campaign': campaign,
    'campaigns.row': row,
    'campaigns.step': step,
    'campaigns.outcome': outcome,
    'campaigns.code': code,
    'campaigns.attempt': attempt,
    'campaigns.wait_ms': waitMs,
  });
  if (isFailure(outcome)) spans.span?.setStatus({ code: SpanStatusCode.ERROR });
  if (outcome === 'again' || outcome === 'snooze') spans.dropUnlessBusy();
}

function traceCall<T extends { readonly status: number }>(
  spans: Spans,
  { operation, method, origin, path }: TracedCall,
  send: () => Promise<T>,
): Promise<T> {
  const from = spans.active();
  if (from.getValue(isQuiet)) return send();
  spans.markBusy();
  const { hostname, port, protocol } = new URL(origin);
  const attributes = {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    'url.scheme': protocol.slice(0, -1),
    'url.path': path,
  };
  return spans.inSpan(operation, { kind: SpanKind.CLIENT, attributes, from }, async (span) => {
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
}

function traceRequest(spans: Spans, method: string, parent: string | undefined): TracedRequest {
  const from = spans.calledBy(parent);
  const attributes = { 'http.request.method': method };
  const span = spans.tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, from);
  return {
    run: (work) => spans.run(trace.setSpan(from, span), work),
    end(status, route) {
      if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
      span.setAttribute('http.response.status_code', status);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
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
