/** A draft's client link when it is started, and the comments on its rows. */
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { addDraftComment } from '../../../src/app/approvals/comments.ts';
import { listShares, makeShare, openShare } from '../../../src/app/approvals/shares.ts';
import { findDraft } from '../../../src/app/drafts/drafts.ts';
import { draftFiles } from '../../../src/app/drafts/folder.ts';
import { carryComments, listDraftComments } from '../../../src/app/drafts/store/comments.ts';
import { mostShares } from '../../../src/ledger/access/shares.ts';
import { usual } from '../../support/client-links.ts';
import { openDraftLink } from '../../support/draft-links.ts';
import { videoRow } from '../../support/sheets/rows.ts';

const rows = ['a', 'b', 'c', 'd'].map((key) => videoRow(key));

async function openCommented() {
  const opened = await openDraftLink(rows);
  const { runtime, id, edit, drafts } = opened;
  const say = (number: number, text: string) =>
    addDraftComment(runtime, { id, number }, { by: 'Lin', text, isGuest: true });
  const start = async () => {
    const { draft, checked } = await edit({ leaveOut: [2] });
    const agreed = { by: 'ann', version: draft.version, rows: checked?.accepted ?? 0 };
    return (await drafts.start(id, agreed)).campaign;
  };
  return { ...opened, say, start };
}

it('comments go along with their rows, and those of skipped rows do not', async () => {
  const { runtime, say, start } = await openCommented();
  for (const [number, text] of [
    [4, 'the last'],
    [2, 'skipped'],
    [3, 'first'],
    [3, 'second'],
  ] as const)
    await say(number, text);
  const { id } = await start();
  const found = await runtime.ledger.comments.of(id, [0, 1, 2]);
  expect(found.map((each) => each.map(({ text }) => text))).toEqual([[], ['first', 'second'], ['the last']]);
  expect(found[1]?.[0]).toMatchObject({ by: 'Lin', isGuest: true, at: expect.any(Number) });
});

it('a start that is repeated after a crash adds none twice', async () => {
  const { runtime, id, say, start } = await openCommented();
  await say(1, 'Hi');
  await say(1, 'Again');
  const campaign = await start();
  await carryComments(runtime, await findDraft(runtime, id), campaign);
  const [comments = []] = await runtime.ledger.comments.of(campaign.id, [0]);
  expect(comments.map(({ text }) => text)).toEqual(['Hi', 'Again']);
});

it('no comment is added to a draft that was started', async () => {
  const { say, start } = await openCommented();
  await start();
  await expect(say(1, 'Late')).rejects.toMatchObject({ code: 'draft_changed' });
});

it('a guest whose comment comes after the start is told so', async () => {
  const { runtime, form, post, start } = await openCommented();
  const fields = await form();
  const { id } = await start();
  const answer = await post('comment', { ...fields, 'comment-0': 'Late' });
  expect(await answer.text()).toContain('The plan has been started.');
  expect(await runtime.ledger.comments.of(id, [0])).toEqual([[]]);
});

it('comments belong to the sheet as it was read: those of another sheet are not shown', async () => {
  const { runtime, id, say, drop } = await openCommented();
  await say(1, 'Hi');
  await drop('creator,caption\ndemo_anna,Other\n');
  expect(await listDraftComments(runtime, await findDraft(runtime, id))).toEqual([]);
});

it('the link opens the campaign, and is listed with its links', async () => {
  const { runtime, token, link, id, start } = await openCommented();
  expect(await openShare(runtime, token)).toMatchObject({ draft: { id } });
  const [listed] = await listShares(runtime);
  expect(listed).toMatchObject({ id: link.id, draft: id, campaign: null });
  const campaign = await start();
  expect(await openShare(runtime, token)).toMatchObject({ campaign: { id: campaign.id } });
  const now = { ...listed, campaign: campaign.id };
  expect(await listShares(runtime)).toEqual([now]);
  expect(await listShares(runtime, { campaign: campaign.id })).toEqual([now]);
});

it('a draft has as many links as a campaign, and their set expires with the last one', async () => {
  const { runtime, runner, id } = await openDraftLink();
  const make = () => makeShare(runtime, { draft: id }, usual, 'anna');
  for (let each = 1; each < mostShares; each += 1) await make();
  await expect(make()).rejects.toMatchObject({ code: 'links_full' });
  const left = await runner.redis.pttl(runner.ledger.keys.shares(`d:${id}`));
  expect(left).toBeGreaterThan(usual.forMs / 2);
});

it('a database that was made before there were comments takes them', async () => {
  const { runtime, id, say, look } = await openCommented();
  await look();
  const old = new DatabaseSync(draftFiles(runtime, id).database);
  old.exec('DROP TABLE comments');
  old.close();
  await say(1, 'Hi');
  expect(await listDraftComments(runtime, await findDraft(runtime, id))).toMatchObject([{ number: 1 }]);
});
