import { expect, it } from 'vitest';
import { openRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';

it('a creator is one, with an @, without, or as a link', async (test) => {
  const { ledger, importRows } = await openRunner({ queues: [] }, test);
  const creators = ['demo_ben', '@demo_ben', 'https://www.video.example/@demo_ben?lang=en'];
  const id = await importRows(creators.map((creator, row) => videoRow(`r${row}`, { creator })));
  expect(await ledger.campaigns.creatorCount(id)).toBe(1);
  expect([...(await ledger.campaigns.creators(id)).keys()]).toEqual(['demo_ben']);
  for (const name of creators) expect(await ledger.campaigns.haveCreator([id], name)).toEqual([true]);
});

it('a creator that an earlier version kept with an @ is found without it', async (test) => {
  const { ledger, redis, importRows } = await openRunner({ queues: [] }, test);
  const id = await importRows([videoRow('a', { creator: 'demo_ben' })]);
  const account = (await redis.hget(ledger.keys.creators(id), 'demo_ben')) ?? '';
  await redis.del(ledger.keys.creators(id));
  await redis.hset(ledger.keys.creators(id), '@demo_ben', account);
  expect([...(await ledger.campaigns.creators(id)).keys()]).toEqual(['demo_ben']);
  expect(await ledger.campaigns.haveCreator([id], 'demo_ben')).toEqual([true]);
});
