import { describe, expect, it } from 'vitest';
import { listCreatorAccountsResponse } from '../../src/api/contract/creators.ts';
import { envelope } from '../../src/api/contract/envelope.ts';
import { createFileUploadResponse } from '../../src/api/contract/files.ts';
import { listAiTasksByScheduleIdResponse } from '../../src/api/contract/generation.ts';
import { retryAfterMs } from '../../src/api/retry-after.ts';

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
