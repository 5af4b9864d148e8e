/** A worker whose clock jumps by an hour and back: periodic work keeps its period, and rows are not late. */
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { openRunner } from '../support/in-process.ts';
import { hourMs, ownClock } from '../support/own-clock.ts';
import { videoRow } from '../support/sheets/rows.ts';

const minuteMs = 60_000;
/** Periods of the rescuer, and heartbeats, last 1.5 and 0.5 seconds. */
const speedUp = 10;

async function openScene() {
  const lines: { readonly level: number; readonly msg: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const clock = ownClock();
  const runner = await openRunner({ speedUp, log });
  const redisNow = async () => Number((await runner.redis.time())[0]) * 1000;
  return { ...runner, clock, lines, redisNow };
}

describe.each([
  ['ahead', hourMs],
  ['behind', -hourMs],
] as const)('a clock that jumps to an hour %s, and back', (_side, shiftMs) => {
  it('no job is taken meanwhile; afterwards the rescuer runs in time, and a row whose time is to come is posted', async () => {
    const scene = await openScene();
    await scene.start();
    await scene.jobFinished(({ step }) => step === 'rescuer');
    scene.clock.shiftMs = shiftMs;
    const ahead = await scene.until(() => scene.workers.clockAheadMs, 'the worker to notice its clock');
    expect(Math.abs(ahead - shiftMs)).toBeLessThan(minuteMs);
    expect(await scene.ledger.presence.workers()).toMatchObject([{ isAlive: true }]);
    await scene.until(
      async () => (await scene.ledger.presence.workers())[0]?.clockAheadMs !== undefined,
      'the worker to tell others',
    );
    const at = new Date((await scene.redisNow()) + 9 * minuteMs).toISOString();
    const id = await scene.importOrUpdate([videoRow('a', { scheduled_at: at }), videoRow('b')]);
    expect(await scene.ledger.campaigns.find(id)).toMatchObject({ counts: { waiting: 2 } });
    scene.clock.shiftMs = 0;
    expect(await scene.ended(id)).toMatchObject({ counts: { posted: 2 } });
    await scene.jobFinished(({ step }) => step === 'rescuer');
    expect(scene.workers.clockAheadMs).toBeUndefined();
    const told = scene.lines.filter(({ msg }) => msg.includes('takes'));
    expect(told.map(({ level, msg }) => [level, msg])).toEqual([
      [50, 'takes no jobs: the clock of this machine is far from that of Redis'],
      [40, 'takes jobs again: the clock of this machine is right'],
    ]);
  });

  it('a job under way finishes', async () => {
    const scene = await openScene();
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'hold', times: 1 });
    const id = await scene.importOrUpdate([videoRow('a')]);
    await scene.start();
    await scene.sandbox.whenHeld('createCreatorPost');
    scene.clock.shiftMs = shiftMs;
    await scene.until(() => scene.workers.clockAheadMs, 'the worker to notice its clock');
    scene.sandbox.release('createCreatorPost');
    await scene.jobFinished(({ step, outcome }) => step === 'post' && outcome === 'done');
    scene.clock.shiftMs = 0;
    expect(await scene.ended(id)).toMatchObject({ counts: { posted: 1 } });
  });
});
