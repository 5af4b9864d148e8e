/** Traces are sent only where an address is set: one from a command or a request to each call of the service. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DelayedError, type Job } from 'bullmq';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readEnvironment, SettingsError } from '../../../config/load.ts';
import { type TraceSampling, usualSampling } from '../../../config/traces.ts';
import type { FinishedJob } from '../../../src/processors/runner/context.ts';
import { openTraces } from '../../../src/runtime/observability/traces.ts';
import { callApi } from '../../support/api.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { openScene } from '../../support/processes/scene.ts';
import { aiVideoRow, videoRow } from '../../support/sheets/rows.ts';
import { sheetText } from '../../support/sheets/sheet.ts';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly status: { readonly code: number };
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A collector of OTLP/HTTP on loopback. */
async function openCollector() {
  const spans: Span[] = [];
  const paths = new Set<string | undefined>();
  const server = createServer(async (request, response) => {
    paths.add(request.url);
    const { resourceSpans } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    for (const { scopeSpans } of resourceSpans) {
      for (const each of scopeSpans) spans.push(...each.spans.map(readSpan));
    }
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { spans, paths, url: `http://127.0.0.1:${port}/otel` };
}

function readSpan({
  attributes,
  ...span
}: Omit<Span, 'attributes'> & { attributes: { key: string; value: object }[] }) {
  const pairs = attributes.map(({ key, value }) => [key, Object.values(value)[0]]);
  return { ...span, attributes: Object.fromEntries(pairs) };
}

/** Names of a span and of those that it is in, from the inside, and the id of the one that was not sent here. */
function wayOut(spans: readonly Span[], from: Span | undefined): readonly string[] {
  if (from === undefined) return [];
  const parent = spans.find(({ spanId }) => spanId === from.parentSpanId);
  return [from.name, ...(parent ? wayOut(spans, parent) : from.parentSpanId ? [from.parentSpanId] : [])];
}

const named = (spans: readonly Span[], name: string) => spans.filter((span) => span.name === name);
const traceId = '0af7651916cd43dd8448eb211c80319c';
const caller = 'b7ad6b7169203331';
const sampled = `00-${traceId}-${caller}-01`;
const unsampled = `00-${traceId}-${caller}-00`;

/** A runner whose traces are collected; `sent` waits until all of them are there. */
async function openTraced(sampling: TraceSampling = usualSampling) {
  const collector = await openCollector();
  const traces = openTraces({ url: `${collector.url}/v1/traces`, version: '0', sampling });
  const runner = await openRunner({ traces });
  const { url } = await openPages(runner, undefined, { traces });
  await runner.start();
  const hand = (rows: readonly string[], traceparent?: string) =>
    callApi(url, '/campaigns', {
      method: 'POST',
      body: sheetText(rows.map((key) => aiVideoRow(key))),
      headers: traceparent === undefined ? {} : { traceparent },
    });
  const sent = async () => {
    await runner.workers.stop(1000);
    await traces[Symbol.asyncDispose]();
    return collector.spans;
  };
  return { runner, url, hand, sent };
}

function jobOf(id: string, attemptsStarted = 1): Job {
  const [, step = ''] = /(post|poll|showcase|admission)/.exec(id) ?? [];
  const queueName = step.replace('admission', 'campaign');
  return { id, name: step, queueName, attemptsStarted, opts: { telemetry: { metadata: sampled } } } as Job;
}

function jobsOf(spans: readonly Span[]): readonly unknown[] {
  return spans.map(({ attributes }) => attributes['campaigns.job']).filter((id) => id !== undefined);
}

/** Traces without a runner. `run` plays a run of a job that makes some calls. */
async function openAlone(sampling: TraceSampling = usualSampling) {
  const collector = await openCollector();
  const traces = openTraces({ url: `${collector.url}/v1/traces`, version: '0', sampling });
  const call = { operation: 'createCreatorPost', method: 'POST', origin: 'http://127.0.0.1' } as const;
  const run = (id: string, outcome: FinishedJob['outcome'], calls: number, attempt = 1) =>
    traces
      .job(jobOf(id, attempt), async () => {
        for (let made = 0; made < calls; made += 1) await traces.call(call, async () => ({ status: 200 }));
        traces.finished({ outcome } as FinishedJob);
        if (outcome === 'again') throw new DelayedError();
      })
      .catch((error: unknown) => expect(error).toBeInstanceOf(DelayedError));
  const sent = async () => {
    await traces[Symbol.asyncDispose]();
    return collector.spans;
  };
  return { traces, run, sent };
}

describe('traces', { timeout: 60_000 }, () => {
  it('go from a command over its import and the workers to each call', async (test) => {
    const { spans, paths, url } = await openCollector();
    const scene = await openScene(test);
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`, TRACEPARENT: sampled };
    const rows = [aiVideoRow('a'), videoRow('b')];
    expect(await scene.run(['import', scene.manifest(rows)], env)).toMatchObject({ code: 0 });
    // What works it off is not called by that program.
    expect(await scene.run(['run'], { ...env, TRACEPARENT: '' })).toMatchObject({ code: 0 });
    expect([...paths]).toEqual(['/otel/v1/traces']);

    const posts = named(spans, 'createCreatorPost');
    expect(posts).toHaveLength(2);
    for (const post of posts) {
      expect(post.traceId).toBe(traceId);
      expect(wayOut(spans, post).slice(0, 2)).toEqual(['createCreatorPost', 'process post']);
      expect(wayOut(spans, post).slice(-2)).toEqual(['campaigns import', caller]);
      expect(post.attributes).toMatchObject({
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'server.address': '127.0.0.1',
      });
    }
    const steps = ['showcase', 'generate', 'poll', 'upload', 'post'].map((queue) => `process ${queue}`);
    const ours = spans.filter((span) => span.traceId === traceId).map(({ name }) => name);
    expect(ours).toEqual(expect.arrayContaining(['process campaign', ...steps, 'putFile']));
    expect(ours).not.toContain('campaigns run');
    // Ids and outcomes: nothing that a planner wrote, no key, no query.
    expect(JSON.stringify(spans)).not.toMatch(/Caption|demo_anna|Video a|sandbox-key|\?|signature/i);
  });

  it('a collector that is away holds nothing up', async () => {
    const url = 'http://127.0.0.1:9/v1/traces';
    const traces = openTraces({ url, version: '0', sampling: usualSampling, command: 'run' });
    await traces.job(jobOf('c1-0-0-post'), async () => undefined);
    await expect(traces[Symbol.asyncDispose]()).resolves.toBeUndefined();
  });

  it('go from a request to the console, with the trace of its caller, to each call', async () => {
    const { runner, hand, sent } = await openTraced();
    expect(await hand(['a'], sampled)).toMatchObject({ status: 201 });
    await runner.ended('c1');
    const spans = await sent();
    const [post] = named(spans, 'createCreatorPost');
    expect(wayOut(spans, post).slice(-2)).toEqual(['POST /api/v1/campaigns', caller]);
    // The import looks the creators up.
    const [look] = named(spans, 'listCreatorAccounts');
    expect(wayOut(spans, look)).toEqual(['listCreatorAccounts', 'POST /api/v1/campaigns', caller]);
    expect(named(spans, 'process post')[0]?.attributes).toMatchObject({
      'campaigns.job': 'c1-0-0-post',
      'campaigns.outcome': 'done',
    });
  });

  it('are not sent if their caller does not want them', async () => {
    const { runner, url, hand, sent } = await openTraced();
    await hand(['a'], unsampled);
    await runner.ended('c1');
    // Pages are read all day long.
    await callApi(url, '/campaigns');
    const names = new Set((await sent()).map(({ name }) => name));
    // Each run of the rescuer is a trace of its own.
    expect([...names].filter((name) => name !== 'process campaign')).toEqual([]);
  });

  it('begin anew with a parent that cannot be read, from a caller or from Redis', async () => {
    const { runner, hand, sent } = await openTraced();
    await hand(['a'], `00-${'0'.repeat(32)}-${caller}-01`);
    await runner.ended('c1');
    const options = { telemetry: { metadata: '{' } };
    const { id } = await runner.queues.queue('campaign').add('admission', { c: 'c1' }, options);
    await runner.jobFinished(({ job }) => job === id);
    const spans = await sent();
    expect(wayOut(spans, named(spans, 'createCreatorPost')[0]).at(-1)).toBe('POST /api/v1/campaigns');
  });

  it('show the first rows of a campaign and some of the others', async () => {
    const { traces, sent } = await openAlone();
    const post = (id: string) => traces.job(jobOf(id), async () => undefined);
    for (const id of ['c1-99-0-post', 'c1-100-0-post', 'c1-2000-1-post']) await post(id);
    for (const id of ['c1-showcase-99', 'c1-showcase-100', 'c1-admission']) await post(id);
    expect(jobsOf(await sent())).toEqual([
      ...['c1-99-0-post', 'c1-2000-1-post', 'c1-showcase-99', 'c1-admission'],
    ]);
  });

  it('leave out jobs that came back without a call, such as while their campaign is paused', async () => {
    const { traces, run, sent } = await openAlone();
    await run('c1-0-0-post', 'again', 0);
    await run('c1-1-0-poll', 'again', 1);
    await run('c1-2-0-post', 'done', 0);
    await traces.job(jobOf('c1-admission'), async () => {
      traces.telemetry.contextManager.getMetadata(undefined);
      traces.finished({ outcome: 'again' } as FinishedJob);
    });
    const spans = await sent();
    expect(jobsOf(spans)).toEqual(['c1-1-0-poll', 'c1-2-0-post', 'c1-admission']);
    // Coming back is no error, although BullMQ is told by one.
    expect(spans.map(({ status }) => status.code)).toEqual(spans.map(() => 0));
  });

  it('go on where jobs have come back for days: polls are left out, but not what comes after them', async () => {
    const { run, sent } = await openAlone();
    await run('c1-0-0-poll', 'again', 1, 101);
    await run('c1-0-0-poll', 'done', 1, 102);
    await run('c1-0-0-post', 'done', 1, 1000);
    await run('c1-admission', 'again', 1, 101);
    const spans = await sent();
    expect(jobsOf(spans)).toEqual(['c1-0-0-poll', 'c1-0-0-post']);
    const calls = named(spans, 'createCreatorPost');
    expect(calls.map((call) => wayOut(spans, call))).toEqual([
      ['createCreatorPost', 'process post', caller],
      ['createCreatorPost', caller],
    ]);
  });

  it.each<[TraceSampling, string | undefined, number]>([
    [{ share: 0, followsCaller: true }, sampled, 1],
    [{ share: 0, followsCaller: true }, undefined, 0],
    [{ share: 0, followsCaller: false }, sampled, 0],
    [{ share: 1, followsCaller: false }, unsampled, 1],
  ])('with the sampling %j, of the caller %s: %i spans', async (sampling, parent, count) => {
    const { traces, sent } = await openAlone(sampling);
    traces.request('POST', parent).end(200, undefined);
    expect(await sent()).toHaveLength(count);
  });

  it.each([
    [{}, { share: 1, followsCaller: true }],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, { share: 0, followsCaller: true }],
    [
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
      { share: 0.1, followsCaller: false },
    ],
  ])('%j means the sampling %j', (env, sampling) => {
    expect(readEnvironment(env).traceSampling).toEqual(sampling);
  });

  it.each([
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://collector' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a:b@collector' },
    { OTEL_TRACES_SAMPLER: 'jaeger_remote' },
    { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '10%' },
  ])('refuses %j', (env) => {
    expect(() => readEnvironment(env)).toThrow(SettingsError);
  });

  it('go nowhere unless asked for, and leave nothing in jobs', async () => {
    expect(readEnvironment({}).tracesUrl).toBeUndefined();
    const runner = await openRunner({ queues: [] });
    await runner.importOrUpdate([aiVideoRow('a')]);
    const job = await runner.queues.ensureAdmission('c1');
    expect(job.opts.telemetry).toBeUndefined();
  });
});
