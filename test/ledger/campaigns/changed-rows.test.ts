import { expect, it } from 'vitest';
import { testLedger } from '../../support/ledger.ts';

it('remembers the thousand rows that changed last, each once', async () => {
  const { ledger, clock, campaign, admit } = testLedger();
  const id = await campaign(1003);
  await admit(
    id,
    Array.from({ length: 1003 }, (_, row) => row),
  );
  const begun = clock.now;
  clock.now += 1000;
  const error = { step: 'post', code: 'http_400', message: 'It was refused.', at: clock.now } as const;
  const ref = { campaign: id, row: 7, revision: 0, step: 'post', jobId: 'job' } as const;
  await ledger.steps.finish({ ...ref, end: { verdict: 'failed', error } });
  const latest = await ledger.changed.latest(id);
  expect(latest).toHaveLength(1000);
  expect(latest[0]).toEqual({ row: 7, at: clock.now });
  expect(latest.filter(({ row }) => row === 7)).toHaveLength(1);
  expect(await ledger.changed.since(id, begun)).toBe(1);
  expect(await ledger.changed.timesOf(id, [7, 1004])).toEqual([clock.now, undefined]);
});
