/** What guests of a client link decide: only what they were shown, and only while the link holds. */
import { request as sendRaw } from 'node:http';
import { expect, it } from 'vitest';
import { readAudit } from '../../src/app/access/audit.ts';
import { revokeShare } from '../../src/app/approvals/shares.ts';
import { pauseCampaign } from '../../src/app/campaigns/steer.ts';
import { day, openLink, soon, textOf } from '../support/client-links.ts';
import { videoRow } from '../support/sheets/rows.ts';

it('decides a post of its campaign as it was shown, in the name that was typed', async () => {
  const later = { scheduled_at: new Date(Date.now() + 11 * day).toISOString() };
  const { runner, runtime, post, form, id, waiting, edit } = await openLink([
    videoRow('a', soon),
    videoRow('b', later),
  ]);
  const fields = await form();
  expect(await textOf(await post('approve', { ...fields, name: ' ' }))).toContain('Type your name first.');
  await edit('a', 'caption', 'Another text');
  await waiting(2);
  expect(await textOf(await post('approve', fields))).toContain(
    'Changed since it was shown: caption. Look at it again.',
  );
  const answer = await post('approve', await form());
  const html = await answer.text();
  expect(html).toContain('Approved. Thank you.');
  expect(html).toContain('value="Lin"');
  expect(await runner.ledger.approvals.of(id, [0])).toMatchObject([
    { is: 'approved', by: 'Lin (client link)' },
  ]);
  const { entries } = await readAudit(runtime);
  expect(entries[0]).toMatchObject({
    who: 'Lin (client link)',
    by: expect.stringMatching(/^client link [0-9a-f]{8}$/),
  });
});

it('leads back to the page as it was, at the next post; a reload sends nothing again', async () => {
  const { send, get, path, id, runtime, form } = await openLink([videoRow('a', soon), videoRow('b', soon)]);
  const html = await (await get('?show=all&from=0&before=0')).text();
  const [, action = ''] = /formaction="[^"]*\?([^"]*do=approve[^"]*)"/.exec(html) ?? [];
  const query = new URLSearchParams(action.replaceAll('&amp;', '&'));
  expect(Object.fromEntries(query)).toEqual({
    show: 'all',
    from: '0',
    before: '0',
    do: 'approve',
    next: '0',
  });
  query.delete('do');
  const fields = { ...(await form()), 'comment-0': 'Hi' };
  const sent = await send(`comment&${query}`, fields);
  expect(sent.status).toBe(303);
  expect(sent.headers.get('location')).toBe(`${path}?show=all&from=0&before=0&at=0#post-0`);
  expect(await runtime.ledger.comments.of(id, [0])).toMatchObject([[{ text: 'Hi' }]]);
  const open = await (await get()).text();
  const [, next] = /formaction="[^"]*do=approve&amp;next=(\d+)"/.exec(open) ?? [];
  expect(next).toBe('1');
  const approved = await send(`approve&next=${next}`, fields);
  expect(approved.headers.get('location')).toBe(`${path}?at=1#post-1`);
  const hostile = await send('comment&show=//evil.example&from=1%0d%0ax:y&next=javascript:1', fields);
  expect(hostile.headers.get('location')).toBe(`${path}?at=0#post-0`);
});

it('an edit while the page is made: what is approved is what the page shows', async () => {
  const { runner, runtime, get, post, id, waiting, edit, posts } = await openLink();
  const { approvals } = runtime.ledger;
  const areAt = approvals.areAt.bind(approvals);
  // The rows of the page are read by now, the digests of their posts are not.
  approvals.areAt = async (...asked) => {
    if (asked[1] !== 'unapproved') return areAt(...asked);
    approvals.areAt = areAt;
    await edit('a', 'caption', 'Another text');
    await waiting(1);
    return areAt(...asked);
  };
  const html = await (await get()).text();
  const [, _csrf = ''] = /name="_csrf" value="([^"]*)"/.exec(html) ?? [];
  const [, one = ''] = /name="one" value="([^"]*)"/.exec(html) ?? [];
  await post('approve', { _csrf, one, name: 'Lin' });
  const isApproved = (await runner.ledger.campaigns.find(id))?.unapproved === 0;
  expect(isApproved).toBe(html.includes('Another text'));
  expect(posts()).toHaveLength(0);
});

it('rejects with a reason; hostile texts stay texts', async () => {
  const { runner, pages, post, form, id } = await openLink();
  const fields = await form();
  expect(await textOf(await post('reject', fields))).toContain('Type the reason.');
  const name = '<b>Lin</b>\u001b[31m\u202e\u0007';
  await post('reject', { ...fields, name, 'reason-0': '<img src=x onerror=alert(1)>' });
  const [row] = await runner.rows(id);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none must be left
  expect(row?.error?.message).not.toMatch(/[\u0000-\u0009\u001b\u202e]/);
  const page = await pages.get(`/campaigns/${id}/rows/a`);
  expect(page.html).not.toMatch(/<img src=x|<b>Lin/);
});

it('asks a guest once more before a post that goes out at once', async () => {
  const { get } = await openLink([videoRow('a')]);
  const html = await (await get()).text();
  expect(html).toContain('Approve…');
  expect(html).toContain('Approve and post now');
});

it('shows what else is approved, in the console and to guests: product id, music, AI label, pre-check', async () => {
  const music = { music_id: '7291', music_title: '<b>Sunrise</b>', music_author: 'The Larks' };
  const { get, pages } = await openLink([
    videoRow('a', { ...soon, ...music, is_ai_generated: 'yes', pre_check: 'yes', pre_check_overtime: '600' }),
  ]);
  const shown =
    'Product p-a from the showcase · Music: &lt;b&gt;Sunrise&lt;/b&gt;, The Larks, 7291 · AI label · Pre-check, up to 600 s';
  const plain = (html: string) => html.replaceAll(/<.?bdi>/g, '');
  expect(plain(await (await get()).text())).toContain(shown);
  expect(plain((await pages.get('/approvals')).html)).toContain(shown);
});

it('says of a post that the service gets before its day when it is posted', async () => {
  const { get } = await openLink([videoRow('a', { ...soon, lead: '20d' })]);
  const text = (await textOf(await get())).replaceAll(/\s+/g, ' ');
  const [, when = ''] = /Caption a (\w+ \d+ \w+, \d\d:\d\d)/.exec(text) ?? [];
  expect(text).toContain(`It goes to the service now, for ${when}. Approve and send now`);
  expect(text).not.toContain('posted now');
});

it('asks once more if the time of a post has come since the page was made', async () => {
  const { runtime, post, form, id, clock, posts, runner } = await openLink(undefined, { forMs: 20 * day });
  const fields = await form();
  clock.now += 9.5 * day;
  expect(await textOf(await post('approve', fields))).toContain('an approval sends it to the service now');
  expect((await runtime.ledger.campaigns.find(id))?.unapproved).toBe(1);
  expect(posts()).toHaveLength(0);
  expect(await textOf(await post('approve&sure=yes', fields))).toContain('Approved. Thank you.');
  await runner.until(() => posts().length === 1, 'the post');
});

it('asks no second time where a paused campaign sends nothing', async () => {
  const { runtime, get, id } = await openLink([videoRow('a')]);
  await pauseCampaign(runtime, id);
  expect(await (await get()).text()).not.toContain('Approve…');
});

it('a link that is revoked while its form is on the way decides nothing', async () => {
  const { runtime, pages, form, id, link, path } = await openLink();
  const body = new URLSearchParams(await form()).toString();
  const { shares } = runtime.ledger.access;
  const find = shares.find.bind(shares);
  const opened = Promise.withResolvers<void>();
  shares.find = async (digest) => {
    opened.resolve();
    return find(digest);
  };
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const headers = {
    origin: 'null',
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
  };
  const sent = sendRaw(`${pages.url}${path}?do=approve`, { method: 'POST', headers }, ({ statusCode }) =>
    resolve(statusCode),
  );
  sent.write(body.slice(0, 5));
  await opened.promise;
  await find('');
  await revokeShare(runtime, link.id);
  sent.end(body.slice(5));
  expect(await promise).toBe(404);
  expect((await runtime.ledger.campaigns.find(id))?.unapproved).toBe(1);
});
