/** Creator cells that a service would refuse, together with every name that is asked for in the same call. */
import { expect, test } from 'vitest';
import { createCreatorLookUp, type ListCreators } from '../../src/importers/check/creator-look-up.ts';
import type { CreatorAccount } from '../../src/service/contract/creators.ts';
import { KeyRefusedError, RefusedError } from '../../src/service/errors.ts';
import { check, manifestOf } from '../importers/manifest-source.ts';
import { testClient } from '../support/client.ts';
import { testSandbox } from '../support/sandbox.ts';

const refused = (status: number) =>
  new RefusedError('the service refused the call', { operation: 'listCreatorAccounts', status });

function accountOf(username: string): CreatorAccount {
  return { id: 1, creatorId: `c-${username}`, username, authSource: 'SOCIAL_SHOP_CREATOR', valid: true };
}

/** A service that has these accounts, and its calls. */
function service(usernames: readonly string[], refusal: (asked: readonly string[]) => Error | undefined) {
  const calls: (readonly string[] | undefined)[] = [];
  const list: ListCreators = async function* ({ usernames: asked }) {
    calls.push(asked);
    const error = refusal(asked ?? []);
    if (error) throw error;
    yield* usernames.filter((name) => asked?.includes(name) ?? true).map(accountOf);
  };
  return { lookUp: createCreatorLookUp(list), calls };
}

test('a cell of 20 KB is a problem of its row, and is not looked up', async () => {
  await using sandbox = await testSandbox();
  const client = testClient(sandbox.url, { apiKey: sandbox.apiKey });
  const creators = createCreatorLookUp((query) => client.creators.all(query));
  const rows = [{ creator: 'x'.repeat(20_000) }, { creator: 'demo_anna' }];
  const { accepted, found } = await check(manifestOf(rows), { creators });
  expect(accepted).toBe(1);
  expect(found).toEqual(['2 creator too_long']);
});

test('long names are spread over calls that a URL can hold', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `${index}${'达'.repeat(200)}`);
  const { lookUp, calls } = service(names, () => undefined);
  expect((await lookUp(names)).size).toBe(40);
  const lengths = calls.map((asked = []) => asked.map(encodeURIComponent).join('&usernames=').length);
  expect(Math.max(...lengths)).toBeLessThan(8000);
});

test.each([400, 414, 431])('a name that is refused with %i is a problem of its row only', async (status) => {
  const { lookUp, calls } = service(['mia', 'ben'], (asked) =>
    asked.includes('<bad>') ? refused(status) : undefined,
  );
  const rows = ['mia', '<bad>', 'ben'].map((creator) => ({ creator }));
  const { accepted, found } = await check(manifestOf(rows), { creators: lookUp });
  expect(accepted).toBe(2);
  expect(found).toEqual(['3 creator creator_unknown']);
  expect(calls).toEqual([['mia', '<bad>', 'ben'], undefined]);
});

test('a service that refuses every look-up ends the check', async () => {
  const { lookUp } = service(['mia'], () => refused(404));
  await expect(check(manifestOf([{ creator: 'mia' }]), { creators: lookUp })).rejects.toThrow(RefusedError);
});

test('a key that is refused ends the check at once', async () => {
  const details = { operation: 'listCreatorAccounts', status: 401 };
  const { lookUp, calls } = service(['mia'], () => new KeyRefusedError('no', details));
  await expect(check(manifestOf([{ creator: 'mia' }]), { creators: lookUp })).rejects.toThrow(
    KeyRefusedError,
  );
  expect(calls).toHaveLength(1);
});
