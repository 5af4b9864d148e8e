/** Entries of a list that lack what the runner needs of them: left out, but counted, and not for the end of the list. */
import { expect, test } from 'vitest';
import type { OperationTemplate } from '../../src/service/contract/templates.ts';
import type { SkippedEntries } from '../../src/service/transport/caller.ts';
import { noTemplates, testClient } from '../support/client.ts';
import { collect } from '../support/collect.ts';
import { envelopeAnswer, wireServer } from '../support/wire-server.ts';

test('a page of accounts without ids is told of, and the next one is read', async () => {
  const server = await wireServer(({ target }, socket) => {
    const list = target.includes('pageNumber=1')
      ? [{ id: 1 }, { id: null, creatorId: 'x' }]
      : [{ id: 3, creatorId: 'c3' }];
    socket.write(envelopeAnswer({ list, total: 3, totalPages: 0 }));
  });
  const skipped: SkippedEntries[] = [];
  const { creators } = testClient(server.origin, { skipped: (found) => skipped.push(found) });
  const accounts = await collect(creators.all({ pageSize: 2 }));

  expect(accounts.map(({ creatorId }) => creatorId)).toEqual(['c3']);
  expect(skipped).toEqual([{ operation: 'listCreatorAccounts', skipped: 2, sent: 2 }]);
});

test.each(['searchMusic', 'listPosts'] as const)('%s tells of entries without an id', async (operation) => {
  const server = await wireServer((_, socket) =>
    socket.write(envelopeAnswer({ list: [{ title: 'a' }, { id: 'm1', postId: 'p1' }] })),
  );
  const skipped: SkippedEntries[] = [];
  const template: OperationTemplate = {
    method: 'GET',
    path: '/v1/x',
    encoding: 'json',
    result: { list: '/data/list' },
  };
  const { music, posts } = testClient(server.origin, {
    templates: { ...noTemplates, [operation]: template },
    skipped: (found) => skipped.push(found),
  });
  const found = await collect<unknown>(operation === 'searchMusic' ? music.search('x') : posts.list({}));

  expect(found).toHaveLength(1);
  expect(skipped).toEqual([{ operation, skipped: 1, sent: 2 }]);
});

test('tasks without an id are told of', async () => {
  const list = [{ status: 'PENDING' }, { taskId: 't', status: 'PENDING' }];
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ list })));
  const skipped: SkippedEntries[] = [];
  await testClient(server.origin, { skipped: (found) => skipped.push(found) }).generations.list('s1');

  expect(skipped).toEqual([{ operation: 'listAiTasksByScheduleId', skipped: 1, sent: 2 }]);
});
