import { describe, expect, it } from 'vitest';
import { testLedger } from '../../support/ledger.ts';
import { answer, finish, outcomeOf, record, unknownRows } from '../../support/sheets/unknown-rows.ts';

describe('the state of a post', () => {
  const before = record;

  it('is written', async () => {
    const test = testLedger();
    const [row] = await unknownRows(test, 1);
    if (!row) return expect.unreachable();
    await finish(test, row.ref, answer('p1'));
    const change = { row: 0, before, postStatus: 'PUBLISHED' };
    expect(await test.ledger.publishing.follow(row.ref.campaign, [change])).toEqual([change]);
    expect(await outcomeOf(test, row.ref)).toMatchObject({
      state: 'posted',
      result: { ...before, postStatus: 'PUBLISHED' },
    });
  });

  it('does not overwrite a result that has changed in the meantime', async () => {
    const test = testLedger();
    const [row] = await unknownRows(test, 1);
    if (!row) return expect.unreachable();
    await finish(test, row.ref, answer('p2'));
    const change = { row: 0, before, postStatus: 'PUBLISHED' };
    expect(await test.ledger.publishing.follow(row.ref.campaign, [change])).toEqual([]);
    expect(await outcomeOf(test, row.ref)).toMatchObject({
      result: { postId: 'p2', postStatus: 'SCHEDULED' },
    });
  });
});
