import { expect, it } from 'vitest';
import { leaseMs } from '../../../src/ledger/service/files.ts';
import { testLedger } from '../../support/ledger.ts';

it('the lease of an upload is renewed only by the job that holds it', async () => {
  const { ledger, redis } = testLedger();
  const content = { hash: 'abc', contentType: 'video/mp4' };
  const lease = ledger.keys.uploading(content.hash, content.contentType);
  await ledger.files.claim(content, 'first');
  const renewed = ledger.files.prolong(content, 'first');
  // It ends meanwhile, and another job takes it.
  await redis.set(lease, 'second', 'PX', leaseMs * 10);
  await renewed;
  await ledger.files.prolong(content, 'first');
  expect(await redis.pttl(lease)).toBeGreaterThan(leaseMs);
});
