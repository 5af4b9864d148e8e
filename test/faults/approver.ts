/**
 * Another person, who approves and rejects posts as they were shown, and takes approvals back, while somebody edits their rows, makes their media anew, or the
 * posts go out. Keeps what each approval was asked for, as the request that the service must get.
 */
import { isDeepStrictEqual } from 'node:util';
import { decidePosts } from '../../src/app/approvals/approve.ts';
import { renewPost } from '../../src/app/approvals/renew.ts';
import { readShownPosts, type ShownPost } from '../../src/app/approvals/waiting-posts.ts';
import type { Campaign } from '../../src/ledger/campaigns/campaign.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { fileIdsOf } from '../../src/ledger/rows/row-progress.ts';
import { CampaignViews } from '../../src/processors/runner/campaign-view.ts';
import { postRequest } from '../../src/processors/steps/post.ts';
import type { Queues } from '../../src/queues/queues.ts';
import type { Random } from '../fuzz/random.ts';
import type { ResultRow } from '../support/sheets/sheet.ts';
import type { ServiceRecord } from './service.ts';
import type { Site } from './site.ts';

const id = 'c1';
const mostShown = 50;

interface Tools {
  readonly site: Site;
  readonly ledger: Ledger;
  readonly queues: Queues;
  readonly random: Random;
  /** Whether Redis may be put back to a copy: then a rejection may be forgotten. */
  readonly mayForget: boolean;
}

export class Approver {
  /** Posts approved, rejected and withdrawn so far, and those that had changed since they were shown. */
  readonly said = { approved: 0, rejected: 0, withdrawn: 0, refused: 0 };
  readonly #tools: Tools;
  readonly #runtime;
  /** By key of the row: requests of the posts that an approval was asked for. An approval may take effect although its answer is lost. */
  readonly #asked = new Map<string, object[]>();

  constructor(tools: Tools) {
    const { ledger, queues } = tools;
    this.#tools = tools;
    this.#runtime = { ledger, queues, views: new CampaignViews(ledger), now: Date.now };
  }

  /** Something that a person may do at any time. Refused changes are simply tried again later. */
  async actAtRandom(): Promise<void> {
    const { random, site } = this.#tools;
    const act = random.integer(1, 8);
    const pauseMs = random.once(2) ? random.integer(0, 3000) : 0;
    await this.#trying(async (campaign) => {
      if (act === 3) {
        await this.#withdraw(campaign, pauseMs);
        return;
      }
      const shown = await this.#look(campaign);
      await site.lasting(pauseMs);
      const [post] = shown;
      if (act === 1 && post) await this.#renew(campaign, post);
      else if (act === 2) await this.#reject(campaign, shown.slice(0, 3));
      else await this.#approve(campaign, random.once(2) ? shown : shown.slice(0, 5));
    });
  }

  /** Approves what waits. What cannot be approved as it is, because Redis lost the record of its upload, is uploaded again. */
  async approveAll(): Promise<void> {
    await this.#trying(async (campaign) => {
      const shown = await this.#look(campaign);
      await this.#approve(campaign, shown);
      for (const post of shown) if (post.digest === undefined) await this.#renew(campaign, post);
    });
  }

  /** @returns as `unapprovedPosts`. */
  unapproved(service: ServiceRecord, rows: readonly ResultRow[]): readonly string[] {
    return unapprovedPosts(service, rows, this.#asked);
  }

  async #trying(work: (campaign: Campaign) => Promise<void>): Promise<void> {
    const { ledger, site } = this.#tools;
    try {
      const campaign = await ledger.campaigns.find(id);
      if (campaign) await work(campaign);
    } catch (error) {
      site.timeline.note(`no approval: ${error instanceof Error ? error.message : error}`);
    }
  }

  async #look(campaign: Campaign): Promise<readonly ShownPost[]> {
    const waiting = await this.#tools.ledger.approvals.waiting(id, { most: mostShown });
    return readShownPosts(
      this.#runtime,
      campaign,
      waiting.map(({ row }) => row),
    );
  }

  async #approve(campaign: Campaign, shown: readonly ShownPost[]): Promise<void> {
    const seen = shown.flatMap(({ row, revision, digest }) =>
      digest === undefined ? [] : [{ position: row, revision, seen: digest }],
    );
    if (seen.length === 0) return;
    const view = await this.#runtime.views.open(id);
    for (const { row, spec, progress, digest } of shown) {
      const fileIds = fileIdsOf(spec, progress);
      if (digest === undefined || !fileIds || !view) continue;
      const creator = view.creator(spec.creator);
      const request = postRequest({ row: spec, creator, fileIds, cover: progress.cover, unscheduled: false });
      const key = await this.#tools.ledger.rowKeys.of(campaign, row);
      const asked = this.#asked.get(key) ?? [];
      this.#asked.set(key, [...asked, JSON.parse(JSON.stringify(request))]);
    }
    const { posts } = await decidePosts(this.#runtime, id, seen, {
      verdict: { decision: 'approve' },
      by: 'mei',
    });
    this.#count('approved', posts);
  }

  async #reject(campaign: Campaign, shown: readonly ShownPost[]): Promise<void> {
    const seen = shown.map(({ row, revision }) => ({ position: row, revision }));
    if (seen.length === 0) return;
    const verdict = { decision: 'reject', reason: 'at random' } as const;
    const { posts } = await decidePosts(this.#runtime, campaign.id, seen, { verdict, by: 'mei' });
    this.#forget(posts);
    this.#count('rejected', posts);
  }

  /** Takes back approvals of posts that wait for their day. */
  async #withdraw(campaign: Campaign, pauseMs: number): Promise<void> {
    const { ledger, random, site } = this.#tools;
    const all = await ledger.approvals.approved(id);
    const approved = all.slice(random.integer(0, Math.max(0, all.length - 1))).slice(0, 3);
    const statuses = await ledger.rows.statusesOf(id, approved);
    await site.lasting(pauseMs);
    const seen = approved.map((position, index) => ({ position, revision: statuses[index]?.revision ?? 0 }));
    const verdict = { decision: 'withdraw' } as const;
    const { posts } = await decidePosts(this.#runtime, campaign.id, seen, { verdict, by: 'mei' });
    this.#forget(posts);
    this.#count('withdrawn', posts);
  }

  /** What was approved before counts no more. */
  #forget(posts: readonly { readonly key: string; readonly state: string | null }[]): void {
    if (this.#tools.mayForget) return;
    for (const { key, state } of posts) if (state !== null) this.#asked.delete(key);
  }

  #count(
    verdict: 'approved' | 'rejected' | 'withdrawn',
    posts: readonly { readonly key: string; readonly state: string | null }[],
  ): void {
    const done = posts.filter(({ state }) => state !== null);
    this.said[verdict] += done.length;
    this.said.refused += posts.length - done.length;
    this.#tools.site.timeline.note(
      `${verdict}: ${done.map(({ key }) => key).join(' ')}; changed since: ${posts.length - done.length}`,
    );
  }

  async #renew(campaign: Campaign, { row, revision }: ShownPost): Promise<void> {
    const key = await this.#tools.ledger.rowKeys.of(campaign, row);
    await renewPost(this.#runtime, { campaign: id, key, revision }, 'mei');
    this.#tools.site.timeline.note(`the media of ${key} are made anew`);
  }
}

/** Posts that the service got without an approval of exactly them. @param asked by key of the row: requests as they were approved. */
export function unapprovedPosts(
  service: ServiceRecord,
  rows: readonly ResultRow[],
  asked: ReadonlyMap<string, readonly object[]>,
): readonly string[] {
  const { posts } = service.effects();
  return rows.flatMap(({ key, caption, approve }) => {
    if (approve !== 'all') return [];
    const approved = asked.get(key) ?? [];
    return posts
      .filter(
        ({ title, request }) => title === caption && !approved.some((one) => isDeepStrictEqual(one, request)),
      )
      .map(
        ({ request }) =>
          `row ${key} was posted without an approval: ${JSON.stringify(request)}, approved: ${JSON.stringify(approved)}`,
      );
  });
}
