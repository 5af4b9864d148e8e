/** What a client link of a draft does not give away, and what its guests cannot do. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readAudit } from '../../src/app/access/audit.ts';
import { addDraftComment } from '../../src/app/approvals/comments.ts';
import { listShares, makeShare, revokeShare } from '../../src/app/approvals/shares.ts';
import { changeDraft, createDraft, findDraft } from '../../src/app/drafts/drafts.ts';
import { draftFolder } from '../../src/app/drafts/folder.ts';
import { listDraftComments } from '../../src/app/drafts/store/comments.ts';
import { openTestDraft } from '../app/drafts/test-draft.ts';
import { textOf, usual } from '../support/client-links.ts';
import { answerOf, openDraftLink, threeRows } from '../support/draft-links.ts';
import { aiVideoRow, photoRow, videoRow } from '../support/sheets/rows.ts';

const note = { 'internal note': 'Margin 40 %' };

it('shows the rows that can be posted, and nothing of problems, notes, cost or other rows', async () => {
  const rows = [photoRow('a', 2, note), videoRow('b', { ...note, creator: 'demo_nobody' })];
  const { page, get, path, runner } = await openDraftLink([...rows, aiVideoRow('c', note)]);
  const html = await page();
  for (const part of ['Caption a', 'Caption c', 'demo_anna', 'Planned', 'may still change'])
    expect(html).toContain(part);
  for (const part of ['Caption b', 'demo_nobody', 'Margin', 'internal note', 'a-1.png', runner.folder])
    expect(html.includes(part), part).toBe(false);
  expect(html).not.toContain('do=approve');
  const links = [...html.matchAll(/(?:href|src|action|formaction|poster)="(\/[^"]*)"/g)].map(
    ([, to]) => to ?? '',
  );
  expect(links.filter((to) => !to.startsWith('/assets/') && !to.startsWith(path))).toEqual([]);
  const media = links.filter((to) => to.includes('/media/'));
  expect(media.length).toBeGreaterThan(2);
  for (const to of media) {
    const file = await get(to.replaceAll('&amp;', '&').slice(path.length));
    expect([file.status, file.headers.get('cache-control')], to).toEqual([200, 'private, no-store']);
  }
});

it('opens no file of a row that is not shown, nor anything else', async () => {
  const { page, get, edit, unknown, runtime } = await openDraftLink([
    ...threeRows,
    videoRow('d', { media: '../../draft.json' }),
    photoRow('e', 2, { ai_references: 'a.mp4' }),
  ]);
  await edit({ leaveOut: [3] });
  await page();
  expect((await get('/media/0/media/0')).status).toBe(200);
  const { id: other } = await createDraft(runtime, 'ben');
  for (const to of [
    '/media/1/media/0',
    '/media/2/media/0',
    '/media/3/media/0',
    '/media/9/media/0',
    '/media/-1/media/0',
    '/media/999999999/media/0',
    '/media/0/media/1',
    '/media/0/media/planned',
    '/media/0/media/-1',
    '/media/0/cover/0',
    '/media/4/ai_references/0',
    '/media/0/..%2f..%2fdraft.json/0',
    '/media/0/media/..%2f..%2fdraft.sqlite',
    `/media/${other}/media/0`,
    '/events',
    '/..%2f..%2fcampaigns',
  ])
    expect(await answerOf(await get(to)), to).toBe(await unknown());
});

it('approves and rejects nothing before the start, also if the link may', async () => {
  const { form, post, unknown, runner } = await openDraftLink();
  const fields = await form();
  for (const what of ['approve', 'reject', 'approve&sure=yes', 'start'])
    expect(await answerOf(await post(what, { ...fields, 'reason-0': 'No' })), what).toBe(await unknown());
  expect(await runner.ledger.campaigns.ids()).toEqual([]);
});

it('takes comments by name, as text, on rows that it shows, and no others', async () => {
  const { form, post, page, runtime, id, pages, runner, token } = await openDraftLink();
  const fields = await form();
  const hostile = '<script>alert(1)</script> \u001b[2J';
  const said = await post('comment', { ...fields, name: '<b>Lin</b>', 'comment-0': hostile });
  expect(await textOf(said)).toContain('Your comment was added.');
  const other = await openTestDraft([videoRow('x')]);
  for (const refused of [
    { one: fields.one.replace('.0.', '.1.'), 'comment-1': 'Hi' },
    { one: fields.one.replace('.0.', '.99.'), 'comment-99': 'Hi' },
    { one: fields.one.replace(id, other.id), 'comment-0': 'Hi' },
    { 'comment-0': '  ' },
    { name: '', 'comment-0': 'Hi' },
    { _csrf: 'x', 'comment-0': 'Hi' },
  ])
    await post('comment', { ...fields, ...refused });
  const draft = await findDraft(runtime, id);
  const kept = await listDraftComments(runtime, draft);
  expect(kept.map(({ number, comment }) => [number, comment.by])).toEqual([[1, '<b>Lin</b>']]);
  expect(kept[0]?.comment.text).not.toContain('\u001b[2J<');
  const seen = [await page(), (await pages.get(`/campaigns/new/${id}/rows/1`)).html];
  seen.push((await pages.get(`/campaigns/new/${id}`)).html);
  for (const html of seen) {
    expect(html).toContain('alert(1)');
    for (const part of ['<script>alert', '<b>Lin</b>', '\u001b']) expect(html.includes(part)).toBe(false);
  }
  const audit = JSON.stringify(await readAudit(runtime));
  expect(audit).toContain(`Commented on row 1 of draft ${id}`);
  const folder = draftFolder(runtime, id);
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map(({ name }) => readFileSync(join(folder, name), 'latin1'));
  const keys = await runner.redis.keys(`${runner.prefix}*`);
  for (const text of [audit, ...texts, ...keys]) expect(text.includes(token)).toBe(false);
});

it('takes no more than 100 comments on a row', async () => {
  const { form, post, runtime, id, drafts } = await openDraftLink([videoRow('a')]);
  const fields = await form();
  const row = { id, number: 1 };
  for (let each = 0; each < 100; each += 1)
    await addDraftComment(runtime, row, { by: 'Lin', text: `${each}`, isGuest: true });
  const refused = await post('comment', { ...fields, 'comment-0': 'One more' });
  expect(await textOf(refused)).toContain('reached the limit of comments');
  const long = { by: 'Lin', text: 'x'.repeat(2001) };
  await expect(addDraftComment(runtime, row, long)).rejects.toMatchObject({ code: 'comment_refused' });
  expect(await listDraftComments(runtime, (await drafts.look(id)).draft)).toHaveLength(100);
});

it.for(['revoked', 'discarded', 'started in another ledger'] as const)(
  'once it is %s after the page was loaded, it is like an unknown one',
  async (how) => {
    const { form, post, get, unknown, runtime, link, id, drafts } = await openDraftLink();
    const fields = await form();
    if (how === 'revoked') await revokeShare(runtime, link.id);
    if (how === 'discarded') await drafts.discard(id);
    if (how === 'started in another ledger') {
      const started = { campaign: 'c1', ledger: 'other' };
      await changeDraft(runtime, id, { by: 'ann', version: undefined, what: 'started it' }, () => started);
    }
    const refused = await unknown();
    expect(await answerOf(await get())).toBe(refused);
    expect(await answerOf(await get('/media/0/media/0'))).toBe(refused);
    expect(await answerOf(await post('comment', { ...fields, 'comment-0': 'Hi' }))).toBe(refused);
  },
);

it('is made of no draft that was started, updates a campaign, or does not exist', async () => {
  const { runtime, id } = await openTestDraft([videoRow('a')]);
  const make = (draft: string) => makeShare(runtime, { draft }, usual, 'anna');
  await expect(make('0123456789abcdef')).rejects.toMatchObject({ code: 'draft_not_found' });
  await expect(make('../../etc')).rejects.toMatchObject({ code: 'draft_not_found' });
  const to = (change: object) =>
    changeDraft(runtime, id, { by: 'ann', version: undefined, what: 'it' }, () => change);
  await to({ into: 'c1' });
  await expect(make(id)).rejects.toMatchObject({ code: 'draft_refused' });
  await to({ into: undefined, campaign: 'c1', ledger: 'x' });
  await expect(make(id)).rejects.toMatchObject({ code: 'draft_changed' });
  expect(await listShares(runtime, { draft: id })).toEqual([]);
});
