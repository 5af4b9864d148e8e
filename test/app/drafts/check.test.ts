import { describe, expect, it } from 'vitest';
import { videoRow } from '../../support/sheets/rows.ts';
import { sheetText } from '../../support/sheets/sheet.ts';
import { openTestDraft } from './test-draft.ts';

const good = ['a', 'b', 'c', 'd', 'e'].map((key) => videoRow(key));

describe('a checked sheet', () => {
  it('tells its columns, its problems by group, and its plan', async () => {
    const { look } = await openTestDraft([
      ...good,
      videoRow('f', { creator: 'demo_nobody' }),
      videoRow('g', { creator: 'demo_nobody', product_title: 'x'.repeat(31) }),
    ]);
    const { state, checked } = await look();
    expect(state).toBe('checked');
    expect(checked).toMatchObject({ rows: 7, accepted: 5, refused: 2, leftOut: 0, isOutdated: false });
    expect(
      checked?.groups.map(({ code, count, numbers, position }) => ({ code, count, numbers, position })),
    ).toEqual([
      { code: 'creator_unknown', count: 2, numbers: [6, 7], position: 1 },
      { code: 'too_long', count: 1, numbers: [7], position: 4 },
    ]);
    expect(checked?.plan.rows).toBe(5);
    expect(checked?.columns[1]).toEqual({
      position: 1,
      letters: 'B',
      title: 'creator',
      column: 'creator',
      firstTexts: ['demo_anna', 'demo_anna', 'demo_anna'],
      proposal: null,
    });
  });
});

it('is searched for a text in any cell as edited, or a line, and goes on where it stopped', async () => {
  const { look, edit, drafts, id } = await openTestDraft([
    ...good,
    videoRow('f', { creator: 'demo_nobody' }),
  ]);
  await look();
  await edit({ cells: [{ row: 2, position: 2, text: 'Rosewood' }], leaveOut: [4] });
  const search = async (of: Parameters<typeof drafts.search>[1], text: string, after = 0) => {
    const { rows, next } = await drafts.search(id, of, { text, after, count: 2 });
    return [rows.map(({ number }) => number), next];
  };
  expect(await search('all', 'rosewood')).toEqual([[2], undefined]);
  expect(await search('all', '6')).toEqual([[5], undefined]);
  expect(await search('all', 'CAPTION')).toEqual([[1, 3], 3]);
  expect(await search('all', 'caption', 3)).toEqual([[4, 5], 5]);
  expect(await search('all', 'caption', 5)).toEqual([[6], undefined]);
  expect(await search('left-out', 'caption')).toEqual([[4], undefined]);
  expect(await search('problems', 'demo_anna')).toEqual([[], undefined]);
});

describe('an edit', () => {
  it('is checked at once, and the planner’s file stays as it is', async () => {
    const { look, edit, drafts, id } = await openTestDraft([
      ...good,
      videoRow('f', { creator: 'demo_nobody' }),
    ]);
    await look();
    const { checked } = await edit({ cells: [{ row: 6, position: 1, text: 'demo_ben' }] });
    expect(checked).toMatchObject({ accepted: 6, refused: 0, groups: [], isOutdated: true });
    const { rows } = await drafts.window(id, 'all', 5, 10);
    expect(rows).toMatchObject([
      { number: 6, line: 7, state: 'accepted', edited: new Map([[1, { was: 'demo_nobody', by: 'ann' }]]) },
    ]);
  });
});

it('while files arrive is let run to its end, and is repeated after a rest', async () => {
  const clock = { ahead: 0 };
  const rows = [videoRow('a'), videoRow('b')];
  const { drafts, id, drop, store, runner } = await openTestDraft(rows.slice(0, 1), {
    now: () => Date.now() + clock.ahead,
  });
  await drop(sheetText(rows));
  const refused = (many: number) =>
    runner.until(async () => {
      const { checked } = await drafts.peek(id);
      return checked?.refused === many && checked.rows === 2;
    }, `the check to refuse ${many} rows`);
  await refused(1);
  await store('b.mp4');
  const { rowsRead, checked } = await drafts.peek(id);
  expect([rowsRead, checked?.refused]).toEqual([undefined, 1]);
  clock.ahead = 60_000;
  await refused(0);
});
