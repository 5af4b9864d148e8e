/**
 * The pages of the console on a runner in this process, by HTTP. Everything ends with the test.
 *
 *     const runner = await openRunner();
 *     const pages = await openPages(runner);
 *     expect((await pages.get('/queues')).text).toContain('Queues and limits');      without tags
 *     await pages.post('/campaigns/c1/pause', {});                                   sends a form, and follows to its notice
 */
import { onTestFinished, type TestContext } from 'vitest';
import { createReadinessCheck } from '../../../src/app/runtime/health.ts';
import { listen } from '../../../src/app/runtime/http-server.ts';
import type { Runtime } from '../../../src/app/runtime/runtime.ts';
import { type ConsoleOptions, createConsoleApp } from '../../../src/console/app.ts';
import { patienceMs } from '../events.ts';
import type { TestRunner } from '../in-process.ts';

export interface PageAnswer {
  readonly status: number;
  readonly html: string;
  /** The page without its tags; white space is one blank. */
  readonly text: string;
}

export interface Pages {
  readonly url: string;
  readonly runtime: Runtime;
  get(path: string): Promise<PageAnswer>;
  /** Sends a form with its proof. @returns the page that it leads to. */
  post(
    path: string,
    fields: Readonly<Record<string, string>> | URLSearchParams | FormData,
  ): Promise<PageAnswer>;
}

/** On a busy machine an answer of Redis takes longer than people are asked to wait for it. */
const untilAway = patienceMs / 2;

export async function openPages(
  runner: TestRunner,
  test: Pick<TestContext, 'onTestFinished'> = { onTestFinished },
  { patienceMs = untilAway, reach }: Pick<ConsoleOptions, 'patienceMs' | 'reach'> = {},
): Promise<Pages> {
  const runtime = runtimeOf(runner, test);
  const app = createConsoleApp({
    runtime,
    readiness: createReadinessCheck({
      findRefusal: () => runner.ledger.findRefusal(),
      answerMs: patienceMs,
    }),
    patienceMs,
    reach,
    secrets: ['sandbox-key'],
    version: '0.0.0',
  });
  const { url, close } = await listen(app, { host: '127.0.0.1', port: 0 });
  test.onTestFinished(close);

  async function get(path: string, cookie = ''): Promise<PageAnswer> {
    const answer = await fetch(`${url}${path}`, { headers: { cookie } });
    return read(answer.status, await answer.text());
  }
  async function post(
    path: string,
    fields: Readonly<Record<string, string>> | URLSearchParams | FormData,
  ): Promise<PageAnswer> {
    const [, csrf = ''] = /name="_csrf" value="([^"]*)"/.exec((await get('/queues')).html) ?? [];
    const body =
      fields instanceof FormData
        ? withProof(fields, csrf)
        : new URLSearchParams([...new URLSearchParams(fields), ['_csrf', csrf]]);
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: { origin: url },
    });
    const to = answer.headers.get('location');
    if (to === null) return read(answer.status, await answer.text());
    const cookies = answer.headers.getSetCookie().map((each) => each.split(';')[0]);
    return get(to, cookies.join('; '));
  }
  return { url, runtime, get, post };
}

/** As in the forms of pages, the proof comes first. */
function withProof(fields: FormData, csrf: string): FormData {
  const form = new FormData();
  form.set('_csrf', csrf);
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

/** The parts of a runtime that pages use. */
function runtimeOf(runner: TestRunner, test: Pick<TestContext, 'onTestFinished'>): Runtime {
  const { ledger, queues, redis, context, client, rateLimits, folder } = runner;
  const { settings, views, prober, log, now } = context;
  const service = { client, rateLimits };
  const connect = () => {
    const connection = redis.duplicate();
    connection.on('error', () => undefined);
    test.onTestFinished(() => connection.disconnect());
    return connection;
  };
  const parts = {
    ledger,
    queues,
    rateLimits,
    settings,
    views,
    prober,
    log,
    now,
    redis: { connect, description: 'the Redis of the test' },
    service: { isConfigured: true, need: () => service },
    environment: { dataDir: folder },
    notify: () => undefined,
  };
  return parts as unknown as Runtime;
}

function read(status: number, html: string): PageAnswer {
  const text = html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  return { status, html, text: text.replaceAll(/\s+/g, ' ') };
}
