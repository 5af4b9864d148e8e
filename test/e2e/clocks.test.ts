import { expect, it } from 'vitest';
import { expectAgreement } from '../support/agreement.ts';
import { waitUntil } from '../support/events.ts';
import { openFleet } from '../support/processes/fleet.ts';
import { spedUp } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';

const shiftedClock = new URL('../support/shifted-clock.ts', import.meta.url).href;

it.for([
  ['ahead', 3_600_000],
  ['behind', -3_600_000],
] as const)(
  'a worker whose clock jumps to an hour %s and back: no row is late, and the rescuer keeps its period',
  { timeout: 180_000 },
  async ([, ms], test) => {
    const fleet = await openFleet(test, spedUp);
    const jumping = await fleet.worker([], {
      NODE_OPTIONS: `--import=${shiftedClock}`,
      CLOCK_SHIFT_MS: `${ms}`,
      CLOCK_SHIFT_BY: 'SIGUSR2',
    });
    jumping.kill('SIGUSR2');
    const at = new Date(Date.now() + 540_000).toISOString();
    await fleet.hand(['1', '2', '3'].map((key) => videoRow(key, { scheduled_at: at })));
    await jumping.errorLine(/takes no jobs: the clock of this machine/, 20_000);
    const { stdout } = await fleet.scene.run(['doctor', '--json'], { REDIS_URL: fleet.url });
    expect(stdout).toMatch(/takes no jobs: its clock is (1 h|59 min|60 min)/);
    expect(await fleet.campaign()).toMatchObject({ counts: { posted: 0, review: 0 } });
    await fleet.worker();
    const results = await fleet.ended();
    expect(new Set(results.rows.map(({ status }) => status))).toEqual(new Set(['posted']));
    jumping.kill('SIGUSR2');
    await jumping.errorLine(/takes jobs again/, 20_000);
    await waitUntil(
      async () => {
        const next = await fleet.redis.zscore('{campaigns}:campaign:repeat', 'rescuer');
        return Number(next) - Date.now() < 60_000;
      },
      'a rescuer that runs soon',
      60_000,
    );
    expectAgreement(fleet.scene.sandbox, results);
  },
);
