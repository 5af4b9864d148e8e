/** The Kubernetes manifests and the compose files, as they are deployed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';

export const projectRoot = join(import.meta.dirname, '../../..');
const deployFolder = join(projectRoot, 'deploy');

const labels = z.record(z.string(), z.string());
const reference = z.object({ name: z.string() });

const probe = z.object({
  httpGet: z.object({ path: z.string(), port: z.string() }).optional(),
  exec: z.object({ command: z.array(z.string()) }).optional(),
});

const container = z.object({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()).default([]),
  command: z.array(z.string()).default([]),
  envFrom: z.array(z.object({ configMapRef: reference })).default([]),
  env: z
    .array(
      z.object({
        name: z.string(),
        value: z.string().optional(),
        valueFrom: z.object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }) }).optional(),
      }),
    )
    .default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.int() })).default([]),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  resources: z.object({ requests: labels.default({}), limits: labels.default({}) }).optional(),
  securityContext: z.looseObject({}).optional(),
  volumeMounts: z
    .array(z.object({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().default(false) }))
    .default([]),
});

const volume = z.object({
  name: z.string(),
  configMap: reference.optional(),
  secret: z.object({ secretName: z.string(), items: z.array(z.object({ key: z.string() })) }).optional(),
  persistentVolumeClaim: z.object({ claimName: z.string() }).optional(),
  emptyDir: z.object({ sizeLimit: z.string() }).optional(),
});

const workload = z.object({
  kind: z.enum(['Deployment', 'StatefulSet']),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    selector: z.object({ matchLabels: labels }),
    strategy: z.looseObject({}).optional(),
    template: z.object({
      metadata: z.object({ labels }),
      spec: z.object({
        automountServiceAccountToken: z.boolean().optional(),
        terminationGracePeriodSeconds: z.number(),
        securityContext: z.looseObject({}),
        containers: z.array(container).min(1),
        volumes: z.array(volume).default([]),
      }),
    }),
    volumeClaimTemplates: z.array(z.object({ metadata: reference })).default([]),
  }),
});
export type Workload = z.infer<typeof workload>;

const kustomization = z.object({
  resources: z.array(z.string()),
  images: z.array(z.object({ name: z.string(), newTag: z.string() })).default([]),
  configMapGenerator: z
    .array(z.object({ name: z.string(), files: z.array(z.string()).default([]) }))
    .default([]),
});

const anyManifest = z.looseObject({ kind: z.string(), metadata: z.looseObject({ name: z.string() }) });
export type Manifest = z.infer<typeof anyManifest>;

/** Paths under `deploy/` of all manifests that a kustomization lists. */
export function listedFiles(): readonly string[] {
  return ['', 'keda/', 'monitoring/'].flatMap((folder) =>
    readKustomization(folder).resources.map((file) => `${folder}${file}`),
  );
}

/** Paths under `deploy/` of all YAML files except kustomizations. */
export function manifestFiles(): readonly string[] {
  return readdirSync(deployFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml') && !file.endsWith('kustomization.yaml'))
    .sort();
}

export function readKustomization(folder = '') {
  return kustomization.parse(parse(readDeployed(`${folder}kustomization.yaml`)));
}

/** The manifests of one file. */
export function readManifests(file: string): readonly Manifest[] {
  return parseAllDocuments(readDeployed(file)).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return anyManifest.parse(document.toJS());
  });
}

export function allManifests(): readonly Manifest[] {
  return listedFiles().flatMap(readManifests);
}

/** Manifests that run containers. @throws {ZodError} for one of the wrong shape. */
export function allWorkloads(): readonly Workload[] {
  return allManifests()
    .filter(({ kind }) => ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'].includes(kind))
    .map((manifest) => workload.parse(manifest));
}

/** @throws {RangeError} if none has this name. */
export function workloadNamed(name: string): Workload {
  const found = allWorkloads().find(({ metadata }) => metadata.name === name);
  if (!found) throw new RangeError(`there is no workload ${name}`);
  return found;
}

/** Keys of the secret that operators must create. */
export function secretKeys(): readonly { readonly name: string; readonly key: string }[] {
  const shape = z.object({
    metadata: z.object({ name: z.string() }),
    stringData: z.record(z.string(), z.string()),
  });
  return readManifests('secret.example.yaml').flatMap((manifest) => {
    const { metadata, stringData } = shape.parse(manifest);
    return Object.keys(stringData).map((key) => ({ name: metadata.name, key }));
  });
}

function readDeployed(file: string): string {
  return readFileSync(join(deployFolder, file), 'utf8');
}

const service = z.object({
  image: z.string(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  secrets: z.array(z.string()).default([]),
  user: z.string().optional(),
  build: z.string().optional(),
  entrypoint: z.array(z.string()).default([]),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  // As a list, podman-compose 1.0.3 takes its first word away for each replica. It does not know `configs`.
  healthcheck: z.looseObject({ test: z.string().optional() }).optional(),
  configs: z.undefined().optional(),
  network_mode: z.string().optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  stop_grace_period: z.string().optional(),
  deploy: z.object({ replicas: z.int() }).optional(),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
});
export type ComposeService = z.infer<typeof service>;

const composeFile = z.object({
  name: z.string(),
  services: z.record(z.string(), service),
  secrets: z.record(z.string(), z.unknown()).default({}),
  volumes: z.record(z.string(), z.unknown()),
});

/** What `docker compose up` starts without a file of one's own, and the real service. */
export const composeFiles = ['docker-compose.yml', 'docker-compose.service.yml'] as const;

/** A compose file, with variables unexpanded. */
export function readCompose(file: (typeof composeFiles)[number]): z.infer<typeof composeFile> {
  return composeFile.parse(parse(readFileSync(join(projectRoot, file), 'utf8'), { merge: true }));
}
