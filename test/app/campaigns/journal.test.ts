import { describe, expect, it, vi } from 'vitest';
import { acceptJournal, type JournalStatus, readJournal } from '../../../src/app/campaigns/journal.ts';
import { retryRows } from '../../../src/app/campaigns/retry/retry.ts';
import { cancelCampaign, planCancellation } from '../../../src/app/campaigns/steer.ts';
import { decideRow } from '../../../src/app/decisions/decide-row.ts';
import { createLedger } from '../../../src/ledger/ledger.ts';
import { openRunner } from '../../support/in-process.ts';
import { copyOf, flush } from '../../support/redis/copy.ts';
import { aiVideoRow, videoRow } from '../../support/sheets/rows.ts';
import { hour, openLosing, restored, searched } from './losing-runner.ts';

describe('accepting a loss', () => {
  it('sends the rows that may have been posted to review, and posts none of them again', async () => {
    const { tools, id, campaign, sent, sandbox, rows } = await restored();
    const status = await readJournal(tools);
    expect(status).toMatchObject({ behind: true, held: [id], maybeSent: [{ rows: 2 }] });
    expect(await acceptJournal(tools, status)).toBe(2);
    expect(await campaign()).toMatchObject({ state: 'ended', counts: { review: 2 } });
    expect(await rows(id)).toMatchObject([
      { state: 'review', error: { code: 'records_lost', step: 'post' } },
      { state: 'review' },
    ]);
    expect(sandbox.effects().posts).toHaveLength(sent.posts.length);
    expect(await readJournal(tools)).toMatchObject({ behind: false, maybeSent: [] });
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
    expect(await readJournal(tools)).toMatchObject({ behind: false, maybeSent: [] });
  });

  it('begins again, and asks again, if another process tells of a larger loss meanwhile', async () => {
    const { tools, redis, prefix, ledger } = await restored();
    await redis.hset(`${prefix}:journal`, 'admitted', 0);
    const status = await readJournal(tools);
    expect(status.loss.admitted).toBe(2);
    const other = createLedger({ redis, prefix });
    other.journal.see({ position: 1000, at: Date.now(), token: 't', ledger: await ledger.format.id() });
    await other.journal.check();
    const asked: JournalStatus[] = [];
    const found = vi.spyOn(ledger.lostRows, 'find');
    await acceptJournal(tools, status, async (anew) => void asked.push(anew));
    expect(asked).toMatchObject([{ seen: { position: 1000 }, loss: { admitted: undefined } }]);
    expect(found.mock.lastCall?.[1]).toBeUndefined();
    expect(await readJournal(tools)).toMatchObject({ behind: false });
  });

  it('is done once somebody else has accepted the same loss', async () => {
    const { tools, ledger } = await restored();
    const status = await readJournal(tools);
    expect(await acceptJournal(tools, status)).toBe(2);
    const found = vi.spyOn(ledger.lostRows, 'find');
    expect(await acceptJournal(tools, status, () => expect.fail('asked again'))).toBe(0);
    expect(found).toHaveBeenCalledTimes(1);
  });

  it('lets the publishing records find what was posted', async () => {
    const { tools, search, sent, wait, rows, id } = await restored(undefined, searched);
    await acceptJournal(tools, await readJournal(tools));
    expect(await search()).toEqual([]);
    // Once the calls can no longer be under way.
    wait(60_000);
    const idOf = (title: string) => sent.posts.find((made) => made.title === title)?.postId;
    expect(await search()).toMatchObject([
      { key: 'a', state: 'posted', postId: idOf('Caption a') },
      { key: 'b', state: 'posted', postId: idOf('Caption b') },
    ]);
    expect(await rows(id)).toMatchObject([{ state: 'posted' }, { state: 'posted' }]);
  });

  it('searches for a row that was in flight in all the time that is lost, not only around that call', async () => {
    const { tools, id, ledger, redis, search, searchInVain, sent, wait, rows } = await restored(
      [videoRow('a')],
      searched,
    );
    const at = Date.now() - hour;
    const fileId = sent.posts[0]?.businessId ?? '';
    const entry = `sending t ${at} ${at + 5000} ${at + 15_000}`;
    await redis.hset(ledger.keys.progress(id, 0), 'file:0', fileId, 'journal:post', entry);
    await acceptJournal(tools, await readJournal(tools));
    wait(60_000);
    expect(await searchInVain()).toMatchObject([{ state: 'review' }]);
    expect(await rows(id)).toMatchObject([{ error: { isNotFound: false } }]);
    expect(await search()).toMatchObject([{ state: 'posted', postId: sent.posts[0]?.postId }]);
  });

  it('puts a row of unknown outcome since its import, and gives a lost call as long as any other', async () => {
    const { tools, id, ledger, redis, prefix, admit, importRows, ended } = await restored([videoRow('a')]);
    // Processes that had not noticed the loss have sent since.
    await redis.hset(`${prefix}:journal`, 'at', Date.now());
    await acceptJournal(tools, await readJournal(tools));
    const next = await importRows([videoRow('b')]);
    await admit(next);
    const callMs = vi.spyOn(ledger.steps, 'start');
    await ended(next);
    const timed = callMs.mock.calls.find(([{ effect }]) => effect === 'post')?.[0].callMs;
    const [unknownCall] = await ledger.publishing.unknownCalls(id, [0]);
    const [from, until, over] = (unknownCall?.entry.split(' ') ?? []).slice(2).map(Number);
    expect(until).toBe((await ledger.journal.lossNoticedAt()) + 5000);
    expect((over ?? 0) - (until ?? 0)).toBe(timed);
    expect(from).toBe((await ledger.campaigns.find(id))?.createdAt);
  });

  it('asks about the generation, too, before a row goes on that was not posted', async () => {
    const { tools, id, campaign, sandbox, sent, rows, wait } = await restored([aiVideoRow('a')]);
    await acceptJournal(tools, await readJournal(tools));
    wait(60_000);
    expect(await decideRow(tools, await campaign(), 'a', { decision: 'not-posted' })).toBe('waiting');
    wait(60_000);
    await tools.ledger.admission.releaseHeld(id);
    expect(await rows(id)).toMatchObject([{ state: 'waiting' }]);
    expect((await tools.ledger.rows.progress(id, 0)).unknownEffect).toBe('gen1');
    expect(sandbox.effects().generations).toHaveLength(sent.generations.length);
  });

  it('keeps rows of campaigns that were imported after the loss was noticed', async () => {
    const { tools, sandbox, sent, importRows, ended } = await restored();
    const next = await importRows([videoRow('c')]);
    expect(await readJournal(tools)).toMatchObject({ maybeSent: [{ rows: 2 }] });
    await acceptJournal(tools, await readJournal(tools));
    await tools.queues.wakeAdmission(next);
    await ended(next);
    expect(sandbox.effects().posts).toHaveLength(sent.posts.length + 1);
  });

  it('has no row of unknown outcome after all data was lost', async () => {
    const { tools, redis, prefix, ledger } = await restored();
    await flush(redis, prefix);
    expect(await readJournal(tools)).toMatchObject({ behind: true, held: [], maybeSent: [] });
    expect(await acceptJournal(tools, await readJournal(tools))).toBe(0);
    expect(await ledger.journal.loss()).toBeUndefined();
  });

  it('sends all rows that wait or run to review if no process has noticed anything', async () => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a'), videoRow('b')]);
    const tools = { ...runner, ...runner.context };
    const status = await readJournal(tools);
    expect(status).toMatchObject({ behind: false, seen: { position: 0 }, maybeSent: [{ rows: 2 }] });
    expect(await acceptJournal(tools, status)).toBe(2);
    expect(await runner.rows(id)).toMatchObject([{ state: 'review' }, { state: 'review' }]);
  });
});

describe('while a campaign is paused for a loss', () => {
  it('a waiting row can be decided as posted', async () => {
    const { tools, id, campaign, sent, rows } = await restored();
    const [first] = sent.posts;
    const verdict = { decision: 'posted', postId: first?.postId ?? '' } as const;
    expect(await decideRow(tools, await campaign(), 'a', verdict)).toBe('posted');
    expect(await rows(id)).toMatchObject([{ state: 'posted' }, { state: 'waiting' }]);
    const refused = decideRow(tools, await campaign(), 'b', { decision: 'not-posted' });
    expect(await refused.catch((error) => error.code)).toBe('decision_refused');
  });

  it('cancelling it sends the rows to review that may have been posted', async () => {
    const { tools, id, campaign, rows } = await restored();
    expect(await planCancellation(tools, id)).toMatchObject({ cancelled: 0, review: 2, state: 'paused' });
    expect(await cancelCampaign(tools, id)).toMatchObject({ cancelled: 0, review: 2, state: 'ended' });
    expect(await campaign()).toMatchObject({ state: 'ended', counts: { cancelled: 0, review: 2 } });
    expect(await rows(id)).toMatchObject([{ state: 'review' }, { state: 'review' }]);
  });
});

it('a row that had failed before a loss is not retried: it goes to review, and is searched for since then', async () => {
  const { tools, campaign, search, wait, ...runner } = await openLosing(searched);
  runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'status', status: 400, times: 1 });
  const { ledger, redis, prefix } = runner;
  await runner.start();
  const id = await runner.importOrUpdate([videoRow('a')]);
  await runner.ended(id);
  const [failed] = await runner.rows(id);
  expect(failed).toMatchObject({ state: 'failed' });
  const putBack = await copyOf(redis, prefix);
  const service = { need: () => expect.fail('the service is asked nothing') };
  const retry = async () => retryRows({ ...tools, service }, await campaign(id), {}, { dryRun: false });
  expect(await retry()).toMatchObject({ rows: 1 });
  await runner.ended(id);
  await putBack();
  await acceptJournal(tools, await readJournal(tools));
  const over = (await ledger.journal.lossNoticedAt()) + 5000 + tools.settings.api.timeout + 5000;
  wait(hour);
  expect(await retry()).toMatchObject({ rows: 0, leftOut: [{ state: 'review', rows: 1 }] });
  expect(await runner.rows(id)).toMatchObject([{ state: 'review', error: { code: 'records_lost' } }]);
  const [unknownCall] = await ledger.publishing.unknownCalls(id, [0]);
  expect(unknownCall?.entry).toBe(
    `unknown lost ${failed?.error?.at} ${await ledger.journal.lossNoticedAt()} ${over}`,
  );
  const { posts } = runner.sandbox.effects();
  expect(posts).toHaveLength(1);
  expect(await search(id)).toMatchObject([{ state: 'posted', postId: posts[0]?.postId }]);
});
