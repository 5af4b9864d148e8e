import { describe, expect, it } from 'vitest';
import {
  listCreatorAccountsResponse,
  listSocialShowcaseProductsResponse,
} from '../../src/service/contract/creators.ts';
import { envelope } from '../../src/service/contract/envelope.ts';
import { createFileUploadResponse } from '../../src/service/contract/files.ts';
import { listAiTasksByScheduleIdResponse } from '../../src/service/contract/generation.ts';
import { retryAfterMs } from '../../src/service/transport/answer.ts';

describe('answers are read tolerantly', () => {
  it('an envelope may lack data', () => {
    expect(envelope.parse({ code: 40101, message: 'expired' })).toMatchObject({ code: 40101 });
  });

  it('a list that is null is empty', () => {
    expect(listCreatorAccountsResponse.parse({ list: null, total: 0 }).list).toEqual([]);
  });

  it('an account without ids does not hide the others', () => {
    const list = [
      { id: 1, creatorId: null },
      { id: 2, creatorId: 'c2' },
    ];
    expect(listCreatorAccountsResponse.parse({ list }).list.map(({ id }) => id)).toEqual([2]);
  });

  it.for([
    ['createdAt', 1764547200],
    ['model', { name: 'x' }],
    ['params', 'x'],
    ['customResult', 'x'],
    ['scheduleId', 7],
    ['resultUrl', ['x']],
  ])('a task with an odd %s is kept', ([field, value]) => {
    const task = { taskId: 't', status: 'COMPLETED', result: { url: 'https://x/1', thumbnailUrl: 3 } };
    const { list } = listAiTasksByScheduleIdResponse.parse({ list: [{ ...task, [field as string]: value }] });

    expect(list).toMatchObject([{ taskId: 't', status: 'COMPLETED', result: { url: 'https://x/1' } }]);
  });

  it.for([
    ['username', 12],
    ['authSource', 1],
    ['valid', 'yes'],
    ['tagNames', 'a'],
    ['targetMarket', {}],
  ])('an account with an odd %s is kept', ([field, value]) => {
    const list = [{ id: 1, creatorId: 'c1', [field as string]: value }];

    expect(listCreatorAccountsResponse.parse({ list }).list).toHaveLength(1);
  });

  it('one odd permission does not hide the others', () => {
    const list = [{ id: 1, creatorId: 'c1', permissions: [null, 'VIDEO_SHOPPABLE_PERMISSION', 3] }];

    expect(listCreatorAccountsResponse.parse({ list }).list[0]?.permissions).toEqual([
      'VIDEO_SHOPPABLE_PERMISSION',
    ]);
  });

  it.for([
    ['false', false],
    ['true', true],
    [0, false],
    [1, true],
  ])('an authorization that is %o is %o', ([valid, expected]) => {
    const list = [{ id: 1, creatorId: 'c1', valid }];

    expect(listCreatorAccountsResponse.parse({ list }).list[0]?.valid).toBe(expected);
  });

  it('a product with an odd price is kept', () => {
    const products = [
      { id: 17, title: 5, price: 'free', images: [null, { url: 'https://x/u', width: '320' }] },
    ];

    expect(listSocialShowcaseProductsResponse.parse({ products }).products).toMatchObject([
      { id: '17', images: [{ url: 'https://x/u', width: 320 }] },
    ]);
  });

  it('counts of a page may be texts', () => {
    expect(listCreatorAccountsResponse.parse({ list: [], total: '25', totalPages: 'x' })).toMatchObject({
      total: 25,
    });
  });

  it('a task may lack the echo of its parameters', () => {
    const list = [{ taskId: 't', status: 'PENDING' }];
    expect(listAiTasksByScheduleIdResponse.parse({ list }).list).toHaveLength(1);
  });

  it('a known file needs no upload URL', () => {
    expect(
      createFileUploadResponse.parse({ fileId: 1, isNew: false, uploadUrl: '' }).uploadUrl,
    ).toBeUndefined();
  });

  it('the oldest form of an HTTP date means GMT', () => {
    expect(retryAfterMs('Tue Dec  1 10:00:30 2026', Date.UTC(2026, 11, 1, 10))).toBe(30_000);
  });
});
