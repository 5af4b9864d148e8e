import { describe, expect, it, type TestContext } from 'vitest';
import { cancelCampaign } from '../../src/campaigns/cancel.ts';
import { deleteCampaign } from '../../src/campaigns/delete.ts';
import { retryRows } from '../../src/campaigns/retry/retry.ts';
import { expectAgreement } from '../support/agreement.ts';
import { waitUntil } from '../support/events.ts';
import { type Operator, openOperator } from '../support/processes/operator.ts';
import {
  type Finished,
  finished,
  meanwhile,
  openScene,
  type Scene,
  spedUp,
} from '../support/processes/scene.ts';
import { keysOf } from '../support/redis/redis.ts';
import { aiVideoRow, videoRow } from '../support/sheets/rows.ts';
import type { ResultSheet } from '../support/sheets/sheet.ts';

const byHand = { code: 'paused', message: 'by hand' };
const five = ['1', '2', '3', '4', '5'].map((key) => videoRow(key));

/** A running campaign, and an operator who changes it. */
interface AtWork {
  readonly scene: Scene;
  /** The end of the run. */
  readonly run: Promise<Finished>;
  readonly operator: Operator;
}

/** A scene for a run of five rows, of which the sandbox holds the first post; the others wait for their turn behind it. */
async function sceneWithHold(test: TestContext, when: 'before' | 'after'): Promise<Scene> {
  const settings = { concurrency: { post: 1 }, api: { timeout: '60s' } };
  const scene = await openScene(test, { ...spedUp, settings });
  scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'hold', when });
  return scene;
}

async function holdFirstPost(test: TestContext, when: 'before' | 'after'): Promise<AtWork> {
  const scene = await sceneWithHold(test, when);
  const run = scene.run(['run', scene.manifest(five)]);
  await meanwhile(run, scene.sandbox.whenHeld('createCreatorPost'));
  return { scene, run, operator: await openOperator(test, scene) };
}

const campaignOf = ({ ledger }: Operator) => ledger.campaigns.find('c1');

/** The results sheet as the ledger has it now. */
async function sheetOf(scene: Scene): Promise<ResultSheet> {
  expect((await scene.run(['report', 'c1', '--out', 'now.csv'])).code).toBe(0);
  return scene.results('now.csv');
}

const countOf = ({ rows }: ResultSheet, wanted: string) =>
  rows.filter(({ status }) => status === wanted).length;

describe.concurrent('pause', { timeout: 120_000 }, () => {
  it('lets the call under way finish, and sends nothing further until it is resumed', async (test) => {
    const { scene, run, operator } = await holdFirstPost(test, 'before');
    expect(await operator.ledger.campaigns.pause('c1', byHand)).toBe('paused');
    scene.sandbox.release();
    expect((await run).code).toBe(4);
    expect(scene.sandbox.counts().createCreatorPost).toBe(1);
    expect(await operator.ledger.campaigns.resume('c1')).toBe('running');
    expect((await scene.run(['run'])).code).toBe(0);
    expectAgreement(scene.sandbox, scene.results());
  });
});

describe.concurrent('cancel', { timeout: 120_000 }, () => {
  it('cancels what was not sent; the call under way is decided by its answer', async (test) => {
    const { scene, run, operator } = await holdFirstPost(test, 'after');
    expect(await cancelCampaign(operator, 'c1')).toEqual({
      cancelled: 4,
      review: 1,
      was: 'running',
      state: 'ended',
    });
    expect((await campaignOf(operator))?.counts).toMatchObject({ cancelled: 4, review: 1 });
    scene.sandbox.release();
    expect((await run).code).toBe(3);
    expect(scene.sandbox.counts().createCreatorPost).toBe(1);
    expect(countOf(scene.results(), 'posted')).toBe(1);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('leaves a row in review whose answer never comes', async (test) => {
    const scene = await sceneWithHold(test, 'after');
    const run = scene.start(['run', scene.manifest(five)]);
    await meanwhile(run, scene.sandbox.whenHeld('createCreatorPost'));
    await cancelCampaign(await openOperator(test, scene), 'c1');
    run.kill('SIGKILL');
    await finished(run);
    scene.sandbox.release();
    const sheet = await sheetOf(scene);
    expect([countOf(sheet, 'review'), countOf(sheet, 'cancelled')]).toEqual([1, 4]);
    expectAgreement(scene.sandbox, sheet);
  });

  it('stops a generation that is being polled', async (test) => {
    const poll = { first: '50ms', max: '200ms', deadline: '10m' };
    const scene = await openScene(test, { settings: { generation: { poll } } });
    const row = aiVideoRow('1', { creator: 'demo_ben', ai_prompt: '[stuck] Video 1' });
    const run = scene.run(['run', scene.manifest([row])]);
    await meanwhile(run, scene.sandbox.whenCalled('listAiTasksByScheduleId', 2));
    const operator = await openOperator(test, scene);
    expect(await cancelCampaign(operator, 'c1')).toMatchObject({ cancelled: 1, review: 0 });
    expect((await run).code).toBe(3);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('is finished by the rescuer after a crash between its mark and its rows', async (test) => {
    const { scene, run, operator } = await holdFirstPost(test, 'before');
    await operator.ledger.campaigns.pause('c1', byHand);
    scene.sandbox.release();
    await run;
    expect(await operator.ledger.cancellation.begin('c1')).toBe('cancelling');
    expect((await scene.run(['run'])).code).toBe(3);
    expect(await campaignOf(operator)).toMatchObject({
      state: 'ended',
      counts: { posted: 1, cancelled: 4, running: 0, waiting: 0 },
    });
    expectAgreement(scene.sandbox, scene.results());
  });
});

describe.concurrent('delete', { timeout: 120_000 }, () => {
  it('refuses what is under way or of unknown outcome, then removes it with its jobs and keys', async (test) => {
    const { scene, run, operator } = await holdFirstPost(test, 'after');
    await expect(deleteCampaign(operator, 'c1', { force: true })).rejects.toMatchObject({
      code: 'campaign_unfinished',
    });
    await cancelCampaign(operator, 'c1');
    await expect(deleteCampaign(operator, 'c1', { force: false })).rejects.toMatchObject({
      code: 'campaign_in_review',
    });
    scene.sandbox.release();
    await run;
    await deleteCampaign(operator, 'c1', { force: false });
    const keys = await keysOf(operator.redis, '{campaigns}');
    expect(keys.filter((key) => /:c:|:rows:|tombstones|:c1-/.test(key))).toEqual([]);
  });

  it('in doubt, forced while the answer is on its way: the answer changes nothing', async (test) => {
    const { scene, run, operator } = await holdFirstPost(test, 'after');
    await cancelCampaign(operator, 'c1');
    await deleteCampaign(operator, 'c1', { force: true });
    scene.sandbox.release();
    const ended = await run;
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('deleted meanwhile') });
    const keys = await keysOf(operator.redis, '{campaigns}');
    expect(keys.filter((key) => /:c:|:rows:|tombstones/.test(key))).toEqual([]);
  });

  it('is done by itself once a campaign has ended longer ago than it is kept', async (test) => {
    const scene = await openScene(test, spedUp);
    expect((await scene.run(['run', scene.manifest([videoRow('1')])])).code).toBe(0);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer' });
    expect((await scene.run(['run', scene.manifest([videoRow('2')], 'doubtful.csv')])).code).toBe(3);
    scene.configure({ keepEnded: '0s' });
    const { ledger } = await openOperator(test, scene);
    const worker = scene.start(['worker']);
    const left = async () => (await ledger.campaigns.list()).map(({ id }) => id);
    await meanwhile(
      worker,
      waitUntil(async () => (await left()).length < 2, 'the rescuer', 60_000),
    );
    expect(await left()).toEqual(['c2']);
    worker.kill('SIGTERM');
    await finished(worker);
  });
});

describe.concurrent('two operators at once', { timeout: 120_000 }, () => {
  it('pause and cancel: it is cancelled', async (test) => {
    const { scene, run, operator } = await holdFirstPost(test, 'before');
    const other = await openOperator(test, scene);
    await Promise.all([other.ledger.campaigns.pause('c1', byHand), cancelCampaign(operator, 'c1')]);
    scene.sandbox.release();
    expect((await run).code).toBe(3);
    expect(await campaignOf(operator)).toMatchObject({ state: 'ended', counts: { running: 0, waiting: 0 } });
    expectAgreement(scene.sandbox, await sheetOf(scene));
  });

  it('retry and cancel: no row is left waiting', async (test) => {
    const scene = await openScene(test, { settings: { concurrency: { post: 1 }, api: { timeout: '60s' } } });
    scene.sandbox.faults.add({ operation: 'createFileUpload', kind: 'code', code: 50_001, times: 2 });
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'hold', when: 'before' });
    const run = scene.run(['run', scene.manifest(five)]);
    await meanwhile(run, scene.sandbox.whenHeld('createCreatorPost'));
    const operator = await openOperator(test, scene);
    const other = await openOperator(test, scene);
    const campaign = await waitUntil(async () => {
      const found = await campaignOf(operator);
      return found?.counts.failed === 2 && found;
    }, 'two failures');
    // If the other operator is quicker, the retry says so.
    const retried = retryRows(other, campaign, {}, { dryRun: false }).catch((error: unknown) =>
      expect(error).toMatchObject({ code: 'campaign_cancelled' }),
    );
    await Promise.all([retried, cancelCampaign(operator, 'c1')]);
    scene.sandbox.release();
    expect((await run).code).toBe(3);
    expect(await campaignOf(operator)).toMatchObject({ state: 'ended', counts: { running: 0, waiting: 0 } });
    expectAgreement(scene.sandbox, await sheetOf(scene));
  });

  it('cancel and cancel: each row is cancelled once', async (test) => {
    const { scene, run, operator } = await holdFirstPost(test, 'before');
    const other = await openOperator(test, scene);
    const both = await Promise.all([cancelCampaign(operator, 'c1'), cancelCampaign(other, 'c1')]);
    const sum = (name: 'cancelled' | 'review') =>
      both.reduce((total, each) => total + (each?.[name] ?? 0), 0);
    expect([sum('cancelled'), sum('review')]).toEqual([4, 1]);
    scene.sandbox.release();
    expect((await run).code).toBe(3);
    expectAgreement(scene.sandbox, await sheetOf(scene));
  });
});
