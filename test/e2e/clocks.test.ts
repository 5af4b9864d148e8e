import { expect, it } from 'vitest';
import { expectAgreement } from '../support/agreement.ts';
import { openFleet } from '../support/processes/fleet.ts';
import { openScene, spedUp } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';

const shiftedClock = new URL('../support/shifted-clock.ts', import.meta.url).href;

it('a worker whose clock jumps an hour ahead and back: no row is late', async (test) => {
  const fleet = await openFleet(test, spedUp);
  const jumping = await fleet.worker([], {
    NODE_OPTIONS: `--import=${shiftedClock}`,
    CLOCK_SHIFT_MS: '3600000',
    CLOCK_SHIFT_BY: 'SIGUSR2',
  });
  jumping.kill('SIGUSR2');
  // It looks at its clock at each heartbeat.
  await jumping.errorLine(/takes no jobs: the clock of this machine/);
  const at = new Date(Date.now() + 540_000).toISOString();
  await fleet.hand(['1', '2', '3'].map((key) => videoRow(key, { scheduled_at: at })));
  const { stdout } = await fleet.scene.run(['doctor', '--json'], { REDIS_URL: fleet.url });
  expect(stdout).toMatch(/takes no jobs: its clock is (1 h|59 min|60 min)/);
  expect(await fleet.campaign()).toMatchObject({ counts: { posted: 0, review: 0 } });
  await fleet.worker();
  const results = await fleet.ended();
  expect(new Set(results.rows.map(({ status }) => status))).toEqual(new Set(['posted']));
  jumping.kill('SIGUSR2');
  await jumping.errorLine(/takes jobs again/);
  expectAgreement(fleet.scene.sandbox, results);
});

it('a run on a machine whose clock is an hour behind is refused before it sends anything', async (test) => {
  const scene = await openScene(test);
  const at = new Date(Date.now() + 1_800_000).toISOString();
  const file = scene.manifest([videoRow('1', { scheduled_at: at })]);
  const clock = { NODE_OPTIONS: `--import=${shiftedClock}`, CLOCK_SHIFT_MS: '-3600000' };
  const { code, stderr } = await scene.run(['run', file], clock);
  expect(code, stderr).toBe(2);
  expect(stderr).toMatch(/clock of this machine is (1 h|59 min|60 min).* behind/);
  expect(scene.sandbox.counts().createCreatorPost).toBeUndefined();
});
