import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { expectAgreement } from '../support/agreement.ts';
import { waitUntil } from '../support/events.ts';
import { openFleet } from '../support/processes/fleet.ts';
import { slowly, spedUp } from '../support/processes/scene.ts';
import { mixedRows, videoRow } from '../support/sheets/rows.ts';

const posting = { rate: 6, per: '1s', burst: 10 };
const slowPosts = { rateLimits: { ...slowly.rateLimits, createCreatorPost: posting } };

/** For every post: its product was in the showcase before, its generation created and its asset fetched in between. */
function outOfOrder(sandbox: Sandbox): readonly string[] {
  const { posts, generations, showcase } = sandbox.effects();
  const accounts = new Map(sandbox.creators().map(({ id, creatorId }) => [creatorId, id]));
  const fetched = sandbox.calls('getAsset');
  return posts.flatMap(({ title, call, creatorId }) => {
    const key = title.replace('Caption ', '');
    const added = showcase.find(
      ({ id, added: products }) => id === accounts.get(creatorId) && products.includes(`p-${key}`),
    );
    if (!added || added.call > call) return [`${title}: posted before its product was added`];
    const generation = generations.find(({ request: asked }) => asked.params.prompt === `Video ${key}`);
    if (!generation) return [];
    const asset = fetched.find(({ target }) => target.includes(generation.scheduleId));
    if (!asset || asset.number < generation.call)
      return [`${title}: its asset was fetched before it was made`];
    return asset.number < call ? [] : [`${title}: posted before its asset was there`];
  });
}

describe.concurrent('many machines on one campaign', () => {
  it('3 workers: each row posted once, in order, within the rate limits of all', async (test) => {
    const fleet = await openFleet(test, { settings: slowPosts });
    await fleet.workers(3);
    const handedAt = Date.now();
    await fleet.hand(mixedRows(30));
    const results = await fleet.ended();
    expect(new Set(results.rows.map(({ status }) => status))).toEqual(new Set(['posted']));
    expect((await fleet.campaign())?.counts).toMatchObject({
      posted: 30,
      running: 0,
      waiting: 0,
      failed: 0,
    });
    const { sandbox } = fleet.scene;
    expectAgreement(sandbox, results);
    expect(outOfOrder(sandbox)).toEqual([]);
    const times = sandbox.calls('createCreatorPost').map(({ at }) => at);
    expect(times).toHaveLength(30);
    // Counted from before the first call, so that a slow machine only makes it longer.
    const leastMs = ((30 - posting.burst) / posting.rate) * 1000;
    expect(Math.max(...times) - handedAt).toBeGreaterThanOrEqual(leastMs);
  });

  it('one killed, one frozen for longer than its locks, and new ones in their place', async (test) => {
    const atOnce = 16;
    const settings = { ...slowly, concurrency: { post: atOnce } };
    const fleet = await openFleet(test, { ...spedUp, settings });
    const { sandbox } = fleet.scene;
    const [killed, frozen] = await fleet.workers(2);
    await fleet.hand(mixedRows(60));
    await sandbox.whenCalled('createCreatorPost', 10);
    killed?.kill('SIGKILL');
    await sandbox.whenCalled('createCreatorPost', 20);
    frozen?.kill('SIGSTOP');
    const frozenAt = sandbox.counts().createCreatorPost ?? 0;
    await fleet.workers(2);
    // The others take over what the frozen one held: so long were its locks.
    await sandbox.whenCalled('createCreatorPost', frozenAt + 20);
    await waitUntil(async () => ((await fleet.campaign())?.counts.running ?? 1) === 0, 'rows taken over');
    frozen?.kill('SIGCONT');
    frozen?.kill('SIGTERM');
    expect(await frozen?.end()).toEqual({ code: 0, signal: null });
    const results = await fleet.ended();
    expectAgreement(sandbox, results);
    // Each of the two may have had as many posts under way as a worker does at once: nobody knows what became of those.
    const posted = results.rows.filter(({ status }) => status === 'posted').length;
    expect(posted).toBeGreaterThanOrEqual(60 - 2 * atOnce);
  });

  it('a worker that hangs until a person has truthfully said that nothing was posted: it no longer sends', async (test) => {
    const fleet = await openFleet(test, { ...spedUp, settings: { api: { timeout: '20s' } } });
    const { sandbox } = fleet.scene;
    const stopped = await fleet.worker([], { CAMPAIGNS_FAILPOINT: 'after-journal:1:stop' });
    await fleet.hand([videoRow('1')]);
    await waitUntil(async () => (await fleet.campaign())?.done.upload === 1, 'the upload');
    await fleet.worker();
    const has = async (state: 'review' | 'posted') => (await fleet.campaign())?.counts[state] === 1;
    await waitUntil(() => has('review'), 'the peer to take over');
    const settle = () => fleet.run(['decide', 'c1', '1', '--not-posted']);
    const early = await settle();
    expect(early).toMatchObject({ code: 2, stderr: expect.stringContaining('may still be running') });
    await waitUntil(async () => (await settle()).code === 0, 'the end of the call');
    await waitUntil(() => has('posted'), 'the row to be sent again');
    stopped.kill('SIGCONT');
    stopped.kill('SIGTERM');
    expect(await stopped.end()).toEqual({ code: 0, signal: null });
    expect(sandbox.counts().createCreatorPost).toBe(1);
    expectAgreement(sandbox, await fleet.report());
  });
});
