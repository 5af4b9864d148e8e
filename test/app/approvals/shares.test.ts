/** Client links: how many a campaign may have, and how they are found among many campaigns. */
import { expect, it } from 'vitest';
import { listShares, makeShare, revokeShare } from '../../../src/app/approvals/shares.ts';
import type { Runtime } from '../../../src/app/runtime/runtime.ts';
import { mostShares } from '../../../src/ledger/access/shares.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { testLedger } from '../../support/ledger.ts';

const day = 86_400_000;
const wanted = { mayApprove: false, label: '', forMs: day };

function openLinks() {
  const test = testLedger();
  // Redis drops links by its own clock.
  test.clock.now = Date.now();
  // Without drafts.
  const environment = { consoleOrigin: undefined, consoleBase: '', dataDir: temporaryFolder() };
  const runtime = { ledger: test.ledger, now: () => test.clock.now, environment } as unknown as Runtime;
  const make = (id: string, forMs = day) => makeShare(runtime, { campaign: id }, { ...wanted, forMs }, 'mei');
  return { ...test, runtime, make };
}

it('of links that are made at the same moment, no more hold than a campaign may have', async () => {
  const { ledger, campaign, make } = openLinks();
  const id = await campaign(1);
  const made = await Promise.allSettled(Array.from({ length: mostShares + 5 }, () => make(id)));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(mostShares);
  expect(await ledger.access.shares.list({ campaign: id })).toHaveLength(mostShares);
});

it('one that has expired makes room for another', async () => {
  const { ledger, campaign, clock, make } = openLinks();
  const id = await campaign(1);
  await make(id, 2 * day);
  for (let link = 1; link < mostShares; link += 1) await make(id);
  await expect(make(id)).rejects.toMatchObject({ code: 'links_full' });
  clock.now += day + 1;
  const { link } = await make(id);
  expect((await ledger.access.shares.list({ campaign: id })).map(([, { id: each }]) => each)).toContain(
    link.id,
  );
});

it('of very many campaigns, those of some are read at a time', async () => {
  const { ledger, redis, runtime, campaign, make } = openLinks();
  const id = await campaign(1);
  const { link } = await make(id);
  const others = Array.from({ length: 450 }, (_, index) => [index, `other-${index}`]);
  await redis.zadd(ledger.keys.campaigns, ...others.flat());
  const list = ledger.access.shares.list.bind(ledger.access.shares);
  let [open, most] = [0, 0];
  ledger.access.shares.list = async (each) => {
    open += 1;
    most = Math.max(most, open);
    const found = await list(each);
    open -= 1;
    return found;
  };
  expect(await listShares(runtime)).toEqual([link]);
  expect(await revokeShare(runtime, link.id)).toEqual(link);
  expect(most).toBeLessThanOrEqual(100);
});
