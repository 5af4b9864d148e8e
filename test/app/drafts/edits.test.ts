/** The edits of a draft, as they change its rows. */
import { expect, it } from 'vitest';
import { Edits } from '../../../src/app/campaigns/import/edits.ts';
import type { CellFault } from '../../../src/sheets/sheet.ts';

it('a record with undos is read as it was made, and each edit is applied once', () => {
  const entry = { at: 1, by: 'ann', of: 'a sheet' };
  const applied = { times: 0 };
  const cell = (text: string) => ({
    row: 1,
    position: 0,
    get text() {
      applied.times += 1;
      return text;
    },
  });
  const undo = { ...entry, undo: true as const };
  const edits = new Edits(
    [
      undo,
      { ...entry, cells: [cell('first')] },
      ...Array.from({ length: 100 }, () => [{ ...entry, leaveOut: [2], cells: [cell('taken back')] }, undo]),
      { ...entry, cells: [cell('second')] },
    ].flat(),
  );
  expect(edits.of(1)?.get(0)?.text).toBe('second');
  expect(edits.summary).toMatchObject({ rows: 1, leftOut: 0 });
  expect(applied.times).toBe(2);
  expect([...edits.add(undo)]).toEqual([1]);
  expect(edits.of(1)?.get(0)?.text).toBe('first');
});

it('an edit of a cell beyond the end of its row fills the row up, and takes the fault of that cell alone', () => {
  const edits = new Edits([
    { at: 1, by: 'ann', of: 'a sheet', cells: [{ row: 1, position: 3, text: 'D' }] },
    { at: 2, by: 'ann', of: 'a sheet', cells: [{ row: 1, position: 1, text: 'B' }] },
  ]);
  const fault = (position: number) => ({ position, fault: 'formula' }) as unknown as CellFault;
  const row = { line: 2, cells: ['a', 'b'], cellFaults: [fault(0), fault(1)] };
  expect(edits.apply(row, 1)).toMatchObject({ cells: ['a', 'B', '', 'D'], cellFaults: [fault(0)] });
  expect(edits.apply({ ...row, cellFaults: [fault(1)] }, 1).cellFaults).toBeUndefined();
  expect(edits.apply(row, 2)).toBe(row);
});

it('added columns widen each row behind its own cells, and leave a row with too many or too few as it is', () => {
  const addColumns = {
    at: 2,
    columns: [{ name: 'ai_model' as const }, { name: 'ai_size' as const, text: '=1' }],
  };
  const entry = { at: 1, by: 'ann', of: 'a sheet' };
  const edits = new Edits([{ ...entry, addColumns, cells: [{ row: 2, position: 2, text: 'M' }] }]);
  const cellsOf = (number: number, ...cells: readonly string[]) =>
    edits.apply({ line: 2, cells }, number).cells;
  expect(edits.header(['a', 'b'])).toEqual(['a', 'b', 'ai_model', 'ai_size']);
  expect(cellsOf(1, 'x', 'y')).toEqual(['x', 'y', '', '=1']);
  expect(cellsOf(2, 'x', 'y', '', '')).toEqual(['x', 'y', 'M', '=1']);
  expect(cellsOf(1, 'x', 'y', 'z')).toHaveLength(5);
  expect(cellsOf(1, 'x')).toEqual(['x']);
  expect(cellsOf(2, 'x')).toEqual(['x', '', 'M', '=1']);
  edits.add({ ...entry, undo: true });
  expect(edits.header(['a', 'b'])).toEqual(['a', 'b']);
});
