import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadSettings } from '../../config/load.ts';
import { byteSize } from '../../config/units.ts';
import packageFacts from '../../package.json' with { type: 'json' };
import { drainMs } from '../../src/processors/workers.ts';
import {
  allManifests,
  allWorkloads,
  listedFiles,
  manifestFiles,
  projectRoot,
  readKustomization,
  readManifests,
  secretKeys,
  workloadNamed,
} from '../support/sheets/manifests.ts';

const workloads = allWorkloads().map((workload) => [workload.metadata.name, workload] as const);
const containers = workloads.flatMap(([name, { spec }]) =>
  spec.template.spec.containers.map((container) => [name, container] as const),
);
const settings = loadSettings(join(projectRoot, 'deploy/settings.json'));

function namesOf(kind: string): readonly string[] {
  return allManifests()
    .filter((manifest) => manifest.kind === kind)
    .map(({ metadata }) => metadata.name);
}

describe('the kustomization', () => {
  it('lists every manifest except the example of the secret', () => {
    expect([...listedFiles(), 'secret.example.yaml'].sort()).toEqual(manifestFiles());
  });

  it('deploys the version that it comes with', () => {
    const tags = readKustomization().images;
    expect(tags).toEqual([
      expect.objectContaining({ name: 'campaign-runner', newTag: packageFacts.version }),
    ]);
  });
});

describe.each(containers)('a container of %s', (_name, container) => {
  it('has an image of a known version', () => {
    const mapped = readKustomization().images.map(({ name }) => name);
    const [, tag] = /^[^:]+:(.+)$/.exec(container.image) ?? [];
    expect(mapped.includes(container.image) || (tag !== undefined && tag !== 'latest')).toBe(true);
  });

  it('is probed at its start, while it runs, and for its readiness', () => {
    const { startupProbe, livenessProbe, readinessProbe, ports } = container;
    for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
      expect(probe?.httpGet ?? probe?.exec).toBeDefined();
      if (probe?.httpGet) expect(ports.map(({ name }) => name)).toContain(probe.httpGet.port);
    }
  });

  it('requests resources, and has a memory limit', () => {
    expect(container.resources?.requests).toMatchObject({
      cpu: expect.any(String),
      memory: expect.any(String),
    });
    expect(container.resources?.limits).toHaveProperty('memory');
  });

  it('cannot change its image, nor gain any right', () => {
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });
});

describe.each(workloads)('pods of %s', (_name, { spec }) => {
  const pod = spec.template.spec;

  it('run as a numbered user that is not root, without a token of the cluster', () => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: expect.any(Number),
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
  });

  it('are found by their own selector', () => {
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
  });

  it('mount existing volumes, and every one of them', () => {
    const volumes = [...pod.volumes, ...spec.volumeClaimTemplates.map(({ metadata }) => metadata)];
    const mounts = pod.containers.flatMap(({ volumeMounts }) => volumeMounts);
    expect(new Set(mounts.map(({ name }) => name))).toEqual(new Set(volumes.map(({ name }) => name)));
  });

  it('name existing config maps, secrets and claims', () => {
    const configMaps = readKustomization().configMapGenerator.map(({ name }) => name);
    const named = [
      ...pod.containers.flatMap(({ envFrom }) => envFrom.map(({ configMapRef }) => configMapRef.name)),
      ...pod.volumes.flatMap(({ configMap }) => (configMap ? [configMap.name] : [])),
    ];
    expect(configMaps).toEqual(expect.arrayContaining(named));
    const claims = pod.volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
    expect(namesOf('PersistentVolumeClaim')).toEqual(expect.arrayContaining(claims));

    const secrets = [
      ...pod.containers.flatMap(({ env }) => env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? [])),
      ...pod.volumes.flatMap(
        ({ secret }) => secret?.items.map(({ key }) => ({ name: secret.secretName, key })) ?? [],
      ),
    ];
    expect(secretKeys()).toEqual(expect.arrayContaining(secrets));
  });
});

describe('the secret', () => {
  it('is an example without values', () => {
    const [example] = readManifests('secret.example.yaml');
    const values = Object.values(z.record(z.string(), z.string()).parse(example?.stringData));
    for (const value of values) expect(value).toContain('REPLACE');
  });
});

describe('workers', () => {
  const { spec } = workloadNamed('worker');
  const pod = spec.template.spec;

  it('have time to drain, and for a call that cannot be aborted', () => {
    expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(drainMs + settings.api.timeout);
  });

  it('are never fewer during a rollout', () => {
    expect(spec.strategy).toEqual({ rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
  });

  it('have the disk space that the settings allow for downloads', () => {
    const limit = pod.volumes.find(({ name }) => name === 'spool')?.emptyDir?.sizeLimit ?? '';
    expect(byteSize.parse(limit.replace('Gi', 'GB'))).toBeGreaterThan(settings.media.spool);
  });

  it('read settings and key where they are mounted, and media where the settings say', () => {
    const [worker] = pod.containers;
    const mounts = new Map(worker?.volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
    const env = new Map(worker?.env.map(({ name, value }) => [name, value]));
    expect(env.get('CAMPAIGNS_CONFIG')).toBe(`${mounts.get('settings')}/settings.json`);
    expect(env.get('CREATOR_API_KEY_FILE')).toBe(`${mounts.get('secrets')}/creator-api-key`);
    expect(mounts.get('media')).toBe(settings.media.root);
  });
});

describe('the memory of what was sent', () => {
  it.each(['worker', 'console'])('outlives the pods of the %s', (name) => {
    const { volumes, containers } = workloadNamed(name).spec.template.spec;
    const mount = containers[0]?.volumeMounts.find(({ mountPath }) => mountPath === '/data');
    const volume = volumes.find((one) => one.name === mount?.name);
    expect(volume?.persistentVolumeClaim?.claimName).toBe('data');
  });
});

describe('the console', () => {
  it('sees the media, settings and secrets that workers see', () => {
    const visible = (name: string) =>
      workloadNamed(name).spec.template.spec.containers[0]?.volumeMounts.map((mount) => mount.mountPath);
    expect(visible('console')).toEqual(visible('worker'));
  });
});
