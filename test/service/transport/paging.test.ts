import { expect, test } from 'vitest';
import {
  CreatorAuthorizationExpiredError,
  ForbiddenError,
  KeyRefusedError,
  MalformedAnswerError,
  RefusedError,
  ServerError,
} from '../../../src/service/errors.ts';
import {
  numberedPages,
  PageSizes,
  type SmallerPages,
  type Through,
  tokenPages,
} from '../../../src/service/transport/paging.ts';
import { rejection } from '../../support/client.ts';
import { collect } from '../../support/collect.ts';

const operation = 'listCreatorAccounts';

test('pages are followed as far as the answers say, not by the size asked for', async () => {
  const asked: number[] = [];
  const entries = await collect(
    numberedPages(operation, 100, {}, async (pageNumber) => {
      asked.push(pageNumber);
      return { entries: [pageNumber, pageNumber], pageSize: 2, totalPages: 3 };
    }),
  );

  expect(entries).toEqual([1, 1, 2, 2, 3, 3]);
  expect(asked).toEqual([1, 2, 3]);
});

test.each([
  [
    'the total',
    [
      { entries: [1, 2], total: 3 },
      { entries: [3], total: 3 },
    ],
  ],
  ['a page that is not full', [{ entries: [1, 2] }, { entries: [3] }]],
  [
    'the answered size of a page',
    [{ entries: [1], pageSize: 1 }, { entries: [2], pageSize: 1 }, { entries: [] }],
  ],
])('without the number of pages, %s tells the end', async (_, pages) => {
  let fetched = 0;
  const list = numberedPages(operation, 2, {}, async () => pages[fetched++] ?? { entries: [] });
  await collect(list);

  expect(fetched).toBe(pages.length);
});

test.each([
  ['0 pages', { totalPages: 0, total: 3 }],
  ['no number of pages', { total: 3 }],
  ['0 in all', { totalPages: 0, total: 0 }],
])('%s does not end a list before its end', async (_, counts) => {
  const pages = [{ entries: [1, 2] }, { entries: [3] }];
  const list = numberedPages(operation, 2, {}, async (number) => ({
    ...pages[number - 1],
    entries: pages[number - 1]?.entries ?? [],
    ...counts,
  }));

  expect(await collect(list)).toEqual([1, 2, 3]);
});

test('a short page goes on while the total says so', async () => {
  const list = numberedPages(operation, 10, {}, async (number) => ({ entries: [number], total: 3 }));

  expect(await collect(list)).toEqual([1, 2, 3]);
});

test('entries that were of no use count: a page without a useful one does not end the list', async () => {
  const pages = [
    { entries: [], sent: 2 },
    { entries: [2], sent: 2 },
    { entries: [], sent: 0 },
  ];
  for (const counts of [{}, { total: 4 }, { totalPages: 2 }]) {
    const list = numberedPages<number>(operation, 2, {}, async (number) => ({
      entries: [],
      ...pages[number - 1],
      ...counts,
    }));
    expect(await collect(list)).toEqual([2]);
  }
});

test('an empty page before the last one does not end the list', async () => {
  const pages = [[1], [], [3]];
  const list = numberedPages<number>(operation, 1, {}, async (number) => ({
    entries: pages[number - 1] ?? [],
    totalPages: 3,
  }));
  expect(await collect(list)).toEqual([1, 3]);
});

test.each([
  [{ totalPages: 2 }, { total: undefined, isWhole: true }],
  [
    { totalPages: 2, total: 4 },
    { total: 4, isWhole: true },
  ],
  [
    { totalPages: 2, total: 35 },
    { total: 35, isWhole: false },
  ],
  [{}, { total: undefined, isWhole: false }],
])('with %o, the reader is told how much of the list was read', async (counts, told) => {
  const ends: unknown[] = [];
  const pages = [[1, 2], [3, 4], []];
  const options = { onEnd: (extent: unknown) => ends.push(extent) };
  await collect(
    numberedPages(operation, 2, options, async (number) => ({ entries: pages[number - 1] ?? [], ...counts })),
  );

  expect(ends).toEqual([{ seen: 4, ...told }]);
});

test('every page is fetched through the given function', async () => {
  const log: string[] = [];
  const through: Through = (name, call) => {
    log.push(`through ${name}`);
    return call();
  };
  const list = numberedPages(operation, 1, { through }, async (pageNumber) => {
    log.push(`page ${pageNumber}`);
    return { entries: [0], totalPages: 2 };
  });
  await collect(list);

  expect(log).toEqual([`through ${operation}`, 'page 1', `through ${operation}`, 'page 2']);
});

test('a page that is not needed is not fetched', async () => {
  let fetched = 0;
  for await (const entry of numberedPages(operation, 1, {}, async () => {
    fetched += 1;
    return { entries: [fetched], totalPages: 9 };
  })) {
    if (entry === 2) break;
  }

  expect(fetched).toBe(2);
});

test('an endless list is an error', async () => {
  const list = numberedPages(operation, 1, {}, async (pageNumber) => ({
    entries: [1],
    totalPages: pageNumber + 1,
  }));

  expect(await rejection(collect(list))).toBeInstanceOf(MalformedAnswerError);
});

test('tokens are followed over an empty page', async () => {
  const pages = new Map<string | undefined, { entries: number[]; nextPageToken?: string }>([
    [undefined, { entries: [1], nextPageToken: 'a' }],
    ['a', { entries: [], nextPageToken: 'b' }],
    ['b', { entries: [2], nextPageToken: '' }],
  ]);
  const list = tokenPages(operation, 1, {}, async (token) => pages.get(token) ?? { entries: [99] });

  expect(await collect(list)).toEqual([1, 2]);
});

test('tokens that repeat are an error', async () => {
  const next: Record<string, string> = { '': 'a', a: 'b', b: 'a' };
  const list = tokenPages(operation, 1, {}, async (token = '') => ({
    entries: [1],
    nextPageToken: next[token],
  }));

  expect(await rejection(collect(list))).toBeInstanceOf(MalformedAnswerError);
});

/** Page sizes of a client, with the sizes that were asked for and what was told. `answer` throws for a refusal. */
function sizesOf(answer: (pageSize: number) => void) {
  const asked: number[] = [];
  const told: SmallerPages[] = [];
  const sizes = new PageSizes(100, (found) => told.push(found));
  const list = (name: Parameters<typeof numberedPages>[0] = operation) =>
    collect(
      numberedPages(name, sizes.usual, { sizes }, async (_pageNumber, pageSize) => {
        asked.push(pageSize);
        answer(pageSize);
        return { entries: [pageSize], totalPages: 2 };
      }),
    );
  return { asked, told, list };
}

function refused(status: number, serviceCode?: number) {
  return new RefusedError('refused', { operation, status, serviceCode });
}

test.each([
  ['HTTP 400', refused(400)],
  ['a code with HTTP 200', refused(200, 17)],
])('%s of the first page: smaller ones are tried, and the size that works is kept', async (_, refusal) => {
  const { asked, told, list } = sizesOf((pageSize) => {
    if (pageSize > 20) throw refusal;
  });
  expect(await list()).toEqual([20, 20]);
  expect(asked).toEqual([100, 50, 20, 20]);
  expect(await list()).toEqual([20, 20]);
  expect(told).toEqual([{ operation, refused: 100, accepted: 20 }]);
});

test('each operation has a size of its own', async () => {
  const { asked, list } = sizesOf((pageSize) => {
    if (pageSize > 50) throw refused(400);
  });
  await list();
  await list('listPosts');
  expect(asked).toEqual([100, 50, 50, 100, 50, 50]);
});

test('if all sizes are refused, the first refusal is thrown; the same one is not searched again', async () => {
  let words = 'no filter';
  const { asked, told, list } = sizesOf(() => {
    throw new RefusedError(words, { operation, status: 400 });
  });
  await expect(list()).rejects.toThrow('no filter Pages of 50, 20, 10 entries were refused, too; if the');
  expect(asked).toEqual([100, 50, 20, 10]);
  expect(told).toEqual([]);
  await rejection(list());
  expect(asked).toHaveLength(5);
  words = 'too many entries';
  await rejection(list());
  expect(asked).toHaveLength(9);
});

test('a size that was accepted before is not at fault', async () => {
  let refusal: Error | undefined;
  const { asked, list } = sizesOf(() => {
    if (refusal) throw refusal;
  });
  await list();
  refusal = refused(400);
  expect(await rejection(list())).toBe(refusal);
  expect(asked).toEqual([100, 100, 100]);
});

test.each([
  refused(404),
  new CreatorAuthorizationExpiredError('expired', { operation, status: 200, serviceCode: 40101 }),
  new ForbiddenError('forbidden', { operation, status: 200, serviceCode: 403 }),
  new KeyRefusedError('key', { operation, status: 401 }),
  new ServerError('server', { operation, status: 500 }),
])('%s is about no size', async (error) => {
  const { asked, list } = sizesOf(() => {
    throw error;
  });
  expect(await rejection(list())).toBe(error);
  expect(asked).toEqual([100]);
});
