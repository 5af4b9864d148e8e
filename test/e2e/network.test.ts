import { describe, expect, it, type TestContext } from 'vitest';
import { expectAgreement } from '../support/agreement.ts';
import { waitUntil } from '../support/events.ts';
import { type Fleet, fleetOn } from '../support/processes/fleet.ts';
import { openScene, type SceneOptions, slowly, spedUp } from '../support/processes/scene.ts';
import { durable, redisNode } from '../support/redis/redis-topologies.ts';
import { type TcpProxy, tcpProxy } from '../support/redis/tcp-proxy.ts';
import { mixedRows, videoRow } from '../support/sheets/rows.ts';

interface Disturbed {
  readonly fleet: Fleet;
  readonly proxy: TcpProxy;
  /** Environment of a worker whose way to Redis can be disturbed. */
  readonly throughProxy: Readonly<Record<string, string>>;
}

async function disturbed(test: TestContext, options: SceneOptions): Promise<Disturbed> {
  const scene = await openScene(test, options);
  const { port } = await redisNode(scene.folder, test, durable);
  const proxy = await tcpProxy(port, test);
  const fleet = fleetOn(test, scene, `redis://127.0.0.1:${port}`);
  return { fleet, proxy, throughProxy: { REDIS_URL: `redis://127.0.0.1:${proxy.port}` } };
}

describe.concurrent('the network between worker and Redis', () => {
  it('that swallows everything for longer than the locks last: its peer does not send, the late answer settles the row', async (test) => {
    const { fleet, proxy, throughProxy } = await disturbed(test, {
      ...spedUp,
      settings: { api: { timeout: '60s' }, concurrency: { post: 1 } },
    });
    const { sandbox } = fleet.scene;
    sandbox.faults.add({ operation: 'createCreatorPost', kind: 'hold' });
    const cutOff = await fleet.worker([], throughProxy);
    await fleet.hand([videoRow('1')]);
    await sandbox.whenHeld('createCreatorPost');
    proxy.swallow(true);
    await fleet.worker();
    await waitUntil(
      async () => (await fleet.campaign())?.counts.review === 1,
      'the peer to take the row over',
    );
    sandbox.release();
    proxy.swallow(false);
    await waitUntil(
      async () => (await fleet.campaign())?.counts.posted === 1,
      'the late answer to be written down',
    );
    expect(sandbox.counts().createCreatorPost).toBe(1);
    expectAgreement(sandbox, await fleet.report());
    cutOff.kill('SIGTERM');
    expect(await cutOff.end()).toEqual({ code: 0, signal: null });
  });

  it('that is gone for a while: it is told, and the worker goes on by itself', async (test) => {
    const { fleet, proxy, throughProxy } = await disturbed(test, { settings: slowly });
    const worker = await fleet.worker([], throughProxy);
    await fleet.hand(mixedRows(30));
    await fleet.scene.sandbox.whenCalled('createCreatorPost', 5);
    proxy.swallow(true);
    proxy.reset();
    await worker.errorLine(/does not answer.*trying again/);
    proxy.swallow(false);
    proxy.reset();
    await worker.errorLine(/answers again/);
    const results = await fleet.ended();
    expectAgreement(fleet.scene.sandbox, results);
    expect(results.rows.filter(({ status }) => status === 'failed')).toEqual([]);
  });
});
