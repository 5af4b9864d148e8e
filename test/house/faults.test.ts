import { expect, test } from 'vitest';
import type { Campaign } from '../../src/ledger/campaigns/campaign.ts';
import { unapprovedPosts } from '../faults/approver.ts';
import { compare } from '../faults/compare.ts';
import { playRound } from '../faults/round.ts';
import { kindNames, writeScript } from '../faults/script.ts';
import type { ServiceRecord } from '../faults/service.ts';
import { randomFrom } from '../fuzz/random.ts';
import { aiVideoRow, videoRow } from '../support/sheets/rows.ts';
import type { Cells, ResultRow } from '../support/sheets/sheet.ts';

test('a short round of faults: ledger and service agree', async () => {
  const { summary, violations, report } = await playRound({
    seed: 4,
    kinds: kindNames,
    lastsMs: [4000, 4000],
    rows: [24, 24],
    workers: [2, 2],
    outlastsMs: 0,
  });
  expect(violations, `${summary}\n${report}`).toEqual([]);
});

test('the same seed gives the same faults', () => {
  const draw = (seed: number) => {
    const { kinds, faults } = writeScript(randomFrom(seed), kindNames, 20_000);
    return { kinds, faults: faults.map(({ at, kind }) => ({ at, kind })) };
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

/** A row of the results sheet, and the posts and generations that the service has of it. */
function compared(
  cells: Cells,
  status: string,
  { posts = 0, tasks = [] }: { posts?: number; tasks?: readonly string[] },
) {
  const row = { ...cells, status, post_id: 'post_0', file_ids: '1', step: '', error_code: '', error: '' };
  const effects = {
    posts: Array.from({ length: posts }, (_, index) => ({
      postId: `post_${index}`,
      title: cells.caption,
      request: { mediaType: 'VIDEO', businessId: '1' },
    })),
    generations: tasks.map((task) => ({ taskIds: [task], request: { params: { prompt: cells.ai_prompt } } })),
  };
  const record = { effects: () => effects, calls: () => [] } as unknown as ServiceRecord;
  const campaign = { counts: { [status]: 1 } } as unknown as Campaign;
  return compare(record, { columns: [], rows: [row as unknown as ResultRow] }, campaign);
}

test.each([
  ['a post of a posted row', videoRow('1'), 'posted', { posts: 1 }, []],
  ['two posts', videoRow('1'), 'posted', { posts: 2 }, [/^row 1 .* 2 posts/]],
  ['a lost post', videoRow('1'), 'posted', {}, [/^row 1 .* no post is in the record/]],
  [
    'a post of a cancelled row',
    videoRow('1'),
    'cancelled',
    { posts: 1 },
    [/^row 1 .* a post is in the record/],
  ],
  ['a row that nobody ended', videoRow('1'), 'running', {}, [/^row 1 .* not ended/]],
  ['a row that nobody decided', videoRow('1'), 'review', {}, [/^row 1 is in review/]],
  ['two generations of one number', aiVideoRow('1'), 'failed', { tasks: ['a', 'a'] }, [/^row 1 has 2 gen/]],
  ['a generation of each number', aiVideoRow('1'), 'failed', { tasks: ['a', 'b'] }, []],
] as const)('the comparison sees %s', (_what, cells, status, effects, found) => {
  const violations = compared(cells, status, effects);
  expect(violations).toEqual(found.map((pattern) => expect.stringMatching(pattern)));
});

test('the comparison sees counters that are wrong', () => {
  const record = {
    effects: () => ({ posts: [], generations: [] }),
    calls: () => [],
  } as unknown as ServiceRecord;
  const campaign = { counts: { posted: 1, failed: 0 } } as unknown as Campaign;
  expect(compare(record, { columns: [], rows: [] }, campaign)).toEqual([
    '1 rows are counted as posted, but 0 are',
  ]);
});

test.each([
  ['the post that was approved', 'all', [{ title: 'Caption 1', creatorId: 'a' }], []],
  ['another one', 'all', [{ title: 'Caption 1', creatorId: 'b' }], [/^row 1 was posted without an approval/]],
  ['one that nobody approved', 'all', [], [/^row 1 was posted without an approval/]],
  ['one that needs no approval', 'none', [], []],
] as const)(
  'of posts that wait for an approval, the comparison sees %s',
  (_what, approve, approved, found) => {
    const request = { creatorId: 'a', title: 'Caption 1' };
    const record = {
      effects: () => ({ posts: [{ title: 'Caption 1', request }] }),
    } as unknown as ServiceRecord;
    const row = videoRow('1', { approve }) as unknown as ResultRow;
    const violations = unapprovedPosts(record, [row], new Map([['1', approved]]));
    expect(violations).toEqual(found.map((pattern) => expect.stringMatching(pattern)));
  },
);
