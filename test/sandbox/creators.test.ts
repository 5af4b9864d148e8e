import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { creatorAccount } from '../../src/service/contract/creators.ts';
import { callSandbox, testSandbox } from '../support/sandbox.ts';

interface Account {
  readonly id: number;
  readonly creatorId: string;
  readonly username: string;
  readonly permissions: readonly string[];
}

async function page(sandbox: Sandbox, query: string) {
  const { data } = await callSandbox(sandbox, `/v1/creatorAccount/pageList?${query}`);
  return { ...data, list: data.list as Account[] };
}

describe('listCreatorAccounts', () => {
  it('pages within its cap and says where the list ends', async () => {
    await using sandbox = await testSandbox({ maxPageSize: 25 });
    const last = await page(sandbox, 'pageSize=1000&pageNumber=3');
    expect(last).toMatchObject({ total: 60, pageNumber: 3, pageSize: 25, totalPages: 3 });
    expect(last.list).toHaveLength(10);
    expect((await page(sandbox, 'pageSize=1000&pageNumber=4')).list).toEqual([]);
  });

  it.each([
    '/v1/creatorAccount/pageList?pageNumber=1',
    '/v1/creator/socialshop/product/listByShowcase?id=1001&origin=SHOWCASE',
    '/v1/creator/post/pageList?pageNumber=1',
    '/v1/creator/socialshop/searchMusic?keyword=a',
  ])('refuses larger pages of %s if asked to', async (path) => {
    await using sandbox = await testSandbox({ maxPageSize: 60, refuseLargerPages: true });
    const refused = await callSandbox(sandbox, `${path}&pageSize=61`);
    expect(refused).toMatchObject({ status: 400, data: { field: 'pageSize' } });
    expect((await callSandbox(sandbox, `${path}&pageSize=60`)).code).toBe(0);
  });

  it('shows accounts as the contract has them, and nothing beyond', async () => {
    await using sandbox = await testSandbox();
    const { list } = await page(sandbox, 'pageSize=50&pageNumber=1');
    const fields = Object.keys(creatorAccount.shape).sort();
    expect(list.map((account) => Object.keys(account).sort())).toEqual(list.map(() => fields));
    expect(list.every((account) => String(account.id) !== account.creatorId)).toBe(true);
  });

  it('finds several usernames, each given by a parameter of its own', async () => {
    await using sandbox = await testSandbox();
    const { list } = await page(
      sandbox,
      'pageSize=9&pageNumber=1&usernames=demo_anna&usernames=demo_mia&usernames=no',
    );
    expect(list.map((account) => account.username)).toEqual(['demo_anna', 'demo_mia']);
  });

  it.each([
    ['valid=true', 'demo_hugo'],
    ['authSource=SOCIAL_SHOP_CREATOR', 'demo_jack'],
    ['hasPhotoPermission=true', 'demo_tom'],
    ['selectionRegion=GB', 'demo_anna'],
  ])('leaves out with %s who does not belong', async (query, username) => {
    await using sandbox = await testSandbox({ maxPageSize: 100 });
    const all = (await page(sandbox, 'pageSize=100&pageNumber=1')).list.map((account) => account.username);
    const some = (await page(sandbox, `pageSize=100&pageNumber=1&${query}`)).list.map(
      (account) => account.username,
    );
    expect(all).toContain(username);
    expect(some).not.toContain(username);
    expect(some.length).toBeGreaterThan(0);
  });

  it('still shows the creator whose authorization has expired as valid', async () => {
    await using sandbox = await testSandbox();
    const { list } = await page(sandbox, 'pageSize=9&pageNumber=1&usernames=demo_ines&valid=true');
    expect(list).toMatchObject([{ username: 'demo_ines', valid: true }]);
  });

  it.each([
    ['pageSize', 'pageNumber=1'],
    ['pageNumber', 'pageSize=1'],
    ['pageNumber', 'pageSize=1&pageNumber=0'],
    ['pageSize', 'pageSize=many&pageNumber=1'],
    ['valid', 'pageSize=1&pageNumber=1&valid=yes'],
    ['authSource', 'pageSize=1&pageNumber=1&authSource=OTHER'],
  ])('names the parameter %s in %s', async (field, query) => {
    await using sandbox = await testSandbox();
    const reply = await callSandbox(sandbox, `/v1/creatorAccount/pageList?${query}`);
    expect(reply).toMatchObject({ status: 400, data: { field } });
  });

  it('takes further creators from the start and later', async () => {
    const creators = [{ id: 5001, creatorId: '7499', username: 'extra_one' }];
    await using sandbox = await testSandbox({ creators });
    sandbox.putCreators([{ id: 5002, creatorId: '7500', username: 'extra_two', valid: false }]);
    const query = 'pageSize=9&pageNumber=1&usernames=extra_one&usernames=extra_two';
    expect((await page(sandbox, query)).list).toMatchObject([{ id: 5001 }, { id: 5002, valid: false }]);
  });
});
