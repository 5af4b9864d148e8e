/** Several accounts of the service: two sandboxes with keys of their own, and one campaign under each. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { expectAgreement } from '../support/agreement.ts';
import { withDeadline } from '../support/events.ts';
import {
  meanwhile,
  openScene,
  type Scene,
  type SettingsSections,
  spedUp,
} from '../support/processes/scene.ts';
import { testSandbox } from '../support/sandbox.ts';
import { videoRow } from '../support/sheets/rows.ts';

const northKey = 'north-canary-key';

interface TwoAccounts {
  /** `scene.sandbox` is the account of the environment. */
  readonly scene: Scene;
  readonly north: Sandbox;
  /** Settings with the account `north`. */
  readonly withNorth: SettingsSections;
}

async function openTwo(test: TestContext, more: SettingsSections = {}): Promise<TwoAccounts> {
  const north = await testSandbox({ speed: 400, apiKey: northKey });
  test.onTestFinished(() => north.close());
  const scene = await openScene(test, spedUp);
  const account = { url: north.url, keyFile: join(scene.folder, 'north.key'), ...more };
  writeFileSync(account.keyFile, `${northKey}\n`);
  const withNorth = { accounts: { north: account } };
  scene.configure(withNorth);
  return { scene, north, withNorth };
}

function importBoth(scene: Scene): { readonly own: string; readonly north: string } {
  return {
    own: scene.manifest([videoRow('own-1'), videoRow('own-2')], 'own.csv'),
    north: scene.manifest([videoRow('north-1'), videoRow('north-2')], 'north.csv'),
  };
}

/** Imports a campaign and leaves it paused, as a key that is refused does. */
async function leavePaused(scene: Scene, sandbox: Sandbox, args: readonly string[]): Promise<void> {
  sandbox.faults.add({ operation: 'createFileUpload', kind: 'status', status: 401 });
  expect((await scene.run(args)).code).toBe(4);
  sandbox.faults.clear();
}

describe('a campaign runs under its account', { timeout: 60_000 }, () => {
  it('calls that service only, with its own key only', async (test) => {
    const { scene, north } = await openTwo(test);
    const files = importBoth(scene);
    expect((await scene.run(['run', files.north, '--account', 'north'])).code).toBe(0);
    expect(scene.sandbox.counts()).toEqual({});
    expect((await scene.run(['run', files.own])).code).toBe(0);
    expectAgreement(north, scene.results('north.results.csv'));
    expectAgreement(scene.sandbox, scene.results('own.results.csv'));
    const { stdout } = await scene.run(['show', 'c1', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ account: 'north' });
  });

  it('shares nothing that is known: a file of one account is uploaded to the other', async (test) => {
    const { scene, north } = await openTwo(test);
    const same = { media: 'same.mp4', product_id: 'p-same' };
    const first = scene.manifest([videoRow('1', same)], 'first.csv');
    const second = scene.manifest([videoRow('2', same)], 'second.csv');
    expect((await scene.run(['run', first])).code).toBe(0);
    expect((await scene.run(['run', second, '--account', 'north'])).code).toBe(0);
    for (const sandbox of [scene.sandbox, north]) {
      expect(sandbox.counts()).toMatchObject({ createFileUpload: 1, addSocialShowcaseProducts: 1 });
    }
  });

  it('keeps its key out of Redis, of what is printed and of the log', async (test) => {
    const { scene, north } = await openTwo(test);
    north.faults.add({
      operation: 'createCreatorPost',
      kind: 'status',
      status: 400,
      body: { code: 9, message: `bad ${northKey}` },
      times: 1,
    });
    const file = importBoth(scene).north;
    const ran = await scene.run(['run', file, '--account', 'north'], { LOG_LEVEL: 'trace' });
    expect(ran.code).toBe(3);
    const shown = await scene.run(['show', 'c1', '--json']);
    expect(shown.stdout).toContain('[key]');
    const written = readdirSync(scene.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
    expect(written.some((text) => text.includes('{campaigns}:c:c1'))).toBe(true);
    const everything = [...written, ran.stdout, ran.stderr, shown.stdout, shown.stderr];
    expect(everything.filter((text) => text.includes(northKey))).toEqual([]);
  });

  it('is gone on with under it by any run', async (test) => {
    const { scene, north } = await openTwo(test);
    const { north: file } = importBoth(scene);
    await leavePaused(scene, north, ['run', file, '--account', 'north']);
    await scene.run(['resume', 'c1']);
    expect((await scene.run(['run', file, '--account', 'default'])).code).toBe(2);
    expect((await scene.run(['run', file])).code).toBe(0);
    const ended = await scene.run(['run', file]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('imported before, as campaign c1 of the account north');
    expect(scene.sandbox.counts()).toEqual({});
    expectAgreement(north, scene.results('north.results.csv'));
  });
});

describe('an account that is not configured', { timeout: 60_000 }, () => {
  it('is refused by name', async (test) => {
    const { scene } = await openTwo(test);
    const ended = await scene.run(['run', importBoth(scene).north, '--account', 'south']);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('there is no account "south"');
    expect(ended.stderr).toContain('default, north');
  });

  it('lets its campaign wait, while others are worked off', async (test) => {
    const { scene, north, withNorth } = await openTwo(test);
    const files = importBoth(scene);
    await leavePaused(scene, north, ['run', files.north, '--account', 'north']);
    await scene.run(['resume', 'c1']);
    scene.configure({});
    const alone = await scene.run(['run']);
    expect(alone).toMatchObject({ code: 2 });
    expect(alone.stderr).toContain('there is no account "north"');

    const worker = scene.start(['worker']);
    await worker.errorLine(/"account":"north".*account not configured here/, 30_000);
    // The worker must not have done it before the next command looks.
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'delay', ms: 6000, times: 1 });
    expect((await scene.run(['import', files.own])).code).toBe(0);
    const ran = await scene.run(['run']);
    // Its own campaign is posted, the other one is not done.
    expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining('Campaign c1 waits')]);
    worker.kill('SIGTERM');
    await worker.end();
    const { stdout } = await scene.run(['show', 'c1', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'running', counts: { failed: 0, review: 0 } });

    scene.configure(withNorth);
    expect((await scene.run(['run'])).code).toBe(0);
    expectAgreement(north, scene.results('north.results.csv'));
  });
});

describe('accounts are apart', { timeout: 60_000 }, () => {
  it('in their rate limits: one that is spent does not hold up the other', async (test) => {
    const { scene, north } = await openTwo(test, {
      rateLimits: {
        default: { rate: 1000, per: '1s', burst: 100 },
        createCreatorPost: { rate: 1, per: '1h', burst: 1 },
      },
    });
    const files = importBoth(scene);
    const first = scene.start(['run', files.north, '--account', 'north']);
    await meanwhile(first, north.whenCalled('createCreatorPost', 1));
    expect((await scene.run(['run', files.own])).code).toBe(0);
    expect(north.counts().createCreatorPost).toBe(1);
    first.kill('SIGINT');
    await withDeadline(first.end(60_000), 'the interrupted run', 60_000);
  });

  it('in refused keys: only campaigns of that account pause', async (test) => {
    const { scene, north } = await openTwo(test);
    const files = importBoth(scene);
    await leavePaused(scene, north, ['run', files.north, '--account', 'north']);
    expect((await scene.run(['run', files.own])).code).toBe(0);
    const { stdout } = await scene.run(['list', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ campaigns: [{ state: 'ended' }, { state: 'paused' }] });
  });

  it('in breakers: a creator that expired for one may post for the other', async (test) => {
    const { scene, north } = await openTwo(test);
    const row = (key: string) => videoRow(key, { creator: 'demo_ines' });
    const creator = north.creators().find(({ username }) => username === 'demo_ines');
    if (creator) north.putCreators([{ ...creator, expired: false }]);
    const own = scene.manifest([row('own')], 'own.csv');
    const other = scene.manifest([row('north')], 'north.csv');
    expect((await scene.run(['run', own])).code).toBe(3);
    expect((await scene.run(['run', other, '--account', 'north'])).code).toBe(0);
    expect(scene.results('own.results.csv').rows).toMatchObject([{ error_code: '40101' }]);
  });

  it('in look-ups', async (test) => {
    const { scene, north } = await openTwo(test);
    expect((await scene.run(['creators', '--account', 'north', '--json'])).code).toBe(0);
    expect(scene.sandbox.counts()).toEqual({});
    expect(north.counts().listCreatorAccounts).toBeGreaterThan(0);
  });
});
