import { expect, test } from 'vitest';
import { isAsMeant, lostAnswerKey, observeDemo, type SheetRow } from '../../../src/cli/demo/observer.ts';

const posted: SheetRow = {
  key: 'a',
  caption: 'A',
  ai_prompt: 'pa',
  status: 'posted',
  post_id: 'p1',
  error_code: '',
};
const lost: SheetRow = { key: lostAnswerKey, caption: 'L', status: 'review', error_code: 'outcome_unknown' };
const failed: SheetRow = { key: 'unavailable', caption: 'U', status: 'failed', error_code: '16001001' };
const rows = [posted, lost, failed];
const posts = [
  { postId: 'p1', title: 'A' },
  { postId: 'p2', title: 'L' },
];
const generations = [{ request: { params: { prompt: 'pa' } } }];

function differences(sheet: readonly SheetRow[], record: Parameters<typeof observeDemo>[1]): string[] {
  return observeDemo(sheet, record).flatMap((finding) => finding.differences);
}

test('a demo as expected has no differences', () => {
  expect(isAsMeant(observeDemo(rows, { posts, generations }))).toBe(true);
});

test('a post sent twice is a difference', () => {
  const twice = [...posts, { postId: 'p3', title: 'A' }];
  expect(differences(rows, { posts: twice, generations })).toEqual([
    'row a names the post p1; the service has p1, p3',
  ]);
});

test('a post id that the service does not know is a difference', () => {
  const sheet = [{ ...posted, post_id: 'p9' }, lost, failed];
  expect(differences(sheet, { posts, generations })).toEqual(['row a names the post p9; the service has p1']);
});

test('the row of the lost answer, sent again, is a difference', () => {
  const again = [...posts, { postId: 'p4', title: 'L' }];
  expect(differences(rows, { posts: again, generations })).toEqual([
    `row ${lostAnswerKey} has 2 posts in the service`,
  ]);
});

test('a row that failed for another reason is a difference', () => {
  const sheet = [posted, lost, { ...failed, error_code: 'http_400' }];
  expect(differences(sheet, { posts, generations })).toEqual([
    'row unavailable is failed (http_400); expected failed (16001001)',
  ]);
});

test('the post of a row that was meant to fail is a difference', () => {
  const more = [...posts, { postId: 'p5', title: 'U' }];
  expect(differences(rows, { posts: more, generations })).toEqual(['p5: U']);
});

test('a generation that was made twice is a difference', () => {
  expect(differences(rows, { posts, generations: [...generations, ...generations] })).toEqual([
    'row a has 2 generations in the service',
  ]);
});
