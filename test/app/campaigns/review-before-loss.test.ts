import { describe, expect, it, vi } from 'vitest';
import { acceptJournal, readJournal } from '../../../src/app/campaigns/journal.ts';
import { cancelCampaign } from '../../../src/app/campaigns/steer.ts';
import { planMany } from '../../../src/app/decisions/decide-many.ts';
import { decideRow } from '../../../src/app/decisions/decide-row.ts';
import { asIf } from '../../support/ledger.ts';
import { copyOf } from '../../support/redis/copy.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { hour, openLosing, searched } from './losing-runner.ts';

describe('a row that was in review before a loss', () => {
  /** The records did not have its post. In what is lost, somebody had it sent again. */
  async function restoredInReview() {
    const losing = await openLosing(searched);
    const { ledger, sandbox, redis, prefix, tools, campaign, wait } = losing;
    sandbox.faults.add({ operation: 'createCreatorPost', kind: 'reset', times: 1 });
    await losing.start();
    const id = await losing.importOrUpdate([videoRow('a')]);
    await losing.ended(id);
    wait(hour);
    await losing.searchInVain(id);
    expect(await losing.rows(id)).toMatchObject([{ state: 'review', error: { isNotFound: true } }]);
    const putBack = await copyOf(redis, prefix);
    expect(await decideRow(tools, await campaign(id), 'a', { decision: 'not-posted' })).toBe('waiting');
    wait(60_000);
    await losing.queues.wakeAdmission(id);
    await losing.ended(id);
    const { posts } = sandbox.effects();
    expect(posts).toHaveLength(1);
    await putBack();
    // Its own call was long before.
    const at = Date.now() - hour;
    await asIf({ ledger, redis }).inCall(id, 0, `ended t ${at} ${at + 5000} ${at + 15_000}`);
    await ledger.journal.check();
    return { ...losing, id, posts };
  }

  it('is of unknown outcome anew: what a search had found no longer proves anything', async () => {
    const { tools, id, campaign, rows } = await restoredInReview();
    const unproven = async () =>
      (await planMany(tools, await campaign(id), { decision: 'not-posted' }, {})).planned;
    expect(await unproven()).toMatchObject({ matched: 1, unproven: [] });
    const status = await readJournal(tools);
    expect(status).toMatchObject({ maybeSent: [], inReview: [{ rows: 1 }] });
    expect(await acceptJournal(tools, status)).toBe(0);
    const [row] = await rows(id);
    expect(row).toMatchObject({ state: 'review', error: { code: 'records_lost' } });
    expect(row?.error?.isNotFound).toBeUndefined();
    expect(await unproven()).toMatchObject({ matched: 1, unproven: [{ rows: 1, keys: ['a'] }] });
  });

  it('is searched for in all the time since its call', async () => {
    const { tools, id, search, posts, wait } = await restoredInReview();
    await acceptJournal(tools, await readJournal(tools));
    wait(hour);
    expect(await search(id)).toMatchObject([{ key: 'a', state: 'posted', postId: posts[0]?.postId }]);
  });

  it('keeps what was found since, if the same loss is accepted again', async () => {
    const { tools, id, ledger, searchInVain, rows, wait } = await restoredInReview();
    const status = await readJournal(tools);
    vi.spyOn(ledger.journal, 'accept').mockRejectedValueOnce(new Error('a crash'));
    await expect(acceptJournal(tools, status)).rejects.toThrow('a crash');
    wait(hour);
    await searchInVain(id);
    expect(await acceptJournal(tools, status)).toBe(0);
    expect(await rows(id)).toMatchObject([{ error: { code: 'records_lost', isNotFound: true } }]);
  });

  it('stays as it is if its campaign had been cancelled, and could not send it', async () => {
    const { tools, sandbox, start, importOrUpdate, ended, rows, wait } = await openLosing();
    sandbox.faults.add({ operation: 'createCreatorPost', kind: 'reset', times: 1 });
    await start();
    const id = await importOrUpdate([videoRow('a')]);
    await ended(id);
    await cancelCampaign(tools, id);
    wait(1000);
    await acceptJournal(tools, await readJournal(tools));
    expect(await rows(id)).toMatchObject([{ state: 'review', error: { code: 'outcome_unknown' } }]);
  });
});
