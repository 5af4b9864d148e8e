import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadSettings } from '../../config/load.ts';
import { duration } from '../../config/units.ts';
import packageFacts from '../../package.json' with { type: 'json' };
import { drainMs } from '../../src/app/campaigns/run-until-done.ts';
import { type ComposeService, manifestFiles, projectRoot, readCompose } from '../support/sheets/manifests.ts';

const services = readCompose();
const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({ optionalDependencies: z.record(z.string(), z.string()).default({}) }),
  ),
});
const named = Object.entries(services);
const settings = loadSettings(join(projectRoot, 'deploy/settings.json'));

function serviceNamed(name: string): ComposeService {
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
    const { healthcheck } = service;
    expect(healthcheck?.test ?? healthcheck?.disable).toBeTruthy();
  });

  it('publishes ports on loopback only', () => {
    expect(service.ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('writes to none of the media, and holds no key in its environment', () => {
    expect(service.volumes.filter((volume) => /:\/media(?!:ro$)/.test(volume))).toEqual([]);
    expect(service.environment.CREATOR_API_KEY ?? 'sandbox-key').toBe('sandbox-key');
  });
});

describe('the board', () => {
  it('asks for a password, because every container of its network reaches it', () => {
    const { command, environment, secrets } = serviceNamed('board');
    expect(command).toEqual(expect.arrayContaining(['serve', '--host', '0.0.0.0']));
    expect(environment.CONSOLE_ADMIN_PASSWORD_FILE).toBe('/run/secrets/console_password');
    expect(secrets).toContain('console_password');
  });
});

describe('workers', () => {
  it('have time to drain, and for a call that cannot be aborted', () => {
    const grace = duration.parse(serviceNamed('worker').stop_grace_period);
    expect(grace).toBeGreaterThan(drainMs + settings.api.timeout);
  });

  it('find media where the settings say', () => {
    const { volumes } = serviceNamed('worker');
    expect(volumes.some((volume) => volume.endsWith(`:${settings.media.root}:ro`))).toBe(true);
  });
});

describe('the image', () => {
  const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

  it('has every script that is called besides the launcher', () => {
    const deployed = ['docker-compose.yml', ...manifestFiles().map((file) => `deploy/${file}`)].map(read);
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

describe('Redis', () => {
  it('keeps its data, evicts nothing, and never shows its password', () => {
    const { command } = serviceNamed('redis');
    const line = command.join(' ');
    expect(line).toContain('--appendonly yes');
    expect(line).toContain('--maxmemory-policy noeviction');
    expect(line).not.toContain('--requirepass');
    expect(line).toContain('exec redis-server -');
  });
});
