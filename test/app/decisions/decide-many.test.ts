import { describe, expect, it } from 'vitest';
import { undoDecision } from '../../../src/app/decisions/carry-out.ts';
import {
  decideMany,
  decideSeen,
  type ManyDecided,
  planMany,
  readBefore,
} from '../../../src/app/decisions/decide-many.ts';
import { decideRow } from '../../../src/app/decisions/decide-row.ts';
import { decisionOperations } from '../../../src/app/operations/decisions.ts';
import type { Runtime } from '../../../src/app/runtime/runtime.ts';
import { hint } from '../../../src/manifest/problems/hint.ts';
import { openRunner } from '../../support/in-process.ts';
import { asIf } from '../../support/ledger.ts';
import { listPostsSetting } from '../../support/processes/scene.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { findAlike, findNothing, openReview, type ReviewCampaign } from './review.ts';

const notPosted = { decision: 'not-posted' } as const;
const records = { api: { listPosts: listPostsSetting() } };

describe('one decision about many rows', () => {
  it('is about all rows in review that wait for it', async () => {
    const review = await openReview(records);
    await findNothing(review, [0, 1, 2]);
    const decided = await decideMany(review.context, await review.campaign(), notPosted, {
      expect: 3,
      dryRun: false,
    });
    expect(decided).toMatchObject({
      matched: 3,
      states: { waiting: 3 },
      changed: 0,
      left: 1,
      leftOut: [],
      keys: ['a', 'b', 'c'],
    });
    expect(await review.states()).toEqual(['waiting', 'waiting', 'waiting', 'review', 'posted']);
  });

  it('names a row that it refuses because it was posted twice', async () => {
    const review = await openReview(records);
    await findNothing(review, [0, 1, 2]);
    const [error] = await review.ledger.rows.errors(review.id, [0]);
    const candidates = ['p1', 'p2'].map((postId) => ({ postId, isSimilar: false, hasFiles: true }));
    const twice = { ...error, code: 'posted_twice', candidates };
    await review.redis.hset(review.ledger.keys.errors(review.id), '0', JSON.stringify(twice));
    await review.redis.hdel(review.ledger.keys.progress(review.id, 0), 'journal:post');
    const decided = await decideMany(review.context, await review.campaign(), notPosted, { dryRun: true });
    expect(decided).toMatchObject({
      matched: 2,
      refused: [{ key: 'a', message: expect.stringContaining('posted twice') }],
    });
  });

  it('is about the rows of a creator', async () => {
    const review = await openReview(records);
    const filter = { creator: 'demo_ben', expect: 1, dryRun: false };
    expect(await decideMany(review.context, await review.campaign(), notPosted, filter)).toMatchObject({
      matched: 1,
      keys: ['c'],
      left: 3,
    });
  });

  it('reports posts that were not searched for', async () => {
    const review = await openReview(records);
    await findNothing(review, [1]);
    expect(
      await decideMany(review.context, await review.campaign(), notPosted, { dryRun: true }),
    ).toMatchObject({
      matched: 3,
      leftOut: [],
      unproven: [
        {
          rows: 2,
          keys: ['a', 'c'],
          why: expect.stringContaining('were not searched'),
          commands: [hint('refresh', { campaign: review.id })],
        },
      ],
    });
  });

  it('reports posts whose records may still appear', async () => {
    const review = await openReview(records);
    await findNothing(review, [0, 1, 2], false);
    const decided = await decideMany(review.context, await review.campaign(), notPosted, { dryRun: true });
    expect(decided).toMatchObject({
      matched: 3,
      unproven: [{ rows: 3, why: expect.stringContaining('may still appear') }],
    });
  });

  it('reports that the records cannot be read', async () => {
    const review = await openReview();
    const decided = await decideMany(review.context, await review.campaign(), notPosted, {
      expect: 3,
      dryRun: false,
    });
    expect(decided).toMatchObject({
      matched: 3,
      unproven: [{ rows: 3, why: 'the publishing records cannot be read here', commands: [] }],
    });
  });

  it('leaves out rows with a record that looks like theirs', async () => {
    const review = await openReview(records);
    await findAlike(review, 0);
    const { id } = review;
    const decided = await decideMany(review.context, await review.campaign(), notPosted, {
      expect: 2,
      dryRun: false,
    });
    expect(decided).toMatchObject({
      matched: 2,
      keys: ['b', 'c'],
      leftOut: [
        {
          rows: 1,
          keys: ['a'],
          commands: [hint('chooseDecision', { campaign: id, key: 'a', about: 'post' })],
        },
      ],
      kinds: undefined,
    });
    expect(await review.states()).toEqual(['review', 'waiting', 'waiting', 'review', 'posted']);
  });

  it('is about rows that were never sent, because their time had passed', async () => {
    const { context, ledger, ...runner } = await openRunner();
    const id = await runner.importOrUpdate([videoRow('a', { scheduled_at: '2026-01-01T10:00Z' })]);
    await runner.start();
    await runner.ended(id);
    const campaign = (await ledger.campaigns.find(id)) ?? expect.unreachable();
    expect(await decideMany(context, campaign, notPosted, { dryRun: true })).toMatchObject({
      matched: 1,
      states: { failed: 1 },
      leftOut: [],
    });
  });

  it('is about the rows with an error code; else the codes are named', async () => {
    const review = await openReview();
    const filter = { error: 'late', dryRun: false };
    expect(await decideMany(review.context, await review.campaign(), notPosted, filter)).toMatchObject({
      matched: 0,
      left: 4,
      kinds: { codes: ['outcome_unknown'], creators: ['demo_anna', 'demo_ben'] },
    });
  });

  it('is only shown in a dry run', async () => {
    const review = await openReview();
    const verdict = { decision: 'not-generated' } as const;
    const decided = await decideMany(review.context, await review.campaign(), verdict, { dryRun: true });
    expect(decided).toMatchObject({ matched: 1, states: { waiting: 1 }, keys: ['g'] });
    expect(await review.states()).toEqual(['review', 'review', 'review', 'review', 'posted']);
  });

  it('says why the rows are in review, and since when', async () => {
    const review = await openReview();
    const before = Date.now();
    const { causes } = await decideMany(review.context, await review.campaign(), notPosted, { dryRun: true });
    expect(causes).toMatchObject([{ code: 'outcome_unknown', rows: 3, message: expect.any(String) }]);
    expect(Date.parse(causes[0]?.oldest ?? '')).toBeLessThan(before);
  });
});

describe('rows that come to review after somebody has looked', () => {
  /** A campaign whose row `c` is in review only after `arrives()`. */
  async function lateRow() {
    const review = await openReview();
    const campaign = await review.campaign();
    await decideRow(review.context, campaign, 'c', { decision: 'posted', postId: '77' }, { unchecked: true });
    const arrives = () => undoDecision(review.context, campaign, 'c');
    return { ...review, campaign, arrives };
  }

  it('are not decided together with those that were seen', async () => {
    const { context, campaign, arrives, states } = await lateRow();
    const plan = await planMany(context, campaign, notPosted, {});
    expect(plan.planned).toMatchObject({ matched: 2, states: { waiting: 2 } });
    await arrives();
    const decided = await decideSeen(context, campaign, notPosted, plan);
    expect(decided).toMatchObject({ matched: 2, changed: 0, keys: ['a', 'b'], left: 2 });
    expect(await states()).toEqual(['waiting', 'waiting', 'review', 'review', 'posted']);
  });

  it('make another number than a script expects, so nothing is decided', async () => {
    const { id, context, campaign, arrives, states } = await lateRow();
    await arrives();
    const decided = decideMany(context, campaign, notPosted, { expect: 2, dryRun: false });
    await expect(decided).rejects.toMatchObject({
      code: 'plan_changed',
      message: expect.stringContaining(`3 rows in review of ${id} match now, not 2`),
    });
    expect(await states()).toEqual(['review', 'review', 'review', 'review', 'posted']);
  });

  it('are left alone by a decision about rows of before a time', async () => {
    const review = await openReview();
    review.clock.ahead += 1000;
    const before = review.context.now();
    await movedTo(review, 2, before);
    const options = { before, dryRun: false };
    expect(await decideMany(review.context, await review.campaign(), notPosted, options)).toMatchObject({
      matched: 2,
      left: 2,
    });
    expect(await review.states()).toEqual(['waiting', 'waiting', 'review', 'review', 'posted']);
  });
});

/** As if a row had come to review at this time. */
async function movedTo(review: ReviewCampaign, row: number, at: number) {
  const [error] = await review.ledger.rows.errors(review.id, [row]);
  await asIf(review).ended(review.id, [{ row, state: 'review', error: { ...error, at } }]);
}

/** What the audit says of a decision about many rows. */
function auditOf(id: string, decided: ManyDecided): string | undefined {
  const answer = { ...decided, ...notPosted, id, dryRun: false };
  return decisionOperations.decideMany.audit?.({ ...notPosted, id, dryRun: false }, answer);
}

describe('a row that was seen', () => {
  it('is not decided if it is in another doubt by then', async () => {
    const review = await openReview();
    const campaign = await review.campaign();
    const plan = await planMany(review.context, campaign, notPosted, { creator: 'demo_ben' });
    // It went on, and came back.
    await movedTo(review, 2, review.context.now());
    const decided = await decideSeen(review.context, campaign, notPosted, plan);
    expect(decided).toMatchObject({ matched: 1, changed: 1 });
    expect((await review.states())[2]).toBe('review');
    expect(auditOf(review.id, decided)).toBeUndefined();
  });

  it('is not counted by the audit if it is kept for later', async () => {
    const { context, campaign, id } = await openReview();
    const decided = await decideMany(context, await campaign(), notPosted, { expect: 3 });
    const early = { rows: 2, keys: ['a', 'b'], from: '2026-01-01T00:00:00.000Z' };
    expect(auditOf(id, { ...decided, early })).toContain('Decided about 1 row of');
    expect(auditOf(id, { ...decided, early: { ...early, rows: 3 } })).toBeUndefined();
  });
});

describe('without word of what was seen', () => {
  it('nothing is decided, and the number of now and both ways are told', async () => {
    const review = await openReview();
    const filter = { creator: 'demo_anna', dryRun: false };
    const { id: campaign } = review;
    await expect(
      decideMany(review.context, await review.campaign(), notPosted, filter),
    ).rejects.toMatchObject({
      code: 'decision_unseen',
      message: expect.stringContaining('2 rows'),
      fix: [
        expect.stringContaining('Say how many rows you saw'),
        hint('lookAtRows', {
          campaign,
          decision: 'not-posted',
          error: null,
          creator: 'demo_anna',
          rows: 2,
        }),
      ],
    });
    expect(await review.states()).toEqual(['review', 'review', 'review', 'review', 'posted']);
  });
});

describe('a time before which rows came to review', () => {
  const now = () => Date.UTC(2026, 10, 23, 12);
  const inZone = (timezone: string | null) =>
    ({ settings: { timezone } }) as unknown as Pick<Runtime, 'settings'>;
  const read = (text: string, ofCampaign: string | null, ofSettings: string | null = null) =>
    readBefore({ ...inZone(ofSettings), now }, { timezone: ofCampaign }, text);

  it.for([
    ['2026-11-23T10:00:00+08:00', null, null, Date.UTC(2026, 10, 23, 2)],
    ['2026-11-23T02:00:00.000Z', null, null, Date.UTC(2026, 10, 23, 2)],
    ['2026-11-23 10:00', 'Asia/Shanghai', 'Europe/Berlin', Date.UTC(2026, 10, 23, 2)],
    ['2026-11-23 10:00', null, 'Europe/Berlin', Date.UTC(2026, 10, 23, 9)],
  ] as const)('%s is read (campaign %s, settings %s)', ([text, ofCampaign, ofSettings, at]) => {
    expect(read(text, ofCampaign, ofSettings)).toBe(at);
  });

  it.for(['2026-11-23 10:00', 'yesterday', '2026-11-23T12:00:01Z', '2026-13-01T00:00:00Z'])(
    '%s is refused: without a zone, no time, in the future',
    (text) => {
      expect(() => read(text, null)).toThrow(expect.objectContaining({ code: 'date_invalid' }));
    },
  );
});
