import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { keyTag } from '../../src/platform/redis/address.ts';
import { Queues } from '../../src/queues/queues.ts';
import { redisNamespace } from '../support/redis/redis.ts';
import { allManifests, allWorkloads, secretKeys, workloadNamed } from '../support/sheets/manifests.ts';

describe('policies', () => {
  const podLabels = allWorkloads().map(({ spec }) => spec.template.metadata.labels);
  const shape = z.object({
    spec: z.object({
      podSelector: z.object({ matchLabels: z.record(z.string(), z.string()).default({}) }).optional(),
      selector: z.object({ matchLabels: z.record(z.string(), z.string()) }).optional(),
    }),
  });

  it.each(
    allManifests()
      .filter(({ kind }) => ['NetworkPolicy', 'PodDisruptionBudget'].includes(kind))
      .map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const),
  )('%s is about pods that there are', (_name, manifest) => {
    const { spec } = shape.parse(manifest);
    const wanted = spec.podSelector?.matchLabels ?? spec.selector?.matchLabels ?? {};
    const isMet = (labels: Readonly<Record<string, string>>) =>
      Object.entries(wanted).every(([name, value]) => labels[name] === value);
    expect(podLabels.some(isMet)).toBe(true);
  });
});

describe('scaling', () => {
  const scaled = z
    .object({
      spec: z.object({
        scaleTargetRef: z.object({ name: z.string() }),
        minReplicaCount: z.int(),
        triggers: z
          .array(
            z.object({
              metadata: z.object({ listName: z.string() }),
              authenticationRef: z.object({ name: z.string() }),
            }),
          )
          .length(1),
      }),
    })
    .parse(allManifests().find(({ kind }) => kind === 'ScaledObject')).spec;
  const [trigger] = scaled.triggers;

  it('never removes the last worker', () => {
    expect(workloadNamed(scaled.scaleTargetRef.name).metadata.name).toBe('worker');
    expect(scaled.minReplicaCount).toBeGreaterThanOrEqual(1);
  });

  it('queries with an existing password', () => {
    const shape = z.object({
      metadata: z.object({ name: z.literal(trigger?.authenticationRef.name ?? '') }),
      spec: z.object({ secretTargetRef: z.array(z.object({ name: z.string(), key: z.string() })) }),
    });
    const { spec } = shape.parse(allManifests().find(({ kind }) => kind === 'TriggerAuthentication'));
    const keys = spec.secretTargetRef.map(({ name, key }) => ({ name, key }));
    expect(secretKeys()).toEqual(expect.arrayContaining(keys));
  });

  it('watches the list of waiting uploads', async () => {
    const { redis, prefix } = redisNamespace();
    const queues = new Queues({ connection: redis, prefix, attempts: 1 });
    await (await queues.queue('upload')).add('a job', {});
    const listName = trigger?.metadata.listName ?? '';
    expect(listName.startsWith(`${keyTag()}:`)).toBe(true);
    expect(await redis.llen(listName.replace(keyTag(), prefix))).toBe(1);
    await queues.close();
  });
});
