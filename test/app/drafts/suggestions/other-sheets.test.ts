import { expect, it, vi } from 'vitest';
import { readOtherSheets } from '../../../../src/app/drafts/suggestions/other-sheets.ts';
import { Turn } from '../../../../src/manifest/event-loop.ts';
import { textRow, writeWorkbook } from '../../../support/sheets/workbook.ts';

it('a worksheet with very many columns is read in pieces, so that other work has its turn', async (test) => {
  const header = Array.from({ length: 300 }, (_, at) => (at === 0 ? 'Creator' : `Column ${at}`));
  const lines = [header, header.map((name) => `${name} of one`), header.map((name) => `${name} of two`)];
  const rows = lines.map((cells) => textRow(cells)).join('');
  const path = await writeWorkbook({
    sheets: [
      { name: 'Plan', rows: textRow(['creator']) },
      { name: 'Creators', rows },
    ],
  });
  test.onTestFinished(() => {
    vi.restoreAllMocks();
  });
  vi.spyOn(Turn.prototype, 'isFull', 'get').mockReturnValue(true);
  const pause = vi.spyOn(Turn.prototype, 'pause').mockResolvedValue();

  await readOtherSheets(path, undefined, new AbortController().signal);
  expect(pause.mock.calls.length).toBeGreaterThan(header.length);
});
