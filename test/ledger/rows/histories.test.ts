import { describe, expect, it } from 'vitest';
import type { InterimOutcome } from '../../../src/ledger/rows/histories.ts';
import type { Decision } from '../../../src/ledger/transitions/decisions.ts';
import type { StepEnd } from '../../../src/ledger/transitions/step-outcomes.ts';
import { retryNow, stepStart, testLedger } from '../../support/ledger.ts';

const result = { postId: 'post-1', postStatus: 'SCHEDULED', fileIds: ['1'], at: Date.UTC(2026, 5, 1) };
const posted: StepEnd = { verdict: 'posted', result, assets: [] };
const uploaded: StepEnd = { verdict: 'ok', fields: [['file:0', '1']], detail: 'media is file 1' };
const failed = (message: string): StepEnd => ({
  verdict: 'failed',
  error: { step: 'upload', code: 'media_missing', message, at: 5 },
});
const late = { step: 'post', code: 'late', message: 'too late', at: 5 } as const;
const notPublished = { step: 'post', code: 'publishing_failed', message: 'removed', at: 5 } as const;

/** A campaign whose first row runs. */
async function runningRow(rows = 1) {
  const test = testLedger();
  const { ledger, clock } = test;
  const id = await test.campaign(rows);
  await test.admit(id, [0]);
  const refNow = async () => {
    const [status] = await ledger.rows.statuses(id, 0, 1);
    return { campaign: id, row: 0, revision: status?.revision ?? 0 };
  };
  return {
    ...test,
    id,
    refNow,
    admit: () => test.admit(id, [0]),
    /** Ends a step, a second after the last. */
    async finish(step: 'upload' | 'post', end: StepEnd) {
      clock.now += 1000;
      await ledger.steps.finish({ ...(await refNow()), step, jobId: 'job', end });
    },
    tell: (step: 'upload' | 'poll' | 'post', outcome: InterimOutcome, message: string) =>
      ledger.histories.record(id, [{ row: 0, revision: 0 }], { step, outcome, message }),
    /** A post whose outcome is unknown. */
    async unknown() {
      const ref = { campaign: id, row: 0, revision: 0 };
      await ledger.steps.start({ ...stepStart(ref), effect: 'post', token: 't' });
      const step = { step: 'post', jobId: 'job', effect: 'post', token: 't' } as const;
      await ledger.steps.finish({ ...ref, ...step, end: { verdict: 'review', error: late } });
      return ref;
    },
    /** The publishing records have told that such a post exists. */
    async foundInRecords() {
      const ref = await this.unknown();
      const [unknownCall] = await ledger.publishing.unknownCalls(id, [0]);
      if (!unknownCall) throw new Error('no post is of unknown outcome');
      await ledger.publishing.claim(ref, 'post-1');
      await ledger.publishing.reconcile(ref, unknownCall, result);
    },
    decide: async (decision: Decision) => ledger.decisions.decide(await refNow(), undefined, decision),
    story: async () =>
      (await ledger.histories.read(id, 0)).map(({ step = '-', outcome, message = '', times }) =>
        [step, outcome, message, ...(times > 1 ? [times] : [])].join(' ').trim(),
      ),
  };
}

describe('the story of a row', () => {
  it('that failed has every attempt, after its post, too', async () => {
    const row = await runningRow();
    await row.finish('upload', failed('no such file'));
    await retryNow(row.ledger, row.id, [0]);
    await row.admit();
    await row.finish('upload', uploaded);
    await row.finish('post', posted);
    expect(await row.story()).toEqual([
      'upload failed media_missing: no such file',
      '- retried',
      '- begun',
      'upload ok media is file 1',
      'post posted post-1',
    ]);
  });

  it('that came through at the first try has only its times', async () => {
    const row = await runningRow();
    await row.finish('upload', uploaded);
    await row.tell('post', 'throttled', 'throttled: 429');
    row.clock.now += 4_000_000;
    await row.finish('post', posted);
    expect(await row.story()).toEqual([]);
    expect(await row.ledger.rows.outcome(row.id, 0)).toMatchObject({ result: { tookSeconds: 4001 } });
    expect(await row.redis.exists(row.ledger.keys.histories(row.id))).toBe(0);
  });

  it('leaves the times out of a result that would grow too long for compact storage', async () => {
    const row = await runningRow();
    await row.finish('upload', uploaded);
    const postId = 'p'.repeat(53);
    await row.finish('post', { ...posted, result: { ...result, postId } });
    expect((await row.ledger.rows.outcome(row.id, 0))?.result).toEqual({ ...result, postId });
    const results = row.ledger.keys.results(row.id, 0);
    expect(await row.redis.object('ENCODING', results)).not.toBe('hashtable');
  });

  it('leaves out what cannot be read, and the row is posted all the same', async () => {
    const row = await runningRow();
    await row.redis.hset(row.ledger.keys.histories(row.id), 0, '{"x');
    await row.tell('poll', 'again', 'first');
    await row.tell('poll', 'again', 'second');
    expect(await row.story()).toEqual(['poll again second 2']);
    await row.finish('post', posted);
    expect(await row.story()).toEqual(['poll again second 2', 'post posted post-1']);
  });

  it('has attempts that ended no row', async () => {
    const row = await runningRow();
    await row.tell('upload', 'retry', 'server_error: 500');
    await row.finish('post', posted);
    expect(await row.story()).toEqual(['upload retry server_error: 500', 'post posted post-1']);
  });

  it('has one entry for unsuccessful polls in a row, and for throttled attempts', async () => {
    const row = await runningRow();
    for (const message of ['first', 'second', 'third']) await row.tell('poll', 'again', message);
    for (const message of ['one', 'two']) await row.tell('post', 'throttled', message);
    expect(await row.story()).toEqual(['poll again third 3', 'post throttled two 2']);
  });

  it('has at most fifty entries of three hundred characters on one line, and cuts none within a character', async () => {
    const row = await runningRow();
    for (let count = 1; count <= 30; count++) {
      await row.finish('upload', failed(`${count}\n${'夏'.repeat(400)}`));
      await retryNow(row.ledger, row.id, [0]);
      await row.admit();
    }
    const story = await row.ledger.histories.read(row.id, 0);
    expect(story).toHaveLength(50);
    expect(story.at(-3)?.message).toMatch(/^media_missing: 30 夏{222}\.\.\.$/);
    const stored = (await row.redis.hget(row.ledger.keys.histories(row.id), '0')) ?? '';
    for (const line of stored.split('\n')) expect(line.length).toBeLessThanOrEqual(300);
  });

  it.for([
    ['posted', { kind: 'posted', ...posted }, 'decided: posted post-1'],
    ['not posted', { kind: 'again', fields: [] }, 'decided: goes on'],
    ['failed', { kind: 'failed', error: late }, 'decided: failed late: too late'],
  ] as const)('has what a person decided, and takes back: %s', async ([, decision, told]) => {
    const row = await runningRow();
    await row.finish('post', { verdict: 'review', error: late });
    await row.decide(decision);
    const before = ['post review late: too late', `${decision.kind === 'failed' ? 'post' : '-'} ${told}`];
    expect(await row.story()).toEqual(before);
    expect(await row.ledger.decisions.undo(row.id, 0)).toMatchObject({ kind: 'undone' });
    expect(await row.story()).toEqual([...before, '- decision taken back']);
  });

  it('has that its campaign was cancelled', async () => {
    const row = await runningRow();
    await row.finish('upload', uploaded);
    await row.ledger.cancellation.begin(row.id);
    await row.ledger.cancellation.cancelRows(row.id, 0, 1);
    expect(await row.story()).toEqual(['upload ok media is file 1', '- cancelled']);
  });

  it('has that it was cancelled after a decision in a cancelled campaign', async () => {
    const row = await runningRow(2);
    await row.finish('post', { verdict: 'review', error: late });
    await row.ledger.cancellation.begin(row.id);
    await row.decide({ kind: 'again', fields: [] });
    expect((await row.story()).slice(1)).toEqual(['- decided: goes on', '- cancelled']);
  });

  it.for([
    ['failed', failed('no such file')],
    ['retried', failed('no such file'), 'retry'],
  ] as const)('has that an import changed the row when it was %s', async ([, end, retry]) => {
    const row = await runningRow();
    await row.finish('upload', end);
    if (retry) await retryNow(row.ledger, row.id, [0]);
    const campaign = await row.ledger.campaigns.find(row.id);
    if (!campaign) return expect.unreachable();
    const update = row.ledger.newUpdate(campaign);
    const { header, map } = campaign;
    await update.extend({ header, map, creators: new Map() });
    const { revision } = await row.refNow();
    const outdated = { files: false, cover: false, references: false, generations: false };
    await update.updateChunk({
      chunk: 0,
      rows: undefined,
      added: 0,
      redone: [{ row: 0, revision, outdated }],
    });
    expect((await row.story()).at(-1)).toBe('- changed');
  });

  it('has a showcase addition', async () => {
    const row = await runningRow();
    await row.ledger.showcase.finish({
      campaign: row.id,
      jobId: 'job',
      added: [{ creatorId: 'creator', productId: 'product' }],
      ready: [{ row: 0, revision: 0 }],
      failed: [],
    });
    expect(await row.story()).toEqual(['showcase ok']);
  });

  it('has what the publishing records told of a post of unknown outcome', async () => {
    const row = await runningRow();
    await row.foundInRecords();
    const found = ['post review late: too late', '- found in the records post-1'];
    expect(await row.story()).toEqual(found);
    await row.ledger.failedPosts.fail(row.id, [
      { row: 0, before: result, postStatus: 'FAILED', error: notPublished },
    ]);
    expect(await row.story()).toEqual([...found, 'post failed publishing_failed: removed']);
  });

  it('has that its record turned out to be the post of another row', async () => {
    const row = await runningRow();
    await row.foundInRecords();
    const other = await row.campaign(1);
    await row.ledger.steps.finish({
      campaign: other,
      row: 0,
      revision: 0,
      step: 'post',
      jobId: 'job',
      effect: 'post',
      token: 'u',
      end: posted,
    });
    expect((await row.story()).slice(2)).toEqual([expect.stringContaining('post review outcome_unknown')]);
  });

  it('has a post at the first try that was not published, and what became of it', async () => {
    const row = await runningRow();
    await row.finish('upload', uploaded);
    await row.finish('post', posted);
    const { failedPosts } = row.ledger;
    await failedPosts.fail(row.id, [{ row: 0, before: result, postStatus: 'FAILED', error: notPublished }]);
    const failure = ['- begun', 'post posted post-1', 'post failed publishing_failed: removed'];
    expect(await row.story()).toEqual(failure);
    const earlier = (await failedPosts.all(row.id)).get(0) ?? [];
    await failedPosts.postAgain(await row.refNow(), earlier, { ...result, postStatus: 'PUBLISHED' });
    expect(await row.story()).toEqual([...failure, '- found in the records post-1']);
  });

  it('has a failed job that was run again', async () => {
    const row = await runningRow();
    await row.finish('upload', failed('no such file'));
    await row.ledger.steps.start(stepStart(await row.refNow()));
    expect(await row.story()).toEqual(['upload failed media_missing: no such file', '- run again']);
  });
});

it('the status of a post at the first try follows its record, and its times stay', async () => {
  const row = await runningRow();
  await row.finish('upload', uploaded);
  await row.finish('post', posted);
  const change = { row: 0, before: result, postStatus: 'PUBLISHED' };
  expect(await row.ledger.publishing.follow(row.id, [change])).toHaveLength(1);
  expect(await row.ledger.rows.outcome(row.id, 0)).toMatchObject({
    result: { postStatus: 'PUBLISHED', tookSeconds: 1 },
  });
});
