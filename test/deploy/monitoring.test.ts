/** Alerts and dashboard ask for metrics that there are; monitors and policies name ports and pods that there are. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { WorkerMetrics } from '../../src/app/runtime/worker-metrics.ts';
import { setSchedule } from '../../src/app/videos/schedule.ts';
import { openPages } from '../support/console/console-pages.ts';
import { openRunner } from '../support/in-process.ts';
import { projectRoot, workloadNamed } from '../support/sheets/manifests.ts';
import { addVideos, scrape, videoUrl } from '../support/videos.ts';

const read = (name: string) => readFileSync(join(projectRoot, 'deploy/monitoring', name), 'utf8');
const scrapes = parseAllDocuments(read('scrapes.yaml')).map((each) => each.toJSON());

function asked(): ReadonlySet<string> {
  const { spec } = parse(read('alerts.yaml')) as { spec: { groups: { rules: { expr: string }[] }[] } };
  const { panels } = JSON.parse(read('dashboard.json')) as { panels: { targets: { expr: string }[] }[] };
  const expressions = [
    ...spec.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  return new Set(expressions.flatMap((text) => text.match(/\b(?:campaigns|nodejs)_\w+/g) ?? []));
}

it('asks for metrics that there are', async () => {
  const runner = await openRunner();
  await addVideos(runner, [videoUrl('one')]);
  await runner.start();
  await scrape(runner);
  const { url, runtime } = await openPages(runner);
  await setSchedule(runtime, {});
  const text = `${await (await fetch(`${url}/metrics`)).text()}\n${await new WorkerMetrics().metrics()}`;
  const told = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const missing = [...asked()].filter((name) => !told.has(name.replace(/_bucket$/, '')));
  expect(missing).toEqual([]);
});

it.each(['worker', 'console'])('lets Prometheus in to the %s, and nobody else', (name) => {
  const service = scrapes.find(
    ({ kind, metadata }) => kind === 'Service' && metadata.name === `${name}-metrics`,
  );
  const monitor = scrapes.find(({ kind, metadata }) => kind === 'ServiceMonitor' && metadata.name === name);
  const policy = scrapes.find(
    ({ kind, spec }) =>
      kind === 'NetworkPolicy' && spec.podSelector.matchLabels['app.kubernetes.io/name'] === name,
  );
  const { labels } = workloadNamed(name).spec.template.metadata;
  expect(labels).toMatchObject(service.spec.selector);
  expect(service.metadata.labels).toMatchObject(monitor.spec.selector.matchLabels);
  expect(service.spec.ports.map((port: { name: string }) => port.name)).toContain(
    monitor.spec.endpoints[0].port,
  );
  const [{ from, ports }] = policy.spec.ingress;
  expect(ports.map((port: { port: number }) => port.port)).toEqual([service.spec.ports[0].port]);
  expect(from).toEqual([
    { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } },
  ]);
});
