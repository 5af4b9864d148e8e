import { describe, expect, it } from 'vitest';
import { expectAgreement } from '../support/agreement.ts';
import { fleetOn } from '../support/processes/fleet.ts';
import { openScene, slowly } from '../support/processes/scene.ts';
import { durable, redisCluster, redisNode, sentinelGroup } from '../support/redis/redis-topologies.ts';
import { mixedRows } from '../support/sheets/rows.ts';
import type { ResultRow } from '../support/sheets/sheet.ts';

/** An outage of Redis is no error of a row, and no defect. */
const isOurFault = ({ status, error_code: code }: ResultRow) =>
  status === 'failed' || code === 'internal_error';

describe.concurrent('another server that takes over', () => {
  it('by Sentinel, when the master is killed: every row ends, and none twice', async (test) => {
    const scene = await openScene(test, { settings: slowly });
    const group = await sentinelGroup(scene.folder, test, 2);
    const fleet = fleetOn(test, scene, group.url);
    const [one] = await fleet.workers(2);
    await fleet.hand(mixedRows(40));
    await scene.sandbox.whenCalled('createCreatorPost', 10);
    await group.master.stop('SIGKILL');
    await group.failedOver();
    const results = await fleet.ended();
    expectAgreement(scene.sandbox, results);
    // What was under way may be in doubt, the rest may not.
    expect(results.rows.filter(({ status }) => status === 'posted').length).toBeGreaterThanOrEqual(20);
    expect(results.rows.filter(isOurFault)).toEqual([]);
    expect((await fleet.campaign())?.pauseReason).toBeUndefined();
    expect(one?.output.stderr.join('\n')).toMatch(/by Sentinel.*does not answer.*trying again/);
  });

  it('in a cluster, when the master that holds our keys is killed: every row ends, and none twice', async (test) => {
    const scene = await openScene(test, { settings: slowly });
    const cluster = await redisCluster(scene.folder, test);
    const fleet = fleetOn(test, scene, cluster.url);
    const workers = await fleet.workers(2);
    const [one] = workers;
    const said = /has 1 replica now.*if a server is lost, nothing is sent until it is back/;
    await Promise.any(workers.map((worker) => worker.errorLine(said)));
    await fleet.hand(mixedRows(40));
    await scene.sandbox.whenCalled('createCreatorPost', 10);
    const holder = await cluster.holderOf('{campaigns}');
    await holder.stop('SIGKILL');
    // Its only replica has taken over; without another one nothing of the journal is confirmed.
    await one?.errorLine(/does not confirm the send log.*nothing is sent until/);
    const sent = scene.sandbox.counts().createCreatorPost ?? 0;
    await holder.restart();
    const results = await fleet.ended();
    expectAgreement(scene.sandbox, results);
    expect(results.rows.filter(({ status }) => status === 'posted').length).toBeGreaterThanOrEqual(20);
    expect(results.rows.filter(isOurFault)).toEqual([]);
    expect(scene.sandbox.counts().createCreatorPost).toBeGreaterThan(sent);
    expect((await cluster.holderOf('{campaigns}')).port).not.toBe(holder.port);
  });

  it('gets nothing sent that it would not know of: no call leaves before a replica has its journal entry', async (test) => {
    const scene = await openScene(test, { settings: { redis: { replicas: 1 } } });
    const master = await redisNode(scene.folder, test, durable);
    const replica = await redisNode(scene.folder, test, {
      ...durable,
      replicaof: `127.0.0.1 ${master.port}`,
    });
    replica.child.kill('SIGSTOP');
    const fleet = fleetOn(test, scene, `redis://127.0.0.1:${master.port}`);
    const worker = await fleet.worker();
    await fleet.hand(mixedRows(8));
    await worker.errorLine(/does not confirm the send log \(0 of 1 replicas have it\)/);
    const { createCreatorPost, createAiGenerationSchedule, putFile } = scene.sandbox.counts();
    expect({ createCreatorPost, createAiGenerationSchedule }).toEqual({});
    // What may be done twice goes on.
    expect(putFile).toBeGreaterThan(0);
    replica.child.kill('SIGCONT');
    await worker.errorLine(/confirms the send log again/);
    const results = await fleet.ended();
    expect(new Set(results.rows.map(({ status }) => status))).toEqual(new Set(['posted']));
    expectAgreement(scene.sandbox, results);
  });
});
