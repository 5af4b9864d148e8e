import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import type { Runtime } from '../../src/app/runtime/runtime.ts';
import { examineRedis } from '../../src/cli/doctor/ledger.ts';
import {
  examineDataDir,
  examineMediaRoot,
  examineNode,
  examineOpenFiles,
  examineTimezone,
} from '../../src/cli/doctor/machine.ts';
import { examineClock, examineService, examineUploads } from '../../src/cli/doctor/service.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openRunner } from '../support/in-process.ts';
import { openScene, type Scene } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';

const gigabyte = 1024 ** 3;
const noon = Date.UTC(2026, 5, 1, 12);

describe('the machine', () => {
  it.for([
    ['24.4.1', 'problem'],
    ['24.5.0', 'ok'],
    ['26.0.0', 'ok'],
    ['20.99.0', 'problem'],
  ] as const)('Node %s is judged as %s', async ([version, verdict]) => {
    expect(await Array.fromAsync(examineNode(version, '24.5'))).toMatchObject([{ verdict }]);
  });

  it.for([
    [50 * gigabyte, 'ok'],
    [gigabyte / 2, 'warning'],
    [1000, 'problem'],
  ] as const)('a disk with %d bytes left is judged as %s', async ([free, verdict]) => {
    expect(await Array.fromAsync(examineDataDir(temporaryFolder(), async () => free))).toMatchObject([
      { verdict },
    ]);
  });

  it('reports a data directory that is a file', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(await Array.fromAsync(examineDataDir(file))).toMatchObject([
      { verdict: 'problem', check: 'data-dir' },
    ]);
  });

  it('reports a missing media root', async () => {
    const folder = temporaryFolder();
    expect(await Array.fromAsync(examineMediaRoot(folder))).toMatchObject([{ verdict: 'ok' }]);
    expect(await Array.fromAsync(examineMediaRoot(join(folder, 'gone')))).toMatchObject([
      { verdict: 'problem' },
    ]);
    expect(await Array.fromAsync(examineMediaRoot(null))).toEqual([]);
  });

  it.for([
    ['256', 'warning'],
    ['20000', 'ok'],
    ['unlimited', 'ok'],
  ] as const)('%s open files are judged as %s', async ([limit, verdict]) => {
    const file = join(temporaryFolder(), 'limits');
    writeFileSync(file, `Limit Soft Limit\nMax open files            ${limit}      20000    files\n`);
    expect(await Array.fromAsync(examineOpenFiles(file))).toMatchObject([{ verdict }]);
  });
});

it.for([
  [null, []],
  ['Europe/London', []],
  ['GMT', [{ verdict: 'warning', fix: expect.stringContaining('Europe/London') }]],
] as const)('the zone of the settings (%s) is looked at', async ([zone, findings]) => {
  expect(await Array.fromAsync(examineTimezone(zone, noon))).toMatchObject(findings);
});

describe('the clock', () => {
  it.for([
    [0, 'ok'],
    [-4000, 'ok'],
    [30_000, 'warning'],
    [-3_600_000, 'problem'],
  ] as const)('%d ms off is judged as %s', async ([off, verdict]) => {
    expect(await Array.fromAsync(examineClock(new Date(noon).toUTCString(), noon + off))).toMatchObject([
      { verdict },
    ]);
  });

  it('is not judged if the service sends no date', async () => {
    expect(await Array.fromAsync(examineClock(undefined, noon))).toEqual([]);
  });
});

it('what a crash of Redis may lose is told once, and also if it was told elsewhere today', async () => {
  const redis = {
    description: 'Redis',
    hasFailover: true,
    durability: { loss: 'too old', replicas: 1 },
    connect: () => ({ info: async () => 'redis_version:7.0.0' }),
  };
  const runtime = { redis, settings: { redis: { replicas: null } } } as unknown as Runtime;
  for (const warnings of [[], ['too old']]) {
    expect(await Array.fromAsync(examineRedis(runtime, warnings))).toMatchObject([
      { verdict: 'ok' },
      { verdict: 'warning', text: 'too old' },
      { verdict: 'warning', text: expect.stringContaining('if a server is lost, nothing is sent') },
    ]);
  }
});

it('a code that says that a permission is missing blames the key, not the address', async () => {
  const { sandbox, redis, ledger, context } = await openRunner({ queues: [] });
  sandbox.faults.add({ operation: 'listCreatorAccounts', kind: 'code', code: 403, message: 'not granted' });
  const runtime = {
    environment: { apiUrl: sandbox.url, apiKey: sandbox.apiKey },
    settings: context.settings,
    redis: { connect: () => redis },
    ledger,
  } as unknown as Runtime;
  expect((await Array.fromAsync(examineService(runtime)))[0]).toMatchObject({
    verdict: 'problem',
    check: 'key',
    text: 'listCreatorAccounts was refused with code 403: not granted.',
  });
});

it('a missing upload confirmation is only a warning: not every manifest uploads', async () => {
  expect(await Array.fromAsync(examineUploads(null))).toMatchObject([{ verdict: 'warning' }]);
  expect(await Array.fromAsync(examineUploads({ method: 'POST' }))).toMatchObject([{ verdict: 'ok' }]);
});

interface Report {
  readonly problems: number;
  readonly findings: readonly { readonly check: string; readonly verdict: string }[];
}

async function doctor(scene: Scene, env: Readonly<Record<string, string>> = {}, ...flags: string[]) {
  const { code, stdout, stderr } = await scene.run(['doctor', '--json', ...flags], env);
  const { problems, findings } = JSON.parse(stdout) as Report;
  return { code, problems, stdout, stderr, verdicts: new Map(findings.map((f) => [f.check, f.verdict])) };
}

describe.concurrent('campaigns doctor', () => {
  it('finds no problem in a good set-up, and ends with 0', async (test) => {
    const report = await doctor(await openScene(test, { redis: 'private' }));
    expect(report).toMatchObject({ code: 0, problems: 0 });
    expect([...report.verdicts.values()].every((verdict) => verdict === 'ok')).toBe(true);
    expect([...report.verdicts.keys()]).toEqual(
      expect.arrayContaining(['redis', 'service', 'clock', 'workers']),
    );
  });

  it('blames the address, not the key, for a wrong address', async (test) => {
    const scene = await openScene(test);
    const { stdout } = await doctor(scene, { CREATOR_API_URL: `${scene.sandbox.url}/nowhere` });
    const { findings } = JSON.parse(stdout) as { findings: { check: string; fix: string }[] };
    const fix = findings.find(({ check }) => check === 'service')?.fix;
    expect(fix).toContain('Check the address in CREATOR_API_URL');
  });

  it('does not tell watchers about an address that it could not reach', async (test) => {
    const scene = await openScene(test);
    await scene.run(['import', scene.manifest([videoRow('one')])]);
    expect((await doctor(scene, { CREATOR_API_URL: 'http://127.0.0.1:9' })).code).toBe(2);
    const watched = await scene.run(['watch', 'c1', '--once', '--json']);
    expect(JSON.parse(watched.stdout)).toMatchObject({ progress: { unreachable: [] } });
  });

  it.for([
    ['a key that is refused', { CREATOR_API_KEY: 'wrong-key-1' }, 'key'],
    ['no key', { CREATOR_API_KEY: '' }, 'service'],
    ['an address where nothing listens', { CREATOR_API_URL: 'http://127.0.0.1:9' }, 'service'],
    ['Redis out of reach', { REDIS_URL: 'redis://127.0.0.1:9' }, 'redis'],
    ['a wrong address of Redis', { REDIS_URL: 'http://127.0.0.1' }, 'redis'],
    ['a missing settings file', { CAMPAIGNS_CONFIG: 'gone.json' }, 'settings'],
  ] as const)('reports %s without a secret', async ([, env, check], test) => {
    const scene = await openScene(test);
    const report = await doctor(scene, env);
    expect(report.code).toBe(2);
    expect(report.verdicts.get(check)).toBe('problem');
    expect(report.stdout + report.stderr).not.toContain(scene.sandbox.apiKey);
    expect(report.stdout + report.stderr).not.toContain('wrong-key-1');
  });
});

describe('campaigns doctor --notify', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

  /** A scene whose sandbox receives notifications. */
  async function receivingScene(test: TestContext, setting: object = {}): Promise<Scene> {
    const scene = await openScene(test, { sandbox: { notifySecret: secret } });
    writeFileSync(join(scene.folder, 'secret'), secret);
    const url = `${scene.sandbox.adminUrl}/notifications`;
    const entry = { url, secretFile: join(scene.folder, 'secret'), allowPrivateAddresses: ['127.0.0.1'] };
    scene.configure({ notify: [{ ...entry, ...setting }] });
    return scene;
  }

  it('sends a signed test message to every receiver', async (test) => {
    const scene = await receivingScene(test);
    const report = await doctor(scene, {}, '--notify');
    expect(report).toMatchObject({ code: 0, problems: 0 });
    expect(report.verdicts.get('notify')).toBe('ok');
    expect(scene.sandbox.notifications.list()).toMatchObject([
      { signature: 'valid', body: { event: 'doctor.test', command: 'campaigns doctor' } },
    ]);
  });

  it('sends nothing unless it is asked to', async (test) => {
    const scene = await receivingScene(test);
    expect((await doctor(scene)).verdicts.get('notify')).toBe('ok');
    expect(scene.sandbox.notifications.list()).toEqual([]);
  });

  it('warns of messages that are not signed', async (test) => {
    const report = await doctor(await receivingScene(test, { secretFile: undefined }));
    expect(report).toMatchObject({ code: 0, problems: 0 });
    expect(report.verdicts.get('notify')).toBe('warning');
  });

  it.for([
    ['a private address that its entry does not permit', { allowPrivateAddresses: [] }],
    ['a secret that is not there', { secretFile: 'gone' }],
    ['a receiver that is not there', { url: 'http://127.0.0.1:9/t0k3n' }],
  ] as const)('reports %s, without a secret', async ([, setting], test) => {
    const report = await doctor(await receivingScene(test, setting), {}, '--notify');
    expect(report.code).toBe(2);
    expect(report.verdicts.get('notify')).toBe('problem');
    expect(report.stdout + report.stderr).not.toContain(secret.slice(6));
    expect(report.stdout + report.stderr).not.toContain('t0k3n');
  });

  it('reports that there is no receiver', async (test) => {
    const report = await doctor(await openScene(test), {}, '--notify');
    expect(report.verdicts.get('notify')).toBe('problem');
  });
});
