/** Lists whose pages are asked for before they are read. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ServerError } from '../../../src/service/errors.ts';
import { numberedPages } from '../../../src/service/transport/paging.ts';
import { rejection } from '../../support/client.ts';
import { collect } from '../../support/collect.ts';

const operation = 'listCreatorAccounts';

test('pages are asked for side by side as soon as their number is known, and come in order', async () => {
  const answers = Array.from({ length: 6 }, () => Promise.withResolvers<void>());
  const asked: number[] = [];
  const list = collect(
    numberedPages(operation, 1, { ahead: 3 }, async (pageNumber) => {
      asked.push(pageNumber);
      await answers[pageNumber - 1]?.promise;
      return { entries: [pageNumber], totalPages: 6 };
    }),
  );
  expect(asked).toEqual([1]);
  for (const { resolve } of answers.toReversed()) {
    resolve();
    await setImmediate();
  }
  expect(await list).toEqual([1, 2, 3, 4, 5, 6]);
  expect(asked).toEqual([1, 2, 3, 4, 5, 6]);
});

test('no more pages are under way than asked for', async () => {
  let underWay = 0;
  let most = 0;
  const list = numberedPages(operation, 1, { ahead: 3 }, async (pageNumber) => {
    most = Math.max(most, ++underWay);
    await setImmediate();
    underWay -= 1;
    return { entries: [pageNumber], totalPages: 20 };
  });
  expect(await collect(list)).toHaveLength(20);
  expect(most).toBe(3);
});

test('a page that fails after its reader has stopped harms nobody', async () => {
  const list = numberedPages(operation, 1, { ahead: 3 }, async (pageNumber) => {
    if (pageNumber > 1) throw new ServerError('down', { operation, status: 503 });
    return { entries: [1], totalPages: 9 };
  });
  expect(await list.next()).toEqual({ value: 1, done: false });
  await list.return(undefined);
  await setImmediate();
});

test('the failure of a page comes in its turn', async () => {
  const list = numberedPages(operation, 1, { ahead: 3 }, async (pageNumber) => {
    if (pageNumber === 3) throw new ServerError('down', { operation, status: 503 });
    return { entries: [pageNumber], totalPages: 9 };
  });
  expect([await list.next(), await list.next()].map(({ value }) => value)).toEqual([1, 2]);
  expect(await rejection(list.next())).toBeInstanceOf(ServerError);
});
