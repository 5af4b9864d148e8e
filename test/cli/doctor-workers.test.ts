/** What `campaigns doctor` says of workers and periodic jobs. */
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../src/app/runtime/runtime.ts';
import { examineOwnClock, examinePeriodicJobs, examineWorkers } from '../../src/cli/doctor/ledger.ts';
import { openRunner } from '../support/in-process.ts';
import { asIf } from '../support/ledger.ts';
import { hourMs, ownClock } from '../support/own-clock.ts';
import { redisNamespace } from '../support/redis/redis.ts';
import { videoRow } from '../support/sheets/rows.ts';

describe('workers and periodic jobs', () => {
  const facts = { host: 'hall', pid: 7, version: '1', queues: ['campaign'], periodic: ['rescuer'] };

  it('a worker whose clock is wrong is named', async () => {
    const runner = await openRunner();
    await runner.ledger.presence.announce({ ...facts, since: 0 }).beat({ clockAheadMs: 3_600_000 });
    expect(await Array.fromAsync(examineWorkers(runner as unknown as Runtime))).toMatchObject([
      { verdict: 'ok' },
      { verdict: 'warning', text: expect.stringContaining('its clock is 1 h ahead of the clock of Redis') },
    ]);
  });

  it.each([
    ['wait', [], 'Its jobs wait for another worker; nothing is lost.'],
    [
      'are taken over by those alive',
      [{ ...facts, host: 'loft' }],
      'Other workers take over its jobs; nothing is lost.',
    ],
  ])('the jobs of a silent worker %s', async (_what, others, fix) => {
    const runner = await openRunner();
    await runner.ledger.presence.announce({ ...facts, since: 0 }).beat();
    await asIf(runner).silent();
    for (const other of others) await runner.ledger.presence.announce({ ...other, since: 0 }).beat();
    const found = await Array.fromAsync(examineWorkers(runner as unknown as Runtime));
    expect(found.at(-1)).toMatchObject({ text: expect.stringContaining('went silent'), fix });
  });

  it('rows that wait for their day need a worker within a day of it, and then no run', async () => {
    const clock = { now: Date.now() };
    const runner = await openRunner({ now: () => clock.now });
    const day = 86_400_000;
    const row = videoRow('a', { scheduled_at: new Date(clock.now + 9 * day).toISOString() });
    const id = await runner.importOrUpdate([row], { lead: 2 * day });
    await runner.start();
    await runner.until(async () => (await runner.ledger.campaigns.find(id))?.counts.ready === 1, 'its row');
    await runner.workers.stop(500);
    const runtime = { ...runner, now: () => clock.now } as unknown as Runtime;
    const look = async () => (await Array.fromAsync(examineWorkers(runtime)))[0];
    expect(await look()).toMatchObject({ verdict: 'ok' });
    clock.now += 6.5 * day;
    const readyAt = new Date(Date.parse(String(row.scheduled_at)) - 2 * day).toISOString();
    expect(await look()).toMatchObject({
      verdict: 'warning',
      text: `no worker is alive, but rows need one: ${id} (1 ready row is due, the next ${readyAt})`,
      fix: 'Start one:\n  campaigns worker',
    });
    clock.now += day;
    const late = await look();
    expect(late?.fix).toContain('campaigns run');
    expect(late?.text).toContain(`1 ready row is due, since ${readyAt}`);
  });

  it('a rescuer that has not run for three periods is named', async () => {
    const runner = await openRunner();
    const runtime = runner as unknown as Runtime;
    expect(await Array.fromAsync(examinePeriodicJobs(runtime))).toEqual([]);
    await runner.ledger.presence.announce({ ...facts, since: Date.now() - 120_000 }).beat();
    await runner.ledger.periodic.begin('rescuer', 15_000);
    expect(await Array.fromAsync(examinePeriodicJobs(runtime))).toMatchObject([
      { check: 'rescuer', verdict: 'ok' },
    ]);
    await asIf(runner).lastRun('rescuer', 60_000);
    expect(await Array.fromAsync(examinePeriodicJobs(runtime))).toMatchObject([
      { check: 'rescuer', verdict: 'problem', text: expect.stringMatching(/rescuer has not run for 1 min/) },
    ]);
  });

  it('the clock of this machine is compared with that of Redis', async () => {
    const { connect } = redisNamespace();
    const runtime = { redis: { connect: () => connect() } } as unknown as Runtime;
    expect(await Array.fromAsync(examineOwnClock(runtime))).toMatchObject([
      { check: 'redis-clock', verdict: 'ok' },
    ]);
    ownClock().shiftMs = hourMs;
    expect(await Array.fromAsync(examineOwnClock(runtime))).toMatchObject([{ verdict: 'problem' }]);
  });
});
