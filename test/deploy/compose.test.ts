import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadSettings } from '../../config/load.ts';
import { duration } from '../../config/units.ts';
import packageFacts from '../../package.json' with { type: 'json' };
import { requireGoodPassword } from '../../src/app/access/passwords.ts';
import { drainMs } from '../../src/processors/workers.ts';
import {
  type ComposeService,
  composeFiles,
  manifestFiles,
  projectRoot,
  readCompose,
} from '../support/sheets/manifests.ts';

const trial = readCompose('docker-compose.yml');
const real = readCompose('docker-compose.service.yml');
const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({ optionalDependencies: z.record(z.string(), z.string()).default({}) }),
  ),
});
const named = composeFiles.flatMap((file) =>
  Object.entries(readCompose(file).services).map(
    ([name, service]) => [`${name} of ${file}`, service] as const,
  ),
);

function serviceNamed(name: string, { services }: typeof real): ComposeService {
  const service = services[name];
  if (!service) throw new RangeError(`there is no service ${name}`);
  return service;
}

describe.each(named)('the service %s', (_name, service) => {
  it('has an image of a known version', () => {
    const own = `campaign-runner:\${CAMPAIGNS_VERSION:-${packageFacts.version}}`;
    if (service.build) expect(service.image).toBe(own);
    else expect(service.image).toMatch(/^[^:]+:\d/);
  });

  it('cannot change its image, nor gain any right', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    // The image of the runner has a user of its own; that of Redis begins as root.
    if (!service.build) expect(service.user).not.toMatch(/^(?:root|0)?$/);
  });

  it('has a health check, or says that it has none', () => {
    const { healthcheck, network_mode, command } = service;
    // Beside other workers in one network, a worker has no port for probes. The image has a test of its own.
    if (network_mode && command[0] === 'worker') expect(read('Dockerfile')).toMatch(/^HEALTHCHECK /m);
    else expect(healthcheck?.test ?? healthcheck?.disable).toBeTruthy();
  });

  it('publishes ports on loopback only', () => {
    expect(service.ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('writes to none of the media, and holds no key in its environment', () => {
    expect(service.volumes.filter((volume) => /:\/media(?!:ro$)/.test(volume))).toEqual([]);
    expect(service.environment.CREATOR_API_KEY ?? 'sandbox-key').toBe('sandbox-key');
  });
});

describe.each([
  { file: 'docker-compose.yml', compose: trial, settingsFile: 'config/sandbox.json' },
  { file: 'docker-compose.service.yml', compose: real, settingsFile: 'deploy/settings.json' },
])('$file', ({ compose, settingsFile }) => {
  it('gives two workers time to drain, and for a call that cannot be aborted', () => {
    const { stop_grace_period, deploy } = serviceNamed('worker', compose);
    const settings = loadSettings(join(projectRoot, settingsFile));
    expect(duration.parse(stop_grace_period)).toBeGreaterThan(drainMs + settings.api.timeout);
    expect(deploy?.replicas).toBe(2);
  });

  it('serves the console to the host, and asks for a password', () => {
    const {
      command,
      environment,
      network_mode: network = 'service:console',
    } = serviceNamed('console', compose);
    expect(command).toEqual(expect.arrayContaining(['serve', '--host', '0.0.0.0']));
    expect(environment.CONSOLE_ADMIN_PASSWORD_FILE).toMatch(/^\/(?:run\/secrets|tmp)\/\w+$/);
    expect(serviceNamed(network.replace('service:', ''), compose).ports).toEqual(['127.0.0.1:3000:3000']);
  });

  it('has a Redis that keeps its data and evicts nothing', () => {
    const { command, volumes, ports } = serviceNamed('redis', compose);
    const line = command.join(' ');
    expect(line).toContain('--appendonly yes');
    expect(line).toContain('--maxmemory-policy noeviction');
    expect(volumes).toEqual([expect.stringMatching(/^[\w-]+:\/data$/)]);
    expect(ports).toEqual([]);
  });

  it('mounts each volume that it declares, and no other', () => {
    const mounted = Object.values(compose.services)
      .flatMap(({ volumes }) => volumes.map((volume) => volume.split(':')[0] ?? ''))
      .filter((source) => /^\w/.test(source));
    expect(new Set(mounted)).toEqual(new Set(Object.keys(compose.volumes)));
  });
});

describe('the trial', () => {
  it('needs no file: no variable without a default, no secret, nothing of the host', () => {
    const variables = read('docker-compose.yml').match(/(?<!\$)\$\{?\w+[^}"\s]*/g) ?? [];
    expect(variables.filter((variable) => !/^\$\{\w+:-[^}]+$/.test(variable))).toEqual([]);
    const { services, secrets } = trial;
    expect(secrets).toEqual({});
    for (const { volumes } of Object.values(services)) {
      expect(volumes.filter((volume) => !/^[\w-]+:/.test(volume))).toEqual([]);
    }
  });

  it('shares no volume with the real service, whatever the project is called', () => {
    expect(trial.name).not.toBe(real.name);
    const shared = Object.keys(trial.volumes).filter((name) => name in real.volumes);
    expect(shared).toEqual([]);
  });

  it('reaches only the sandbox, and a Redis that nothing else reaches', () => {
    const { redis, sandbox, ...others } = trial.services;
    expect(redis?.command.join(' ')).toContain('--bind 127.0.0.1');
    expect(sandbox?.network_mode).toBeUndefined();
    for (const { environment, network_mode } of Object.values(others)) {
      expect(network_mode).toBe('service:sandbox');
      expect(environment.CREATOR_API_URL).toBe('http://127.0.0.1:8787');
      expect(environment.REDIS_URL).toBe('redis://127.0.0.1:6379');
    }
    expect(redis?.network_mode).toBe('service:sandbox');
  });

  it.each(['worker', 'console'])('starts %s only when the example is paused', (name) => {
    const { depends_on } = serviceNamed(name, trial);
    expect(depends_on.example).toEqual({ condition: 'service_completed_successfully' });
  });

  it('imports an example that the image has', () => {
    const [example = ''] = serviceNamed('example', trial).command;
    expect(packageFacts.files).toContain('examples');
    expect(existsSync(join(projectRoot, example.replace('/app/', '')))).toBe(true);
  });

  it('takes the password that the documents name', () => {
    const [, password = ''] = /echo ([\w-]+) >\/tmp\/password/.exec(read('docker-compose.yml')) ?? [];
    expect(() => requireGoodPassword(password, 'admin')).not.toThrow();
    expect(read('docs/deployment.md')).toContain(`\`${password}\``);
  });
});

describe('the real service', () => {
  it('is chosen by .env.example, which names what it needs', () => {
    const given = parseEnv(read('.env.example'));
    expect(given.COMPOSE_FILE).toBe('docker-compose.service.yml');
    const needed = read('docker-compose.service.yml').match(/(?<=\$\{)\w+(?=:\?)/g) ?? [];
    expect(new Set(Object.keys(given))).toEqual(new Set(['COMPOSE_FILE', ...needed]));
  });

  it('takes the password of the console from a secret', () => {
    const { environment, secrets } = serviceNamed('console', real);
    expect(environment.CONSOLE_ADMIN_PASSWORD_FILE).toBe('/run/secrets/console_password');
    expect(secrets).toContain('console_password');
  });

  it('finds media where the settings say', () => {
    const { volumes } = serviceNamed('worker', real);
    const { media } = loadSettings(join(projectRoot, 'deploy/settings.json'));
    expect(volumes.some((volume) => volume.endsWith(`:${media.root}:ro`))).toBe(true);
  });

  it('never shows the password of Redis', () => {
    const line = serviceNamed('redis', real).command.join(' ');
    expect(line).not.toContain('--requirepass');
    expect(line).toContain('exec redis-server -');
  });
});

describe('the image', () => {
  it('has every script that is called besides the launcher', () => {
    const deployed = [...composeFiles, ...manifestFiles().map((file) => `deploy/${file}`)].map(read);
    const called = deployed.flatMap((text) => text.match(/(?<=\/app\/)scripts\/[\w.-]+/g) ?? []);
    const [, copied = ''] = /^COPY (.*) scripts\/$/m.exec(read('Dockerfile')) ?? [];
    expect(new Set(called)).toEqual(new Set(copied.split(' ')));
    for (const script of called) expect(existsSync(join(projectRoot, script)), script).toBe(true);
  });

  it('gets exactly what the lock file names: binaries of every system are in it, so npm ci takes it', () => {
    const { packages } = lockFile.parse(JSON.parse(read('package-lock.json')));
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
      ),
    );
    // npm leaves out what the registry in use does not have. Add these by hand: version, cpu, os, libc, dev, optional.
    expect(missing).toEqual([]);
  });

  it('has everything that the build compiles and packs', () => {
    const sent = (read('.dockerignore').match(/(?<=^!).*/gm) ?? []).map((path) => path.split('/')[0]);
    const needed = ['src', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
    const packed = packageFacts.files.map((path) => path.split('/')[0]).filter((path) => path !== 'dist');
    expect(sent).toEqual(expect.arrayContaining([...needed, ...packed]));
  });
});
