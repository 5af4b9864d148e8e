/** A process that was started with OpenTelemetry: one trace from a request to each call of the service, through the jobs. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { expect, it, onTestFinished } from 'vitest';
import { makeShare } from '../../../src/app/approvals/shares.ts';
import { callApi } from '../../support/api.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { aiVideoRow, videoRow } from '../../support/sheets/rows.ts';
import { sheetText } from '../../support/sheets/sheet.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const caller = 'b7ad6b7169203331';

/** Sets OpenTelemetry up in this process until the test ends, with the instrumentation of HTTP that `--import` would bring. */
function startTelemetry(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const tracer = trace.getTracer('http');

  const emit = Server.prototype.emit as (...given: unknown[]) => boolean;
  Server.prototype.emit = function (this: Server, ...given: unknown[]) {
    if (given[0] !== 'request') return emit.apply(this, given);
    const [, { method, url = '', headers }, response] = given as [string, IncomingMessage, ServerResponse];
    const from = propagation.extract(ROOT_CONTEXT, headers);
    const attributes = { 'url.path': url, 'http.target': url, 'http.url': `http://console${url}` };
    const span = tracer.startSpan(`${method} ${url}`, { kind: SpanKind.SERVER, attributes }, from);
    response.once('close', () => span.end());
    return context.with(trace.setSpan(from, span), () => emit.apply(this, given));
  };
  const called = (message: unknown) => {
    const { method, path } = (message as { request: { method: string; path: string } }).request;
    tracer.startSpan(`${method} ${path}`, { kind: SpanKind.CLIENT }).end();
  };
  subscribe('undici:request:create', called);

  onTestFinished(() => {
    unsubscribe('undici:request:create', called);
    Server.prototype.emit = emit;
    for (const api of [trace, context, propagation]) api.disable();
  });
  return exporter;
}

/** Names of a span and of those that it is in, from the inside. The last is the id of a parent that is not here. */
function wayOut(spans: readonly ReadableSpan[], from: ReadableSpan): readonly string[] {
  const parent = from.parentSpanContext?.spanId;
  if (parent === undefined) return [from.name];
  const outer = spans.find((span) => span.spanContext().spanId === parent);
  return [from.name, ...(outer ? wayOut(spans, outer) : [parent])];
}

const traceOf = (span: Pick<Span, 'spanContext'>) => span.spanContext().traceId;

it('one trace goes from a request to the console through the jobs to the calls', async () => {
  const exporter = startTelemetry();
  const runner = await openRunner();
  const { url } = await openPages(runner);
  await runner.start();
  const created = await callApi(url, '/campaigns', {
    method: 'POST',
    body: sheetText([aiVideoRow('a')]),
    headers: { traceparent: `00-${traceId}-${caller}-01` },
  });
  expect(created).toMatchObject({ status: 201 });
  await runner.ended('c1');
  await runner.workers.stop(1000);

  const spans = exporter.getFinishedSpans();
  const posts = spans.filter(
    ({ kind, name }) => kind === SpanKind.CLIENT && name.endsWith('/creator/post/create'),
  );
  expect(posts.map(traceOf)).toEqual([traceId]);
  const way = posts.flatMap((post) => wayOut(spans, post));
  expect(way).toEqual(expect.arrayContaining(['process post', 'process campaign']));
  expect(way.slice(-2)).toEqual(['POST /api/v1/campaigns', caller]);
});

it.each([
  ['that is open', true],
  ['that nobody made', false],
])('no span has the address of a client link %s', async (_what, isOpen) => {
  const exporter = startTelemetry();
  const runner = await openRunner({ queues: [] });
  const id = await runner.importRows([videoRow('a')]);
  const pages = await openPages(runner);
  const wanted = { mayApprove: false, label: '', forMs: 60_000 };
  const made = await makeShare(pages.runtime, { campaign: id }, wanted, 'ann');
  const path = isOpen ? made.path : `/shared/${'x'.repeat(43)}`;
  const { status } = await pages.get(path);
  expect(status).toBe(isOpen ? 200 : 404);
  const spans = await runner.until(() => {
    const found = exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.SERVER);
    return found.length > 0 && found;
  }, 'the span of the request');
  expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain(path.slice(8));
});

it('a job runs whose place in a trace cannot be read', async () => {
  startTelemetry();
  const runner = await openRunner({ queues: ['campaign'] });
  await runner.importRows([videoRow('a')]);
  await runner.start();
  const broken = { telemetry: { metadata: '{', omitContext: true } };
  const { id } = await (await runner.queues.queue('campaign')).add('admission', { c: 'c1' }, broken);
  expect(await runner.jobFinished(({ job }) => job === id)).toMatchObject({ campaign: 'c1' });
});

it('each run of a periodic job has a trace of its own', async () => {
  const exporter = startTelemetry();
  const runner = await openRunner({ queues: ['campaign'], speedUp: 100 });
  await runner.start();
  const runs = await runner.until(() => {
    const found = exporter.getFinishedSpans().filter(({ name }) => name === 'process campaign');
    return found.length > 1 && found;
  }, 'two runs of the rescuer');
  expect(new Set(runs.map(traceOf)).size).toBe(runs.length);
});

it('without OpenTelemetry, jobs carry nothing', async () => {
  const runner = await openRunner({ queues: [] });
  await runner.importOrUpdate([videoRow('a')]);
  const job = await runner.queues.ensureAdmission('c1');
  expect(job.opts.telemetry).toBeUndefined();
});
