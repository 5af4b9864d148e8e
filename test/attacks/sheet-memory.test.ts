import { describe, expect, inject, test } from 'vitest';
import { mostCreators } from '../../src/importers/check/creator-check.ts';
import { indexedKey } from '../../src/manifest/cells/id.ts';
import { placeProblem } from '../../src/manifest/problems/problem.ts';
import { fileSource, type ManifestSource } from '../../src/sheets/sheet.ts';
import { check, manifestOf } from '../importers/manifest-source.ts';
import { chunkOf, type TestLedger, testLedger } from '../support/ledger.ts';
import { spawnNode } from '../support/processes/child.ts';
import { keysOf, redisNamespace } from '../support/redis/redis.ts';
import { writeWorkbook } from '../support/sheets/workbook.ts';
import type { ImportOutcome } from './support/import-program.ts';
import { mostMegabytes } from './support/memory.ts';
import { textAttacks } from './support/texts.ts';
import { workbookAttacks, writeAttack } from './support/workbooks.ts';

test.each([
  ['workbook', () => Promise.all(workbookAttacks.map(writeAttack))],
  ['text', async () => textAttacks.map(({ name }) => name)],
] as const)(
  'check, import, a search and the worker stay within their memory on every %s',
  async (_, write) => {
    const { prefix } = redisNamespace();
    const files = await write();
    const program = new URL('support/import-program.ts', import.meta.url);
    // With a small young generation, there is less garbage to collect.
    const nodeOptions = ['--max-semi-space-size=4', '--expose-gc'];
    const child = spawnNode(program, [inject('redisSocket'), prefix, ...files], {}, { nodeOptions });
    expect(await child.end(), child.output.stderr.join('\n')).toMatchObject({ code: 0 });
    const handedIn = child.output.stdout.map((line) => JSON.parse(line) as ImportOutcome);
    expect(handedIn).toHaveLength(files.length);
    expect(handedIn.filter(({ name, peak }) => peak > mostMegabytes(name))).toEqual([]);
    expect(handedIn.filter(({ read, accepted }) => read !== accepted)).toEqual([]);
  },
);

describe('a chunk of long rows', () => {
  /** Rows of 200 KB each, so that two of them fill a part. */
  const longRows = Array.from({ length: 7 }, (_, row) => ({
    number: row + 1,
    cells: [`creator-${row}`, ...Array.from({ length: 7 }, () => String(row).repeat(30_000))],
  }));
  const header = ['creator', ...Array.from({ length: 7 }, (_, index) => `_${index}`)];

  async function importRows({ ledger }: Pick<TestLedger, 'ledger'>) {
    const staged = ledger.newImport();
    await staged.add(longRows);
    const { id } = await staged.commit({
      name: 'long',
      sha256: 'sha-long',
      header,
      mediaRoot: '/media',
      timezone: null,
      source: 'long.csv',
      window: 1000,
      leftOut: 0,
      creators: new Map(),
      again: false,
    });
    const campaign = await ledger.campaigns.find(id);
    if (!campaign) throw new Error('there is no campaign');
    return campaign;
  }

  test('is stored in parts, and a row of it is read without the others', async () => {
    const { ledger, redis } = testLedger();
    const { store, rows } = await importRows({ ledger });
    expect(rows).toBe(7);
    const sheet = { store, sheetVersion: '' };
    expect((await redis.hkeys(ledger.keys.rows(store, 0))).map(Number).sort()).toEqual([0, 2, 4, 6]);
    expect(await redis.ttl(ledger.keys.rows(store, 0))).toBe(-1);
    for (const row of [5, 0, 6, 3]) expect(await ledger.store.read(sheet, row)).toEqual(longRows[row]);
    const parts = await Array.fromAsync(ledger.store.parts(sheet, 0));
    expect(parts.map((part) => part.length)).toEqual([2, 2, 2, 1]);
    await expect(ledger.store.read(sheet, 7)).rejects.toThrow(RangeError);
  });

  test('takes changed and new rows', async () => {
    const opened = testLedger();
    const campaign = await importRows(opened);
    const { ledger } = opened;
    const merge = ledger.newUpdate(campaign);
    await merge.extend({ header, map: new Map(), creators: new Map() });
    const rows = [{ number: 1, cells: ['changed'] }, ...longRows.slice(1), { number: 8, cells: ['new'] }];
    expect(await merge.updateChunk({ chunk: 0, rows, redone: [], added: 1 })).toEqual([]);
    const sheet = { store: campaign.store, sheetVersion: merge.sheetVersion };
    expect(await chunkOf(ledger, sheet, 0)).toEqual(rows);
  });

  test('stays in parts when a row of it is edited', async () => {
    const opened = testLedger();
    const campaign = await importRows(opened);
    const { ledger, redis } = opened;
    const { id, map } = campaign;
    const changed = { number: 6, cells: ['changed'] };
    async function* rows() {
      for (const row of longRows) yield row.number === 6 ? changed : row;
    }
    const outdated = { files: false, cover: false, references: false, generations: false };
    const edit = { row: 5, revision: 0, outdated, chunk: 0, what: 'ops: creator', header, map };
    expect(await ledger.edits.edit(campaign, { ...edit, rows: rows(), creator: undefined })).toBeUndefined();
    expect(await redis.type(ledger.keys.rows(campaign.store, 0))).toBe('hash');
    const after = await ledger.campaigns.find(id);
    expect(after && (await ledger.store.read(after, 5))).toEqual(changed);
  });

  test('goes with its campaign', async () => {
    const opened = testLedger();
    const { id } = await importRows(opened);
    const { ledger, redis, prefix } = opened;
    await ledger.cancellation.begin(id);
    await ledger.cancellation.cancelRows(id, 0, longRows.length);
    expect(await ledger.deletion.tombstone(id)).toBeUndefined();
    for (const remains of await ledger.deletion.remains()) await ledger.deletion.remove(remains);
    expect((await keysOf(redis, prefix)).filter((key) => key.includes(':rows:'))).toEqual([]);
  });
});

describe('a sheet has at most', () => {
  const cells = ['demo_anna', 'a.mp4', 'Hi', '1', 'Serum'];
  const names = ['creator', 'media', 'caption', 'product_id', 'product_title'];
  type Lines = readonly (readonly string[])[];
  const formats: Readonly<Record<string, (lines: Lines) => string | Promise<ManifestSource>>> = {
    csv: (lines) => lines.map((line) => line.join(',')).join('\n'),
    json: ([header = [], ...lines]) =>
      JSON.stringify(
        lines.map((line) => Object.fromEntries(line.map((cell, index) => [header[index], cell]))),
      ),
    xlsx: async (lines) =>
      fileSource(
        await writeWorkbook({
          rows: lines
            .map(
              (line) =>
                `<row>${line.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`,
            )
            .join(''),
        }),
      ),
  };

  test.each(Object.entries(formats))('32,767 characters in a cell (%s)', async (_format, write) => {
    const note = (length: number) => [...cells, 'x'.repeat(length)];
    const lines = [[...names, '_note'], note(32_767), note(32_768)];
    const { accepted, problems } = await check(await write(lines));
    expect([accepted, [...problems.byCode]]).toEqual([1, [['cell_too_long', 1]]]);
  });

  test.each(Object.entries(formats))('1 MB in a row (%s)', async (_format, write) => {
    const notes = Array.from({ length: 34 }, (_, index) => `_${index}`);
    const row = (count: number) => [
      ...cells,
      ...notes.map((_, index) => (index < count ? 'x'.repeat(32_000) : '')),
    ];
    const { accepted, problems } = await check(await write([[...names, ...notes], row(32), row(34)]));
    expect([accepted, [...problems.byCode]]).toEqual([1, [['row_too_long', 1]]]);
  });

  test.each(Object.entries(formats))('1,000 columns (%s)', async (_format, write) => {
    const wide = (count: number) => {
      const notes = Array.from({ length: count - names.length }, (_, index) => `_${index}`);
      return [
        [...names, ...notes],
        [...cells, ...notes.map(() => 'x')],
      ];
    };
    expect((await check(await write(wide(1000)))).accepted).toBe(1);
    const { problems } = await check(await write(wide(1001)));
    expect([...problems.byCode.keys()]).toEqual(['too_many_columns']);
  });

  test('20,000 creators, with each spelling of a name', async () => {
    const rows = Array.from({ length: mostCreators + 100 }, (_, index) => ({ creator: `anna${index}` }));
    const account = { id: 1, creatorId: 'c1', username: 'anna' };
    const creators = async (asked: readonly string[]) => new Map(asked.map((name) => [name, [account]]));
    const { accepted, problems } = await check(manifestOf([...rows, ...rows.slice(0, 10)]), { creators });
    // Rows are checked fifty at a time.
    expect(accepted).toBeLessThanOrEqual(mostCreators + 50 + 10);
    expect([...problems.byCode.keys()]).toEqual(['too_many_creators']);
  });

  test('1 MB beside its rows (json)', async () => {
    const row = Object.fromEntries(names.map((name, index) => [name, cells[index]]));
    const beside = (length: number) => JSON.stringify({ rows: [row], _note: 'x'.repeat(length) });
    expect((await check(beside(1_000_000))).accepted).toBe(1);
    expect([...(await check(beside(1_100_000))).problems.byCode.keys()]).toEqual(['too_much_beside_rows']);
  });
});

describe('long keys', () => {
  const noProblem = { code: 'too_long', value: '', problem: '', fix: '' };
  const long = (end: string) => 'k'.repeat(200) + end;

  test('take as much memory as short ones, and are told apart', async () => {
    expect(indexedKey(long('1')).length).toBeLessThan(50);
    expect(indexedKey(long('1'))).not.toBe(indexedKey(long('2')));
    const { found } = await check(manifestOf([long('1'), long('2'), long('1')].map((key) => ({ key }))));
    expect(found).toEqual(['4 key duplicate_key']);
  });

  test('beyond what a key may have are cut in problems', () => {
    const { key } = placeProblem({ line: 1 }, 'k'.repeat(300), { ...noProblem, column: 'key' });
    expect(key).toHaveLength(121);
  });
});

test('a problem names a few of ten thousand accounts that have one name', async () => {
  const accounts = Array.from({ length: 10_000 }, (_, id) => ({ id, creatorId: `c${id}` }));
  const creators = async (asked: readonly string[]) => new Map(asked.map((name) => [name, accounts]));
  const { problems } = await check(manifestOf([{}]), { creators });
  expect(problems.kept).toMatchObject([{ code: 'creator_ambiguous' }]);
  expect(problems.kept[0]?.problem.length).toBeLessThan(200);
});
