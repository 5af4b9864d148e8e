import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createCreatorLookUp } from '../../../src/importers/check/creator-look-up.ts';
import { ComparingWork } from '../../../src/manifest/edit-distance.ts';
import { Turn } from '../../../src/manifest/event-loop.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { CreatorAccount, ListCreatorAccounts } from '../../../src/service/contract/creators.ts';
import { testClient } from '../../support/client.ts';
import { testSandbox } from '../../support/sandbox.ts';
import { account } from './account.ts';

/** A look-up with a sandbox, and its queries. */
function lookUpAt(sandbox: Sandbox) {
  const client = testClient(sandbox.url, { apiKey: sandbox.apiKey });
  const queries: ListCreatorAccounts[] = [];
  const list = client.creators.list.bind(client.creators);
  client.creators.list = (query) => {
    queries.push(query);
    return list(query);
  };
  return { lookUp: createCreatorLookUp((query) => client.creators.all(query)), queries };
}

test('usernames are looked up together', async () => {
  await using sandbox = await testSandbox();
  const { lookUp, queries } = lookUpAt(sandbox);
  const found = await lookUp(['demo_anna', 'demo_ben', '@demo_carla']);
  expect([...found].map(([name, accounts]) => [name, accounts.map(({ id }) => id)])).toEqual([
    ['demo_anna', [1001]],
    ['demo_ben', [1002]],
    ['@demo_carla', [1003]],
  ]);
  expect(queries).toMatchObject([
    { authSource: 'SOCIAL_SHOP_CREATOR', usernames: ['demo_anna', 'demo_ben', 'demo_carla'], pageNumber: 1 },
  ]);
});

test('a sheet that names others again and again has all accounts listed once', async () => {
  await using sandbox = await testSandbox();
  const { lookUp, queries } = lookUpAt(sandbox);
  for (const name of ['demo_anna', 'demo_ben', 'demo_carla', 'demo_david', 'demo_elena'])
    expect((await lookUp([name])).get(name)).toHaveLength(1);
  const lists = queries.filter(({ pageNumber }) => pageNumber === 1);
  expect(lists.map(({ usernames }) => usernames?.[0] ?? 'all')).toEqual([
    'demo_anna',
    'demo_ben',
    'demo_carla',
    'all',
  ]);
});

test('many names are asked for in calls side by side', async () => {
  const waiting = Promise.withResolvers<void>();
  let underWay = 0;
  const lookUp = createCreatorLookUp(async function* ({ usernames = [] }) {
    underWay += 1;
    if (underWay === 3) waiting.resolve();
    await waiting.promise;
    yield* usernames.map((username, id) => ({ id, creatorId: `id-${username}`, username }));
  });
  const names = Array.from({ length: 120 }, (_, index) => `creator-${index}`);
  expect((await lookUp(names)).size).toBe(120);
});

test('the link of a profile is looked up as its username', async () => {
  await using sandbox = await testSandbox();
  const { lookUp, queries } = lookUpAt(sandbox);
  const link = 'https://m.video.example/@demo_carla?lang=en';
  expect((await lookUp([link])).get(link)).toMatchObject([{ id: 1003 }]);
  expect(queries).toMatchObject([{ usernames: ['demo_carla'] }]);
});

test('an account id that became a number is suggested as it was', async () => {
  await using sandbox = await testSandbox();
  const { lookUp } = lookUpAt(sandbox);
  const names = ['1,003', '1003.0', '1.003', '9,999'];
  expect((await lookUp(names)).size).toBe(0);
  expect([...((await lookUp.suggest?.(names)) ?? [])]).toEqual([
    ['1,003', '1003'],
    ['1003.0', '1003'],
    ['1.003', '1003'],
  ]);
});

test('a display name is that of the one username with its letters', async () => {
  const creators = ['anna.b', 'mia_glow', 'mia.glow', '小美_official'].map((username, index) => ({
    id: 5000 + index,
    creatorId: `c-${index}`,
    username,
  }));
  await using sandbox = await testSandbox({ creators });
  const { lookUp } = lookUpAt(sandbox);
  const names = ['Anna B.', 'ÁNNA  B', '小美 Official', 'an'];
  await lookUp(names);
  expect([...((await lookUp.suggest?.(names)) ?? [])]).toEqual([
    ['Anna B.', 'anna.b'],
    ['ÁNNA  B', 'anna.b'],
    ['小美 Official', '小美_official'],
  ]);
});

test('no call asks for more than 50 usernames', async () => {
  const creators = Array.from({ length: 120 }, (_, index) => ({
    id: 5000 + index,
    creatorId: `c-${index}`,
    username: `many_${index}`,
  }));
  await using sandbox = await testSandbox({ creators });
  const { lookUp, queries } = lookUpAt(sandbox);
  const found = await lookUp(creators.map(({ username }) => username));
  expect(found.size).toBe(120);
  expect(queries.map(({ usernames }) => usernames?.length)).toEqual([50, 50, 20]);
});

test('ids, other cases and accounts of another source are found among all accounts, fetched once', async () => {
  await using sandbox = await testSandbox({ maxPageSize: 7 });
  const { lookUp, queries } = lookUpAt(sandbox);
  const [anna] = sandbox.creators();
  const names = [anna?.creatorId ?? '', '1002', 'Demo_Carla', 'demo_jack', 'nobody'];
  const found = await lookUp(names);
  expect(names.map((name) => found.get(name)?.map(({ username }) => username))).toEqual([
    ['demo_anna'],
    ['demo_ben'],
    ['demo_carla'],
    ['demo_jack'],
    undefined,
  ]);
  const pages = queries.filter(({ usernames }) => usernames === undefined);
  expect(pages).toHaveLength(Math.ceil(sandbox.creators().length / 7));

  const sent = queries.length;
  expect((await lookUp(['1003', 'nobody at all'])).size).toBe(1);
  expect(queries).toHaveLength(sent);
});

test('a name of two accounts gives both, unless only one can publish', async () => {
  // The sandbox has no two accounts of one username; the contract does not rule them out.
  const accounts = [
    account({ id: 1, creatorId: 'c-1', username: 'twin' }),
    account({ id: 2, creatorId: 'c-2', username: 'twin' }),
    account({ id: 3, creatorId: 'c-3', username: 'again', valid: false }),
    account({ id: 4, creatorId: 'c-4', username: 'again' }),
    account({ id: 5, creatorId: 'c-5', username: 'both', authSource: 'SOCIAL_LOGIN_KIT' }),
    account({ id: 6, creatorId: 'c-6', username: 'both' }),
    account({ id: 7, creatorId: 'c-7', username: '1' }),
  ];
  const lookUp = createCreatorLookUp(async function* ({ usernames, authSource }) {
    yield* accounts
      .filter(({ username = '' }) => usernames === undefined || usernames.includes(username))
      .filter((each) => authSource === undefined || each.authSource === authSource);
  });
  const names = ['twin', 'again', 'both', '1'];
  const found = await lookUp(names);
  expect(names.map((name) => found.get(name)?.map(({ id }) => id))).toEqual([[1, 2], [4], [6], [1, 7]]);
});

test('an unknown name is compared with the usernames that can publish', async () => {
  await using sandbox = await testSandbox();
  const { lookUp } = lookUpAt(sandbox);
  const names = ['demo_ana', '@Demo_Bne', 'demo_jak', 'somebody_else', '74930000'];
  await lookUp(names);
  const suggested = await lookUp.suggest?.(names);
  expect(names.map((name) => suggested?.get(name))).toEqual([
    'demo_anna',
    'demo_ben',
    // `demo_jack` cannot publish.
    expect.not.stringContaining('jack'),
    undefined,
    undefined,
  ]);
});

test('a first name is the account that alone has this word in its username', async () => {
  const usernames = ['anna.glow', 'felix_2', 'mia_one', 'mia_two', 'the-annas'];
  const lookUp = createCreatorLookUp(async function* ({ usernames: asked }) {
    if (asked !== undefined) return;
    for (const [id, username] of usernames.entries()) yield account({ id, creatorId: `c-${id}`, username });
  });
  const names = ['Anna', 'Félix', 'Mia', 'two', 'li'];
  await lookUp(names);
  const suggested = await lookUp.suggest?.(names);
  expect(names.map((name) => suggested?.get(name))).toEqual([
    'anna.glow',
    'felix_2',
    undefined,
    'mia_two',
    undefined,
  ]);
});

test('a display name is the account that alone has it, or one of its words, within its username', async () => {
  const usernames = [
    'dr.amara.derm',
    'tashabglow',
    'rosaglows80',
    'jessmoreno.skin',
    'jessmoreno.home',
    'priya.one',
  ];
  const lookUp = createCreatorLookUp(async function* ({ usernames: asked }) {
    if (asked !== undefined) return;
    for (const [id, username] of usernames.entries()) yield account({ id, creatorId: `c-${id}`, username });
  });
  const names = [
    'Dr. Amara',
    'Tasha B.',
    'Nonna Rosa',
    'Priya S.',
    'Jess Moreno',
    'Rosa + Priya',
    'Ann Eliot',
  ];
  await lookUp(names);
  const suggested = await lookUp.suggest?.(names);
  expect(names.map((name) => suggested?.get(name))).toEqual([
    'dr.amara.derm',
    'tashabglow',
    'rosaglows80',
    'priya.one',
    undefined,
    undefined,
    undefined,
  ]);
});

test('of as many accounts as a service may have, one that was found by its name before counts once', async () => {
  const all = Array.from({ length: 100_000 }, (_, id) =>
    account({ id, creatorId: `c-${id}`, username: `user-${id}` }),
  );
  const lookUp = createCreatorLookUp(async function* ({ usernames }) {
    yield* usernames === undefined ? all : all.slice(0, 1);
  });
  await lookUp(['user-0']);
  expect((await lookUp(['c-5'])).size).toBe(1);
});

test('names that take long to compare leave turns to other work of the process', async () => {
  const nameOf = (index: number) =>
    `${'glow-creator-of-the-season-'.repeat(2)}${(index * 7919).toString(36)}`;
  const accounts = Array.from({ length: 3000 }, (_, id) =>
    account({ id, creatorId: `c-${id}`, username: nameOf(id) }),
  );
  const work = new ComparingWork();
  // A clock of work: a millisecond for as many comparisons as one takes.
  const comparisonsInMs = 200_000;
  const turns: number[] = [];
  const turn = new Turn(
    () => work.done / comparisonsInMs,
    async () => {
      turns.push(work.done);
      await setImmediate();
    },
  );
  const lookUp = createCreatorLookUp(
    async function* () {
      yield* accounts;
    },
    { work, turn },
  );
  const names = Array.from({ length: 40 }, (_, index) =>
    `${nameOf(index)}-${nameOf(index + 1)}`.slice(20, 90),
  );
  await lookUp(names);
  await lookUp.suggest?.(names);
  const lengths = turns.map((done, index) => done - (turns[index - 1] ?? 0));
  expect(work.done).toBeGreaterThan(5_000_000);
  expect(Math.max(...lengths, work.done - (turns.at(-1) ?? 0))).toBeLessThan(10 * comparisonsInMs);
});

test('a service that refuses 100 entries a page is asked for fewer, by names and for all', async () => {
  await using sandbox = await testSandbox({ maxPageSize: 20, refuseLargerPages: true });
  const { lookUp, queries } = lookUpAt(sandbox);
  const found = await lookUp(['demo_anna', '1002']);
  expect([...found.keys()]).toEqual(['demo_anna', '1002']);
  expect(queries.map(({ pageSize }) => pageSize)).toEqual([100, 50, 20, 20, 20, 20]);
});

test('errors of the list pass through', async () => {
  const failure = new Error('refused');
  const list = async function* () {
    yield Promise.reject<CreatorAccount>(failure);
  };
  await expect(createCreatorLookUp(list)(['x'])).rejects.toBe(failure);
});

test('the list of all accounts is fetched again after it could not be read', async () => {
  await using sandbox = await testSandbox();
  const { lookUp } = lookUpAt(sandbox);
  sandbox.faults.add({ operation: 'listCreatorAccounts', kind: 'status', status: 404 });
  await expect(lookUp(['1001'])).rejects.toThrow();
  expect([...(await lookUp(['1001'])).keys()]).toEqual(['1001']);
});
