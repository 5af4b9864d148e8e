import { describe, expect, it } from 'vitest';
import { type FollowedPost, followPosts } from '../../../src/processors/publishing-records/follow-posts.ts';
import { collect } from '../../support/collect.ts';
import type { TestRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import type { Cells } from '../../support/sheets/sheet.ts';
import { endedCampaign, openRecords, openUnreadable } from './campaign.ts';

const hour = 3_600_000;
const later = { scheduled_at: new Date(Date.now() + hour).toISOString() };

/** A campaign whose rows are posted. Time passes for the service as well. */
async function postedCampaign(rows: readonly Cells[], records: object = {}) {
  const { wait, ...runner } = await endedCampaign(rows, { records });
  const waitBoth = (ms: number) => {
    wait(ms);
    runner.sandbox.clock.advance(ms);
  };
  return { ...runner, wait: waitBoth };
}

async function follow(runner: TestRunner, id: string, all = false) {
  const { tools, campaign } = await openRecords(runner, id);
  return collect<FollowedPost>(followPosts(tools, campaign, { all }));
}

describe('posts', () => {
  it('are followed into their final state', async () => {
    const { id, wait, ...runner } = await postedCampaign([videoRow('a')]);
    wait(60_000);
    expect(await follow(runner, id)).toMatchObject([{ key: 'a', after: 'PUBLISHED', failure: undefined }]);
    expect(await runner.rows(id)).toMatchObject([{ state: 'posted', result: { postStatus: 'PUBLISHED' } }]);
  });

  it('are followed beside a row that cannot be read, which is tried again', async () => {
    const rows = [videoRow('b', { creator: 'demo_ben' }), videoRow('a')];
    const { id, wait, ...runner } = await postedCampaign(rows);
    wait(60_000);
    const { tools, campaign } = await openUnreadable(runner, id, 'demo_ben');
    expect(await collect<FollowedPost>(followPosts(tools, campaign, { all: false }))).toMatchObject([
      { key: 'a', after: 'PUBLISHED' },
    ]);
    const next = expect.any(Number);
    expect(await runner.ledger.publishing.followState(id)).toEqual({ posted: 2, next });
    wait(7 * 24 * hour);
    await collect<FollowedPost>(followPosts(tools, campaign, { all: false }));
    expect(await runner.ledger.publishing.followState(id)).toEqual({ posted: 2, next: undefined });
  });

  it('are not asked for once they are final', async () => {
    const { id, wait, ...runner } = await postedCampaign([videoRow('a')]);
    wait(60_000);
    await follow(runner, id);
    const asked = runner.sandbox.counts().listPosts;
    expect(await follow(runner, id)).toEqual([]);
    expect(runner.sandbox.counts().listPosts).toBe(asked);
    expect(await runner.ledger.publishing.followState(id)).toEqual({ posted: 1, next: undefined });
  });

  it('are not asked for before their time, which is kept', async () => {
    const { id, ...runner } = await postedCampaign([videoRow('a', later)]);
    expect(await follow(runner, id)).toEqual([]);
    expect(runner.sandbox.counts().listPosts ?? 0).toBe(0);
    const next = Date.parse(later.scheduled_at);
    expect(await runner.ledger.publishing.followState(id)).toEqual({ posted: 1, next });
  });

  it('of a campaign lie ahead no more once they are published, even within their minute', async () => {
    const minute = Math.ceil(Date.now() / 60_000) * 60_000 + hour;
    const scheduled_at = new Date(minute + 10_000).toISOString();
    const { id, wait, ...runner } = await postedCampaign([videoRow('a', { scheduled_at })]);
    const planned = async () => (await runner.ledger.campaigns.find(id))?.plannedUntil;
    expect(await planned()).toBe(minute + 60_000);
    wait(minute + 20_000 - Date.now());
    expect(await follow(runner, id)).toMatchObject([{ after: 'PUBLISHED' }]);
    expect(await planned()).toBeUndefined();
  });

  it('are asked for again while their state is on no list', async () => {
    const { id, wait, ...runner } = await postedCampaign([videoRow('a')], { final: ['DONE'] });
    wait(60_000);
    expect(await follow(runner, id)).toMatchObject([{ after: 'PUBLISHED' }]);
    const asked = runner.sandbox.counts().listPosts ?? 0;
    expect(await follow(runner, id)).toEqual([]);
    expect(runner.sandbox.counts().listPosts).toBeGreaterThan(asked);
  });

  it('are given up after the deadline, unless a person asks', async () => {
    const { id, wait, ...runner } = await postedCampaign([videoRow('a')], { deadline: '1m' });
    wait(60_001);
    expect(await follow(runner, id)).toEqual([]);
    expect(await follow(runner, id, true)).toMatchObject([{ after: 'PUBLISHED' }]);
  });

  it('of a creator are asked for together when they are many', async () => {
    const rows = Array.from({ length: 11 }, (_, index) => videoRow(`r${index}`, { media: 'same.mp4' }));
    const { id, wait, ...runner } = await postedCampaign(rows);
    wait(60_000);
    expect(await follow(runner, id)).toHaveLength(11);
    expect(runner.sandbox.counts().listPosts).toBe(1);
  });
});
