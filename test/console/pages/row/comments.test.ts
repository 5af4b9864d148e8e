/** Comments on a row: on its page, in its results, in the API, and how many there may be. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { addComment, listComments } from '../../../../src/app/approvals/comments.ts';
import { makeShare } from '../../../../src/app/approvals/shares.ts';
import { writeResults } from '../../../../src/app/campaigns/results/write.ts';
import { usual } from '../../../support/client-links.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

const hostile = '<img src=x onerror=alert(1)> \u001b[31mred $(reboot)';

async function openRow() {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('a'), videoRow('b')]);
  const pages = await openPages(runner);
  const row = { campaign: id, key: 'a' };
  const say = (text: string) => addComment(pages.runtime, row, { by: 'mei', text });
  return { runner, pages, id, row, say };
}

it('a comment stands on the page of its row, as text', async () => {
  const { pages, id } = await openRow();
  await pages.post(`/campaigns/${id}/rows/a/comments`, { text: hostile });
  const { html, text } = await pages.get(`/campaigns/${id}/rows/a`);
  expect(html).not.toContain('<img src=x');
  expect(html).not.toContain('\u001b');
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(text).toContain('Comments');
  expect((await pages.get(`/campaigns/${id}/rows/b`)).html).not.toContain('onerror');
});

it('comments stand in the results, where no formula is one', async () => {
  const { runner, pages, id, say } = await openRow();
  await say('=HYPERLINK("http://x.example")');
  await say('Better, thanks');
  const path = join(runner.folder, 'results.csv');
  await writeResults(pages.runtime, id, { to: path });
  const sheet = readFileSync(path, 'utf8');
  expect(sheet.split('\n')[0]).toContain('approval,approved_by,comments');
  expect(sheet).toContain('mei: =HYPERLINK');
  expect(sheet).not.toMatch(/(^|,)"?=HYPERLINK/m);
  expect(sheet).toContain('mei: Better, thanks');
});

it('comments and reasons obey no terminal that shows the results', async () => {
  const { runner, pages, id, say } = await openRow();
  await say(`${hostile}\u202e\nand more`);
  const path = join(runner.folder, 'results.csv');
  await writeResults(pages.runtime, id, { to: path });
  const sheet = readFileSync(path, 'utf8');
  expect(sheet).toContain('mei: <img src=x onerror=alert(1)> \\u001b[31mred $(reboot)\\u202e\n  and more');
});

it('comments of guests are marked in the results, and none of their lines reads as another person', async () => {
  const { runner, pages, id, row } = await openRow();
  const text = 'Too dark\nmei: approved';
  await addComment(pages.runtime, row, { by: 'Lin', text, isGuest: true });
  const path = join(runner.folder, 'results.csv');
  await writeResults(pages.runtime, id, { to: path });
  expect(readFileSync(path, 'utf8')).toContain('Lin (client link): Too dark\n  mei: approved');
});

it('says who reads a comment before it is written', async () => {
  const { pages, id } = await openRow();
  const page = () => pages.get(`/campaigns/${id}/rows/a`);
  expect((await page()).text).toContain('Clients who get a link later see comments, too.');
  await makeShare(pages.runtime, { campaign: id }, usual, 'anna');
  expect((await page()).text).toContain('Clients with a link see comments.');
});

it('folds all comments but the newest three, and the rest of a long one', async () => {
  const { pages, id, say } = await openRow();
  for (let number = 1; number <= 12; number += 1) await say(`comment ${number}`);
  await say(`Longer ${'word '.repeat(100)}end`);
  const { html } = await pages.get(`/campaigns/${id}/rows/a`);
  const folded = /<details><summary>10 earlier comments<\/summary>(.*?)<\/details>/s.exec(html)?.[1] ?? '';
  expect(folded).toContain('comment 10<');
  expect(folded).not.toContain('comment 11<');
  expect(html).toMatch(/<details><summary>.{0,40}Longer (?:word ){20,30}/);
});

it('results of a campaign without comments and approvals have no columns for them', async () => {
  const { runner, pages, id } = await openRow();
  const path = join(runner.folder, 'results.csv');
  await writeResults(pages.runtime, id, { to: path });
  expect(readFileSync(path, 'utf8')).not.toContain('approved_by');
});

it('a row takes a hundred comments; the first ones stay', async () => {
  const { pages, row, say } = await openRow();
  for (let number = 1; number <= 100; number += 1) await say(`comment ${number}`);
  await expect(say('one more')).rejects.toMatchObject({ code: 'comment_refused' });
  const comments = await listComments(pages.runtime, row);
  expect(comments.map(({ text }) => text).slice(0, 1)).toEqual(['comment 1']);
  expect(comments).toHaveLength(100);
});

it('a campaign takes ten thousand comments', async () => {
  const { runner, pages, id } = await openRow();
  await runner.redis.hset(runner.ledger.keys.campaign(id), 'comments', 10_000);
  const said = addComment(pages.runtime, { campaign: id, key: 'b' }, { by: 'mei', text: 'x' });
  await expect(said).rejects.toMatchObject({ code: 'comment_refused' });
});

it('a campaign that was deleted meanwhile takes none, and it is not said to be full', async () => {
  const { pages, say } = await openRow();
  vi.spyOn(pages.runtime.ledger.comments, 'add').mockResolvedValue('gone');
  await expect(say('too late')).rejects.toMatchObject({ code: 'row_not_found' });
});

it.for([
  ['   ', 'the comment is empty'],
  ['x'.repeat(2001), 'the comment has more than 2000 characters'],
] as const)('refuses a comment: %#', async ([text, message]) => {
  const { say } = await openRow();
  await expect(say(text)).rejects.toMatchObject({ code: 'comment_refused', message });
});

it('goes with its campaign', async () => {
  const { runner, id, say } = await openRow();
  await say('hello');
  const { deletion, keys } = runner.ledger;
  expect(await runner.redis.exists(keys.comments(id))).toBe(1);
  await runner.ledger.campaigns.pause(id, { code: 'paused', message: 'by hand', hints: [] });
  await deletion.tombstone(id);
  for (const remains of await deletion.remains()) await deletion.remove(remains);
  expect(await runner.redis.exists(keys.comments(id))).toBe(0);
});
