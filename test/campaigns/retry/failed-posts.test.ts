/** Rows whose posts were accepted and not published: by the records, in the test's own process. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { cancelCampaign } from '../../../src/campaigns/cancel.ts';
import { causesOf } from '../../../src/campaigns/causes/causes.ts';
import { decideMany } from '../../../src/campaigns/decisions/decide-many.ts';
import { decideRow } from '../../../src/campaigns/decisions/decide-row.ts';
import { decideSheet } from '../../../src/campaigns/decisions/decide-sheet.ts';
import type { DecideOptions, Verdict } from '../../../src/campaigns/decisions/decision.ts';
import { undoDecision } from '../../../src/campaigns/decisions/undo.ts';
import { type RetryRuntime, retryRows } from '../../../src/campaigns/retry/retry.ts';
import { secondThoughtsMs } from '../../../src/ledger/transitions/decisions.ts';
import { hint } from '../../../src/manifest/problems/hint.ts';
import { followPosts } from '../../../src/processors/records/follow-posts.ts';
import { reconcileRows } from '../../../src/processors/records/reconcile.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { collect } from '../../support/collect.ts';
import { openRunner } from '../../support/in-process.ts';
import { listPostsSetting } from '../../support/processes/scene.ts';
import { aiPhotoRow, videoRow } from '../../support/sheets/rows.ts';
import type { Cells } from '../../support/sheets/sheet.ts';
import type { HandInOptions } from '../../support/wiring.ts';

const failing = { caption: 'A [publish-fail]' };
const queues = ['campaign', 'showcase', 'generate', 'poll', 'upload', 'post'] as const;

interface FollowedOptions extends HandInOptions {
  /** The records call the post of the only row failed at first, and published later. */
  readonly failedAtFirst?: boolean;
  /** How the records are read. */
  readonly listPosts?: object;
}

/** A campaign that ended or was paused, whose posts were followed once they had their final state. */
async function followedCampaign(
  rows: readonly Cells[],
  { failedAtFirst = false, listPosts = listPostsSetting(), ...options }: FollowedOptions = {},
) {
  let ahead = 0;
  const lines: Record<string, unknown>[] = [];
  const runner = await openRunner({
    settings: { api: { listPosts }, records: { every: '1h' } },
    queues,
    now: () => Date.now() + ahead,
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  });
  const { context, ledger, client, rateLimits, sandbox } = runner;
  const tools = { ...context, client, rateLimits };
  const id = await runner.importOrUpdate(rows, options);
  const campaign = async () => (await ledger.campaigns.find(id)) ?? expect.unreachable();
  await runner.start();
  await runner.until(async () => (await campaign()).state !== 'running', 'the campaign to stop');
  const runtime = { ...context, accounts: { need: () => tools } } as unknown as RetryRuntime;
  async function follow() {
    ahead += 60_000;
    sandbox.clock.advance(60_000);
    return collect(followPosts(tools, await campaign(), { all: true }));
  }
  async function retry(
    options: { readonly dryRun?: boolean; readonly settings?: object; readonly stays?: boolean } = {},
  ) {
    const { dryRun = false, settings = context.settings, stays = false } = options;
    const retried = await retryRows(
      { ...runtime, settings } as RetryRuntime,
      await campaign(),
      {},
      { dryRun },
    );
    if (retried.held > 0 && !stays) await letGo();
    return retried;
  }
  /** Rows that wait for second thoughts go on. */
  async function letGo(ms = secondThoughtsMs) {
    ahead += ms;
    await runner.admit(id);
  }
  const reconcile = async () => collect(reconcileRows(tools, await campaign(), { all: true }));
  const counts = () => {
    const { createCreatorPost, createFileUpload, createAiGenerationSchedule } = sandbox.counts();
    return { createCreatorPost, createFileUpload, createAiGenerationSchedule };
  };
  if (failedAtFirst) {
    const [post] = sandbox.effects().posts;
    const record = { postId: post?.postId, status: 'FAILED', failureReason: 'Busy' };
    sandbox.faults.add(recordsAnswer([record]));
  }
  await follow();
  const wait = (ms: number) => {
    ahead += ms;
  };
  return { ...runner, id, campaign, follow, retry, letGo, reconcile, counts, lines, wait };
}

/** What the records answer once, instead of the truth. */
function recordsAnswer(list: readonly object[], pages: object = { totalPages: 1 }) {
  const body = { code: 0, message: 'ok', data: { list, ...pages } };
  return { operation: 'listPosts', kind: 'status', status: 200, body, times: 1 } as const;
}

function callsOf(sandbox: Sandbox) {
  const { createCreatorPost = 0, listPosts = 0 } = sandbox.counts();
  return { sent: createCreatorPost, looks: listPosts };
}

describe('a post that was not published', () => {
  it('fails its row, which is counted and shown with cause and cure', async () => {
    const { id, ledger, campaign, rows } = await followedCampaign([videoRow('a', failing), videoRow('b')]);
    expect(await campaign()).toMatchObject({ state: 'ended', counts: { posted: 1, failed: 1 } });
    expect(await rows(id)).toMatchObject([
      { state: 'failed', result: { postStatus: 'FAILED' }, error: { code: 'publishing_failed' } },
      { state: 'posted' },
    ]);
    expect(await causesOf(ledger, await campaign())).toMatchObject([
      {
        code: 'publishing_failed',
        message: expect.stringContaining('did not take the media'),
        cure: expect.stringContaining('Retry the row'),
        commands: [`campaigns retry ${id} --error publishing_failed`],
      },
    ]);
  });

  it('raises the event post.failed once', async () => {
    const { id, follow, lines } = await followedCampaign([videoRow('a', failing)]);
    await follow();
    expect(lines.filter(({ event }) => event === 'post.failed')).toMatchObject([
      { campaign: id, key: 'a', status: 'FAILED', postId: expect.any(String) },
    ]);
  });

  it('is retried by the post alone, and followed again', async () => {
    const { id, ended, counts, follow, retry, ...runner } = await followedCampaign([
      aiPhotoRow('a', 2, failing),
    ]);
    const before = counts();
    expect(await retry({ dryRun: true })).toMatchObject({
      matched: 1,
      plan: { calls: { createCreatorPost: 1 }, aiOutputs: 0 },
    });
    expect(await retry()).toMatchObject({ matched: 1, rows: 1, held: 1, posted: 0 });
    await ended(id);
    expect(counts()).toEqual({ ...before, createCreatorPost: 2 });
    expect(await runner.rows(id)).toMatchObject([{ state: 'posted' }]);
    expect(await follow()).toMatchObject([{ after: 'FAILED' }]);
    expect((await runner.ledger.failedPosts.all(id)).get(0)).toHaveLength(2);
  });

  it('also fails the row of a cancelled campaign, which is not sent again', async () => {
    const rows = [videoRow('a', failing), videoRow('b')];
    const { id, campaign, follow, retry, ...runner } = await followedCampaign(rows, { canary: 1 });
    expect(await campaign()).toMatchObject({ state: 'paused', counts: { failed: 1, waiting: 1 } });
    await cancelCampaign({ ...runner, ...runner.context }, id);
    expect(await campaign()).toMatchObject({ state: 'ended', counts: { failed: 1, cancelled: 1 } });
    expect(await retry().catch((error) => error.code)).toBe('campaign_cancelled');
  });
});

describe('before a retry', () => {
  it('a post that was published after all makes its row posted, and nothing is sent', async () => {
    const { id, rows, campaign, retry, counts } = await followedCampaign([videoRow('a')], {
      failedAtFirst: true,
    });
    expect(await campaign()).toMatchObject({ counts: { failed: 1 } });
    const before = counts();
    expect(await retry({ dryRun: true })).toMatchObject({ matched: 1, rows: 0, posted: 1 });
    expect(await campaign()).toMatchObject({ counts: { failed: 1 } });
    expect(await retry()).toMatchObject({ matched: 1, rows: 0, posted: 1 });
    expect(await rows(id)).toMatchObject([
      { state: 'posted', result: { postStatus: 'PUBLISHED' }, error: undefined },
    ]);
    expect(counts()).toEqual(before);
  });

  it.each([
    [{ totalPages: 1 }, 'not in the publishing records'],
    [{ totalPages: 1, total: 35 }, 'not in the publishing records (0 of 35 shown)'],
    [{}, 'not in the publishing records (only one page was seen)'],
  ])('a post whose record is gone leaves its row out, with the reason (%o)', async (pages, why) => {
    const { campaign, retry, sandbox, counts } = await followedCampaign([videoRow('a', failing)]);
    const before = counts();
    sandbox.faults.add({ ...recordsAnswer([], pages), times: 'always' });
    const retried = await retry();
    expect(retried).toMatchObject({
      matched: 1,
      rows: 0,
      posted: 0,
      leftOut: [
        {
          state: 'failed',
          rows: 1,
          why: expect.toSatisfy((text: string) => text.endsWith(` its post is ${why}`)),
        },
      ],
    });
    expect(await campaign()).toMatchObject({ counts: { failed: 1 } });
    expect(counts()).toEqual(before);
  });

  it.each([
    ['refused', 403],
    ['broken', 500],
  ])('records that cannot be read leave the row out: %s', async (_name, status) => {
    const { retry, sandbox } = await followedCampaign([videoRow('a', failing)]);
    sandbox.faults.add({ operation: 'listPosts', kind: 'status', status, times: 'always' });
    const { rows, leftOut } = await retry();
    expect(rows).toBe(0);
    expect(leftOut[0]?.why).toContain('could not be read');
  });

  it('records that are no longer set leave the row out', async () => {
    const { retry, context } = await followedCampaign([videoRow('a', failing)]);
    const { settings } = context;
    const { rows, leftOut } = await retry({
      settings: { ...settings, api: { ...settings.api, listPosts: null } },
    });
    expect(rows).toBe(0);
    expect(leftOut[0]?.why).toContain('reading the publishing records is not set up');
  });

  it('rows that failed otherwise are not looked up', async () => {
    const { retry, sandbox } = await followedCampaign([videoRow('a', { product_id: 'unavailable-1' })]);
    const asked = sandbox.counts().listPosts;
    expect(await retry()).toMatchObject({ rows: 1 });
    expect(sandbox.counts().listPosts).toBe(asked);
  });
});

describe('a retried row that is sent long after the look at its post', () => {
  /** Retried, and let go when the look of the retry no longer counts. @param records what they answer from then on, about a post. */
  async function sentLate(records?: (postId: string) => object, options: FollowedOptions = {}) {
    const keys = options.listPosts ? [...'abcdef'] : ['a'];
    const runner = await followedCampaign(
      keys.map((key) => videoRow(key, failing)),
      options,
    );
    const before = callsOf(runner.sandbox);
    await runner.retry({ stays: true });
    const postId = runner.sandbox.effects().posts[0]?.postId ?? '';
    const answer = { operation: 'listPosts', kind: 'status', times: 'always' } as const;
    if (records) runner.sandbox.faults.add({ ...answer, status: 200, ...records(postId) });
    await runner.letGo(120_000);
    const campaign = await runner.ended(runner.id);
    const { sent, looks } = callsOf(runner.sandbox);
    return { ...runner, campaign, postId, sent: sent - before.sent, looks: looks - before.looks };
  }

  it('is looked up once more, and sent if its post is still failed', async () => {
    const { id, rows, sent, looks } = await sentLate();
    expect(await rows(id)).toMatchObject([{ state: 'posted' }]);
    expect({ sent, looks }).toEqual({ sent: 1, looks: 2 });
  });

  it('shares its look with others if the records can be read only as a list', async () => {
    const query = { pageSize: '{pageSize}', pageNumber: '{pageNumber}' };
    const { campaign, sent, looks } = await sentLate(undefined, {
      listPosts: { ...listPostsSetting(), query },
    });
    expect(campaign).toMatchObject({ counts: { posted: 6 } });
    expect(sent).toBe(6);
    // A job may begin just before the note of a look that has ended.
    expect(looks).toBeLessThan(1 + 6);
  });

  it('is posted without another post if its post is published by then', async () => {
    const published = (postId: string) => recordsAnswer([{ postId, status: 'PUBLISHED' }]);
    const { id, rows, postId, sent } = await sentLate((post) => ({ ...published(post), times: 'always' }));
    expect(await rows(id)).toMatchObject([
      { state: 'posted', result: { postId, postStatus: 'PUBLISHED' }, error: undefined },
    ]);
    expect(sent).toBe(0);
  });

  it('fails with the reason if the records cannot be read, and nothing is sent', async () => {
    const { rows, sent, looks, campaign, ledger, id, context } = await sentLate(() => ({ status: 500 }));
    expect(await rows(id)).toMatchObject([
      {
        state: 'failed',
        error: { code: 'post_unread', message: expect.stringContaining('could not be read') },
      },
    ]);
    expect(sent).toBe(0);
    // One for the retry, then one for each attempt.
    expect(looks).toBe(1 + context.settings.retry.attempts);
    expect(campaign).toMatchObject({ counts: { failed: 1 } });
    expect(await ledger.rows.redo(id, [{ row: 0, revision: 1 }])).toMatchObject({ rows: [{ row: 0 }] });
  });
});

describe('a retry whose answer is lost', () => {
  it('is in unknownCall, and is settled by its own post, not by the earlier one', async () => {
    const { id, ended, retry, reconcile, ...runner } = await followedCampaign([videoRow('a', failing)]);
    const earlier = (await runner.rows(id))[0]?.result?.postId;
    runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', times: 1 });
    await retry();
    await ended(id);
    expect(await runner.rows(id)).toMatchObject([{ state: 'review' }]);
    const posts = runner.sandbox.effects().posts.map(({ postId }) => postId);
    const [found] = await reconcile();
    expect(found).toMatchObject({ postId: posts.find((postId) => postId !== earlier) });
  });

  it('stays in review if only the earlier post is there', async () => {
    const { id, ended, retry, reconcile, ...runner } = await followedCampaign([videoRow('a', failing)]);
    runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'reset', times: 1 });
    await retry();
    await ended(id);
    expect(await reconcile()).toMatchObject([
      { state: 'review', note: expect.stringContaining('Not found') },
    ]);
    expect(runner.sandbox.effects().posts).toHaveLength(1);
  });
});

describe('a decision about a retry in doubt', () => {
  /** @param status what the records say now of the post before it. */
  async function unknownEffect(status?: string) {
    const runner = await followedCampaign([videoRow('a', failing)]);
    const { id, context, campaign } = runner;
    runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'reset', times: 1 });
    await runner.retry();
    await runner.ended(id);
    const [post] = runner.sandbox.effects().posts;
    const postId = post?.postId ?? '';
    if (status) runner.sandbox.faults.add({ ...recordsAnswer([{ postId, status }]), times: 'always' });
    return {
      ...runner,
      postId,
      decide: async (verdict: Verdict, options?: DecideOptions) =>
        decideRow(context, await campaign(), 'a', verdict, options),
    };
  }

  it('does not take the id of the post before it, which was not published', async () => {
    const { decide, postId, id } = await unknownEffect();
    await expect(decide({ kind: 'posted', postId })).rejects.toMatchObject({
      message: expect.stringContaining(`${postId} is the row's earlier one, which was not published`),
      cure: expect.arrayContaining([
        hint('decideRow', { campaign: id, key: 'a', decision: 'not-posted', unchecked: false }),
      ]),
    });
    expect(await decide({ kind: 'not-posted' })).toBe('waiting');
  });

  it('takes that id once the post is published, and no other post is made', async () => {
    const { decide, postId, id, ledger, rows, campaign, context } = await unknownEffect('PUBLISHED');
    const decision = hint('decideRow', {
      campaign: id,
      key: 'a',
      decision: `posted ${postId}`,
      unchecked: false,
    });
    await expect(decide({ kind: 'not-posted' })).rejects.toMatchObject({
      message: expect.stringContaining(`earlier post ${postId} is PUBLISHED now`),
      cure: [decision],
    });
    expect(await decide({ kind: 'posted', postId })).toBe('posted');
    expect(await rows(id)).toMatchObject([{ state: 'posted', result: { postId } }]);
    expect(await ledger.failedPosts.all(id)).toEqual(new Map());
    expect(await undoDecision(context, await campaign(), 'a')).toBe('review');
    expect((await ledger.failedPosts.all(id)).get(0)).toMatchObject([{ postId }]);
  });

  it('about many rows leaves such a row out, with the command for it', async () => {
    const { id, postId, context, campaign, reconcile, wait, sandbox } = await unknownEffect();
    wait(300_000);
    await reconcile();
    sandbox.faults.add(recordsAnswer([{ postId, status: 'PUBLISHED' }]));
    const notPosted = { kind: 'not-posted' } as const;
    const options = { expect: 0, dryRun: false };
    const decision = hint('decideRow', {
      campaign: id,
      key: 'a',
      decision: `posted ${postId}`,
      unchecked: false,
    });
    expect(await decideMany(context, await campaign(), notPosted, options)).toMatchObject({
      matched: 0,
      left: 1,
      refused: [{ key: 'a', cure: [decision] }],
      kinds: undefined,
    });
  });

  it('in a sheet is a problem of its row', async () => {
    const { folder, postId, context, campaign } = await unknownEffect('PUBLISHED');
    const sheet = { path: join(folder, 'decided.csv'), file: 'decided.csv' };
    writeFileSync(sheet.path, 'key,decision\na,not-posted\n');
    const { problems } = await decideSheet(context, await campaign(), sheet, { dryRun: false });
    expect(problems.kept).toMatchObject([
      { line: 2, code: 'post_published', cure: [`Write posted ${postId} into decision.`] },
    ]);
  });

  it('needs the records, unless the person insists', async () => {
    const { id, decide, sandbox, letGo, ended, rows } = await unknownEffect();
    sandbox.faults.add({ ...recordsAnswer([]), times: 'always' });
    await expect(decide({ kind: 'not-posted' })).rejects.toMatchObject({
      message: expect.stringContaining('not in the publishing records'),
      cure: expect.arrayContaining([
        hint('decideRow', { campaign: id, key: 'a', decision: 'not-posted', unchecked: true }),
      ]),
    });
    expect(await decide({ kind: 'not-posted' }, { unchecked: true })).toBe('waiting');
    const before = callsOf(sandbox).sent;
    await letGo(120_000);
    await ended(id);
    expect(await rows(id)).toMatchObject([{ state: 'posted' }]);
    expect(callsOf(sandbox).sent).toBe(before + 1);
  });
});
