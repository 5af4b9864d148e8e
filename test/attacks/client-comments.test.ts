/** Comments of guests of a client link: texts of people whom nobody knows. */
import { expect, it } from 'vitest';
import { readAudit } from '../../src/app/access/audit.ts';
import { openShare } from '../../src/app/approvals/shares.ts';
import { cancelCampaign, cancelRow, deleteCampaign } from '../../src/app/campaigns/steer.ts';
import type { Tools } from '../../src/app/operations/tools.ts';
import { commentAsGuest } from '../../src/console/client-link/decide.ts';
import { openLink, soon, textOf } from '../support/client-links.ts';
import { videoRow } from '../support/sheets/rows.ts';

it('takes comments by name, as text, also where its guests may not approve', async () => {
  const { runtime, pages, get, post, form, id, token } = await openLink(undefined, { mayApprove: false });
  const hostile = '<script>alert(1)</script> \u001b[2J =cmd|x';
  const answer = await post('comment', { ...(await form()), 'comment-0': hostile, name: '<b>Lin</b>' });
  expect(answer.status).toBe(200);
  const html = await answer.text();
  expect(html).toContain('Your comment was added.');
  for (const part of ['<script>alert', '<b>Lin</b>', '\u001b']) expect(html).not.toContain(part);
  expect(await runtime.ledger.comments.of(id, [0])).toMatchObject([[{ by: '<b>Lin</b>', isGuest: true }]]);
  expect((await pages.get(`/campaigns/${id}/rows/a`)).text).toContain('(client)');
  expect((await get()).status).toBe(200);
  const audit = JSON.stringify(await readAudit(runtime));
  expect(audit).toContain('Commented on row a');
  expect(audit).not.toContain(token);
});

it('takes no comment without a name, a text, or on a row of another campaign', async () => {
  const { runner, runtime, post, form, id } = await openLink();
  const other = await runner.importRows([videoRow('other')]);
  const fields = await form();
  await post('comment', { ...fields, name: '', 'comment-0': 'Hi' });
  await post('comment', { ...fields, 'comment-0': '   ' });
  await post('comment', { ...fields, one: fields.one.replace(id, other), 'comment-0': 'Hi' });
  await post('comment', { ...fields, _csrf: 'x', 'comment-0': 'Hi' });
  expect(await runtime.ledger.comments.of(id, [0])).toEqual([[]]);
  expect(await runtime.ledger.comments.of(other, [0])).toEqual([[]]);
});

it('tells the guest that the post is gone, if its campaign was deleted meanwhile', async () => {
  const { runtime, id, token } = await openLink();
  const opened = (await openShare(runtime, token)) ?? expect.unreachable();
  await cancelCampaign(runtime, id);
  await deleteCampaign(runtime, id);
  const guest = { ...opened, token, name: 'Lin', from: '::1', left: new AbortController().signal };
  const form = new URLSearchParams({ one: `${id}.0.0.`, 'comment-0': 'Hi' });
  const notice = await commentAsGuest({ runtime } as Tools, guest, form);
  expect(notice).toMatchObject({
    text: 'Your comment was not added.',
    more: expect.stringContaining('was not found'),
  });
});

it.for([
  ['a row that does not exist', '999999999'],
  ['a cancelled row', '1'],
] as const)('takes no comment on %s, and says so', async ([, position]) => {
  const { runtime, post, form, id } = await openLink([videoRow('a', soon), videoRow('b', soon)]);
  const fields = await form();
  await cancelRow(runtime, { campaign: id, key: 'b' }, 'anna');
  const one = `${id}.${position}.0.`;
  const answer = await post('comment', { ...fields, one, [`comment-${position}`]: 'Hi' });
  expect(answer.status).toBe(200);
  expect(await textOf(answer)).toContain('Your comment was not added.');
  expect(await runtime.ledger.comments.of(id, [0, 1])).toEqual([[], []]);
});
