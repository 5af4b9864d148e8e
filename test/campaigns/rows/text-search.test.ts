import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished, vi } from 'vitest';
import { TextSearch } from '../../../src/campaigns/rows/text-search.ts';
import { encodeChunk } from '../../../src/ledger/rows/row-codec.ts';
import type { PackedRows } from '../../../src/ledger/rows/stored-rows.ts';
import { importFacts, testLedger } from '../../support/ledger.ts';

const sheet = { store: 'test', sheetVersion: '' };
const columns = { key: -1, creator: 0, caption: 1, product_id: 2, product_title: 3 };
const rowsOf = (count: number) => Array.from({ length: count }, (_, row) => row);

function openSearch(start?: () => Worker) {
  const search = new TextSearch(start);
  onTestFinished(() => search.close());
  return search;
}

/** Stored rows whose captions are `Caption 0 of 500`, ...; it counts how often they are read, and how often at once. */
function countedStore() {
  const chunk = encodeChunk(
    rowsOf(500).map((row) => ({ number: row + 1, cells: ['Anna', `Caption ${row} of 500`, '1', 'Serum'] })),
  );
  const seen = { reads: 0, atOnce: 0, mostAtOnce: 0 };
  async function* packed(_sheet: unknown, chunks: readonly number[]): AsyncGenerator<readonly PackedRows[]> {
    seen.reads += 1;
    seen.atOnce += 1;
    seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.atOnce);
    yield chunks.map((number) => ({ first: number * 500, bytes: chunk }));
    seen.atOnce -= 1;
  }
  return { seen, store: { packed } };
}

it('finds plain texts in key, caption and product, in any case, and creators as they are written', async () => {
  const search = openSearch();
  const { store } = countedStore();
  const find = (filter: { creator?: string; text?: string }) =>
    search.matching({ store, sheet, columns, rows: rowsOf(1000) }, filter);
  expect(await find({ text: 'CAPTION 499 OF' })).toEqual([499, 999]);
  expect(await find({ text: '.* of 500' })).toEqual([]);
  expect(await find({ text: 'serum', creator: 'anna' })).toEqual([]);
  expect(await find({ text: 'serum', creator: 'Anna' })).toHaveLength(1000);
});

it('decodes no row on the event loop, also of long rows', async () => {
  const { ledger } = testLedger();
  const staged = ledger.newImport();
  const row = (number: number, length: number) => ({
    number,
    cells: ['Anna', `${'x'.repeat(length)} ${number}.`, '1', 'Serum'],
  });
  // Two usual chunks, then one of two parts.
  await staged.add([...rowsOf(1000).map((at) => row(at + 1, 50)), row(1001, 400_000), row(1002, 400_000)]);
  const { id } = await staged.commit({
    ...importFacts,
    header: ['creator', 'caption', 'product_id', 'product_title'],
  });
  const campaign = await ledger.campaigns.find(id);
  if (!campaign) throw new Error('the campaign is missing');
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const rows = rowsOf(1002);
  const found = await openSearch().matching(
    { store: ledger.store, sheet: campaign, columns, rows },
    { text: 'x 1002.' },
  );
  expect(found).toEqual([1001]);
  expect(parse.mock.calls.filter(([text]) => text.length > 1000)).toEqual([]);
});

it('lets two searches take turns, so that one batch at most is in memory', async () => {
  const search = openSearch();
  const { seen, store } = countedStore();
  const find = () =>
    search.matching({ store, sheet, columns, rows: rowsOf(20_000) }, { text: 'caption 7 of' });
  const [one, other] = await Promise.all([find(), find()]);
  expect(one).toHaveLength(40);
  expect(other).toEqual(one);
  expect(seen).toEqual({ reads: 10, atOnce: 0, mostAtOnce: 1 });
});

it('ends when nobody waits for it', async () => {
  const search = openSearch();
  const { seen, store } = countedStore();
  const left = new AbortController();
  const reason = new Error('left');
  const leaving = {
    async *packed(...args: Parameters<typeof store.packed>) {
      for await (const packed of store.packed(...args)) {
        left.abort(reason);
        yield packed;
      }
    },
  };
  const rows = rowsOf(20_000);
  const ended = search.matching({ store: leaving, sheet, columns, rows }, { text: 'x' }, left.signal);
  await expect(ended).rejects.toBe(reason);
  expect(seen.reads).toBe(1);
  // The next one has its turn.
  expect(await search.matching({ store, sheet, columns, rows: [7] }, { text: '7' })).toEqual([7]);
});

it('begins another thread after one that ended', async () => {
  let threads = 0;
  const { store } = countedStore();
  const search: TextSearch = openSearch(() => {
    threads += 1;
    if (threads === 1) return new Worker('process.exit(3)', { eval: true });
    return new Worker(new URL('../../../src/campaigns/rows/text-thread.ts', import.meta.url));
  });
  const find = () => search.matching({ store, sheet, columns, rows: [7] }, { text: '7' });
  await expect(find()).rejects.toThrow('ended with 3');
  expect(await find()).toEqual([7]);
});
