import { describe, expect, it, vi } from 'vitest';
import { cancelCampaign } from '../../src/campaigns/cancel.ts';
import { decideRow } from '../../src/campaigns/decisions/decide-row.ts';
import { acceptJournal, readJournal } from '../../src/campaigns/journal.ts';
import { retryRows } from '../../src/campaigns/repair/retry.ts';
import { reconcileRows } from '../../src/processors/records/reconcile.ts';
import { collect } from '../support/collect.ts';
import { openRunner } from '../support/in-process.ts';
import { listPostsSetting } from '../support/processes/scene.ts';
import { copyOf, flush } from '../support/redis/copy.ts';
import { aiVideoRow, videoRow } from '../support/sheets/rows.ts';
import type { Cells } from '../support/sheets/sheet.ts';

/** Two rows posted; then the data of before comes back, and the workers that posted them have noticed. */
async function restored(rows: readonly Cells[] = [videoRow('a'), videoRow('b')], settings = {}) {
  const runner = await openRunner({
    settings,
    queues: ['campaign', 'showcase', 'upload', 'generate', 'poll', 'post'],
  });
  const { ledger, redis, prefix, context, sandbox } = runner;
  await ledger.format.open();
  const id = await runner.importRows(rows);
  const putBack = await copyOf(redis, prefix);
  await runner.start();
  await runner.queues.wakeAdmission(id);
  await runner.ended(id);
  await putBack();
  const sent = sandbox.effects();
  await ledger.journal.check();
  const campaign = async () => {
    const found = await ledger.campaigns.find(id);
    if (!found) throw new Error('no campaign');
    return found;
  };
  // Decisions look ids up with accounts of their own.
  const tools = { ...runner, ...context };
  return { ...runner, tools, id, campaign, sent };
}

describe('accepting a loss', () => {
  it('sends the rows that may have been posted to review, and posts none of them again', async () => {
    const { tools, id, campaign, sent, sandbox, rows } = await restored();
    const status = await readJournal(tools);
    expect(status).toMatchObject({ behind: true, held: [id], doubtful: [{ rows: 2 }] });
    expect(await acceptJournal(tools, status)).toBe(2);
    expect(await campaign()).toMatchObject({ state: 'ended', counts: { review: 2 } });
    expect(await rows(id)).toMatchObject([
      { state: 'review', error: { code: 'records_lost', step: 'post' } },
      { state: 'review' },
    ]);
    expect(sandbox.effects().posts).toHaveLength(sent.posts.length);
    expect(await readJournal(tools)).toMatchObject({ behind: false, doubtful: [] });
  });

  it('begins again if Redis goes back meanwhile and the rows are not in review any more', async () => {
    const { tools, id, redis, prefix, rows } = await restored();
    const { journal } = tools.ledger;
    const goBack = await copyOf(redis, prefix);
    vi.spyOn(journal, 'server').mockResolvedValueOnce('an earlier run');
    const status = await readJournal(tools);
    const accept = journal.accept.bind(journal);
    const accepting = vi.spyOn(journal, 'accept').mockImplementationOnce(async (...args) => {
      await goBack();
      return accept(...args);
    });
    expect(await acceptJournal(tools, status)).toBe(2);
    expect(accepting).toHaveBeenCalledTimes(2);
    expect(await rows(id)).toMatchObject([{ state: 'review' }, { state: 'review' }]);
    expect(await readJournal(tools)).toMatchObject({ behind: false, doubtful: [] });
  });

  it('lets the publishing records find what was posted', async () => {
    const { tools, id, campaign, sent, client, budgets, rows, until } = await restored(undefined, {
      api: { listPosts: listPostsSetting(), timeout: '500ms' },
      records: { every: '1h' },
    });
    await acceptJournal(tools, await readJournal(tools));
    // Once the calls can no longer be under way.
    const found = await until(async () => {
      const search = reconcileRows({ ...tools, client, budgets }, await campaign(), { all: true });
      const looked = await collect(search);
      return looked.length > 0 && looked;
    }, 'the search');
    const idOf = (title: string) => sent.posts.find((made) => made.title === title)?.postId;
    expect(found).toMatchObject([
      { key: 'a', state: 'posted', postId: idOf('Caption a') },
      { key: 'b', state: 'posted', postId: idOf('Caption b') },
    ]);
    expect(await rows(id)).toMatchObject([{ state: 'posted' }, { state: 'posted' }]);
  });

  it('asks about the generation, too, before a row goes on that was not posted', async () => {
    const { tools, id, campaign, sandbox, sent, rows, until } = await restored([aiVideoRow('a')], {
      api: { timeout: '500ms' },
    });
    await acceptJournal(tools, await readJournal(tools));
    await until(async () => {
      const decided = decideRow(tools, await campaign(), 'a', { kind: 'not-posted' });
      return (await decided.catch(() => undefined)) === 'waiting';
    }, 'the decision to be taken');
    await tools.ledger.admission.releaseHeld(id);
    expect(await rows(id)).toMatchObject([{ state: 'waiting' }]);
    expect((await tools.ledger.rows.progress(id, 0)).inDoubt).toBe('gen1');
    expect(sandbox.effects().generations).toHaveLength(sent.generations.length);
  });

  it('keeps rows of campaigns that were imported after the loss was noticed', async () => {
    const { tools, sandbox, sent, importRows, ended } = await restored();
    const next = await importRows([videoRow('c')]);
    expect(await readJournal(tools)).toMatchObject({ doubtful: [{ rows: 2 }] });
    await acceptJournal(tools, await readJournal(tools));
    await tools.queues.wakeAdmission(next);
    await ended(next);
    expect(sandbox.effects().posts).toHaveLength(sent.posts.length + 1);
  });

  it('has no row in doubt after all data was lost', async () => {
    const { tools, redis, prefix, ledger } = await restored();
    await flush(redis, prefix);
    expect(await readJournal(tools)).toMatchObject({ behind: true, held: [], doubtful: [] });
    expect(await acceptJournal(tools, await readJournal(tools))).toBe(0);
    expect(await ledger.journal.loss()).toBeUndefined();
  });

  it('sends all rows that wait or run to review if no process has noticed anything', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a'), videoRow('b')]);
    const tools = { ...runner, ...runner.context };
    const status = await readJournal(tools);
    expect(status).toMatchObject({ behind: false, seen: { position: 0 }, doubtful: [{ rows: 2 }] });
    expect(await acceptJournal(tools, status)).toBe(2);
    expect(await runner.rows(id)).toMatchObject([{ state: 'review' }, { state: 'review' }]);
  });
});

describe('while a campaign is paused for a loss', () => {
  it('a waiting row can be decided as posted', async () => {
    const { tools, id, campaign, sent, rows } = await restored();
    const [first] = sent.posts;
    const verdict = { kind: 'posted', postId: first?.postId ?? '' } as const;
    expect(await decideRow(tools, await campaign(), 'a', verdict)).toBe('posted');
    expect(await rows(id)).toMatchObject([{ state: 'posted' }, { state: 'waiting' }]);
    const refused = decideRow(tools, await campaign(), 'b', { kind: 'not-posted' });
    expect(await refused.catch((error) => error.code)).toBe('decision_refused');
  });

  it('cancelling it sends the rows to review that may have been posted', async () => {
    const { tools, id, campaign, rows } = await restored();
    expect(await cancelCampaign(tools, id)).toMatchObject({ cancelled: 0, review: 2, state: 'ended' });
    expect(await campaign()).toMatchObject({ state: 'ended', counts: { cancelled: 0, review: 2 } });
    expect(await rows(id)).toMatchObject([{ state: 'review' }, { state: 'review' }]);
  });
});

it('a row that had failed before a loss is not retried: it goes to review', async () => {
  const runner = await openRunner({ queues: ['campaign', 'showcase', 'upload', 'post'] });
  runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'status', status: 400, times: 1 });
  const { ledger, redis, prefix, context } = runner;
  await ledger.format.open();
  await runner.start();
  const id = await runner.handIn([videoRow('a')]);
  await runner.ended(id);
  expect(await runner.rows(id)).toMatchObject([{ state: 'failed' }]);
  const putBack = await copyOf(redis, prefix);
  const tools = { ...runner, ...context };
  const campaign = async () => (await ledger.campaigns.find(id)) ?? expect.fail('no campaign');
  const accounts = { need: () => expect.fail('no account is needed') };
  const retry = async () => retryRows({ ...tools, accounts }, await campaign(), {}, { dryRun: false });
  expect(await retry()).toMatchObject({ rows: 1 });
  await runner.ended(id);
  await putBack();
  await acceptJournal(tools, await readJournal(tools));
  expect(await retry()).toMatchObject({ rows: 0, leftOut: [{ state: 'review', rows: 1 }] });
  expect(await runner.rows(id)).toMatchObject([{ state: 'review', error: { code: 'records_lost' } }]);
  expect(runner.sandbox.effects().posts).toHaveLength(1);
});
