import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkDocument } from '../../../src/app/campaigns/import/check.ts';
import type { ManifestSource } from '../../../src/sheets/sheet.ts';
import { check, manifestOf } from '../manifest-source.ts';

test('long work on rows leaves turns to other work of the process', async () => {
  // A clock that goes on by a millisecond at each look: every row takes that long.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => ++now);
  onTestFinished(() => clock.mockRestore());
  let isDone = false;
  let ofTurn = 0;
  const turns = (async () => {
    while (!isDone) {
      ofTurn = 0;
      await nextTurn();
    }
  })();
  const most: number[] = [];
  const edits = {
    header: (cells: readonly string[]) => cells,
    apply: <Row>(row: Row) => {
      ofTurn += 1;
      most.push(ofTurn);
      return row;
    },
    isTyped: () => false,
    skips: () => false,
    skippedBefore: () => false,
    postsAgain: () => false,
    rekeyed: 0,
    mayBe: () => undefined,
  };
  const { accepted } = await check(manifestOf(Array.from({ length: 200 }, () => ({}))), { edits });
  isDone = true;
  await turns;
  expect(accepted).toBe(200);
  expect(Math.max(...most)).toBeLessThanOrEqual(10);
});

test('valid rows are passed on in order and unchanged', async () => {
  const content = manifestOf([{ key: 'one' }, { key: 'two', caption: "'=1" }]);
  const result = await check(content);
  expect(result).toMatchObject({ rows: 2, accepted: 2, found: [], blocking: [] });
  expect(result.handedOn).toMatchObject([
    { line: 2, number: 1, key: 'one', cells: ['demo_anna', 'a.mp4', 'Hi', '1', 'Serum', 'one'] },
    { line: 3, number: 2, key: 'two', cells: ['demo_anna', 'a.mp4', "'=1", '1', 'Serum', 'two'] },
  ]);
  expect(result.header).toEqual(['creator', 'media', 'caption', 'product_id', 'product_title', 'key']);
});

test('the digest is that of the bytes', async () => {
  const content = `\ufeff${manifestOf([{}])}`;
  const { sha256 } = await check(content);
  expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
});

test('rows are passed on 500 at a time', async () => {
  const { chunks } = await check(manifestOf(Array.from({ length: 1234 }, () => ({}))));
  expect(chunks.map((rows) => rows.length)).toEqual([500, 500, 234]);
});

test('valid rows are passed on even if others have problems, and all problems are reported', async () => {
  const result = await check(
    manifestOf([
      { key: 'a' },
      { key: 'b', caption: '', product_id: '1E+18' },
      { key: 'c' },
      { key: 'd', media: '' },
    ]),
  );
  expect(result.handedOn.map(({ key, number }) => [key, number])).toEqual([
    ['a', 1],
    ['c', 3],
  ]);
  expect(result.found).toEqual([
    '3 caption missing_value',
    '3 product_id scientific_id',
    '5 media media_missing',
  ]);
  expect(result.refused.map(({ line, problems }) => [line, problems.length])).toEqual([
    [3, 2],
    [5, 1],
  ]);
});

test('a problem has line, key, column, value, description and fix', async () => {
  const { problems } = await check(manifestOf([{ key: 'a', product_source: 'STORE' }]));
  expect(problems.kept).toEqual([
    {
      line: 2,
      key: 'a',
      column: 'product_source',
      code: 'invalid_choice',
      value: 'STORE',
      problem: 'this is not SHOP or SHOWCASE',
      fix: 'Write SHOP or SHOWCASE.',
    },
  ]);
});

test.each([
  ['an empty file', '', '1 - empty_file'],
  ['nothing but a byte order mark', '\ufeff', '1 - empty_file'],
  ['blank lines only', '\n\n', '1 - empty_file'],
  ['a header only', manifestOf([]), '1 - no_rows'],
  ['gzip', gzipSync('a,b\n'), '1 - not_csv'],
  ['XLSX', Buffer.from('504b0304140006000800', 'hex'), '1 - not_csv'],
  ['XLS', Buffer.from('d0cf11e0a1b11ae1', 'hex'), '1 - not_csv'],
  ['zstd', Buffer.from('28b52ffd00', 'hex'), '1 - not_csv'],
  ['PDF', '%PDF-1.7', '1 - not_csv'],
  ['UTF-32', Buffer.from('fffe0000410000002c000000', 'hex'), '1 - not_csv'],
  ['HTML', '<table>', '1 - not_csv'],
  ['a video', readFileSync('examples/media/videos/candle.mp4'), '1 - not_csv'],
  ['random bytes', createHash('shake256', { outputLength: 4096 }).digest(), '1 - not_csv'],
  ['a stray quote in the header', 'a, "x",b\n1,2,3\n', '1 - stray_quote'],
])('%s blocks the manifest', async (_name, content, problem) => {
  const result = await check(content);
  expect(result.found).toEqual([problem]);
  expect(result.blocking).toHaveLength(1);
  expect(result.accepted).toBe(0);
});

test('headers below too many other lines are not found', async () => {
  const { found } = await check(`Spring campaign\nand\n${'x\n'.repeat(30)}${manifestOf([{}])}`);
  expect(found).toContain('1 creator missing_column');
});

test('all problems of the header block the manifest', async () => {
  const { found, blocking } = await check('creator,media,captoin,__proto__\na,b,c,d\n');
  expect(found).toEqual([
    '1 captoin unknown_column',
    '1 __proto__ reserved_name',
    '1 caption missing_column',
    '1 product_id missing_column',
    '1 product_title missing_column',
  ]);
  expect(blocking).toHaveLength(5);
});

test('rows before an unreadable place are checked, and the manifest is blocked', async () => {
  const result = await check(`${manifestOf([{ key: 'a' }, { key: 'b', caption: '' }])}x,"`);
  expect(result.found).toEqual(['3 caption missing_value', '4 - quote_not_closed']);
  expect(result).toMatchObject({ rows: 2, accepted: 1, sha256: null });
  expect(result.blocking).toMatchObject([{ code: 'quote_not_closed' }]);
});

test('ragged rows and stray quotes spoil only their own row', async () => {
  const result = await check(
    `${manifestOf([{}])}one,two\nx,y, "z",1,2\n${manifestOf([{}]).split('\n')[1]}\n`,
  );
  expect(result.found).toEqual(['3 - ragged_row', '4 - stray_quote']);
  expect(result.handedOn.map(({ line, key }) => [line, key])).toEqual([
    [2, '1'],
    [5, '4'],
  ]);
});

test('a results sheet is not a new manifest', async () => {
  const content = manifestOf([{ ledger: 'x', campaign: 'c1', status: 'posted' }]);
  expect((await check(content)).found).toEqual(['1 campaign results_sheet']);
});

test('a missing confirmUpload setting blocks the manifest', async () => {
  const { found, blocking } = await check(manifestOf([{}]), { settings: {} });
  expect(found).toEqual(['2 - confirm_upload_not_set']);
  expect(blocking).toHaveLength(1);
});

test('of AI outputs beyond the limit, a warning says that their rows wait', async () => {
  const images = {
    media: '',
    ai_prompt: 'x',
    ai_model: 'gpt-image-2',
    ai_aspect_ratio: '1:1',
    ai_count: '3',
  };
  const settings = (spend: object) => ({
    settings: { api: { confirmUpload: { method: 'POST', path: '/c' } }, spend },
  });
  const content = manifestOf([images, images]);
  expect((await check(content, settings({ maxOutputs: 6, perMonth: 6 }))).notices).toEqual([]);
  for (const [spend, limit] of [
    [{ maxOutputs: 5 }, 'the limit is 5'],
    [{ maxOutputs: 6, perMonth: 4 }, 'the monthly limit leaves 4'],
  ] as const) {
    const beyond = await check(content, settings(spend));
    expect(beyond.found).toEqual([]);
    const problem = `the sheet asks for 6 AI outputs; ${limit}, and the rows beyond that wait for an operator`;
    expect(beyond.notices).toMatchObject([{ line: 3, code: 'too_many_outputs', problem }]);
  }
});

test('an unknown column does not hide the problems of the rows', async () => {
  const result = await check(manifestOf([{ colour: 'red' }, { colour: 'blue', caption: '' }]));
  expect(result.found).toEqual(['1 colour unknown_column', '3 caption missing_value']);
  expect(result.blocking.map(({ code }) => code)).toEqual(['unknown_column']);
});

test('a refused header closes the file', async () => {
  let open = false;
  const source: ManifestSource = {
    name: 'posts.csv',
    async *bytes() {
      open = true;
      try {
        yield Buffer.from('creator,creator\n');
        yield Buffer.from('demo_anna,demo_ben\n');
      } finally {
        open = false;
      }
    },
  };
  expect((await check(source)).blocking.map(({ code }) => code)).toContain('duplicate_column');
  expect(open).toBe(false);
});

test('the report is the JSON document of check --json', async () => {
  const { chunks: _chunks, refused: _refused, ...result } = await check(manifestOf([{ caption: '' }, {}]));
  expect(checkDocument(result)).toEqual({
    format: { kind: 'csv', encoding: 'utf-8', delimiter: ',' },
    headerLine: 1,
    rows: 2,
    problems: result.problems.kept,
    problemCounts: { missing_value: 1 },
    warnings: [],
    warningCounts: {},
    plan: result.plan,
  });
});

test('columns whose cells are media are all proposed, also if a row fills several', async () => {
  const head = 'creator,caption,product_id,product_title,Reel,Bildchen\n';
  const row = (media: string) => `demo_anna,Hi,1,Serum,${media}\n`;
  const proposed = async (...media: readonly string[]) =>
    (await check(head + media.map(row).join(''))).proposals.map(({ column }) => column);
  expect(await proposed('a.mp4,', ',b.jpg')).toEqual(['media', 'media']);
  expect(await proposed('a.mp4,b.jpg', ',b.jpg')).toEqual(['media', 'media']);
});
