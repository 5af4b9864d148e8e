import { describe, expect, it } from 'vitest';
import { stepStart, testLedger } from '../../support/ledger.ts';

const error = { step: 'upload' as const, code: 'media_missing', message: 'no such file', at: 1 };

/** A campaign with a row that its upload has failed, and another run of that job. */
async function failedRow(options: { readonly stopAfter?: number } = {}) {
  const test = testLedger();
  const campaign = await test.campaign(2, options);
  await test.admit(campaign, [0]);
  const ref = { campaign, row: 0, revision: 0 };
  const failed = { verdict: 'failed', error } as const;
  await test.ledger.steps.finish({ ...ref, step: 'upload', jobId: 'job', end: failed });
  const runAgain = () => test.ledger.steps.start(stepStart(ref));
  const status = async () => (await test.ledger.rows.statuses(campaign, 0, 1))[0];
  return { ...test, campaign, ref, runAgain, status };
}

describe('the job that failed a row, run again', () => {
  it('sends the row to its next revision, as a retry does, and does nothing more', async () => {
    const { ledger, campaign, runAgain, status } = await failedRow();
    expect(await runAgain()).toEqual({ kind: 'again' });
    expect(await status()).toEqual({ state: 'waiting', revision: 1 });
    expect(await ledger.admission.rowsToRedo(campaign, 10)).toEqual([0]);
    expect(await ledger.rows.errors(campaign, [0])).toEqual([undefined]);
    expect(await runAgain()).toEqual({ kind: 'gone' });
    expect(await status()).toEqual({ state: 'waiting', revision: 1 });
  });

  it('leaves the row failed while its creator is on hold', async () => {
    const { ledger, runAgain, status } = await failedRow();
    await ledger.creators.openBreaker('creator', 'It has expired.');
    expect(await runAgain()).toEqual({ kind: 'on-hold' });
    expect(await status()).toEqual({ state: 'failed', revision: 0 });
  });

  it('lets the row wait in a paused campaign', async () => {
    const { ledger, campaign, runAgain, status } = await failedRow();
    await ledger.campaigns.pause(campaign, { code: 'paused', message: 'by hand' });
    expect(await runAgain()).toEqual({ kind: 'again' });
    expect(await status()).toEqual({ state: 'waiting', revision: 1 });
    expect(await ledger.campaigns.find(campaign)).toMatchObject({ state: 'paused' });
  });

  it('takes the row out of the count of stop-after', async () => {
    const { redis, ledger, campaign, runAgain } = await failedRow({ stopAfter: 50 });
    const counted = () => redis.hmget(ledger.keys.campaign(campaign), 'judged', 'missed');
    expect(await counted()).toEqual(['1', '1']);
    await runAgain();
    expect(await counted()).toEqual(['0', '0']);
  });
});

describe('a running row whose jobs are lost', () => {
  it('goes on in its next revision, and keeps its progress', async () => {
    const test = testLedger();
    const campaign = await test.campaign(1);
    await test.admit(campaign, [0]);
    const ref = { campaign, row: 0, revision: 0 };
    const uploaded = { verdict: 'ok', fields: [['file:0', '7']] } as const;
    await test.ledger.steps.finish({ ...ref, step: 'upload', jobId: 'job', end: uploaded });
    expect(await test.ledger.rows.runAgain(campaign, [ref])).toEqual([{ row: 0, revision: 0 }]);
    expect(await test.ledger.rows.statuses(campaign, 0, 1)).toEqual([{ state: 'waiting', revision: 1 }]);
    expect((await test.ledger.rows.progress(campaign, 0)).files).toEqual(new Map([[0, '7']]));
    // It may have ended, or gone on, since somebody looked.
    expect(await test.ledger.rows.runAgain(campaign, [ref])).toEqual([]);
  });

  it('goes to review in a cancelled campaign: a call of its lost job may be under way', async () => {
    const test = testLedger();
    const campaign = await test.campaign(1);
    await test.admit(campaign, [0]);
    const ref = { campaign, row: 0, revision: 0 };
    const call = { effect: 'post', token: 'lost', callMs: 1000 } as const;
    await test.ledger.steps.start({ ...stepStart(ref), ...call });
    await test.ledger.cancellation.begin(campaign);
    await test.ledger.rows.runAgain(campaign, [ref]);
    expect(await test.ledger.rows.outcome(campaign, 0)).toMatchObject({
      state: 'review',
      error: { code: 'outcome_unknown' },
    });
  });

  it('is not sent twice: a call of its lost job may be under way', async () => {
    const test = testLedger();
    const campaign = await test.campaign(1);
    await test.admit(campaign, [0]);
    const ref = { campaign, row: 0, revision: 0 };
    const call = { effect: 'post', token: 'lost', callMs: 1000 } as const;
    await test.ledger.steps.start({ ...stepStart(ref), ...call });
    await test.ledger.rows.runAgain(campaign, [ref]);
    await test.admit(campaign, [0]);
    const again = { ...stepStart({ ...ref, revision: 1 }), ...call, token: 'other' };
    expect(await test.ledger.steps.start(again)).toEqual({ kind: 'unknown' });
    expect(await test.ledger.rows.statuses(campaign, 0, 1)).toEqual([{ state: 'review', revision: 1 }]);
  });
});
