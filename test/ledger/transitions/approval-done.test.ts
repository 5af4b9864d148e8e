/** The event that all posts of a campaign are approved or rejected. */
import { describe, expect, it } from 'vitest';
import { retryNow, testLedger } from '../../support/ledger.ts';
import { end } from '../campaigns/end-rows.ts';
import { close, rejection, seen } from './gates.ts';

describe('that all posts are decided', () => {
  async function opened(rows = 2) {
    const test = testLedger();
    await test.ledger.outbox.want(['approval.done']);
    const id = await test.campaign(rows);
    await test.admit(id, [0, 1]);
    await close(test, id, [0, 1], 'unapproved');
    const told = () => test.ledger.outbox.pending();
    return { test, id, told, ...test.ledger };
  }

  it('is told with the last approval', async () => {
    const { test, id, told, approvals } = await opened();
    await approvals.approve(id, [seen(test, 0)], 'mei');
    expect(await told()).toBe(0);
    await approvals.approve(id, [seen(test, 1)], 'mei');
    expect(await told()).toBe(1);
  });

  it('is told with the last rejection', async () => {
    const { test, id, told, approvals } = await opened();
    await approvals.approve(id, [seen(test, 0)], 'mei');
    await approvals.reject(id, [{ row: 1, revision: 0 }], rejection);
    expect(await told()).toBe(1);
  });

  it('is told when the last post that waits is cancelled', async () => {
    const { test, id, told, approvals, rows } = await opened();
    await approvals.approve(id, [seen(test, 0)], 'mei');
    await rows.cancelOne(id, { row: 1, revision: 0 }, 'mei');
    expect(await told()).toBe(1);
  });

  it('is not told while another row may still ask, and then once', async () => {
    const { test, id, told, approvals } = await opened(3);
    await approvals.approve(id, [seen(test, 0), seen(test, 1)], 'mei');
    expect(await told()).toBe(0);
    await test.admit(id, [2]);
    await close(test, id, [2], 'unapproved');
    expect(await told()).toBe(0);
    await approvals.approve(id, [seen(test, 2)], 'mei');
    expect(await told()).toBe(1);
  });

  it('is told although a post that was approved before is on its way', async () => {
    const { test, id, told, approvals, admission } = await opened();
    await approvals.approve(id, [{ ...seen(test, 0), opensAt: 0 }], 'mei');
    await admission.wakeReady(id, 1);
    await test.admit(id, [0]);
    expect(await told()).toBe(0);
    await approvals.approve(id, [seen(test, 1)], 'mei');
    expect(await told()).toBe(1);
  });

  it('is not told while a row makes media that were allowed', async () => {
    const { test, id, told, approvals, admission } = await opened(3);
    await test.admit(id, [2]);
    await close(test, id, [2], 'unpaid');
    await approvals.allowSpending(id, [{ row: 2, revision: 0 }], 'mei');
    await admission.wakeReady(id, 1);
    await approvals.approve(id, [seen(test, 0), seen(test, 1)], 'mei');
    expect(await told()).toBe(0);
  });

  it('is not told while a post that was approved is made again', async () => {
    const { test, id, told, approvals, admission } = await opened();
    await approvals.approve(id, [{ ...seen(test, 0), opensAt: 0 }], 'mei');
    await admission.wakeReady(id, 1);
    await test.admit(id, [0]);
    await end(test, id, [0], 'failed', 1);
    await retryNow(test.ledger, id, [0]);
    await approvals.approve(id, [seen(test, 1)], 'mei');
    expect(await told()).toBe(0);
  });

  it('is told once the last row that may ask has ended otherwise', async () => {
    const { test, id, told, approvals } = await opened(3);
    await approvals.approve(id, [seen(test, 0), seen(test, 1)], 'mei');
    await test.admit(id, [2]);
    await end(test, id, [2], 'failed');
    expect(await told()).toBe(1);
  });

  it('is told again only after an approval was withdrawn', async () => {
    const { test, id, told, approvals } = await opened();
    await approvals.approve(id, [seen(test, 0), seen(test, 1)], 'mei');
    await approvals.withdraw(id, [{ row: 0, revision: 0, plannedAt: undefined }], 'anna');
    expect(await told()).toBe(1);
    await approvals.approve(id, [{ ...seen(test, 0), revision: 1 }], 'mei');
    expect(await told()).toBe(2);
  });

  it('is told with the counts as they are then', async () => {
    const { test, id, approvals, rows, outbox } = await opened();
    await approvals.approve(id, [seen(test, 0)], 'mei');
    await rows.cancelOne(id, { row: 1, revision: 0 }, 'mei');
    expect(await outbox.due(1)).toMatchObject([{ counts: { waiting: 0, ready: 1, cancelled: 1 } }]);
  });

  it('is not told of a campaign that is cancelled', async () => {
    const { id, told, cancellation } = await opened();
    await cancellation.begin(id);
    await cancellation.cancelRows(id, 0, 2);
    expect(await told()).toBe(0);
  });

  it('is not told again by a decision that comes too late', async () => {
    const { test, id, told, approvals } = await opened();
    await approvals.approve(id, [seen(test, 0), seen(test, 1)], 'mei');
    await approvals.approve(id, [seen(test, 0)], 'mei');
    await approvals.reject(id, [{ row: 0, revision: 0 }], rejection);
    expect(await told()).toBe(1);
  });
});
