import { describe, expect, it } from 'vitest';
import { acceptJournal, readJournal } from '../../../src/app/campaigns/journal.ts';
import { listCampaigns } from '../../../src/app/campaigns/list.ts';
import { holdAll } from '../../../src/ledger/lost-rows.ts';
import { rescue } from '../../../src/processors/rescue/rescuer.ts';
import { admissionJobId } from '../../../src/queues/campaign-jobs.ts';
import { openRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { restored } from './losing-runner.ts';

const damages = ['of another type', 'with a counter that is no number'] as const;

/** A campaign, and an older and a newer one whose records are damaged. */
async function withDamaged() {
  const runner = await openRunner();
  const { ledger, redis } = runner;
  const ids = [];
  for (const key of ['a', 'b', 'c']) ids.push(await runner.importRows([videoRow(key)]));
  const [older = '', id = '', newer = ''] = ids;
  const keys = [older, newer].map((damaged) => ledger.keys.campaign(damaged));
  await redis.set(keys[0] ?? '', 'of another type');
  await redis.hset(keys[1] ?? '', 'running', 'many');
  return { ...runner, id, keys };
}

describe('records of campaigns that cannot be read', () => {
  it('are named by the list, which has the others', async () => {
    const { ledger, queues, id, keys } = await withDamaged();
    const { campaigns, unreadable } = await listCampaigns({ ledger, queues });
    expect(campaigns.map((campaign) => campaign.id)).toEqual([id]);
    expect(unreadable.toSorted()).toEqual(keys.toSorted());
  });

  it('do not keep the rescuer from the others', async () => {
    const { context, queues, id } = await withDamaged();
    await rescue(context);
    expect(await (await queues.queue('campaign')).getJobState(admissionJobId(id))).toBe('waiting');
  });

  it('do not keep the others from being paused for a loss', async () => {
    const { ledger, id } = await withDamaged();
    const mark = { position: 1, at: 0, token: '' };
    await holdAll(ledger.campaigns, { found: mark, seen: mark });
    expect(await ledger.campaigns.find(id)).toMatchObject({ state: 'paused' });
  });

  it('are an error for removals, which a campaign among them may forbid', async () => {
    const { ledger } = await withDamaged();
    await expect(ledger.campaigns.listAll()).rejects.toThrow('holds something else');
  });

  it.for(damages)('%s do not keep a loss from being accepted', async (damage) => {
    const { tools, ledger, redis, importRows } = await restored();
    const key = ledger.keys.campaign(await importRows([videoRow('other')]));
    if (damage === 'of another type') await redis.set(key, '');
    else await redis.hset(key, 'running', 'many');
    const status = await readJournal(tools);
    expect(status.unreadable).toMatchObject([{ key }]);
    expect(await acceptJournal(tools, status)).toBe(2);
  });

  it('are paused when a loss is accepted, so that no row is resent once they are repaired', async () => {
    const { tools, ledger, redis, importRows } = await restored();
    const other = await importRows([videoRow('other')]);
    await redis.hset(ledger.keys.campaign(other), 'running', 'many');
    await acceptJournal(tools, await readJournal(tools));
    await redis.hset(ledger.keys.campaign(other), 'running', '0');
    expect(await readJournal(tools)).toMatchObject({ behind: true, held: [other] });
  });
});
