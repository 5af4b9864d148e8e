/** The thread of `TextSearch`: decodes rows, and returns the positions of those that match. */
import { parentPort } from 'node:worker_threads';
import { decodeChunkSync, type StoredRow } from '../../ledger/rows/row-codec.ts';
import { textOfCell } from '../../manifest/cells/formula.ts';
import type { TextColumns, TextFilter, TextQuestion } from './text-search.ts';

parentPort?.on('message', ({ packed, columns, filter }: TextQuestion) => {
  const matching: number[] = [];
  for (const { first, bytes } of packed) {
    for (const [index, row] of decodeChunkSync(bytes).entries()) {
      if (matches(row, columns, filter)) matching.push(first + index);
    }
  }
  parentPort?.postMessage(matching);
});

function matches({ cells, number }: StoredRow, columns: TextColumns, filter: TextFilter): boolean {
  const cell = (column: number) => textOfCell(cells, column);
  if (filter.creator !== undefined && cell(columns.creator) !== filter.creator) return false;
  const text = filter.text?.toLowerCase();
  if (text === undefined) return true;
  const { key, caption, product_id, product_title } = columns;
  const texts = [cell(key) || String(number), cell(caption), cell(product_id), cell(product_title)];
  return texts.some((each) => each.toLowerCase().includes(text));
}
