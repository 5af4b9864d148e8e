/** Traces are sent only where an address is set, and the jobs of a row are in them. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEnvironment, SettingsError } from '../../../config/load.ts';
import { finished, openScene } from '../../support/processes/scene.ts';
import { aiVideoRow } from '../../support/sheets/rows.ts';

interface Span {
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

describe('traces', { timeout: 60_000 }, () => {
  const spans: Span[] = [];
  const paths = new Set<string | undefined>();
  let collector: Server;
  beforeAll(async () => {
    collector = createServer(async (request, response) => {
      paths.add(request.url);
      const { resourceSpans } = JSON.parse(Buffer.concat(await request.toArray()).toString());
      for (const { scopeSpans } of resourceSpans) for (const each of scopeSpans) spans.push(...each.spans);
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(collector, 'listening');
  });
  afterAll(() => collector.close());

  it('of a campaign go to the address that is set', async (test) => {
    const scene = await openScene(test);
    const { port } = collector.address() as AddressInfo;
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/otel/` };
    // In a process of its own: what collects traces is one for a process.
    const run = await finished(scene.start(['run', scene.manifest([aiVideoRow('a')])], env));
    expect(run.code, run.stderr).toBe(0);
    expect([...paths]).toEqual(['/otel/v1/traces']);
    const worked = spans.map(({ name }) => name).filter((name) => name.startsWith('process '));
    expect(new Set(worked)).toEqual(
      new Set(
        ['campaign', 'showcase', 'generate', 'poll', 'upload', 'post'].map((queue) => `process ${queue}`),
      ),
    );
    // Ids of jobs, and nothing that a planner wrote.
    expect(JSON.stringify(spans)).not.toMatch(/Caption|demo_anna|Video a/);
  });

  it('a collector that is away holds nothing up', async (test) => {
    const scene = await openScene(test);
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
    const run = await finished(scene.start(['run', scene.manifest([aiVideoRow('a')])], env));
    expect(run.code, run.stderr).toBe(0);
  });

  it.each(['collector:4318', 'ftp://collector', 'http://a:b@collector'])(
    'refuses the address %s',
    (address) => {
      expect(() => readEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: address })).toThrow(SettingsError);
    },
  );

  it('go nowhere unless asked for', () => {
    expect(readEnvironment({}).tracesUrl).toBeUndefined();
  });
});
