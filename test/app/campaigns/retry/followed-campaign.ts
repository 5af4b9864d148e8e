import { pino } from 'pino';
import { expect } from 'vitest';
import { type RetryRuntime, retryRows } from '../../../../src/app/campaigns/retry/retry.ts';
import { undoWindowMs } from '../../../../src/ledger/transitions/decisions.ts';
import { followPosts } from '../../../../src/processors/publishing-records/follow-posts.ts';
import { reconcileRows } from '../../../../src/processors/publishing-records/reconcile.ts';
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts';
import { collect } from '../../../support/collect.ts';
import { openRunner } from '../../../support/in-process.ts';
import { listPostsSetting } from '../../../support/processes/scene.ts';
import type { Cells } from '../../../support/sheets/sheet.ts';
import type { HandInOptions } from '../../../support/wiring.ts';

export const failing = { caption: 'A [publish-fail]' };
export const queues = ['campaign', 'showcase', 'generate', 'poll', 'upload', 'post'] as const;

export interface FollowedOptions extends HandInOptions {
  /** The records call the post of the only row failed at first, and published later. */
  readonly failedAtFirst?: boolean;
  /** How the records are read. */
  readonly listPosts?: object;
}

/** A campaign that ended or was paused, whose posts were followed once they had their final state. */
export async function followedCampaign(
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
  const runtime = { ...context, service: { need: () => tools } } as unknown as RetryRuntime;
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
  /** Rows that wait until nobody can undo their decisions any more go on. */
  async function letGo(ms = undoWindowMs) {
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
export function recordsAnswer(list: readonly object[], pages: object = { totalPages: 1 }) {
  const body = { code: 0, message: 'ok', data: { list, ...pages } };
  return { operation: 'listPosts', kind: 'status', status: 200, body, times: 1 } as const;
}

export function callsOf(sandbox: Sandbox) {
  const { createCreatorPost = 0, listPosts = 0 } = sandbox.counts();
  return { sent: createCreatorPost, looks: listPosts };
}
