/** From a transition to its receivers: once handed out, a message is delivered at least once, under one id, for a day. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { examineReceivers } from '../../../src/cli/doctor/service.ts';
import { handOutEvents } from '../../../src/processors/notify/deliver.ts';
import { rescue } from '../../../src/processors/rescue/rescuer.ts';
import { deliveryJobId, notifyQueue } from '../../../src/queues/campaign-jobs.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openRunner, type RunnerOptions, type TestRunner } from '../../support/in-process.ts';
import { retryNow } from '../../support/ledger.ts';
import { keysOf } from '../../support/redis/redis.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { httpAnswer, type WireServer, wireServer } from '../../support/wire-server.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const reason = { code: 'paused', message: 'Paused by a person.' };
const day = 86_400_000;

interface Notified extends TestRunner {
  readonly receiver: WireServer;
  readonly clock: { now: number };
  /** The log so far. */
  readonly logged: () => string;
  /** Messages that arrived, in order. */
  readonly bodies: () => readonly Record<string, unknown>[];
}

/** A runner with one receiver, which answers with these statuses in turn, and with the last one from then on. */
async function notified(
  statuses: readonly number[] = [204],
  { events, ...options }: RunnerOptions & { readonly events?: readonly string[] } = {},
): Promise<Notified> {
  const left = [...statuses];
  const receiver = await wireServer((_, socket) => {
    socket.write(httpAnswer((left.length > 1 ? left.shift() : left[0]) ?? 204));
  });
  const secretFile = join(temporaryFolder(), 'secret');
  writeFileSync(secretFile, `${secret}\n`);
  const entry = { url: `${receiver.origin}/hook/t0k3n`, secretFile, allowPrivateAddresses: ['127.0.0.1'] };
  const clock = { now: Date.now() };
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  const settings = { notify: [{ ...entry, ...(events && { events }) }] };
  const runner = await openRunner({ settings, log, now: () => clock.now, ...options });
  await runner.ledger.outbox.want(runner.context.receivers.all.flatMap(({ events: all }) => [...all]));
  return {
    ...runner,
    receiver,
    clock,
    logged: () => lines.join(''),
    bodies: () => receiver.requests.map(({ body }) => JSON.parse(String(body))),
  };
}

/** A paused campaign, whose event nobody has handed out yet. */
async function paused(runner: Notified): Promise<string> {
  const id = await runner.importRows([videoRow('a')]);
  await runner.ledger.campaigns.pause(id, reason);
  return id;
}

const delivered = ({ ledger, until }: TestRunner) =>
  until(async () => (await ledger.outbox.pending()) === 0, 'all messages to be delivered');

/** Waits for a failed attempt, and lets the job run again at once. */
async function tryAgain({ queues, ledger, until }: TestRunner): Promise<void> {
  const job = await until(async () => {
    const [open] = await ledger.outbox.open();
    const found =
      open &&
      (await (await queues.queue(notifyQueue)).getJob(deliveryJobId({ e: open.id, to: open.receiver })));
    return found && (await found.isDelayed()) ? found : undefined;
  }, 'a delivery to wait for its next attempt');
  await job.promote();
}

describe('a notification', () => {
  it('tells the end of a campaign, with counts by state and code', async () => {
    const runner = await notified([204], { events: ['campaign.ended'] });
    const id = await runner.importOrUpdate([videoRow('a'), videoRow('b', { product_id: 'unavailable-1' })]);
    await runner.start();
    await runner.ended(id);
    await delivered(runner);
    expect(runner.bodies()).toEqual([
      {
        type: 'campaign.ended',
        event: 'campaign.ended',
        timestamp: new Date(runner.clock.now).toISOString(),
        campaign: id,
        name: 'test',
        counts: { waiting: 0, running: 0, ready: 0, posted: 1, failed: 1, review: 0, cancelled: 0 },
        codes: { '16001001': 1 },
        command: `campaigns show ${id}`,
      },
    ]);
  });

  it('tells a pause with its reason', async () => {
    const runner = await notified();
    const campaign = await paused(runner);
    await runner.start();
    await delivered(runner);
    expect(runner.bodies()).toMatchObject([{ event: 'campaign.paused', campaign, reason }]);
  });

  it('goes only to receivers of its event', async () => {
    const runner = await notified([204], { events: ['campaign.ended'] });
    await runner.ledger.outbox.want(['campaign.paused']);
    await paused(runner);
    await handOutEvents(runner.context);
    expect(await runner.ledger.outbox.pending()).toBe(0);
    expect(runner.receiver.requests).toEqual([]);
  });

  it('is not sent about rows in review once all of them are decided', async () => {
    const runner = await notified([204], { events: ['review.waiting'] });
    const id = await runner.importRows([videoRow('a', { product_source: 'SHOP' })]);
    await runner.admit(id);
    const error = { step: 'post', code: 'outcome_unknown', message: 'said', at: 0 } as const;
    const ref = { campaign: id, row: 0, revision: 0 };
    await runner.ledger.steps.finish({
      ...ref,
      step: 'upload',
      jobId: 'job',
      end: { verdict: 'review', error },
    });
    await runner.ledger.decisions.decide(ref, undefined, { kind: 'again', fields: [] });
    runner.clock.now += 600_000;
    await handOutEvents(runner.context);
    expect(await runner.ledger.outbox.pending()).toBe(0);
  });

  it('tells how many posts wait for an approval now', async () => {
    const runner = await notified([204], { events: ['approval.waiting'] });
    const { ledger } = runner;
    const id = await runner.importRows(['a', 'b'].map((key) => videoRow(key, { product_source: 'SHOP' })));
    await runner.admit(id);
    const gate = { name: 'unapproved', at: 1 } as const;
    for (const row of [0, 1]) {
      const end = { verdict: 'ready', gate, fields: [] } as const;
      await ledger.steps.finish({ campaign: id, row, revision: 0, step: 'post', jobId: 'job', end });
    }
    const error = { step: 'post', code: 'rejected', message: 'said', at: 0 } as const;
    await ledger.approvals.reject(id, [{ row: 0, revision: 0 }], { by: 'mei', reason: 'said', error });
    runner.clock.now += 600_000;
    await runner.start();
    await delivered(runner);
    expect(runner.bodies()).toMatchObject([{ event: 'approval.waiting', codes: { not_approved: 1 } }]);
  });

  it('tells only posts that are still not published', async () => {
    const runner = await notified([204], { events: ['post.failed'] });
    const { ledger } = runner;
    const fail = async (keys: readonly string[]) => {
      const id = await runner.importRows(keys.map((key) => videoRow(key, { product_source: 'SHOP' })));
      await runner.admit(id);
      const result = { postStatus: 'CREATED', at: 0, fileIds: [] };
      const error = { step: 'post', code: 'publishing_failed', message: 'said', at: 0 } as const;
      const failures = [];
      for (const row of keys.keys()) {
        const ref = { campaign: id, row, revision: 0 };
        const posted = { ...result, postId: `${id}-${row}` };
        const end = { verdict: 'posted', result: posted, assets: [] } as const;
        await ledger.steps.finish({ ...ref, step: 'upload', jobId: 'job', end });
        const before = (await ledger.rows.outcome(id, row))?.result ?? expect.unreachable();
        failures.push({ row, before, postStatus: 'FAILED', error });
      }
      expect(await ledger.failedPosts.fail(id, failures)).toHaveLength(keys.length);
      await ledger.failedPosts.recordRechecks(id, await ledger.failedPosts.all(id));
      return id;
    };
    const partly = await fail(['a', 'b', 'c']);
    await retryNow(ledger, partly, [0, 2]);
    await retryNow(ledger, await fail(['d']), [0]);
    runner.clock.now += 600_000;
    await runner.start();
    await handOutEvents(runner.context);
    await delivered(runner);
    expect(runner.bodies()).toMatchObject([{ campaign: partly, codes: { publishing_failed: 1 } }]);
  });
});

describe('a delivery', () => {
  it('is repeated under one id until the receiver takes it', async () => {
    const runner = await notified([500, 503, 200]);
    await paused(runner);
    await runner.start();
    await tryAgain(runner);
    await tryAgain(runner);
    await delivered(runner);
    const ids = runner.receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
    expect(new Set(runner.receiver.requests.map(({ body }) => String(body))).size).toBe(1);
  });

  it('tells people why it failed', async () => {
    const runner = await notified([500, 200]);
    await paused(runner);
    await runner.start();
    const problem = await runner.until(
      async () => (await runner.ledger.outbox.open())[0]?.problem || undefined,
      'the reason to be kept',
    );
    expect(problem).toBe('it answered with HTTP 500');
    const report = await Array.fromAsync(
      examineReceivers(
        { ...runner.context, environment: { consoleOrigin: undefined, consoleBase: '' } },
        false,
      ),
    );
    expect(report).toMatchObject([
      { verdict: 'ok' },
      { verdict: 'warning', text: expect.stringContaining('it answered with HTTP 500') },
    ]);
  });

  it('is given up after a day', async () => {
    const runner = await notified([500]);
    await paused(runner);
    await handOutEvents(runner.context);
    runner.clock.now += day;
    await runner.start();
    await delivered(runner);
    expect(runner.receiver.requests).toHaveLength(1);
    expect(runner.logged()).toContain('notification given up');
  });

  it('is given up when the receiver wants no more', async () => {
    const runner = await notified([410]);
    await paused(runner);
    await runner.start();
    await delivered(runner);
    expect(runner.receiver.requests).toHaveLength(1);
  });

  it('is made after a crash between the transition and the hand-out', async () => {
    const runner = await notified();
    await paused(runner);
    expect(await (await runner.queues.queue(notifyQueue)).getJobCounts()).toMatchObject({
      waiting: 0,
      delayed: 0,
    });
    await runner.start();
    await delivered(runner);
    expect(runner.bodies()).toHaveLength(1);
  });

  it('whose job was lost is added again by the rescuer', async () => {
    const runner = await notified();
    await paused(runner);
    await handOutEvents(runner.context);
    const queue = await runner.queues.queue(notifyQueue);
    await queue.obliterate({ force: true });
    await rescue(runner.context);
    await rescue(runner.context);
    expect(await queue.getJobCounts('waiting')).toEqual({ waiting: 1 });
  });

  it('leaves the secret and the URL of the receiver neither in the log nor in Redis', async () => {
    const runner = await notified([500, 204]);
    await paused(runner);
    await runner.start();
    await tryAgain(runner);
    const kept = await contentOf(runner);
    await delivered(runner);
    for (const text of [kept, await contentOf(runner), runner.logged()]) {
      expect(text).toContain('msg_');
      for (const hidden of [secret, secret.slice('whsec_'.length), 't0k3n'])
        expect(text).not.toContain(hidden);
    }
  });
});

/** All that Redis holds of a runner, as text. */
async function contentOf({ redis, prefix }: TestRunner): Promise<string> {
  const readers: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
    hash: (key) => redis.hgetall(key),
    zset: (key) => redis.zrange(key, '0', '-1'),
    list: (key) => redis.lrange(key, '0', '-1'),
    stream: (key) => redis.xrange(key, '-', '+'),
    set: (key) => redis.smembers(key),
    string: (key) => redis.get(key),
  };
  const keys = await keysOf(redis, prefix);
  const values = await Promise.all(
    keys.map(async (key) => [key, await readers[await redis.type(key)]?.(key)]),
  );
  return JSON.stringify(values);
}
